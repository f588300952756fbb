"""Reading what a launch printed, and ending one that hangs."""

import json
import os
import sys
import time
from pathlib import Path

from collate.bench import runner

GOOD = {
    "pattern": "dist3d",
    "bytes": 1048576,
    "seconds": 0.5,
    "seconds_with_open_close": 0.75,
    "verified": True,
    "wrong_bytes": 0,
    "damaged_bytes": 0,
    "first_bad_offset": None,
    "error": None,
}


def test_a_verified_line_is_a_sample():
    found = runner.parse("some banner\n" + json.dumps(GOOD) + "\n", 0)
    assert found == runner.Sample(runner.OK, 1048576, 0.5, 0.75)


def test_wrong_bytes_are_never_ok():
    bad = {**GOOD, "verified": False, "damaged_bytes": 12, "first_bad_offset": 4096}
    found = runner.parse(json.dumps(bad), 1)
    assert found.status == runner.WRONG
    assert "12 bytes damaged" in found.error and "4096" in found.error


def test_an_error_without_wrong_bytes_is_a_failure():
    bad = {**GOOD, "verified": False, "error": "MPI_File_open returned error class 37"}
    found = runner.parse(json.dumps(bad), 1)
    assert (found.status, found.error) == (runner.FAILED, "MPI_File_open returned error class 37")


def test_a_good_line_with_a_bad_exit_status_is_a_failure():
    assert runner.parse(json.dumps(GOOD), 139, "Segmentation fault").status == runner.FAILED


def test_output_without_a_line_is_a_failure_with_the_reason():
    found = runner.parse("{not json}\n[1, 2]\n", 2, "-----\nworkload: no pattern 'x'\n")
    assert found.status == runner.FAILED
    assert "no pattern 'x'" in found.error and "2" in found.error


def test_a_missing_program_is_a_failure():
    assert runner.launch(["/nonexistent/mpiexec"], dict(os.environ), 5).status == runner.FAILED


def test_a_hang_ends_with_all_its_processes(tmp_path):
    pid_file = tmp_path / "pid"
    inner = f"import os,time; open({str(pid_file)!r},'w').write(str(os.getpid())); time.sleep(600)"
    outer = f"import subprocess,sys; subprocess.run([sys.executable,'-c',{inner!r}], start_new_session=True)"
    start = time.monotonic()
    found = runner.launch([sys.executable, "-c", outer], dict(os.environ), 2.0)
    assert found.status == runner.TIMEOUT
    assert time.monotonic() - start < 15
    stat = f"/proc/{pid_file.read_text()}/stat"
    for _ in range(50):
        if not os.path.exists(stat) or Path(stat).read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("the grandchild still runs")
