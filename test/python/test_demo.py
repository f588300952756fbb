"""collate demo: its parts in order, and what it says when one of them fails."""

from __future__ import annotations

import json
import pathlib

import pytest
from click.testing import CliRunner

from collate.cli import demo, main


@pytest.fixture
def verbs(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> dict:
    """The verbs that demo calls, recorded instead of run; `status` holds the exit status of each."""
    record: dict = {"calls": [], "status": {}, "verified": True}

    def pretend(*words: str) -> int:
        record["calls"].append(words)
        if "--json" in words:
            rows = [{"engine": "collate/mpich", "level": 3, "operation": "write", "verified": record["verified"]}]
            pathlib.Path(words[words.index("--json") + 1]).write_text(json.dumps({"results": rows}))
        return record["status"].get("gapcheck" if "--gapcheck" in words else words[0], 0)

    monkeypatch.setattr(demo, "collate", pretend)
    monkeypatch.setattr(demo.paths, "need_exec", lambda: tmp_path)
    monkeypatch.setattr(demo.paths, "results_dir", lambda: tmp_path / "results")
    return record


def test_three_parts_in_order(verbs: dict, runner: CliRunner, tmp_path: pathlib.Path) -> None:
    done = runner.invoke(main, ["demo", "--dir", str(tmp_path), "--reps", "1"])
    assert done.exit_code == 0, done.output
    assert [call[0] for call in verbs["calls"]] == ["doctor", "bench", "bench"]
    assert verbs["calls"][1][-2:] == ("--reps", "1")
    assert "--gapcheck" in verbs["calls"][2]
    assert (tmp_path / "results").is_dir()


@pytest.mark.parametrize(
    ("part", "sentence"),
    [("doctor", "the doctor found"), ("bench", "the benchmark failed"), ("gapcheck", "the gap check on Collate failed")],
)
def test_a_failure_is_told_after_all_parts_ran(verbs: dict, runner: CliRunner, part: str, sentence: str) -> None:
    verbs["status"][part] = 1
    done = runner.invoke(main, ["demo"])
    assert done.exit_code == 1
    assert sentence in done.output
    assert len(verbs["calls"]) == 3


def test_a_measurement_that_failed_is_a_failure(verbs: dict, runner: CliRunner) -> None:
    verbs["verified"] = False
    done = runner.invoke(main, ["demo"])
    assert done.exit_code == 1
    assert "1 measurements of Collate failed, the first: collate/mpich level 3 write" in done.output
