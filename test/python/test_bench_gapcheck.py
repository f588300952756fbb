"""What the gap check says about what a launch left."""

import json

from collate.bench import gapcheck
from collate.bench.runner import FAILED, OK, TIMEOUT, WRONG, Output, Sample

GOOD = {
    "written_wrong_bytes": 0,
    "unwritten_damaged_bytes": 0,
    "first_bad_offset": None,
    "return_code": 0,
    "error": None,
    "verified": True,
}


def judge(returncode: int = 0, **changes: object) -> gapcheck.Finding:
    return gapcheck.judge("ompio/openmpi", Output(returncode, json.dumps({**GOOD, **changes})))


def test_every_byte_right():
    assert judge().status == OK


def test_damage_is_told_with_success_returned():
    found = judge(1, unwritten_damaged_bytes=3 << 20, first_bad_offset=512, verified=False)
    assert found.status == WRONG
    assert "returned success; 3.0 MiB nobody wrote are damaged" in found.text and "512" in found.text


def test_an_error_code_is_a_failure():
    found = judge(1, return_code=17, error="no space", verified=False)
    assert found.status == FAILED and "17" in found.text and "no space" in found.text


def test_no_output_or_a_hang_is_no_pass():
    assert gapcheck.judge("x", Output(139, "", "Segmentation fault")).status == FAILED
    assert gapcheck.judge("x", Output(problem=Sample(TIMEOUT, error="late"))).text == "timeout: late"
