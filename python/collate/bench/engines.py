"""The engines: who performs the access, and the command line that makes it so."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from collate import paths

MPIS = ("mpich", "openmpi")


@dataclass(frozen=True)
class Engine:
    """One column of the benchmark.

    `kind` is `collate`, `own` (an MPI's own MPI-IO) or `baseline` (POSIX; levels mean nothing to it).
    """

    name: str
    kind: str
    mpi: str | None
    flag: str = "mpiio"
    mpiexec_options: tuple[str, ...] = ()
    operations: tuple[str, ...] = ("write", "read")

    @property
    def levelled(self) -> bool:
        """Whether the engine distinguishes levels 0 to 3."""
        return self.kind != "baseline"


ENGINES = {
    e.name: e
    for e in (
        Engine("collate/mpich", "collate", "mpich"),
        Engine("romio/mpich", "own", "mpich"),
        Engine("collate/openmpi", "collate", "openmpi"),
        Engine("ompio/openmpi", "own", "openmpi", mpiexec_options=("--mca", "io", "ompio")),
        Engine("romio/openmpi", "own", "openmpi", mpiexec_options=("--mca", "io", "romio341")),
        Engine("posix", "baseline", None, flag="posix"),
        Engine("fpp", "baseline", None, flag="fpp"),
        Engine("w1", "baseline", None, flag="w1", operations=("write",)),
        Engine("rp", "baseline", None, flag="rp", operations=("read",)),
    )
}


def select(names: list[str], mpis: list[str]) -> list[Engine]:
    """Engines by full name (`romio/mpich`) or family (`romio`), in table order; all when `names` is empty.

    Raises ValueError with one actionable sentence when a name fits no engine.
    """
    for name in names:
        if not any(name in (e.name, e.name.split("/")[0]) for e in ENGINES.values()):
            raise ValueError(f"no engine '{name}': choose from {', '.join(ENGINES)}")
    chosen = []
    for engine in ENGINES.values():
        wanted = not names or engine.name in names or engine.name.split("/")[0] in names
        if wanted and (engine.mpi is None or engine.mpi in mpis):
            chosen.append(engine)
    return chosen


def launcher(mpi: str) -> Path:
    """The mpiexec of an MPI: below COLLATE_MPICH_ROOT or COLLATE_OPENMPI_ROOT, else of the one `make setup` fetched."""
    named = os.environ.get(f"COLLATE_{mpi.upper()}_ROOT")
    prefix = Path(named) if named else paths.project_mpi(mpi) or paths.build_dir().parent / ".mpi" / mpi
    return prefix / "bin" / "mpiexec"


def missing(engine: Engine, mpi: str, program: str = "workload") -> str | None:
    """Why an engine cannot run here, or None when all its parts are there."""
    needed = [launcher(mpi), paths.program(mpi, program)]
    if engine.kind == "collate":
        needed.append(paths.exec_path())
    for path in needed:
        if not path.exists():
            return f"{path} is missing: run 'make build'"
    return None


def command(engine: Engine, mpi: str, ranks: int, arguments: list[str], program: str = "workload") -> list[str]:
    """The command line that runs a program of `bench/` with `arguments` on an engine."""
    words = [str(launcher(mpi))]
    if mpi == "openmpi":
        words += ["--map-by", ":OVERSUBSCRIBE"]
    words += [*engine.mpiexec_options, "-n", str(ranks)]
    if engine.kind == "collate":
        words.append(str(paths.exec_path()))
    return [*words, str(paths.program(mpi, program)), *arguments]


def environment(mpi: str) -> dict[str, str]:
    """The environment of a launch: the caller's, plus what Open MPI wants from root."""
    env = dict(os.environ)
    if mpi == "openmpi" and os.geteuid() == 0:
        env["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
        env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    return env
