"""On every rank: runs mpi4py's own tests of files and records each one's beginning and end.

    on_ranks.py <mpi4py's test folder> <list of what is not run>

Records (jobs.py reads them): `start`; for each test `begin Class.method` and `Class.method` with outcome and detail; `end`.
"""

from __future__ import annotations

import fnmatch
import json
import os
import pathlib
import sys
import unittest

NAMES = ["test_io", "test_file", "test_errhandler.TestErrhandlerFile", "test_subclass.TestMyFile"]


class Recorder(unittest.TestResult):
    def __init__(self, out) -> None:
        super().__init__()
        self.out = out
        self.problems: list[tuple[str, str]] = []

    def record(self, name: str, **facts) -> None:
        self.out.write(json.dumps({"name": name, **facts}) + "\n")
        self.out.flush()

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.problems = []
        self.record(f"begin {short(test)}")

    def stopTest(self, test: unittest.TestCase) -> None:
        outcome, detail = next((p for p in self.problems if p[0] == "failed"), (self.problems or [("passed", "")])[0])
        self.record(short(test), outcome=outcome, detail=detail)
        super().stopTest(test)

    def addError(self, test: unittest.TestCase, problem: tuple) -> None:
        self.problems.append(("failed", self._exc_info_to_string(problem, test)))

    addFailure = addError

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, problem: tuple | None) -> None:
        if problem is not None:
            self.addError(subtest, problem)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.problems.append(("skipped", reason))


def short(test: unittest.TestCase) -> str:
    return ".".join(test.id().split(".")[-2:])


def patterns(path: str) -> list[tuple[str, str]]:
    lines = (line.split(maxsplit=1) for line in pathlib.Path(path).read_text().splitlines() if line.strip() and line[0] != "#")
    return [(words[0], words[1].strip()) for words in lines]


def flat(suite) -> list[unittest.TestCase]:
    return [test for part in suite for test in (flat(part) if isinstance(part, unittest.TestSuite) else [part])]


def main(folder: str, not_yet: str) -> None:
    sys.path.insert(0, folder)
    for absent in ("cupy", "numba"):
        sys.modules[absent] = None
    from mpi4py import MPI

    rank = MPI.COMM_WORLD.Get_rank()
    with open(pathlib.Path(os.environ["COLLATE_TEST_RECORDS"], f"rank-{rank}.jsonl"), "w") as out:
        recorder = Recorder(out)
        recorder.record("start", process=os.getpid(), library=MPI.Get_library_version().splitlines()[0])
        tests = flat(unittest.TestLoader().loadTestsFromNames(NAMES))
        listed = patterns(not_yet)
        reasons = {short(t): next((why for pattern, why in listed if fnmatch.fnmatchcase(short(t), pattern)), None) for t in tests}
        recorder.record("reasons", deselected={name: why for name, why in reasons.items() if why})
        recorder.record("unused", patterns=[p for p, _ in listed if not fnmatch.filter(reasons, p)])
        unittest.TestSuite(test for test in tests if reasons[short(test)] is None).run(recorder)
        recorder.record("end")


if __name__ == "__main__":
    main(*sys.argv[1:])
