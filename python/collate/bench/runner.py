"""Runs a command with a time limit and reads the JSON lines it printed. Never raises for what it ran."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

OK, MISSING, TIMEOUT, FAILED, WRONG = "ok", "missing", "timeout", "failed", "wrong"


@dataclass(frozen=True)
class Sample:
    """One repetition of one engine. Times in seconds, sizes in bytes."""

    status: str
    useful_bytes: int = 0
    seconds: float = 0.0
    seconds_with_open_close: float = 0.0
    error: str | None = None


def sample(found: dict) -> Sample:
    """One line that the workload program printed, as a sample."""
    if found.get("verified"):
        return Sample(OK, found["bytes"], found["seconds"], found["seconds_with_open_close"])
    return Sample(WRONG if _bytes_wrong(found) else FAILED, found.get("bytes", 0), error=_complaint(found))


def json_lines(output: str, key: str) -> list[dict]:
    """The lines of the output that are (or end in) a JSON object with `key`."""
    objects = []
    for text in output.splitlines():
        start = text.find("{")
        try:
            found = json.loads(text[start:]) if start >= 0 else None
        except ValueError:
            continue
        if isinstance(found, dict) and key in found:
            objects.append(found)
    return objects


def failure(returncode: int, errors: str) -> str:
    """Exit status and the first words on standard error."""
    said = [line.strip() for line in errors.splitlines() if line.strip(" -\n")]
    return f"exit status {returncode}: {said[0][:200] if said else 'no output'}"


def _bytes_wrong(found: dict) -> bool:
    return bool(found.get("wrong_bytes") or found.get("damaged_bytes"))


def _complaint(found: dict) -> str:
    if found.get("error"):
        return str(found["error"])[:200]
    return (
        f"{found.get('wrong_bytes', 0)} bytes wrong, {found.get('damaged_bytes', 0)} bytes damaged that nobody wrote, "
        f"the first at offset {found.get('first_bad_offset')}"
    )


def descendants(pid: int) -> list[int]:
    """Process ids below `pid`, read from /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def stop(process: subprocess.Popen) -> None:
    """Ends a launch that is out of time, with every process it started: first politely, then for good."""
    below = descendants(process.pid)
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=3)
    for pid in [*below, process.pid]:
        if pid == process.pid and process.poll() is not None:
            continue
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)


@dataclass(frozen=True)
class Output:
    """What a launch left: its exit status and texts, and a `problem` (a sample) when it did not start or end by itself."""

    returncode: int = 0
    output: str = ""
    errors: str = ""
    problem: Sample | None = None


def execute(command: list[str], environment: dict[str, str], timeout_seconds: float) -> Output:
    """Runs a command to its end, or until it has printed nothing for the time given: then it is ended, and that is a `timeout`."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        problem = None
        try:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
        except OSError as reason:
            return Output(problem=Sample(FAILED, error=f"cannot start {command[0]}: {reason.strerror}"))
        try:
            _wait(process, out.fileno(), timeout_seconds)
        except subprocess.TimeoutExpired:
            stop(process)
            problem = Sample(TIMEOUT, error=f"not finished after {timeout_seconds:g} s")
        except BaseException:
            stop(process)
            raise
        out.seek(0)
        err.seek(0)
        return Output(process.returncode or 0, out.read(), err.read(), problem)


def _wait(process: subprocess.Popen, output: int, timeout_seconds: float) -> None:
    """Waits for the end; TimeoutExpired when the output has not grown for the time given."""
    size, deadline = 0, time.monotonic() + timeout_seconds
    while True:
        try:
            process.wait(timeout=max(0.0, min(1.0, deadline - time.monotonic())))
            return
        except subprocess.TimeoutExpired:
            grown = os.fstat(output).st_size
            if grown > size:
                size, deadline = grown, time.monotonic() + timeout_seconds
            elif time.monotonic() >= deadline:
                raise
