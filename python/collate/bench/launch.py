"""One launch of the workload program: its command line, what it printed, and what to do when it died half way.

The program prints a line after each measurement. When a launch hangs or dies, the first measurement without a line is to blame:
its cell gets the reason and is not measured again. The cells behind it are innocent, and are measured by a launch without it.
So one bad cell costs one time limit and one launch more, and no cell is lost because of another. Ends after at most one launch
more than there are cells.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from collate.bench import engines, runner
from collate.bench.settings import Key, Settings
from collate.bench.workloads import WORKLOADS

Measured = tuple[Key, runner.Sample]


def measure(
    settings: Settings, keys: Sequence[Key], times: int, seed: int, given_up: dict[Key, runner.Sample]
) -> list[Measured]:
    """Measures all cells, which are of one engine and workload, `times` times. Cells that cannot be go to `given_up`."""
    engine = engines.ENGINES[keys[0].engine]
    mpi = engine.mpi or next((m for m in settings.mpis if not engines.missing(engine, m)), settings.mpis[0])
    absent = engines.missing(engine, mpi)
    if absent:
        given_up.update(dict.fromkeys(keys, runner.Sample(runner.MISSING, error=absent)))
    found: list[Measured] = [(key, given_up[key]) for key in keys if key in given_up]
    owed = {key: times for key in keys if key not in given_up}
    while owed:
        cells = batch(owed)
        count = owed[cells[0]]
        folder = cells[0].directory / f"collate-bench-{os.getpid()}"
        words = engines.command(engine, mpi, settings.ranks, arguments(settings, cells, count, seed, folder / "data"))
        done = _in_folder(folder, words, engines.environment(mpi), settings.timeout_seconds)
        measured, blamed = judge(done, cells, count)
        found += measured
        given_up.update(blamed)
        for key in cells:
            owed[key] -= sum(1 for of, _ in measured if of == key)
        owed = {key: left for key, left in owed.items() if left > 0 and key not in given_up}
    return found


def judge(done: runner.Output, cells: Sequence[Key], times: int) -> tuple[list[Measured], dict[Key, runner.Sample]]:
    """What a launch measured, and the cells to blame when it went wrong. Blamed cells are among the measured, too."""
    printed = {(line.get("rep"), line.get("op"), line.get("level")): line for line in runner.json_lines(done.output, "seconds")}
    labels = numbered(cells)
    found: list[Measured] = []
    lost: list[Key] = []
    for repetition in range(times):
        for key in cells:
            line = printed.get((repetition, key.operation, labels[key]))
            if line is None:
                lost.append(key)
            else:
                found.append((key, runner.sample(line)))
    complaint = done.problem
    if complaint is None and (lost or (done.returncode != 0 and all(s.status == runner.OK for _, s in found))):
        complaint = runner.Sample(runner.FAILED, error=runner.failure(done.returncode, done.errors))
    if complaint is None:
        return found, {}
    blamed = dict.fromkeys(lost[:1] or cells, complaint)
    return found + list(blamed.items()), blamed


def numbered(cells: Sequence[Key]) -> dict[Key, int]:
    """The level that each cell is measured under. Baselines know no levels: theirs number the sizes."""
    sizes = list(dict.fromkeys(key.kib for key in cells))
    return {key: sizes.index(key.kib) if key.level is None else key.level for key in cells}


def batch(owed: dict[Key, int]) -> list[Key]:
    """The cells for the next launch: all owed the same number of times that form operations x levels."""
    times = max(owed.values())
    cells = [key for key, left in owed.items() if left == times]
    by_operation: dict[str, list[Key]] = {}
    for key in cells:
        by_operation.setdefault(key.operation, []).append(key)
    first, *others = by_operation.values()
    whole = all([(k.level, k.kib) for k in other] == [(k.level, k.kib) for k in first] for other in others)
    return cells if whole else first


def arguments(settings: Settings, cells: Sequence[Key], times: int, seed: int, path: Path) -> list[str]:
    """The options of the workload program that measure the cells."""
    first, labels = cells[0], numbered(cells)
    sizes = {labels[key]: key.kib for key in cells}
    words = ["--engine", engines.ENGINES[first.engine].flag, "--pattern", first.workload]
    words += ["--op", ",".join(dict.fromkeys(key.operation for key in cells))]
    words += ["--level", ",".join(map(str, sizes))]
    for level, kib in sizes.items():
        words += ["--kib-level", f"{level}={kib}"]
    words += ["--file", str(path), "--reps", str(times), "--seed", str(seed)]
    if WORKLOADS[first.workload].existing:
        words.append("--existing")
    for hint in settings.hints:
        words += ["--hint", hint]
    return words


def _in_folder(folder: Path, words: list[str], environment: dict[str, str], timeout_seconds: float) -> runner.Output:
    """Runs the command with a folder for its files, which is removed afterwards."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        return runner.Output(problem=runner.Sample(runner.FAILED, error=f"cannot make {folder}: {problem.strerror}"))
    try:
        return runner.execute(words, environment, timeout_seconds)
    finally:
        for left in folder.glob("data*"):
            with contextlib.suppress(OSError):
                left.unlink()
        with contextlib.suppress(OSError):
            folder.rmdir()
