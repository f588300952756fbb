"""Progress on standard error: a bar on a terminal, one plain line per launch elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from collate.bench.campaign import Report, Step
from collate.bench.launch import Measured


def words(step: Step) -> str:
    """What a launch measures."""
    first = step.keys[0]
    return f"{first.workload} {first.engine} {first.directory} round {step.round}"


def tally(found: list[Measured]) -> str:
    """How many measurements came out how: `16 ok`, `15 ok, 1 timeout`."""
    counts: dict[str, int] = {}
    for _, sample in found:
        counts[sample.status] = counts.get(sample.status, 0) + 1
    return ", ".join(f"{count} {status}" for status, count in counts.items())


@contextmanager
def watch(total: int, before: str = "") -> Iterator[Report]:
    """Yields the function to call after each of `total` launches; `before` stands before what a launch measured."""
    console = Console(stderr=True)
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("starting", total=total)
            yield lambda step, found, seconds: bar.update(task, advance=1, description=before + words(step))
        return
    done = 0

    def line(step: Step, found: list[Measured], seconds: float) -> None:
        nonlocal done
        done += 1
        text = f"[{done}/{total}] {before}{words(step)}: {tally(found)}, {seconds:.1f} s"
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    yield line
