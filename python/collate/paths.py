"""Where Collate's own parts are: collate-exec, the libraries, the benchmark's programs, the tables, the MPIs to test with.

In a source tree (an editable installation, as `make setup` makes it) they are under the tree: build/, tables/, .mpi/. An
installation elsewhere has them under the Python prefix. Nothing is looked for by running anything.
"""

from __future__ import annotations

import functools
import pathlib
import sys

from .errors import CollateError

ABIS = ("mpich", "openmpi")
ABI_TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}


@functools.cache
def source_root() -> pathlib.Path | None:
    """The source tree this package is imported from, or None when it is installed."""
    root = pathlib.Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "src").is_dir() else None


def build_dir() -> pathlib.Path:
    """The folder with bin/, lib/ and bench/."""
    root = source_root()
    return root / "build" if root else pathlib.Path(sys.prefix)


def results_dir() -> pathlib.Path:
    """Where results go unless the user says otherwise: below the folder that the user is in."""
    return pathlib.Path.cwd() / "collate-bench-results"


def exec_path() -> pathlib.Path:
    return build_dir() / "bin" / "collate-exec"


def library(abi: str) -> pathlib.Path:
    return build_dir() / "lib" / f"libcollate-{abi}.so"


def program(abi: str, name: str) -> pathlib.Path:
    """One of the benchmark's programs (`workload`, `gapcheck`), built for the MPI `abi`."""
    return build_dir() / "bench" / abi / name


def project_mpi(abi: str) -> pathlib.Path | None:
    """The prefix of the MPI that `make setup` fetched, if it is there."""
    root = source_root()
    prefix = root / ".mpi" / abi if root else None
    return prefix if prefix and (prefix / "bin" / "mpiexec").exists() else None


def table(name: str) -> pathlib.Path:
    """A table of the project, such as hints.toml."""
    root = source_root()
    folders = [root / "tables"] if root else []
    folders.append(pathlib.Path(__file__).parent / "tables")
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise CollateError(f"the table {name} is missing from {folders[0]}; this is not a whole copy of Collate")


def need_exec() -> pathlib.Path:
    """collate-exec, or the sentence that says how to get it."""
    path = exec_path()
    if not path.is_file():
        raise CollateError(f"{path} is missing; build it with: make build")
    return path
