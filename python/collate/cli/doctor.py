"""collate doctor: what this machine has, what is wrong with it, and a real run on each MPI."""

from __future__ import annotations

import json
import os

import click

from ..errors import CollateError


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout (schema collate.doctor/1).")
@click.option("--dir", "folder", type=click.Path(file_okay=False), default=".", help="The folder to try; default: this one.")
@click.option("--no-run", is_flag=True, help="Look only; leave out the tiny runs.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool, folder: str, no_run: bool) -> None:
    """Check this machine: MPIs, compilers, file systems, limits, and by a tiny real run that Collate works with each MPI.

    Exit status: 0 nothing wrong, 1 something to see to.
    """
    from ..console import console
    from ..doctor import report as reporting

    if not os.path.isdir(folder):
        raise CollateError(f"{folder} is not a folder", 2)
    remarks = console(stderr=True)
    with remarks.status("looking around") as status:
        result = reporting.examine(folder, not no_run, lambda what: status.update(what))
    if as_json:
        click.echo(json.dumps(result, indent=2))
    else:
        reporting.show(result)
    ctx.exit(1 if result["findings"] else 0)
