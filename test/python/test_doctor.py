"""collate doctor: its facts, its findings, and its JSON against the schema that is shipped."""

from __future__ import annotations

import copy
import json
import pathlib

import jsonschema
import pytest
from click.testing import CliRunner

import collate
from collate import console
from collate.cli import main
from collate.doctor import filesystems, proof, report

SCHEMA = json.loads((pathlib.Path(collate.__file__).parent / "schemas" / "doctor.schema.json").read_text())
MOUNTS = """\
21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
22 21 0:5 / /dev/shm rw shared:2 - tmpfs tmpfs rw
23 21 0:6 / /scratch\\040one rw - lustre 10.0.0.1@tcp:/x rw
24 21 0:7 / /home rw - ext4 /dev/sdb rw
25 21 0:8 / /home rw - nfs4 server:/home rw
broken line
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> dict:
    return report.examine(str(tmp_path_factory.mktemp("work")), False, lambda _: None)


def test_report_matches_the_schema(facts: dict) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(facts, SCHEMA)


def test_command_prints_one_document(runner: CliRunner, tmp_path: pathlib.Path) -> None:
    done = runner.invoke(main, ["doctor", "--json", "--no-run", "--dir", str(tmp_path)])
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert done.exit_code == (1 if document["findings"] else 0)
    assert list(tmp_path.iterdir()) == []


def test_text_is_plain_in_a_pipe(runner: CliRunner, tmp_path: pathlib.Path) -> None:
    done = runner.invoke(main, ["doctor", "--no-run", "--dir", str(tmp_path)])
    assert "\x1b" not in done.stdout
    for section in ("collate", "storage", "limits", "machine"):
        assert section in done.stdout


def test_mount_with_the_longest_match_wins() -> None:
    kind = lambda path: filesystems.file_system_type(pathlib.Path(path), MOUNTS)  # noqa: E731
    assert kind("/etc") == "ext4"
    assert kind("/dev/shm/x") == "tmpfs"
    assert kind("/scratch one/run") == "lustre"
    assert kind("/home/ana") == "nfs4", "the later mount hides the earlier"
    assert kind("/homes") == "ext4"


def test_a_folder_that_can_not_be_written(tmp_path: pathlib.Path) -> None:
    facts = filesystems.examine(str(tmp_path / "none"))
    assert "no file can be made" in facts["problem"]
    assert filesystems.examine(str(tmp_path))["locks"] in ("ofd", "posix")


def healthy(facts: dict) -> dict:
    out = copy.deepcopy(facts)
    out["collate"]["exec_present"] = True
    for library in out["collate"]["libraries"]:
        library["present"] = True
    out["mpis"] = out["mpis"] or [{}]
    out["file_systems"] = []
    out["limits"] |= {"file_size_bytes": None, "open_files": 1024}
    return out


def test_findings_name_what_to_do(facts: dict) -> None:
    good = healthy(facts)
    assert report.findings(good) == []
    bad = copy.deepcopy(good)
    bad["collate"]["libraries"][0]["present"] = False
    bad["mpis"] = []
    bad["limits"] |= {"file_size_bytes": 1 << 20, "open_files": 64}
    bad["proofs"] = [{"mpi": "mpich", "launcher": "/x/mpiexec", "ok": False, "reason": "it said nothing"}]
    bad["file_systems"] = [
        {"path": "/full", "type": "ext4", "free_bytes": 0, "locks": "ofd", "problem": None},
        {"path": "/odd", "type": "odd", "free_bytes": 1 << 40, "locks": "none", "problem": None},
        {"path": "/none", "type": "odd", "free_bytes": None, "locks": None, "problem": "no file can be made in /none: why"},
    ]
    text = "\n".join(one["sentence"] for one in report.findings(bad))
    parts = ("make build", "make setup", "ulimit -f", "ulimit -n", "does not work with MPICH", "make room", "can't lock", "/none")
    for part in parts:
        assert part in text


@pytest.mark.parametrize(
    ("status", "out", "err", "ok", "reason"),
    [
        (0, '{"verified": true}', "collate: f: 1 write", True, "f: 1 write"),
        (0, '{"verified": true}', "", False, "Collate was loaded and not called"),
        (0, '{"verified": false}', "collate: f", False, "wrong bytes"),
        (1, "", "MPI_ERR_IO\n-----\n", False, "MPI_ERR_IO"),
        (3, '{"verified": true}', "collate: f", False, "exit status 3"),
        (None, "", "", False, "did not end"),
    ],
)
def test_proof_needs_bytes_and_evidence(status: int | None, out: str, err: str, ok: bool, reason: str) -> None:
    judged, why = proof.judge(status, out, err)
    assert judged is ok
    assert reason in why


def test_a_run_that_hangs_is_ended() -> None:
    status, out, _ = proof.run_whole(["/bin/sh", "-c", "echo begun; sleep 60 & wait"], {}, 0.5)
    assert status is None
    assert out == "begun\n"


def test_bytes_text() -> None:
    assert [console.bytes_text(n) for n in (0, 1023, 1536, 8 << 20, 252 << 30, None)] == [
        "0 B",
        "1023 B",
        "1.5 KiB",
        "8.0 MiB",
        "252 GiB",
        "unlimited",
    ]
