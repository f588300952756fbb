"""Which MPIs and compilers this machine has: the project's own, those in PATH, and those Debian names by family."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess

from .. import launch, paths

VERSION = re.compile(r"(?:Version:\s*|Open MPI\)?\s*|OpenRTE\)\s*)(\d+(?:\.\d+)+\S*)")
LAUNCHER_NAMES = ("mpiexec", "mpirun", "mpiexec.mpich", "mpiexec.hydra", "mpiexec.openmpi")
COMPILER_NAMES = ("c++", "g++", "clang++", "cc", "gcc", "clang", "gfortran")


def first_output(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=launch.VERSION_SECONDS, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def libmpi_near(launcher: pathlib.Path, family: str) -> str | None:
    """The libmpi that belongs to a launcher: beside it under the same prefix."""
    names = ("libmpi.so.12", "libmpich.so.12") if family == "mpich" else ("libmpi.so.40",)
    for prefix in dict.fromkeys([launcher.parent.parent, launcher.resolve().parent.parent]):
        folders = [prefix / "lib", prefix / "lib64", *sorted(prefix.glob("lib/*-linux-gnu"))]
        for folder in folders:
            for name in names:
                if (folder / name).exists():
                    return str(folder / name)
    return None


def describe(launcher: pathlib.Path, origin: str) -> dict | None:
    family = launch.family_of(str(launcher))
    if family is None:
        return None
    found = VERSION.search(first_output([str(launcher), "--version"]))
    return {
        "family": family,
        "title": paths.ABI_TITLES[family],
        "version": found.group(1) if found else None,
        "launcher": str(launcher),
        "libmpi": libmpi_near(launcher, family),
        "origin": origin,
    }


def all_mpis() -> list[dict]:
    """Each launcher once, however many names lead to it."""
    places = [(prefix / "bin" / "mpiexec", "project") for abi in paths.ABIS if (prefix := paths.project_mpi(abi))]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        places += [(pathlib.Path(folder) / name, "path") for name in LAUNCHER_NAMES if folder]
    places += [(pathlib.Path("/usr/bin") / name, "system") for name in LAUNCHER_NAMES]
    seen = set()
    found = []
    for launcher, origin in places:
        if not os.access(launcher, os.X_OK):
            continue
        if launcher.resolve() in seen:
            continue
        seen.add(launcher.resolve())
        facts = describe(launcher, origin)
        if facts:
            same = [one for one in found if one["family"] == facts["family"] and one["libmpi"] and one["libmpi"] == facts["libmpi"]]
            found += [] if same else [facts]
    return found


def compilers() -> list[dict]:
    out = []
    seen = set()
    for name in COMPILER_NAMES:
        path = shutil.which(name)
        if not path or os.path.realpath(path) in seen:
            continue
        seen.add(os.path.realpath(path))
        lines = first_output([path, "--version"]).splitlines()
        out.append({"command": name, "path": path, "version": lines[0] if lines else None})
    return out
