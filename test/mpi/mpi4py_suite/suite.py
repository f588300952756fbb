#!/usr/bin/env python3
"""Runs mpi4py's own tests of MPI files, from its source distribution, on Collate with real ranks.

    suite.py --mpi mpich --prefix .mpi/mpich --ranks 3 --helper build/bin/collate-exec --cache build/mpi4py

The sources are those of the mpi4py that the MPI's own Python has, fetched once with pip. Each of mpi4py's test methods is one case
in the JUnit file named by GTEST_OUTPUT (xml:FOLDER/); those that not_yet.txt names are listed with the reason and not counted. One
more case, `served.by_collate`, demands a line of Collate's own (COLLATE_VERBOSE) for at least every test that has a file open.

Exit status: 0 passed, 1 failed, 77 skipped because the sources could not be fetched or the MPI is not there.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python"))

from jobs import ROOT, Job, Mpi, Settings, run_job, tell  # noqa: E402

SKIPPED = 77
FETCH_SECONDS = 240
FAREWELL = re.compile(r"^collate: (\S+): rank 0 of \d+ wrote (\d+) bytes, read (\d+) bytes", re.MULTILINE)


class Unavailable(Exception):
    """Why the tests can't run here."""


def installed_version(prefix: pathlib.Path) -> str:
    for folder in prefix.glob("lib/python3*/site-packages/mpi4py-*.dist-info"):
        return folder.name.removeprefix("mpi4py-").removesuffix(".dist-info")
    raise Unavailable(f"no mpi4py under {prefix}")


def fetch(version: str, cache: pathlib.Path) -> pathlib.Path:
    """mpi4py's test folder; fetched and unpacked at most once, whoever comes first."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"mpi4py-{version}" / "test"
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            return folder
        python = ROOT / ".venv" / "bin" / "python"
        command = [str(python) if python.exists() else sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
        command += ["--quiet", "--no-deps", "--no-binary", "mpi4py", "--dest", str(cache), f"mpi4py=={version}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=FETCH_SECONDS)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"fetching mpi4py {version} took longer than {FETCH_SECONDS} s") from None
        archive = next(cache.glob(f"mpi4py-{version}.tar.gz"), None)
        if archive is None:
            raise Unavailable(f"mpi4py {version} could not be fetched: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
        with tarfile.open(archive) as tar:
            tar.extractall(cache / "unpacking", members=[m for m in tar if m.name.startswith(f"mpi4py-{version}/test/")])
        (cache / "unpacking" / f"mpi4py-{version}").rename(folder.parent)
        return folder


def verdicts(job: Job) -> dict[str, tuple[str, str]]:
    """Each test's outcome over all ranks: failed if it failed, or never ended, on any."""
    out: dict[str, tuple[str, str]] = {}
    for rank, mine in enumerate(job.records):
        for name in [name.removeprefix("begin ") for name in mine if name.startswith("begin ")]:
            here = mine.get(name, {"outcome": "failed", "detail": "began and did not end: the ranks hung or died here"})
            if here["outcome"] == "failed" or name not in out:
                if out.get(name, ("",))[0] != "failed":
                    out[name] = (here["outcome"], f"rank {rank}: {here['detail']}")
    return out


def proof(job: Job, ran: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Collate itself says which files it served."""
    lines = FAREWELL.findall(job.errors)
    needed = sum(what == "passed" and name.split(".")[0] != "TestFileNull" for name, (what, _) in ran.items())
    moved = sum(int(wrote) > 0 and int(read) > 0 for _, wrote, read in lines)
    said = f"Collate says that it served {len(lines)} files, {moved} of them with data written and read; {needed} tests open one"
    tell(said)
    return ("passed" if len(lines) >= needed > 0 and moved > 0 else "failed", said)


def ended_well(job: Job) -> tuple[str, str]:
    if job.hung:
        return "failed", f"the job hung and was ended after {job.seconds:.0f} s"
    unfinished = [rank for rank, mine in enumerate(job.records) if "end" not in mine]
    if job.status != 0 or unfinished:
        return "failed", f"exit status {job.status}, ranks that did not come to the end: {unfinished}\n{job.errors[-3000:]}"
    return "passed", ""


def unused(job: Job) -> tuple[str, str]:
    left = job.records[0].get("unused", {}).get("patterns", [])
    return ("failed" if left else "passed", f"not_yet.txt names what mpi4py does not have: {left}")


def write_xml(name: str, cases: dict[str, tuple[str, str]]) -> None:
    target = os.environ.get("GTEST_OUTPUT", "")
    if not target.startswith("xml:"):
        return
    suite = ET.Element("testsuite", name=name, tests=str(len(cases)))
    for case, (what, detail) in cases.items():
        element = ET.SubElement(suite, "testcase", classname=name, name=case, status="run")
        if what != "passed":
            ET.SubElement(element, "failure" if what == "failed" else "skipped", message=detail[:4000])
    ET.ElementTree(suite).write(pathlib.Path(target.removeprefix("xml:"), f"{name}.xml"))


def report(name: str, job: Job, cases: dict[str, tuple[str, str]]) -> None:
    reasons = job.records[0].get("reasons", {}).get("deselected", {})
    for why in dict.fromkeys(reasons.values()):
        tell(f"not run ({sum(one == why for one in reasons.values())} tests): {why}")
    for case, (what, detail) in cases.items():
        if what != "passed":
            tell(f"{what}: {case}: {detail}")
    counts = {what: sum(outcome == what for outcome, _ in cases.values()) for what in ("passed", "failed", "skipped")}
    library = job.records[0].get("start", {}).get("library", "no rank started")
    tell(f"{name}: {library}: " + ", ".join(f"{count} {what}" for what, count in counts.items()) + f", {job.seconds:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", required=True)
    for name in ("prefix", "helper", "cache"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--seconds", type=float, default=150)
    options = parser.parse_args()
    name = f"mpi4py_suite_{options.mpi}_{options.ranks}"
    try:
        folder = fetch(installed_version(options.prefix), options.cache)
    except Unavailable as why:
        print(f"skipped: {why}")
        return SKIPPED
    scratch = options.cache / name
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "files").mkdir(parents=True)
    settings = {"COLLATE_VERBOSE": "1", "TMPDIR": str(scratch / "files"), "PYTHONDONTWRITEBYTECODE": "1"}
    mpi = Mpi(options.mpi, options.prefix)
    program = [mpi.python, HERE / "on_ranks.py", folder, HERE / "not_yet.txt"]
    job = run_job(mpi, options.ranks, program, Settings(scratch / "records", options.seconds, settings, options.helper))
    ran = verdicts(job)
    left = sorted(path.name for path in (scratch / "files").iterdir())
    cases = {**ran, "job.ended_well": ended_well(job), "job.list_is_current": unused(job), "served.by_collate": proof(job, ran)}
    cases["job.left_no_files"] = ("failed" if left else "passed", f"left behind: {left[:10]}")
    write_xml(name, cases)
    report(name, job, cases)
    return 1 if any(what == "failed" for what, _ in cases.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
