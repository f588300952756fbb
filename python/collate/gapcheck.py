"""The gap check: one collective write that leaves gaps, after which every byte nobody wrote must be as before.

The program (bench/gapcheck.c) knows nothing of Collate; it is run on an MPI's own file I/O and on Collate, and its counts are
put into a sentence as they are.
"""

from __future__ import annotations

import dataclasses
import pathlib

from . import launch, paths
from .doctor.proof import json_line, last_words, run_whole
from .errors import CollateError

MIB = 256
RANKS = 4
SECONDS = 180


@dataclasses.dataclass(frozen=True)
class Case:
    mpi: str
    ours: bool

    @property
    def title(self) -> str:
        return f"{'Collate' if self.ours else 'its own I/O'} on {paths.ABI_TITLES[self.mpi]}"


@dataclasses.dataclass(frozen=True)
class Outcome:
    right: bool
    sentence: str


CASES = (Case("openmpi", ours=False), Case("openmpi", ours=True))


def describe(result: dict) -> Outcome:
    """What the program counted, as a sentence."""
    wrong, damaged = result["written_wrong_bytes"], result["unwritten_damaged_bytes"]
    if result.get("error"):
        return Outcome(False, f"the program reports: {result['error']}")
    if wrong == 0 and damaged == 0:
        return Outcome(True, "every byte is right, those written and those in the gaps")
    said = "although the call returned success" if result.get("return_code", 0) == 0 else "and the call returned an error"
    return Outcome(False, f"{damaged:,} bytes that nobody wrote were damaged and {wrong:,} written bytes are wrong, {said}")


def check(case: Case, folder: str, mib: int = MIB) -> Outcome:
    program = paths.program(case.mpi, "gapcheck")
    if not program.is_file():
        raise CollateError(f"{program} is missing; build it with: make build")
    wishes = launch.Wishes(ranks=RANKS, off=not case.ours)
    plan = launch.plan([str(program), str(pathlib.Path(folder, "gaps")), str(mib)], wishes)
    status, out, err = run_whole(plan.command, {**plan.environment, "COLLATE": "off" if wishes.off else "on"}, SECONDS)
    if status is None:
        return Outcome(False, f"the program did not end within {SECONDS} s and was ended")
    result = json_line(out)
    if result is None:
        return Outcome(False, f"the program ended with status {status}: {last_words(err or out)}")
    return describe(result)
