"""Which launches a benchmark makes, in which order, and their results.

A line is (directory, workload, operation, size). Its cells are engine x level (baselines have no level). Repetitions are
interleaved: repetition 1 of every cell of the line, then repetition 2 of every cell, so that drift of the machine and of the page
cache meets all engines alike. A cell that once times out or is missing is not run again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collate.bench import engines, runner
from collate.bench.engines import Engine
from collate.bench.statistics import Cell, summarise
from collate.bench.workloads import WORKLOADS, size_kib


@dataclass(frozen=True)
class Settings:
    """What to measure."""

    workloads: tuple[str, ...]
    levels: tuple[int, ...]
    operations: tuple[str, ...]
    directories: tuple[Path, ...]
    engines: tuple[Engine, ...]
    mpis: tuple[str, ...]
    ranks: int = 4
    mib: int = 64
    repetitions: int = 5
    timeout_seconds: float = 120.0
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Key:
    """Names one cell."""

    directory: Path
    workload: str
    operation: str
    kib: int
    level: int | None
    engine: str


@dataclass
class Results:
    """Cells by key."""

    settings: Settings
    cells: dict[Key, Cell] = field(default_factory=dict)

    def cell(self, directory: Path, workload: str, operation: str, level: int, engine: str) -> Cell | None:
        """The cell of an engine at a level; for a baseline, the one that moved the same bytes as that level."""
        kib = size_kib(WORKLOADS[workload], level, self.settings.mib, self.settings.ranks)
        levelled = engines.ENGINES[engine].levelled
        return self.cells.get(Key(directory, workload, operation, kib, level if levelled else None, engine))


def lines(settings: Settings) -> Iterator[list[Key]]:
    """The lines in order, each a list of cell keys."""
    for directory in settings.directories:
        for workload in settings.workloads:
            sizes: dict[int, list[int]] = {}
            for level in settings.levels:
                kib = size_kib(WORKLOADS[workload], level, settings.mib, settings.ranks)
                sizes.setdefault(kib, []).append(level)
            for operation in settings.operations:
                for kib, levels in sizes.items():
                    yield _line(settings, directory, workload, operation, kib, levels)


def _line(settings: Settings, directory: Path, workload: str, operation: str, kib: int, levels: list[int]) -> list[Key]:
    keys = []
    for engine in settings.engines:
        if operation not in engine.operations:
            continue
        for level in levels if engine.levelled else [None]:
            keys.append(Key(directory, workload, operation, kib, level, engine.name))
    return keys


def launches(settings: Settings) -> int:
    """How many launches the benchmark makes at most."""
    return sum(len(line) for line in lines(settings)) * settings.repetitions


#: Called after each launch with the key, the repetition (from 1) and its sample.
Report = Callable[[Key, int, runner.Sample], None]


def run(settings: Settings, report: Report) -> Results:
    """Makes all launches and returns the cells. The test files go into a folder of their own, removed afterwards."""
    results = Results(settings)
    for line in lines(settings):
        samples: dict[Key, list[runner.Sample]] = {key: [] for key in line}
        for repetition in range(1, settings.repetitions + 1):
            for key in line:
                earlier = samples[key]
                if earlier and earlier[-1].status in (runner.TIMEOUT, runner.MISSING):
                    report(key, repetition, earlier[-1])
                    continue
                sample = _measure(settings, key, repetition)
                earlier.append(sample)
                report(key, repetition, sample)
        for key, found in samples.items():
            results.cells[key] = summarise(found)
    return results


def _measure(settings: Settings, key: Key, repetition: int) -> runner.Sample:
    engine = engines.ENGINES[key.engine]
    mpi = engine.mpi or next((m for m in settings.mpis if not engines.missing(engine, m)), settings.mpis[0])
    absent = engines.missing(engine, mpi)
    if absent:
        return runner.Sample(runner.MISSING, error=absent)
    folder = key.directory / f"collate-bench-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        return runner.Sample(runner.FAILED, error=f"cannot make {folder}: {problem.strerror}")
    line = {
        "engine": key.engine,
        "workload": key.workload,
        "op": key.operation,
        "kib": key.kib,
        "level": key.level,
        "seed": repetition,
        "hints": settings.hints,
        "existing": WORKLOADS[key.workload].existing,
    }
    words = engines.command(engine, mpi, settings.ranks, engines.workload_arguments(line, folder / "data"))
    try:
        return runner.launch(words, engines.environment(mpi), settings.timeout_seconds)
    finally:
        for left in folder.glob("data*"):
            with contextlib.suppress(OSError):
                left.unlink()
        with contextlib.suppress(OSError):
            folder.rmdir()
