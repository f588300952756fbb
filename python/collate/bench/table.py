"""The results on a terminal, designed for 80 columns; plain text when the output is no terminal or NO_COLOR is set."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from collate.bench.campaign import Results
from collate.bench.check import Verdict
from collate.bench.engines import ENGINES
from collate.bench.runner import WRONG
from collate.bench.statistics import Cell, best, ratio, slowest
from collate.bench.workloads import WORKLOADS


def rate(value: float) -> str:
    """A bandwidth in MiB/s, at most five characters: 3.21, 321, 9876, 12.3k."""
    if value < 9.995:
        return f"{value:.2f}"
    if value < 9999.5:
        return f"{value:.0f}"
    return f"{value / 1000:.1f}k" if value < 99950 else f"{value / 1000:.0f}k"


def size(kib: int) -> str:
    """A size in KiB or MiB."""
    return f"{kib // 1024} MiB" if kib % 1024 == 0 else f"{kib} KiB"


def cell_text(cell: Cell | None) -> str:
    """Median and least-greatest, or the state of a cell that has none: `WRONG BYTES 2/6` is two repetitions of six."""
    if cell is None:
        return ""
    if cell.rate is None:
        count = sum(s.status == cell.status for s in cell.samples)
        said = "WRONG BYTES" if cell.status == WRONG else cell.status
        return said if count == len(cell.samples) else f"{said} {count}/{len(cell.samples)}"
    if cell.rate.min == cell.rate.max:
        return rate(cell.rate.median)
    return f"{rate(cell.rate.median)} {rate(cell.rate.min)}-{rate(cell.rate.max)}"


def ratio_text(value: float | None) -> str:
    """A quotient as `1.85x`, or a dash."""
    return "-" if value is None else f"{value:.2f}x"


def _style(cell: Cell | None) -> str:
    if cell is None or cell.rate is not None:
        return ""
    return "red" if cell.status == WRONG else "dim"


def _ratios(at: dict[str, Cell | None], operation: str, mpis: tuple[str, ...]) -> dict[str, float | None]:
    """The ratio rows of one column: engine name to cell."""
    rows: dict[str, float | None] = {}
    ours = [at.get(e.name) for e in ENGINES.values() if e.kind == "collate"]
    own = [at.get(e.name) for e in ENGINES.values() if e.kind == "own"]
    for mpi in mpis:
        same = best(at.get(e.name) for e in ENGINES.values() if e.kind == "own" and e.mpi == mpi)
        rows[f"{mpi}: own"] = ratio(at.get(f"collate/{mpi}"), same)
    least = slowest(ours)
    rows["any: best own"] = ratio(least, best(own))
    alone = "w1" if operation == "write" else "rp"
    rows[f"share of {alone}"] = ratio(least, at.get(alone))
    rows["share of fpp"] = ratio(least, at.get("fpp"))
    return rows


def _block(results: Results, directory: Path, workload: str, operation: str) -> Table:
    settings = results.settings
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False, header_style="bold")
    table.add_column("MiB/s", no_wrap=True)
    columns = []
    for level in settings.levels:
        kib = settings.kib(workload, level)
        table.add_column(f"{level}: {size(kib)}", no_wrap=True, min_width=15)
        columns.append({e.name: results.cell(directory, workload, operation, level, e.name) for e in settings.engines})
    for engine in settings.engines:
        if operation not in engine.operations:
            continue
        cells = [column[engine.name] for column in columns]
        style = "bold" if engine.kind == "collate" else ""
        table.add_row(Text(engine.name, style=style), *[Text(cell_text(c), style=_style(c) or style) for c in cells])
    if any(e.kind == "collate" for e in settings.engines):
        ratios = [_ratios(column, operation, settings.mpis) for column in columns]
        if any(value is not None for column in ratios for value in column.values()):
            table.add_row(Text("collate over", style="bold"))
            for name in ratios[0]:
                table.add_row(f"  {name}", *[ratio_text(r[name]) for r in ratios])
    return table


def show(console: Console, results: Results, filesystems: dict[Path, str]) -> None:
    """Prints one block per directory, workload and operation, then what went wrong."""
    settings = results.settings
    for directory in settings.directories:
        console.print(
            f"{directory} ({filesystems[directory]}), {settings.ranks} ranks, "
            f"median least-greatest of {settings.repetitions}; columns are level: size",
            soft_wrap=True,
        )
        for workload in settings.workloads:
            for operation in settings.operations:
                console.print(Text(f"\n{workload} {operation}", style="bold cyan"), end="")
                console.print(f"  {WORKLOADS[workload].text}", style="dim")
                console.print(_block(results, directory, workload, operation))
        console.print()
    _show_problems(console, results)


def _show_problems(console: Console, results: Results) -> None:
    seen: set[tuple[str, str]] = set()
    for key, cell in results.cells.items():
        if cell.error is None:
            continue
        level = "" if key.level is None else f" level {key.level}"
        where = f"{key.engine}" if cell.status == "missing" else f"{key.workload} {key.operation}{level} {key.engine}"
        if (where, cell.error) not in seen:
            seen.add((where, cell.error))
            console.print(f"{cell.status}: {where}: {cell.error}", soft_wrap=True, markup=False)


def show_check(console: Console, verdicts: list[Verdict], filesystems: dict[Path, str]) -> None:
    """Prints the acceptance table, one line per target."""
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False, header_style="bold")
    for name, justify in (
        ("workload", "left"), ("op", "left"), ("L", "right"), ("fs", "left"), ("collate", "right"), ("own", "right"),
        ("against", "left"), ("ratio", "right"), ("target", "right"), ("", "left"),
    ):  # fmt: skip
        table.add_column(name, justify=justify, no_wrap=True)
    for v in verdicts:
        table.add_row(
            v.workload, v.operation, str(v.level), filesystems.get(v.directory, "?")[:6],
            rate(v.ours_mib_per_s) if v.ours_mib_per_s else "-", rate(v.theirs_mib_per_s) if v.theirs_mib_per_s else "-",
            v.against.split(": ")[-1], ratio_text(v.ratio), f"{v.target:.1f}",
            Text("PASS", style="green") if v.passed else Text("short", style="red"),
        )  # fmt: skip
    console.print(table)
    lines: dict[str, list[str]] = {}
    for v in verdicts:
        if v.note:
            lines.setdefault(v.note, []).append(f"{v.workload} {v.operation} level {v.level} in {v.directory}")
    for note, where in lines.items():
        said = "; ".join(where) if len(where) <= 3 else f"{len(where)} lines, the first {where[0]}"
        console.print(f"note: {note}: {said}", soft_wrap=True, markup=False)
