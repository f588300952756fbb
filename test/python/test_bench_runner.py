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
    (line,) = runner.json_lines("some banner\n" + json.dumps(GOOD) + "\n", "seconds")
    assert runner.sample(line) == runner.Sample(runner.OK, 1048576, 0.5, 0.75)


def test_wrong_bytes_are_never_ok():
    found = runner.sample({**GOOD, "verified": False, "damaged_bytes": 12, "first_bad_offset": 4096})
    assert found.status == runner.WRONG
    assert "12 bytes damaged" in found.error and "4096" in found.error


def test_an_error_without_wrong_bytes_is_a_failure():
    found = runner.sample({**GOOD, "verified": False, "error": "MPI_File_open returned error class 37"})
    assert (found.status, found.error) == (runner.FAILED, "MPI_File_open returned error class 37")


def test_only_objects_with_the_key_are_lines():
    assert runner.json_lines('{not json}\n[1, 2]\n{"other": 1}\nnoise {"seconds": 2}\n', "seconds") == [{"seconds": 2}]


def test_a_failure_tells_the_status_and_what_was_said():
    assert runner.failure(2, "-----\nworkload: no pattern 'x'\n") == "exit status 2: workload: no pattern 'x'"


def test_a_missing_program_is_a_failure():
    assert runner.execute(["/nonexistent/mpiexec"], dict(os.environ), 5).problem.status == runner.FAILED


def test_the_time_limit_is_for_silence_and_what_was_said_before_is_kept():
    talks = (
        "import sys, time\nfor i in range(5): print(i, flush=True); time.sleep(0.5)\n"
        "time.sleep(600 if sys.argv[1] == 'hang' else 0)"
    )
    start = time.monotonic()
    assert runner.execute([sys.executable, "-c", talks, "end"], dict(os.environ), 1.5).problem is None
    found = runner.execute([sys.executable, "-c", talks, "hang"], dict(os.environ), 1.5)
    assert found.problem.status == runner.TIMEOUT and found.output == "0\n1\n2\n3\n4\n"
    assert time.monotonic() - start < 15


def test_a_hang_ends_with_all_its_processes(tmp_path):
    pid_file = tmp_path / "pid"
    inner = f"import os,time; open({str(pid_file)!r},'w').write(str(os.getpid())); time.sleep(600)"
    outer = f"import subprocess,sys; subprocess.run([sys.executable,'-c',{inner!r}], start_new_session=True)"
    start = time.monotonic()
    found = runner.execute([sys.executable, "-c", outer], dict(os.environ), 2.0)
    assert found.problem.status == runner.TIMEOUT
    assert time.monotonic() - start < 15
    stat = f"/proc/{pid_file.read_text()}/stat"
    for _ in range(50):
        if not os.path.exists(stat) or Path(stat).read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("the grandchild still runs")
