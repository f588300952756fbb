#!/usr/bin/env python3
"""Runs every test: the compiled ones through ctest, the Python ones through pytest. Needs a finished build.

    .venv/bin/python tools/run_tests.py              all tests
    .venv/bin/python tools/run_tests.py --soak 5000  the simulated world only, with so many cases

The last line is always `N passed, N failed, N skipped`, counting single cases: those in the XML files that GoogleTest programs
write, those of pytest, and one for a ctest entry that is no GoogleTest program. A program that dies before it writes its XML is
one failure. Exit status 0 only when something passed and nothing failed.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
RESULTS = BUILD / "test-results"
SOAK_LABEL = "soak"

Counts = collections.Counter


def environment(**more: str) -> dict[str, str]:
    env = {**os.environ, **more}
    env["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{env.get('PATH', '')}"
    env.pop("LD_PRELOAD", None)
    return env


def entry_programs() -> dict[str, str]:
    """The program's file name for each ctest entry."""
    done = subprocess.run(
        ["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], capture_output=True, text=True, env=environment()
    )
    try:
        tests = json.loads(done.stdout).get("tests", [])
    except ValueError:
        return {}
    return {test["name"]: pathlib.Path(test["command"][0]).name for test in tests if test.get("command")}


def verdict(case: ET.Element) -> str | None:
    """passed, failed or skipped for a JUnit or GoogleTest case; None for one that was not meant to run."""
    if case.get("status") in ("notrun", "disabled") and case.find("skipped") is None and case.get("result") != "completed":
        return None
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    if case.find("skipped") is not None or case.get("result") == "skipped":
        return "skipped"
    return "passed"


def cases(path: pathlib.Path) -> list[tuple[str, str]]:
    """(name, verdict) of every case in an XML file; an unreadable file is one failure."""
    try:
        tree = ET.parse(path)
    except (ET.ParseError, OSError):
        return [(path.name, "failed")]
    found = [(f"{case.get('classname', '')}.{case.get('name', '')}", verdict(case)) for case in tree.iter("testcase")]
    return [(name, what) for name, what in found if what]


def count_entry(name: str, outcome: str, own: pathlib.Path | None) -> list[tuple[str, str]]:
    """A ctest entry as its single cases where its program wrote them, else as one."""
    if own is None or not own.is_file():
        return [(name, outcome)]
    single = cases(own)
    if outcome == "failed" and not any(what == "failed" for _, what in single):
        single.append((f"{name} (failed as a whole)", "failed"))
    return single or [(name, outcome)]


def run_ctest(extra: list[str], **settings: str) -> list[tuple[str, str]]:
    xml, junit = RESULTS / "gtest", RESULTS / "ctest.xml"
    shutil.rmtree(RESULTS, ignore_errors=True)
    xml.mkdir(parents=True)
    programs = entry_programs()
    shared = {program for program, count in Counts(programs.values()).items() if count > 1}
    command = ["ctest", "--test-dir", str(BUILD), "-j2", "--output-on-failure", "--output-junit", str(junit), *extra]
    done = subprocess.run(command, env=environment(GTEST_OUTPUT=f"xml:{xml}/", **settings))
    if not junit.is_file():
        return [("ctest", "failed")] if done.returncode else []
    out = []
    for entry in ET.parse(junit).iter("testcase"):
        name = entry.get("name", "")
        program = programs.get(name, "")
        own = xml / f"{program}.xml" if program and program not in shared else None
        outcome = {"run": "passed", "fail": "failed"}.get(entry.get("status", ""), "skipped")
        out += count_entry(name, outcome, own)
    if done.returncode and not any(what == "failed" for _, what in out):
        out.append(("ctest", "failed"))
    return out


def run_pytest() -> list[tuple[str, str]]:
    folder = ROOT / "test" / "python"
    if not folder.is_dir():
        return []
    junit = RESULTS / "pytest.xml"
    junit.unlink(missing_ok=True)
    done = subprocess.run([sys.executable, "-m", "pytest", str(folder), "-q", f"--junitxml={junit}"], cwd=ROOT, env=environment())
    if done.returncode == 5:
        return []
    out = cases(junit) if junit.is_file() else [("pytest", "failed")]
    if done.returncode and not any(what == "failed" for _, what in out):
        out.append(("pytest", "failed"))
    return out


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--soak", type=int, metavar="CASES", help="only the simulated world, with so many cases")
    parser.add_argument("--only", choices=["ctest", "pytest"], help="one half of the tests")
    options = parser.parse_args(argv)
    results = []
    if options.soak:
        print(f"soak: {options.soak} cases", flush=True)
        results += run_ctest(["-L", SOAK_LABEL, "-V"], COLLATE_SIM_CASES=str(options.soak))
    else:
        RESULTS.mkdir(parents=True, exist_ok=True)
        if options.only != "pytest":
            results += run_ctest([])
        if options.only != "ctest":
            results += run_pytest()
    counts = Counts(what for _, what in results)
    failures = [name for name, what in results if what == "failed"]
    if failures:
        print("\nfailed:")
        for name in failures:
            print(f"  {name}")
    if not results:
        print("\nno test ran: is the build finished? (make build)")
    print(f"\n{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
    return 0 if counts["passed"] and not failures else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
