"""collate-exec with real launchers, real interpreters and real signals."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess

import pytest

from collate import launch, paths

# One write a rank: launchers mix what ranks write in pieces.
SHOW = "import os, sys; os.write(1, f\"preload {os.environ.get('LD_PRELOAD', '-')}\\n\".encode()); sys.exit(int(sys.argv[1]))"


def run(*words: object, **settings: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COLLATE", "LD_PRELOAD"))}
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment, **launch.openmpi_environment(2)[0], **settings},
    )


def stand_in(folder: pathlib.Path, collate_exec: pathlib.Path) -> pathlib.Path:
    """collate-exec beside two libraries that are really something harmless, so that no test depends on the engine."""
    (folder / "bin").mkdir()
    (folder / "lib").mkdir()
    shutil.copy(collate_exec, folder / "bin")
    harmless = next(pathlib.Path("/").glob("lib/*-linux-gnu/libm.so.6"), None) or pathlib.Path("/lib64/libm.so.6")
    if not harmless.exists():
        pytest.skip("no libm to stand in for the library")
    for abi in paths.ABIS:
        shutil.copy(harmless, folder / "lib" / f"libcollate-{abi}.so")
    return folder / "bin" / "collate-exec"


@pytest.fixture
def helper(tmp_path: pathlib.Path, collate_exec: pathlib.Path) -> pathlib.Path:
    return stand_in(tmp_path, collate_exec)


def test_python_under_each_launcher(mpi: tuple, helper: pathlib.Path) -> None:
    family, prefix = mpi
    done = run(prefix / "bin" / "mpiexec", "-n", "2", helper, prefix / "bin" / "python", "-c", SHOW, "0")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("preload")]
    assert lines == [f"preload {helper.parent.parent}/lib/libcollate-{family}.so"] * 2


def test_any_python_under_each_launcher(mpi: tuple, helper: pathlib.Path) -> None:
    family, prefix = mpi
    script = helper.parent / "job.py"
    script.write_text("#!/usr/bin/env python3\n" + SHOW)
    script.chmod(0o755)
    done = run(prefix / "bin" / "mpiexec", "-n", "1", helper, script, "0")
    assert f"libcollate-{family}.so" in done.stdout, done.stderr


def test_compiled_program_is_told_by_its_library(mpi: tuple, helper: pathlib.Path) -> None:
    family, _ = mpi
    workload = paths.program(family, "workload")
    if not workload.is_file():
        pytest.skip("the workloads are not built")
    done = run(helper, "--which", workload)
    assert done.returncode == 0, done.stderr
    assert f"mpi: {family}\n" in done.stdout
    assert "workload -> libmpi.so." in done.stdout


def test_exit_status_and_signals_pass_through(helper: pathlib.Path) -> None:
    assert run(helper, "--mpi=mpich", "/bin/sh", "-c", "exit 7").returncode == 7
    assert run(helper, "--mpi=mpich", "/bin/sh", "-c", "kill -TERM $$").returncode == -signal.SIGTERM


def test_arguments_arrive_as_they_are(helper: pathlib.Path) -> None:
    done = run(helper, "--mpi", "mpich", "/bin/sh", "-c", 'printf "%s|" "$@"', "--", "a b", "", "--off", "*")
    assert done.stdout == "a b||--off|*|"


def test_off_runs_natively(helper: pathlib.Path) -> None:
    for words, settings in (([helper, "--off"], {}), ([helper], {"COLLATE": "off"})):
        done = run(*words, "/bin/sh", "-c", "echo [$LD_PRELOAD]", LD_PRELOAD="", **settings)
        assert done.stdout == "[]\n"


def test_ours_goes_after_a_profilers_library(helper: pathlib.Path) -> None:
    other = helper.parent.parent / "lib" / "libprofiler.so"
    shutil.copy(helper.parent.parent / "lib" / "libcollate-mpich.so", other)
    done = run(helper, "--mpi=mpich", "/bin/sh", "-c", "echo $LD_PRELOAD", LD_PRELOAD=str(other))
    assert done.stdout.strip() == f"{other}:{other.parent}/libcollate-mpich.so"


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["no-such-program"], 127, "no such program"),
        (["/etc/passwd"], 126, "may not be executed"),
        (["/"], 126, "is a directory"),
        ([], 125, "no program given"),
        (["--frobnicate"], 125, "unknown option --frobnicate"),
        (["--mpi"], 125, "--mpi needs a value"),
        (["--mpi=lam", "/bin/sh"], 125, "the choices are mpich and openmpi"),
        (["mpiexec", "-n", "4", "./app"], 125, "behind the launcher"),
        (["/bin/true"], 125, "no MPI found"),
        (["--mpi=mpich", "--lib", "/no/such.so", "/bin/true"], 125, "is missing"),
        (["--mpi=mpich", "--lib", "/etc/passwd", "/bin/true"], 125, "is not a shared library"),
    ],
)
def test_its_own_failures_say_what_to_do(helper: pathlib.Path, words: list[str], status: int, sentence: str) -> None:
    path = os.environ.get("PATH", "")
    if words[:1] == ["mpiexec"]:
        launcher = helper.parent / "mpiexec"
        launcher.write_text("#!/bin/sh\n")
        launcher.chmod(0o755)
        path = f"{helper.parent}:{path}"
    done = run(helper, *words, PATH=path)
    assert done.returncode == status
    assert done.stderr.startswith("collate-exec: ")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_static_program_is_refused(helper: pathlib.Path, tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    source = tmp_path / "app.c"
    source.write_text("int main(void) { return 0; }\n")
    if compiler is None or subprocess.run([compiler, "-static", source, "-o", tmp_path / "app"]).returncode != 0:
        pytest.skip("no compiler that links statically")
    done = run(helper, tmp_path / "app")
    assert done.returncode == 125
    assert "linked statically" in done.stderr
    assert run(helper, "--off", tmp_path / "app").returncode == 0


def test_which_runs_nothing(helper: pathlib.Path, tmp_path: pathlib.Path) -> None:
    mark = tmp_path / "mark"
    assert run(helper, "--which", "--mpi=mpich", "/bin/sh", "-c", f"touch {mark}").returncode == 0
    assert not mark.exists()
