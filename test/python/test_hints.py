"""collate hints: the table as users see it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from collate import paths
from collate.cli import main
from collate.errors import CollateError


@pytest.fixture(autouse=True)
def table() -> None:
    try:
        paths.table("hints.toml")
    except CollateError:
        pytest.skip("no table of hints")


def test_list_names_every_hint(runner: CliRunner) -> None:
    rows = json.loads(runner.invoke(main, ["hints", "list", "--json"]).stdout)["hints"]
    text = runner.invoke(main, ["hints", "list"]).stdout
    assert len(rows) > 10
    for row in rows:
        assert row["name"] in text


def test_show_explains_one(runner: CliRunner) -> None:
    done = runner.invoke(main, ["hints", "show", "cb_nodes"])
    assert done.exit_code == 0
    assert "aggregators" in done.stdout


def test_a_typo_gets_a_suggestion(runner: CliRunner) -> None:
    done = runner.invoke(main, ["hints", "show", "cb_node"])
    assert done.exit_code == 2
    assert "did you mean cb_nodes?" in done.output
