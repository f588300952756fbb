"""The Python environments: .venv for building and for the `collate` command, one more for each MPI to test with.

Debian and Ubuntu split pip out of Python, so `python3 -m venv` may fail on a fresh machine. Every environment is therefore made
without pip; .venv gets pip from the first of: ensurepip, a pip wheel of the system, the system's pip, the wheel in the
distribution's own package. The other environments are filled by .venv's pip from outside.
"""

from __future__ import annotations

import glob
import importlib.util
import pathlib
import shutil
import sys

import setup_debian
from setup_common import Project, SetupError, Step, logged, shown, tail

WHEELS = "usr/share/python-wheels/pip-*.whl"


def _make_venv(project: Project, folder: pathlib.Path, log: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if importlib.util.find_spec("venv") is None:
        raise SetupError("this Python has no venv module; install your system's full Python (Debian: python3)")
    if not logged([sys.executable, "-m", "venv", "--without-pip", folder], log):
        tail(log)
        raise SetupError(f"could not make the Python environment {shown(folder)}; see {shown(log)}")


def _pip_from_wheel(python: pathlib.Path, pattern: str, log: pathlib.Path) -> bool:
    wheels = sorted(glob.glob(pattern))
    return bool(wheels) and logged([python, f"{wheels[-1]}/pip", "install", "--quiet", "pip"], log)


def _pip_from_debian(project: Project, python: pathlib.Path, log: pathlib.Path) -> bool:
    target = project.deps / "pip"
    if not setup_debian.unpack(project, project.requirements["debian"]["pip"], target):
        return False
    return _pip_from_wheel(python, str(target / WHEELS), log)


def _bootstrap_pip(project: Project, python: pathlib.Path, log: pathlib.Path) -> None:
    ways = (
        lambda: logged([python, "-m", "ensurepip", "--default-pip"], log),
        lambda: _pip_from_wheel(python, "/" + WHEELS, log),
        lambda: logged([sys.executable, "-m", "pip", "--python", python, "install", "pip"], log),
        lambda: _pip_from_debian(project, python, log),
    )
    if not any(way() for way in ways):
        tail(log)
        raise SetupError(
            f"could not get pip for {shown(python.parent.parent)} (see {shown(log)}); install your system's venv package "
            "(Debian: python3-venv) and run the same command again"
        )


def _install(project: Project, target: pathlib.Path, words: list[str], log: pathlib.Path) -> None:
    pip = [project.venv / "bin" / "python", "-m", "pip", "--python", target, "--disable-pip-version-check"]
    if not logged([*pip, "install", "--no-input", *words], log):
        tail(log)
        raise SetupError(
            f"pip could not install {' '.join(words)} (see {shown(log)}); check the network and pip's settings, then run the same "
            "command again"
        )


def _key(project: Project, *parts: str) -> str:
    return "\n".join([sys.executable, sys.version, str(project.root), *parts])


def _venv_step(project: Project) -> Step:
    packages = project.packages("venv")
    python = project.venv / "bin" / "python"

    def act() -> None:
        log = project.log("venv")
        _make_venv(project, project.venv, log)
        _bootstrap_pip(project, python, log)
        if not logged([python, "-m", "pip", "--version"], log):
            raise SetupError(f"pip does not run in {shown(project.venv)}; see {shown(log)}")
        if not logged([python, "-m", "pip", "install", "--no-input", packages[0]], log):
            tail(log)
            raise SetupError(f"pip could not install {packages[0]}; check the network and pip's settings (log: {shown(log)})")
        _install(project, python, packages, log)

    names = ", ".join(word.partition(">")[0] for word in packages)
    return Step(f"build tools, into .venv ({names})", act, _key(project, *packages), project.venv / "setup.stamp", python.exists)


def _collate_step(project: Project) -> Step:
    definition = project.root / "pyproject.toml"
    command = project.venv / "bin" / "collate"

    def act() -> None:
        _install(project, project.venv / "bin" / "python", ["-e", f"{project.root}[plots]"], project.log("collate"))

    key = _key(project, definition.read_text(), *project.packages("venv"))
    return Step("the collate command, into .venv", act, key, project.venv / "collate.stamp", command.exists)


def _mpi_step(project: Project, name: str) -> Step:
    folder = project.mpi(name)
    packages = project.packages(name)

    def act() -> None:
        log = project.log(name)
        _make_venv(project, folder, log)
        _install(project, folder / "bin" / "python", packages, log)
        if not (folder / "include" / "mpi.h").is_file():
            raise SetupError(f"the package {packages[0]} brought no mpi.h to {shown(folder)}; see {shown(log)}")

    return Step(
        f"an MPI to test with, into .mpi/{name} ({', '.join(packages)})",
        act,
        _key(project, *packages),
        folder / "setup.stamp",
        (folder / "bin" / "mpiexec").exists,
    )


def all_steps(project: Project) -> list[Step]:
    return [_venv_step(project), _collate_step(project), _mpi_step(project, "mpich"), _mpi_step(project, "openmpi")]
