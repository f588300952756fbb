"""Runs an MPI job on Collate and never waits for it longer than told.

    job = run_job(Mpi("mpich", prefix), 4, [script, "argument"], Settings(folder=tmp_path, seconds=30))
    job.status, job.hung, job.seconds, job.errors     # errors: what the job wrote to stderr
    job.records[2]["open"]                            # what rank 2 recorded under "open" (see faults/ranks.py)

Ranks write records, one JSON object a line, to `rank-<n>.jsonl` in the folder named by COLLATE_TEST_RECORDS; the first holds the
process id, so that a job that must be ended is ended whole, whatever its launcher does.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAST_CHARACTERS = 20000


@dataclasses.dataclass(frozen=True)
class Mpi:
    family: str
    prefix: pathlib.Path

    @property
    def python(self) -> str:
        return str(self.prefix / "bin" / "python")


@dataclasses.dataclass(frozen=True)
class Settings:
    folder: pathlib.Path
    seconds: float = 60
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    helper: pathlib.Path = ROOT / "build" / "bin" / "collate-exec"
    before: tuple[str, ...] = ()  # words before the launcher, such as "setpriv"


@dataclasses.dataclass
class Job:
    status: int
    hung: bool
    seconds: float
    output: str
    errors: str
    records: list[dict[str, dict]]


def environment(ranks_folder: pathlib.Path, more: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COLLATE", "LD_PRELOAD", "ROMIO", "MPICH_MPIIO"))}
    launcher = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    return {**kept, **launcher, "COLLATE_TEST_RECORDS": str(ranks_folder), **more}


def read_records(folder: pathlib.Path, ranks: int) -> list[dict[str, dict]]:
    """By rank, then by the record's name. A line cut short by a kill is left out."""
    everything = []
    for rank in range(ranks):
        mine = {}
        path = folder / f"rank-{rank}.jsonl"
        for line in path.read_text().splitlines() if path.is_file() else []:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            mine[record.pop("name")] = record
        everything.append(mine)
    return everything


def end_job(process: subprocess.Popen, folder: pathlib.Path, ranks: int) -> None:
    """The launcher gets a moment to end its ranks; then every rank is killed by its number, and the launcher."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass
    for mine in read_records(folder, ranks):
        number = mine.get("start", {}).get("process", 0)
        if number and pathlib.Path(f"/proc/{number}").exists():
            os.kill(number, signal.SIGKILL)
    process.kill()
    process.wait()


def run_job(mpi: Mpi, ranks: int, program: list, settings: Settings) -> Job:
    settings.folder.mkdir(parents=True, exist_ok=True)
    for old in settings.folder.glob("rank-*.jsonl"):
        old.unlink()
    command = [*settings.before, mpi.prefix / "bin" / "mpiexec", "-n", ranks, settings.helper, *program]
    begun = time.monotonic()
    hung = False
    paths = [settings.folder / "stdout", settings.folder / "stderr"]
    with open(paths[0], "wb") as output, open(paths[1], "wb") as errors:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=environment(settings.folder, settings.environment),
        )
        try:
            process.wait(settings.seconds)
        except subprocess.TimeoutExpired:
            hung = True
            end_job(process, settings.folder, ranks)
    texts = [path.read_text(errors="replace") for path in paths]
    return Job(process.returncode, hung, time.monotonic() - begun, *texts, read_records(settings.folder, ranks))


def tell(text: str) -> None:
    """A line for the log of the tests; long ones are cut."""
    print(text[-LAST_CHARACTERS:], file=sys.stderr, flush=True)
