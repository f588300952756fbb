"""Every byte at many rank counts: each workload, level and operation once, small, and a count of what was verified.

Nothing is timed. Sizes are a few MiB, and less at level 1; the bytes and the verification are those of every benchmark.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from collate.bench import campaign, progress
from collate.bench.campaign import Results
from collate.bench.runner import OK
from collate.bench.settings import Key, Settings
from collate.bench.statistics import Cell

RANKS = (1, 2, 3, 4, 8)
MIB = 2
#: Pieces of one rank at level 1.
LEVEL1_PIECES = 24


def run(settings: Settings, ranks: Sequence[int]) -> list[Results]:
    """Measures everything once at each rank count."""
    small = dataclasses.replace(settings, repetitions=1, level1_pieces=LEVEL1_PIECES)
    made = []
    for count in ranks:
        of_count = dataclasses.replace(small, ranks=count)
        with progress.watch(campaign.launches(of_count), f"{count} ranks: ") as report:
            made.append(campaign.run(of_count, report))
    return made


def failures(results: Results) -> Iterator[tuple[Key, Cell]]:
    """The cells that are not verified."""
    return ((key, cell) for key, cell in results.cells.items() if cell.status != OK)


def totals(made: Sequence[Results]) -> tuple[int, int]:
    """How many cells are verified, and how many are not."""
    failed = sum(1 for results in made for _ in failures(results))
    return sum(len(results.cells) for results in made) - failed, failed


def show(console: Console, made: Sequence[Results]) -> None:
    """Prints verified of all cells, a line per workload and engine, a column per rank count; then each failure."""
    settings = made[0].settings
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")
    for name in ("workload", "engine", *(f"{results.settings.ranks} ranks" for results in made)):
        table.add_column(name, no_wrap=True)
    for workload in settings.workloads:
        for engine in settings.engines:
            row = []
            for results in made:
                cells = [c for k, c in results.cells.items() if (k.workload, k.engine) == (workload, engine.name)]
                good = sum(cell.status == OK for cell in cells)
                row.append(Text(f"{good}/{len(cells)}", style="" if good == len(cells) else "red"))
            table.add_row(workload, engine.name, *row)
    directories = ", ".join(map(str, settings.directories))
    console.print(f"verified of measured, {settings.mib} MiB in {directories}", soft_wrap=True, markup=False)
    console.print(table)
    for results in made:
        for key, cell in failures(results):
            level = "" if key.level is None else f" level {key.level}"
            where = f"{results.settings.ranks} ranks: {key.workload} {key.operation}{level} {key.engine} in {key.directory}"
            console.print(f"{cell.status}: {where}: {cell.error}", soft_wrap=True, markup=False)


def summary(made: Sequence[Results]) -> str:
    """The last line."""
    good, bad = totals(made)
    return f"{good} verified, {bad} failed"
