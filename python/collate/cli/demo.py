"""collate demo: the machine's health, a short benchmark with its plot, and the gap check, in a few minutes."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
from collections.abc import Sequence

import click

from .. import paths
from ..errors import CollateError


def heading(text: str) -> None:
    click.echo()
    click.secho(text, bold=True)
    click.echo()


def collate(*words: str) -> int:
    """Another verb in a process of its own, on the same terminal."""
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "collate", *words]).returncode


def plot_file(results: pathlib.Path) -> pathlib.Path:
    """PNG when matplotlib is there, else SVG, which needs nothing."""
    return results / ("demo.png" if importlib.util.find_spec("matplotlib") else "demo.svg")


def unverified(document: pathlib.Path) -> list[str]:
    """The measurements of Collate that failed or whose bytes are wrong, by name."""
    try:
        rows = json.loads(document.read_text())["results"]
    except (OSError, ValueError, KeyError):
        return [f"no results in {document}"]
    ours = [row for row in rows if row["engine"].startswith("collate")]
    return [f"{row['engine']} level {row['level']} {row['operation']}" for row in ours if not row["verified"]]


def show(folder: str, results: pathlib.Path, extra: Sequence[str]) -> list[str]:
    """The three parts, one below the other; what went wrong, a sentence each."""
    failures = []
    heading("1. This machine (collate doctor)")
    if collate("doctor", "--dir", folder) != 0:
        failures.append("the doctor found something to see to")
    heading("2. A 3-d array written and read by 4 ranks, levels 0 to 3 (collate bench dist3d --quick)")
    document = results / "demo.json"
    document.unlink(missing_ok=True)
    files = ["--plot", str(plot_file(results)), "--json", str(document)]
    status = collate("bench", "dist3d", "--quick", "--dir", folder, *files, *extra)
    if wrong := unverified(document):
        failures.append(f"{len(wrong)} measurements of Collate failed, the first: {wrong[0]}")
    elif status != 0:
        failures.append("the benchmark failed")
    heading("3. One collective write with gaps, on Open MPI's own file I/O and on Collate (collate bench --gapcheck)")
    if collate("bench", "--gapcheck", "--mpi", "openmpi", "--dir", folder) != 0:
        failures.append("the gap check on Collate failed")
    return failures


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--dir", "folder", type=click.Path(file_okay=False, exists=True), default=".", help="Where to write; default: here.")
@click.argument("extra", nargs=-1, type=click.UNPROCESSED, metavar="[BENCH OPTIONS]...")
def demo(folder: str, extra: tuple[str, ...]) -> None:
    """Show Collate at work: doctor, a short `bench dist3d` on both MPIs and Collate, and the gap check.

    Results go to collate-bench-results/ in this folder.
    """
    paths.need_exec()
    results = paths.results_dir()
    results.mkdir(parents=True, exist_ok=True)
    failures = show(folder, results, extra)
    if failures:
        raise CollateError("; ".join(failures), 1)
    heading("Next: collate run -n 4 ./your_program")
