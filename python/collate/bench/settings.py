"""What a benchmark measures (`Settings`), and the name of one of its cells (`Key`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collate.bench.engines import Engine
from collate.bench.workloads import LEVEL1_PIECES_PER_RANK, WORKLOADS, size_kib


@dataclass(frozen=True)
class Settings:
    """What to measure. `timeout_seconds` is for one measurement; a launch makes several."""

    workloads: tuple[str, ...]
    levels: tuple[int, ...]
    operations: tuple[str, ...]
    directories: tuple[Path, ...]
    engines: tuple[Engine, ...]
    mpis: tuple[str, ...]
    ranks: int = 4
    mib: int = 64
    repetitions: int = 6
    timeout_seconds: float = 60.0
    hints: tuple[str, ...] = ()
    level1_pieces: int = LEVEL1_PIECES_PER_RANK

    def kib(self, workload: str, level: int) -> int:
        """Useful KiB that a workload moves at a level."""
        return size_kib(WORKLOADS[workload], level, self.mib, self.ranks, self.level1_pieces)


@dataclass(frozen=True)
class Key:
    """Names one cell: an engine doing an operation of a workload at a level. Baselines have no level, only a size."""

    directory: Path
    workload: str
    operation: str
    kib: int
    level: int | None
    engine: str


def keys(settings: Settings, directory: Path, workload: str, engine: Engine) -> Iterator[Key]:
    """The cells of an engine: operations, and in each the levels, or for a baseline the different sizes of the levels."""
    for operation in (o for o in settings.operations if o in engine.operations):
        if engine.levelled:
            for level in settings.levels:
                yield Key(directory, workload, operation, settings.kib(workload, level), level, engine.name)
        else:
            for kib in dict.fromkeys(settings.kib(workload, level) for level in settings.levels):
                yield Key(directory, workload, operation, kib, None, engine.name)
