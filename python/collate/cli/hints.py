"""collate hints: the hints that Collate knows, from the same table that the library is made from."""

from __future__ import annotations

import difflib
import json
import sys

import click

from .. import paths
from ..errors import CollateError


def load_hints() -> list[dict]:
    """The rows of tables/hints.toml, in the table's order."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    with open(paths.table("hints.toml"), "rb") as file:
        return tomllib.load(file)["hint"]


@click.group()
def hints() -> None:
    """List and explain the hints that Collate knows."""


@hints.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def list_hints(as_json: bool) -> None:
    """Every hint with its default, one line each."""
    rows = load_hints()
    if as_json:
        click.echo(json.dumps({"schema": "collate.hints/1", "hints": rows}, indent=2))
        return
    from rich import box
    from rich.table import Table

    from ..console import console

    table = Table("hint", "default", "what it does", box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(row["name"], str(row.get("default", "")) or "-", row.get("line", ""))
    console().print(table)


@hints.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def show_hint(name: str, as_json: bool) -> None:
    """Everything about one hint."""
    rows = {row["name"]: row for row in load_hints()}
    if name not in rows:
        near = difflib.get_close_matches(name, rows, n=1)
        suggestion = f"; did you mean {near[0]}?" if near else "; see: collate hints list"
        raise CollateError(f"no hint is called {name}{suggestion}", 2)
    row = rows[name]
    if as_json:
        click.echo(json.dumps({"schema": "collate.hint/1", "hint": row}, indent=2))
        return
    width = max(len(key) for key in row)
    for key, value in row.items():
        click.echo(f"{key:<{width}}  {value if value != '' else '-'}")
