"""Where the repository's built programs and the MPIs are. To be replaced by `collate.paths`."""

from __future__ import annotations

import os
from pathlib import Path


def repo_root() -> Path:
    """The repository: COLLATE_ROOT, else the first parent of this file or of the working directory that holds `bench/`."""
    named = os.environ.get("COLLATE_ROOT")
    if named:
        return Path(named).resolve()
    starts = [Path(__file__).resolve(), Path.cwd().resolve() / "x"]
    for start in starts:
        for parent in start.parents:
            if (parent / "bench" / "CMakeLists.txt").is_file():
                return parent
    return Path.cwd().resolve()


def build_dir() -> Path:
    """The build tree: <root>/build."""
    return repo_root() / "build"


def mpi_prefix(name: str) -> Path:
    """Prefix of an MPI (`mpich`, `openmpi`): COLLATE_<NAME>_ROOT, else <root>/.mpi/<name>."""
    named = os.environ.get(f"COLLATE_{name.upper()}_ROOT")
    return Path(named) if named else repo_root() / ".mpi" / name


def launcher(mpi: str) -> Path:
    """The mpiexec that belongs to an MPI."""
    return mpi_prefix(mpi) / "bin" / "mpiexec"


def program(mpi: str, name: str = "workload") -> Path:
    """A benchmark program built for an MPI."""
    return build_dir() / "bench" / mpi / name


def collate_exec() -> Path:
    """The in-rank helper that puts Collate in front of a program."""
    return build_dir() / "bin" / "collate-exec"
