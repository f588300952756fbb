"""Which launches a benchmark makes, in which order, and their results.

A launch is one job of the workload program: all operations and levels of one workload on one engine in one directory, repeated two
or three times, because starting a job takes as long as many measurements. A round is a launch of every engine; rounds follow each other
until every cell has its repetitions, so that drift of the machine and of the page cache meets all engines alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collate.bench import engines, launch, runner
from collate.bench.settings import Key, Settings, keys
from collate.bench.statistics import Cell, summarise

FEW_LEVELS = 2
"""With no more levels than this a launch repeats three times, else twice."""


@dataclass(frozen=True)
class Step:
    """One launch: its cells, in the order measured, how often each, and which round of its line this is (from 1)."""

    round: int
    times: int
    keys: tuple[Key, ...]


@dataclass
class Results:
    """Cells by key."""

    settings: Settings
    cells: dict[Key, Cell] = field(default_factory=dict)

    def cell(self, directory: Path, workload: str, operation: str, level: int, engine: str) -> Cell | None:
        """The cell of an engine at a level; for a baseline, the one that moved the same bytes as that level."""
        kib = self.settings.kib(workload, level)
        levelled = engines.ENGINES[engine].levelled
        return self.cells.get(Key(directory, workload, operation, kib, level if levelled else None, engine))


def rounds(repetitions: int, levels: int) -> list[int]:
    """How often each round measures: 5 is 2, 2, 1, or with few levels 3, 2."""
    each = 3 if levels <= FEW_LEVELS else 2
    whole, rest = divmod(repetitions, each)
    return [each] * whole + [rest] * (rest > 0)


def steps(settings: Settings) -> Iterator[Step]:
    """The launches in order."""
    for directory in settings.directories:
        for workload in settings.workloads:
            of_engines = [tuple(keys(settings, directory, workload, engine)) for engine in settings.engines]
            for number, times in enumerate(rounds(settings.repetitions, len(settings.levels)), start=1):
                yield from (Step(number, times, found) for found in of_engines if found)


def launches(settings: Settings) -> int:
    """How many launches the benchmark makes when none dies."""
    return sum(1 for _ in steps(settings))


#: Called after each step with what was measured and the seconds it took.
Report = Callable[[Step, list[launch.Measured], float], None]


def run(settings: Settings, report: Report) -> Results:
    """Makes all launches and returns the cells. The test files go into a folder of their own, removed afterwards."""
    samples: dict[Key, list[runner.Sample]] = {}
    given_up: dict[Key, runner.Sample] = {}
    for step in steps(settings):
        start = time.monotonic()
        found = launch.measure(settings, step.keys, step.times, 1 + 1000 * step.round, given_up)
        for key, sample in found:
            samples.setdefault(key, []).append(sample)
        report(step, found, time.monotonic() - start)
    return Results(settings, {key: summarise(of_cell) for key, of_cell in samples.items()})
