"""Turns "4 ranks of this program" into a command line: launcher, collate-exec, program, and the environment the launcher needs.

The launcher must come from the same MPI as the program's libmpi, or every rank believes it is alone. Order: the user's; srun in
a Slurm job; mpiexec under the prefix of the libmpi that collate-exec finds; mpiexec in PATH of the same family.

    plan(["./heat3d"], Wishes(ranks=4)).command_line()
        "/opt/ompi/bin/mpiexec -n 4 /home/ana/collate/build/bin/collate-exec ./heat3d"
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import shlex
import shutil
import subprocess

from . import paths
from .errors import NOT_FOUND, CollateError

VERSION_SECONDS = 20


@dataclasses.dataclass(frozen=True)
class Wishes:
    ranks: int | None = None
    off: bool = False
    mpi: str | None = None
    launcher: str | None = None


@dataclasses.dataclass(frozen=True)
class Plan:
    command: list[str]
    environment: dict[str, str]
    remarks: list[str]

    def command_line(self) -> str:
        settings = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*settings, shlex.join(self.command)])


@functools.cache
def family_of(launcher: str) -> str | None:
    """ "mpich" or "openmpi" by what the launcher says of itself; None for srun and strangers."""
    try:
        done = subprocess.run(
            [launcher, "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout + done.stderr
    if "HYDRA" in text or "MPICH" in text:
        return "mpich"
    if "Open MPI" in text or "OpenRTE" in text or "PRRTE" in text:
        return "openmpi"
    return None


def ask_exec(program: list[str], mpi: str | None = None) -> dict[str, str]:
    """What collate-exec says of the program: mpi, why, mpi_library, library, program, runs. `mpi: open` means no sign yet."""
    command = [str(paths.need_exec()), "--which"]
    if mpi:
        command.append(f"--mpi={mpi}")
    environment = {name: value for name, value in os.environ.items() if name != "COLLATE"}
    done = subprocess.run([*command, "--", *program[:1]], capture_output=True, text=True, env=environment)
    answer = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    if "mpi" not in answer:
        sentence = done.stderr.strip().removeprefix("collate-exec: ")
        raise CollateError(sentence or "collate-exec gave no answer", done.returncode or 125)
    return answer


def beside_library(library: str, mpi: str) -> str | None:
    """mpiexec under the first folder above the library that has one of this family."""
    for start in dict.fromkeys([pathlib.Path(library), pathlib.Path(library).resolve()]):
        for folder in start.parents:
            for name in (f"mpiexec.{mpi}", "mpiexec", "mpirun"):
                candidate = folder / "bin" / name
                if os.access(candidate, os.X_OK) and family_of(str(candidate)) == mpi:
                    return str(candidate)
    return None


def in_path(mpi: str | None) -> str | None:
    """mpiexec in PATH of this family, or of any family when `mpi` is None."""
    names = ("mpiexec", "mpirun") if mpi is None else ("mpiexec", "mpirun", f"mpiexec.{mpi}", f"mpirun.{mpi}")
    for name in names:
        found = shutil.which(name)
        if found and (mpi is None or family_of(found) == mpi):
            return found
    return None


def find_launcher(answer: dict[str, str], wished: str | None) -> str:
    if wished:
        found = shutil.which(wished)
        if not found:
            raise CollateError(f"the launcher {wished} was not found", NOT_FOUND)
        return found
    if os.environ.get("SLURM_JOB_ID") and shutil.which("srun"):
        return str(shutil.which("srun"))
    mpi = answer["mpi"] if answer["mpi"] in paths.ABIS else None
    library = answer.get("mpi_library", "")
    beside = beside_library(library, mpi) if library and mpi else None
    found = beside or in_path(mpi)
    if found is None:
        title = paths.ABI_TITLES.get(mpi or "", "an MPI")
        raise CollateError(f"no mpiexec of {title} found beside its library or in PATH; name it with --launcher", NOT_FOUND)
    return found


def physical_cores() -> int:
    """Cores that this process may use; Open MPI counts a slot for each, not for each hardware thread."""
    cores = set()
    for cpu in os.sched_getaffinity(0):
        siblings = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.add(siblings.read_text().strip())
        except OSError:
            cores.add(str(cpu))
    return max(1, len(cores))


def openmpi_environment(ranks: int | None) -> tuple[dict[str, str], list[str]]:
    """What Open MPI's launcher needs to start here at all, and the remark that says so."""
    environment: dict[str, str] = {}
    remarks = []
    if os.geteuid() == 0:
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        remarks.append("Open MPI refuses to start as root; allowed for this run")
    if ranks and ranks > physical_cores():
        environment |= {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        remarks.append(f"{ranks} ranks on {physical_cores()} cores: Open MPI told to allow more ranks than cores")
    return {name: value for name, value in environment.items() if name not in os.environ}, remarks


def plan(program: list[str], wishes: Wishes) -> Plan:
    """The whole command; raises CollateError when the program can't be run on Collate or no launcher is found."""
    answer = ask_exec(program, wishes.mpi)
    launcher = find_launcher(answer, wishes.launcher)
    command = [launcher]
    in_slurm = os.path.basename(launcher) == "srun"
    if wishes.ranks or not in_slurm:
        command += ["-n", str(wishes.ranks or 1)]
    command.append(str(paths.need_exec()))
    if wishes.off:
        command.append("--off")
    if wishes.mpi:
        command.append(f"--mpi={wishes.mpi}")
    environment: dict[str, str] = {}
    remarks = [f"program's MPI: {answer['mpi']} ({answer.get('why', '')})"]
    if not in_slurm and family_of(launcher) == "openmpi":
        environment, more = openmpi_environment(wishes.ranks)
        remarks += more
    return Plan([*command, *program], environment, remarks)
