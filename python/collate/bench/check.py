"""The acceptance targets: Collate against the MPIs' own engines, line by line.

Level 3: the slower of Collate under the MPIs, against the best own engine of any MPI at level 3: at least 1.0; at least 1.5 for
writes on ext4; at least 2.0 for 64-byte pieces. Levels 0 to 2: Collate against the best own engine of the same MPI at the same
level, at least 0.9. A line whose Collate cell has no verified result is short. An own engine with wrong bytes is no competitor, and
is noted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collate.bench.campaign import Results
from collate.bench.engines import ENGINES, Engine
from collate.bench.runner import MISSING, OK, WRONG
from collate.bench.statistics import best, slowest
from collate.bench.workloads import WORKLOADS

SAME_LEVEL_TARGET = 0.9


@dataclass(frozen=True)
class Verdict:
    """One line of the acceptance table. Rates are medians in MiB/s."""

    directory: Path
    workload: str
    operation: str
    level: int
    against: str
    ours_mib_per_s: float | None
    theirs_mib_per_s: float | None
    ratio: float | None
    target: float
    passed: bool
    note: str = ""


def target(workload: str, operation: str, level: int, filesystem: str) -> float:
    """The least ratio that passes."""
    if level != 3:
        return SAME_LEVEL_TARGET
    if WORKLOADS[workload].tiny:
        return 2.0
    return 1.5 if operation == "write" and filesystem == "ext4" else 1.0


def judge(results: Results, filesystems: dict[Path, str]) -> list[Verdict]:
    """Every line of the acceptance table."""
    settings = results.settings
    verdicts = []
    for directory in settings.directories:
        for workload in settings.workloads:
            for operation in settings.operations:
                for level in settings.levels:
                    line = (directory, workload, operation, level)
                    least = target(workload, operation, level, filesystems.get(directory, "unknown"))
                    groups = [None] if level == 3 else list(settings.mpis)
                    verdicts += [_verdict(results, line, mpi, least) for mpi in groups]
    return verdicts


def _verdict(results: Results, line: tuple[Path, str, str, int], mpi: str | None, least: float) -> Verdict:
    chosen = [e for e in ENGINES.values() if e.mpi in results.settings.mpis and mpi in (None, e.mpi)]
    cells = {e.name: results.cell(*line, e.name) for e in chosen}
    ours = {e.name: cells[e.name] for e in chosen if e.kind == "collate"}
    own = {e.name: cells[e.name] for e in chosen if e.kind == "own"}
    rival, we = best(own.values()), slowest(ours.values())
    notes = [f"{name} {cell.status if cell else 'not run'}" for name, cell in ours.items() if not cell or cell.status != OK]
    whole = not notes
    notes += [f"{name}: wrong bytes" for name, cell in own.items() if cell and cell.status == WRONG]
    against = next((name for name, cell in own.items() if cell is rival and rival is not None), "nothing measured")
    quotient = we.rate.median / rival.rate.median if we and rival else None
    return Verdict(
        *line,
        against=against if mpi is None else f"{mpi}: {against}",
        ours_mib_per_s=we.rate.median if we else None,
        theirs_mib_per_s=rival.rate.median if rival else None,
        ratio=quotient,
        target=least,
        passed=whole and quotient is not None and quotient >= least,
        note=", ".join(notes),
    )


def unverified(results: Results) -> list[str]:
    """Collate cells and baselines with wrong bytes; any makes the check fail."""
    found = []
    for key, cell in results.cells.items():
        engine: Engine = ENGINES[key.engine]
        if engine.kind != "own" and cell.status == WRONG:
            level = "" if key.level is None else f" level {key.level}"
            found.append(f"{key.workload} {key.operation}{level} {key.engine} in {key.directory}: {cell.error}")
    return found


def failed(results: Results) -> bool:
    """Whether Collate was not right: a cell of it that failed, hung or has wrong bytes; or there is no result at all.

    A missing engine is no failure, as long as another is there.
    """
    ours = [cell for key, cell in results.cells.items() if ENGINES[key.engine].kind == "collate"]
    return any(c.status not in (OK, MISSING) for c in ours) or all(c.status == MISSING for c in results.cells.values())


def summary(verdicts: list[Verdict]) -> str:
    """The last line: how many passed."""
    passed = sum(v.passed for v in verdicts)
    return f"{passed} PASS, {len(verdicts) - passed} short"
