"""tools/: the parts of set-up and of the test runner that can be tried without fetching anything."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import run_tests
import setup_build
import setup_python
from setup_common import Project, SetupError, Step, Steps

GTEST = """<testsuites><testsuite name="A">
<testcase name="good" status="run" result="completed" classname="A"/>
<testcase name="bad" status="run" result="completed" classname="A"><failure message="x"/></testcase>
<testcase name="left" status="run" result="skipped" classname="A"><skipped message="x"/></testcase>
<testcase name="filtered" status="notrun" result="suppressed" classname="A"/>
</testsuite></testsuites>"""


def project(tmp_path: pathlib.Path) -> Project:
    return Project(tmp_path, Project.here().requirements)


def test_a_step_runs_once_until_its_key_changes(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture) -> None:
    ran = []

    def once(key: str) -> None:
        steps = Steps(project(tmp_path))
        steps.add(Step("a thing", lambda: ran.append(key), key, tmp_path / "stamp"))
        steps.run()

    for key in ("one", "one", "two", "two"):
        once(key)
    assert ran == ["one", "two"]
    assert capsys.readouterr().out.count("a thing ...") == 2


def test_a_step_that_fails_is_tried_again(tmp_path: pathlib.Path) -> None:
    def fail() -> None:
        raise SetupError("no network")

    steps = Steps(project(tmp_path))
    steps.add(Step("a thing", fail, "key", tmp_path / "stamp"))
    with pytest.raises(SetupError):
        steps.run()
    assert not (tmp_path / "stamp").exists()


def test_every_requirement_has_a_lower_bound() -> None:
    for section in ("venv", "mpich", "openmpi"):
        for package in Project.here().packages(section):
            assert ">=" in package


def test_a_changed_requirement_changes_the_key(tmp_path: pathlib.Path) -> None:
    one = setup_python._mpi_step(project(tmp_path), "mpich")
    two = setup_python._mpi_step(project(tmp_path), "openmpi")
    assert one.digest() != two.digest()


def test_no_compiler_is_said_before_anything_is_fetched(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(SetupError, match=r"no C\+\+ compiler"):
        setup_build.compiler_step(project(tmp_path)).act()
    monkeypatch.setenv("CXX", "/bin/false")
    with pytest.raises(SetupError, match="can't build a small"):
        setup_build.compiler_step(project(tmp_path)).act()


def test_gtest_cases_are_counted_singly(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(GTEST)
    assert [what for _, what in run_tests.count_entry("a", "failed", path)] == ["passed", "failed", "skipped"]
    assert run_tests.count_entry("a", "passed", None) == [("a", "passed")]
    assert run_tests.count_entry("a", "failed", tmp_path / "none.xml") == [("a", "failed")]


def test_a_crash_after_good_cases_is_a_failure(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<testsuites><testsuite><testcase name="good" status="run" result="completed"/></testsuite></testsuites>')
    assert [what for _, what in run_tests.count_entry("a", "failed", path)] == ["passed", "failed"]
    path.write_text("<testsuites><testsuite>")
    assert [what for _, what in run_tests.count_entry("a", "passed", path)] == ["failed"]


def test_make_help_names_every_target() -> None:
    done = subprocess.run(["make", "-s", "help"], cwd=TOOLS.parent, capture_output=True, text=True)
    for target in ("build", "test", "soak", "demo", "bench", "clean"):
        assert f"make {target} " in done.stdout
