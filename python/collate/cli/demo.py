"""collate demo: the machine's health, a short benchmark with its plot, and the gap check, in a few minutes."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import click

from .. import gapcheck, paths
from ..errors import CollateError

BENCH_MIB = 32
BENCH_REPS = 3


def heading(text: str) -> None:
    click.echo()
    click.secho(text, bold=True)
    click.echo()


def collate(*words: str) -> int:
    """Another verb in a process of its own, on the same terminal."""
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "collate", *words]).returncode


@click.command()
@click.option("--dir", "folder", type=click.Path(file_okay=False, exists=True), help="Where to write; default: a temporary folder.")
@click.option("--gap-mib", type=click.IntRange(min=1), default=gapcheck.MIB, show_default=True, help="Size of the gap check's file.")
def demo(folder: str | None, gap_mib: int) -> None:
    """Show Collate at work: doctor, a short `bench dist3d` on both MPIs and Collate, and the gap check."""
    paths.need_exec()
    failures = []
    heading("1. This machine (collate doctor)")
    if collate("doctor", *(["--dir", folder] if folder else [])) != 0:
        failures.append("the doctor found something to see to")
    heading("2. A 3-d array written and read by 4 ranks, levels 0 to 3 (collate bench dist3d)")
    if collate("bench", "dist3d", *(["--dir", folder] if folder else []), *bench_options()) != 0:
        failures.append("the benchmark failed")
    heading(f"3. A collective write with gaps: 512 bytes of every 4 KiB of an existing file of {gap_mib} MiB")
    with tempfile.TemporaryDirectory(prefix=".collate-demo-", dir=folder) as scratch:
        for row in gapcheck.CASES:
            outcome = gapcheck.check(row, scratch, gap_mib)
            click.echo(f"{row.title}: {outcome.sentence}")
            if row.ours and not outcome.right:
                failures.append(f"the gap check on {row.title} failed")
    heading("Next: collate run -n 4 ./your_program")
    if failures:
        raise CollateError("; ".join(failures), 1)


def bench_options() -> list[str]:
    """A run short enough to watch; every byte is still verified."""
    return ["--mib", str(BENCH_MIB), "--reps", str(BENCH_REPS), "--plot"]
