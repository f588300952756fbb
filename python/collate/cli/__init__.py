"""`collate`: one command, one module a verb. Verbs are imported only when used, so that `collate --help` stays quick."""

from __future__ import annotations

import importlib

import click

from .. import __version__

# verb -> (module, attribute, one line of help)
VERBS = {
    "run": ("collate.cli.run", "run", "Run an MPI program on Collate."),
    "doctor": ("collate.cli.doctor", "doctor", "Check this machine: MPIs, file systems, limits, and that Collate works."),
    "bench": ("collate.cli.bench", "bench", "Measure Collate beside the MPIs' own file I/O."),
    "demo": ("collate.cli.demo", "demo", "Show Collate at work in a few minutes."),
    "hints": ("collate.cli.hints", "hints", "List and explain the hints that Collate knows."),
}


class LazyGroup(click.Group):
    """A group whose help comes from VERBS and whose verbs are imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, attribute, _ = VERBS[cmd_name]
        return getattr(importlib.import_module(module), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, line) for name, (_, _, line) in VERBS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="collate")
def main() -> None:
    """Collate does the file I/O of MPI programs: put in front of MPICH or Open MPI, without changing the program.

    Start with `collate doctor`, then `collate run -n 4 ./app`.
    """
