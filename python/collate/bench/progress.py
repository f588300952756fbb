"""Progress on standard error: a bar on a terminal, one plain line per launch elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from collate.bench.campaign import Key, Report
from collate.bench.runner import OK, Sample
from collate.bench.statistics import bandwidth
from collate.bench.table import rate


def words(key: Key) -> str:
    """What a launch measures."""
    level = "" if key.level is None else f" level {key.level}"
    return f"{key.workload} {key.operation}{level} {key.engine}"


@contextmanager
def watch(total: int) -> Iterator[Report]:
    """Yields the function to call after each of `total` launches."""
    console = Console(stderr=True)
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("starting", total=total)
            yield lambda key, repetition, sample: bar.update(task, advance=1, description=words(key))
        return
    done = 0

    def line(key: Key, repetition: int, sample: Sample) -> None:
        nonlocal done
        done += 1
        found = f"{rate(bandwidth(sample))} MiB/s" if sample.status == OK else sample.status
        text = f"[{done}/{total}] {words(key)} {key.directory} rep {repetition}: {found}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    yield line
