"""Does Collate really work with an MPI? A tiny real run: two ranks write one interleaved file collectively and check its bytes.

Proof takes two things: the program's own word that every byte is right, and the library's word (COLLATE_VERBOSE=1 makes it print
a line that starts with "collate: " for each file) that it, and not the MPI's own I/O, did the writing.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from .. import launch, paths

SECONDS = 60
RANKS = 2


def run_whole(command: list[str], environment: dict[str, str | None], seconds: float) -> tuple[int | None, str, str]:
    """Exit status (None: ran out of time, and all it had started was ended), stdout, stderr.

    `environment` is put over this process's own; None takes a variable away.
    """
    variables = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    process = subprocess.Popen(
        command,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return None, out, err
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise


def json_line(text: str) -> dict | None:
    """The last line of `text` that is a JSON object."""
    for line in reversed(text.splitlines()):
        if line.lstrip().startswith("{"):
            with contextlib.suppress(ValueError):
                return json.loads(line)
    return None


def last_words(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip(" -=\t")]
    return lines[-1] if lines else "it said nothing"


def judge(status: int | None, out: str, err: str) -> tuple[bool, str]:
    """Whether the run proves that Collate works, and the reason in words."""
    if status is None:
        return False, f"the run did not end within {SECONDS} s"
    evidence = next((line for line in err.splitlines() if line.startswith("collate: ")), None)
    result = json_line(out)
    if result is None:
        return False, f"exit status {status}: {last_words(err or out)}"
    if result.get("verified") is not True:
        return False, f"wrong bytes in the file: {json.dumps(result)}"
    if status != 0:
        return False, f"exit status {status}: {last_words(err)}"
    if evidence is None:
        return False, "the bytes are right, but the MPI's own I/O wrote them: Collate was loaded and not called"
    return True, evidence.removeprefix("collate: ")


def prove(mpi: dict, folder: str) -> dict:
    """One MPI (a row of mpis.all_mpis) put to the test in `folder`."""
    proof = {"mpi": mpi["family"], "launcher": mpi["launcher"], "ok": False, "seconds": None, "reason": "", "command": None}
    workload = paths.program(mpi["family"], "workload")
    missing = [part for part in (paths.exec_path(), paths.library(mpi["family"]), workload) if not part.is_file()]
    if missing:
        proof["reason"] = f"{missing[0]} is missing; build it with: make build"
        return proof
    with tempfile.TemporaryDirectory(prefix=".collate-doctor-", dir=folder) as scratch:
        program = [
            str(workload),
            "--pattern",
            "interleaved",
            "--level",
            "3",
            "--op",
            "write",
            "--mib",
            "1",
            "--file",
            str(pathlib.Path(scratch, "file")),
        ]
        command = [mpi["launcher"], "-n", str(RANKS), str(paths.exec_path()), *program]
        environment: dict[str, str | None] = {"COLLATE_VERBOSE": "1", "COLLATE": None}
        if mpi["family"] == "openmpi":
            environment |= launch.openmpi_environment(RANKS)[0]
        start = time.monotonic()
        status, out, err = run_whole(command, environment, SECONDS)
        proof["seconds"] = round(time.monotonic() - start, 3)
    proof["command"] = command
    proof["ok"], proof["reason"] = judge(status, out, err)
    return proof
