"""collate run: which launcher, which environment, and the program's own exit status."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from click.testing import CliRunner

from collate import launch, paths
from collate.cli import main
from collate.errors import CollateError


def command(*words: str, **settings: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "collate", "run", *words], capture_output=True, text=True, timeout=60, env={**os.environ, **settings}
    )


def test_help_does_not_load_the_verbs() -> None:
    code = (
        "import sys; from collate.cli import main; main(['--help'], standalone_mode=False); "
        "print(sorted(m for m in sys.modules if m in ('rich', 'jinja2', 'matplotlib', 'collate.cli.run')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stdout


def test_dry_run_names_launcher_and_helper(mpi: tuple, collate_exec: pathlib.Path, runner: CliRunner) -> None:
    family, prefix = mpi
    if not paths.library(family).is_file():
        pytest.skip("the library is not built")
    done = runner.invoke(main, ["run", "-n", "2", "--dry-run", str(prefix / "bin" / "python"), "-c", "pass"])
    assert done.exit_code == 0, done.output
    assert f"{prefix}/bin/mpiexec -n 2 {collate_exec} {prefix}/bin/python -c pass" in done.output


def test_exit_status_is_the_programs(mpi: tuple, collate_exec: pathlib.Path) -> None:
    _, prefix = mpi
    done = command("-n", "2", "--off", str(prefix / "bin" / "python"), "-c", "import mpi4py.MPI; raise SystemExit(3)")
    assert done.returncode == 3, done.stderr


def test_a_missing_program_is_127(collate_exec: pathlib.Path) -> None:
    done = command("no-such-program")
    assert done.returncode == 127
    assert done.stderr == "collate: no-such-program: no such program\n"


def test_slurm_comes_first(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    srun = tmp_path / "srun"
    srun.write_text("#!/bin/sh\n")
    srun.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    assert launch.find_launcher({"mpi": "mpich"}, None) == str(srun)


def test_a_launcher_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    with pytest.raises(CollateError, match="no mpiexec of Open MPI"):
        launch.find_launcher({"mpi": "openmpi"}, None)
    with pytest.raises(CollateError, match="was not found"):
        launch.find_launcher({"mpi": "openmpi"}, "my-launcher")


def test_openmpi_gets_only_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(launch, "physical_cores", lambda: 2)
    assert launch.openmpi_environment(2) == ({}, [])
    environment, remarks = launch.openmpi_environment(3)
    assert environment["PRTE_MCA_rmaps_default_mapping_policy"] == ":oversubscribe"
    assert len(remarks) == 1
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "OMPI_ALLOW_RUN_AS_ROOT" in launch.openmpi_environment(1)[0]
