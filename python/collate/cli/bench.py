"""`collate bench`: measure Collate against the MPI's own MPI-IO and plain POSIX, every byte verified."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console

from collate.bench import campaign, check, document, gapcheck, machine, plot, progress, table, verify
from collate.bench import engines as engine_table
from collate.bench.settings import Settings
from collate.bench.workloads import LEVELS, OPERATIONS, WORKLOADS


def parse_levels(text: str) -> tuple[int, ...]:
    """`0-3`, `0,3` or `2` as ascending levels; ValueError with one sentence otherwise."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise ValueError(f"'{text}' names no levels: write 0-3, 0,3 or 2")
        found.update(range(int(first), int(last or first) + 1))
    if not found or not found <= set(LEVELS):
        raise ValueError(f"'{text}' names no levels: write 0-3, 0,3 or 2")
    return tuple(sorted(found))


def parse_words(text: str, allowed: tuple[str, ...], what: str) -> tuple[str, ...]:
    """A comma-separated list out of `allowed`, in that order; ValueError with one sentence otherwise."""
    words = {w.strip() for w in text.split(",") if w.strip()}
    unknown = sorted(words - set(allowed))
    if unknown or not words:
        raise ValueError(f"no {what} '{', '.join(unknown)}': choose from {', '.join(allowed)}")
    return tuple(w for w in allowed if w in words)


def parse_ranks(text: str) -> tuple[int, ...]:
    """`4` or `1,2,8`; ValueError with one sentence otherwise."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() and int(part) > 0 for part in parts):
        raise ValueError(f"'{text}' is no number of ranks: write 4, or 1,2,3,4,8 with --verify")
    return tuple(dict.fromkeys(int(part) for part in parts))


def _engines(options: dict, mpis: tuple[str, ...]) -> tuple[engine_table.Engine, ...]:
    """The engines named, else those that the judgement asked for needs, else all."""
    names = [n.strip() for n in (options["engines"] or "").split(",") if n.strip()]
    chosen = engine_table.select(names or (["collate"] if options["verifying"] else []), list(mpis))
    if options["checking"] and not names:
        chosen = [engine for engine in chosen if engine.levelled]
    return tuple(chosen)


def _settings(context: click.Context, options: dict) -> Settings:
    quick = options["quick"]

    def given(name: str, quick_value: int) -> int:
        explicit = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if options["verifying"] and name == "mib" and not explicit:
            return verify.MIB
        return options[name] if explicit or not quick else quick_value

    try:
        mpis = parse_words(options["mpi"], engine_table.MPIS, "MPI")
        ranks = parse_ranks(options["ranks"] or "4")
        if len(ranks) > 1 and not options["verifying"]:
            raise ValueError("only --verify takes several --ranks")
        return Settings(
            workloads=parse_words(",".join(options["workloads"] or WORKLOADS), tuple(WORKLOADS), "workload"),
            levels=parse_levels(options["levels"]),
            operations=parse_words(options["op"], OPERATIONS, "operation"),
            directories=tuple(dict.fromkeys(Path(d).resolve() for d in options["dir"] or (".",))),
            engines=_engines(options, mpis),
            mpis=mpis,
            ranks=ranks[0],
            mib=given("mib", 16),
            repetitions=given("reps", 4),
            timeout_seconds=options["timeout"],
            hints=options["hint"],
        )
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def _write_json(content: dict, where: str) -> None:
    text = json.dumps(content, indent=1) + "\n"
    if where == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(where).write_text(text)
    except OSError as problem:
        raise click.ClickException(f"cannot write {where}: {problem.strerror}; choose another --json file") from None


def _console() -> Console:
    """80 columns and no colours unless standard output is a terminal."""
    plain = not sys.stdout.isatty()
    return Console(width=80 if plain else None, no_color=plain or "NO_COLOR" in os.environ, highlight=False)


@click.command("bench")
@click.argument("workloads", nargs=-1, metavar="[WORKLOAD]...")
@click.option(
    "--levels",
    default="0-3",
    show_default=True,
    help="0 independent pieces, 1 collective pieces, 2 view + independent, 3 view + collective.",
)
@click.option("--op", default="write,read", show_default=True, help="Operations.")
@click.option("--ranks", default=None, metavar="N", help="MPI processes; a list with --verify.  [default: 4; --verify: 1,2,3,4,8]")
@click.option(
    "--mib",
    default=64,
    show_default=True,
    type=click.IntRange(1),
    help="Useful MiB of all ranks; less where a level makes a call per small piece; 2 with --verify.",
)
@click.option(
    "--reps",
    default=6,
    show_default=True,
    type=click.IntRange(1),
    help="Repetitions, in rounds of two or three, interleaved across engines.",
)
@click.option(
    "--dir",
    multiple=True,
    type=click.Path(file_okay=False),
    help="Directory to measure in; repeat for several file systems.  [default: here]",
)
@click.option("--mpi", default="mpich,openmpi", show_default=True, help="MPIs.")
@click.option(
    "--engines",
    default=None,
    help="Engines by name (romio/mpich), or by family: collate, romio, ompio, posix, fpp, w1, rp.  "
    "[default: all; --check: collate,romio,ompio; --verify: collate]",
)
@click.option("--hint", multiple=True, metavar="KEY=VALUE", help="MPI-IO hint for all MPI engines; repeatable.")
@click.option(
    "--json",
    "json_file",
    default=None,
    metavar="FILE",
    help="Write the results as JSON; - for standard output instead of the table.",
)
@click.option("--plot", "plot_file", default=None, metavar="FILE", help="Draw the results; .svg, or .png with matplotlib.")
@click.option("--quick", is_flag=True, help="16 MiB and 4 repetitions unless given.")
@click.option(
    "--check",
    "checking",
    is_flag=True,
    help="Judge Collate by the acceptance targets; exit 1 when a line is short or a byte is wrong.",
)
@click.option(
    "--verify",
    "verifying",
    is_flag=True,
    help="Only verify the bytes: small, once, at 1, 2, 3, 4 and 8 ranks; exit 1 when any is not.",
)
@click.option("--gapcheck", "gaps", is_flag=True, help="Only check that collective writes with gaps damage nothing between them.")
@click.option("--timeout", default=60.0, show_default=True, type=click.FloatRange(1), help="Seconds one measurement may take.")
@click.pass_context
def bench(context: click.Context, json_file: str | None, plot_file: str | None, gaps: bool, **options: object) -> None:
    """Measure Collate against the MPI's own MPI-IO and plain POSIX.

    WORKLOAD is one or more of dist3d btio unstruc interleaved tiny hard flash holes contig; all when none is named. Every byte of
    every run is verified. Bandwidths are MiB/s of useful bytes, from the first rank's start to the last rank's end. Exit status 1
    when a measurement of Collate failed or has a wrong byte.
    """
    if plot_file and Path(plot_file).suffix.lower() not in (".svg", ".png"):
        raise click.UsageError(f"cannot plot to '{plot_file}': end the name in .svg or .png")
    if options["verifying"] and (json_file or plot_file or options["checking"]):
        raise click.UsageError("--verify measures nothing: leave out --json, --plot and --check")
    settings = _settings(context, options)
    signal.signal(signal.SIGTERM, _end)
    if gaps:
        raise SystemExit(_gap_check(settings))
    if options["verifying"]:
        ranks = parse_ranks(options["ranks"]) if options["ranks"] else verify.RANKS
        raise SystemExit(_verify(settings, ranks))
    filesystems = {d: machine.filesystem_type(d) for d in settings.directories}
    with progress.watch(campaign.launches(settings)) as report:
        results = campaign.run(settings, report)
    verdicts = check.judge(results, filesystems) if options["checking"] else None
    console = _console()
    if json_file != "-":
        table.show(console, results, filesystems)
    if json_file:
        _write_json(document.build(results, filesystems, verdicts), json_file)
    if plot_file:
        _plot(results, plot_file)
    if verdicts is not None:
        _finish_check(console, results, verdicts, filesystems, json_file == "-")
    if check.failed(results):
        raise SystemExit(1)


def _end(number: int, frame: object) -> None:
    """Being terminated is an exception like Ctrl-C, so that the launch in hand and its files go too."""
    raise SystemExit(128 + number)


def _plot(results: campaign.Results, where: str) -> None:
    try:
        plot.write(results, Path(where))
    except (ValueError, OSError) as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(f"plot: {Path(where).resolve()}", err=True)


def _verify(settings: Settings, ranks: tuple[int, ...]) -> int:
    """Verifies at each rank count; 1 when anything is not verified."""
    made = verify.run(settings, ranks)
    verify.show(_console(), made)
    click.echo(verify.summary(made))
    return int(verify.totals(made)[1] > 0)


def _gap_check(settings: Settings) -> int:
    """Runs the gap check on every MPI engine; 1 when Collate damages or fails anything, own engines only inform."""
    console, failed = _console(), False
    for directory in settings.directories:
        console.print(
            "512 bytes of every 4 KiB written by one MPI_File_write_all, "
            f"{settings.ranks} ranks, existing 256 MiB file in {directory}",
            soft_wrap=True,
            markup=False,
        )
        for engine in (e for e in settings.engines if e.levelled):
            found = gapcheck.run(engine, settings.ranks, directory, settings.timeout_seconds)
            console.print(f"  {engine.name:16} {found.text}", soft_wrap=True, markup=False)
            failed |= engine.kind == "collate" and found.status != "ok"
    return int(failed)


def _finish_check(
    console: Console, results: campaign.Results, verdicts: list[check.Verdict], filesystems: dict[Path, str], quiet: bool
) -> None:
    wrong = check.unverified(results)
    if not quiet:
        table.show_check(console, verdicts, filesystems)
        for text in wrong:
            console.print(f"wrong bytes: {text}", soft_wrap=True, markup=False)
    click.echo(check.summary(verdicts), err=quiet)
    if wrong or not all(v.passed for v in verdicts):
        raise SystemExit(1)


if __name__ == "__main__":
    bench()
