"""collate run: find the launcher that belongs to the program's MPI, put collate-exec between the two, become the launcher."""

from __future__ import annotations

import os

import click

from .. import launch
from ..errors import NOT_EXECUTABLE, CollateError


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": ["-h", "--help"]}
)
@click.option("-n", "--np", "ranks", type=click.IntRange(min=1), help="How many ranks; default 1, or what the batch job has.")
@click.option("--off", is_flag=True, help="Run on the MPI's own file I/O instead, everything else the same.")
@click.option("--mpi", type=click.Choice(["mpich", "openmpi"]), help="The program's MPI, when it can't be told.")
@click.option("--launcher", metavar="FILE", help="Use this mpiexec or srun.")
@click.option("--dry-run", is_flag=True, help="Print the command; run nothing.")
@click.option("-v", "--verbose", is_flag=True, help="Print the command and what was decided, then run.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="PROGRAM [ARGS]...")
def run(program: tuple[str, ...], dry_run: bool, verbose: bool, **wishes: object) -> None:
    """Run an MPI program with Collate doing its file I/O; the exit status is the program's.

    \b
    collate run -n 4 ./heat3d input.txt
    collate run -n 4 python3 job.py
    """
    plan = launch.plan(list(program), launch.Wishes(**wishes))
    if dry_run:
        click.echo(plan.command_line())
        return
    if verbose:
        for remark in plan.remarks:
            click.echo(f"collate: {remark}", err=True)
        click.echo(f"collate: {plan.command_line()}", err=True)
    try:
        os.execve(plan.command[0], plan.command, {**os.environ, **plan.environment})
    except OSError as error:
        raise CollateError(f"{plan.command[0]}: {error.strerror}", NOT_EXECUTABLE) from error
