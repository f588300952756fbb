"""The gap check: does a collective write with gaps leave the bytes between alone? Runs `gapcheck` on MPI engines and says."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from collate.bench import engines, runner
from collate.bench.engines import Engine

MIB = 1 << 20


@dataclass(frozen=True)
class Finding:
    """What one engine did. Counts in bytes; None when the program did not get far enough to count."""

    engine: str
    status: str
    wrong_bytes: int | None = None
    damaged_bytes: int | None = None
    first_bad_offset: int | None = None
    return_code: int | None = None
    error: str | None = None

    @property
    def text(self) -> str:
        """The finding in one line."""
        if self.damaged_bytes is None:
            return f"{self.status}: {self.error}"
        if self.status == runner.OK:
            return "every byte right, written or not"
        said = "returned success" if self.return_code == 0 else f"returned code {self.return_code}"
        if not self.damaged_bytes and not self.wrong_bytes:
            return f"{said}: {self.error}"
        return (
            f"{said}; {self.damaged_bytes / MIB:.1f} MiB nobody wrote are damaged, {self.wrong_bytes / MIB:.1f} MiB written "
            f"are wrong, the first at offset {self.first_bad_offset}"
        )


def judge(engine: str, done: runner.Output) -> Finding:
    """The finding in what a launch of `gapcheck` left."""
    if done.problem is not None:
        return Finding(engine, done.problem.status, error=done.problem.error)
    objects = runner.json_lines(done.output, "unwritten_damaged_bytes")
    if not objects:
        return Finding(engine, runner.FAILED, error=runner.failure(done.returncode, done.errors))
    found = objects[0]
    bad = bool(found["written_wrong_bytes"] or found["unwritten_damaged_bytes"])
    good = found["verified"] and done.returncode == 0
    return Finding(
        engine,
        runner.OK if good else runner.WRONG if bad else runner.FAILED,
        found["written_wrong_bytes"],
        found["unwritten_damaged_bytes"],
        found["first_bad_offset"],
        found["return_code"],
        found["error"],
    )


def run(engine: Engine, ranks: int, directory: Path, timeout_seconds: float) -> Finding:
    """Runs the gap check on an engine of an MPI, with a 256 MiB file in `directory` that is removed afterwards."""
    mpi = engine.mpi or engines.MPIS[0]
    absent = engines.missing(engine, mpi, "gapcheck")
    if absent:
        return Finding(engine.name, runner.MISSING, error=absent)
    path = directory / f"collate-gapcheck-{os.getpid()}"
    words = engines.command(engine, mpi, ranks, [str(path)], "gapcheck")
    try:
        return judge(engine.name, runner.execute(words, engines.environment(mpi), timeout_seconds))
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
