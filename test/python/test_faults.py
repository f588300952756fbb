"""Real ranks in trouble: a full file system, files that can't be opened, wrong arguments, a rank that is killed.

The programs are in test/faults and run on every rank; each job runs once for each MPI and is looked at by many tests. A job that
hangs is ended after its time, and the tests say at which step it hung. What a user would read is printed.
"""

from __future__ import annotations

import collections
import functools
import pathlib
import re
import subprocess
import time

import pytest
from jobs import ROOT, Job, Mpi, Settings, run_job

RANKS = 4
PROGRAMS = ROOT / "test" / "faults"
SOON = 20.0  # "within seconds", on a machine that has other things to do
SPACE = "16m"
TOGETHER = ("automatic", "node", "messages", "direct")
ALONE = ("automatic", "pieces", "sieve", "mapped", "rmw")
STRATEGIES = tuple(dict.fromkeys(TOGETHER + ALONE))


def private_mounts() -> list[str] | None:
    """The words that run a command with mounts of its own, or None where that is not allowed."""
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        try:
            done = subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
        except OSError:
            return None
        if done.returncode == 0:
            return words
    return None


def on_mount(folder: pathlib.Path, commands: str) -> tuple[str, ...]:
    """What stands before a launcher that shall see a small tmpfs at `folder`."""
    words = private_mounts()
    if words is None:
        pytest.skip("mounting a file system is not allowed here, not even in a namespace of one's own")
    folder.mkdir(parents=True, exist_ok=True)
    return (*words, "sh", "-c", f'mount -t tmpfs -o size={SPACE} none "{folder}" && {commands} exec "$@"', "sh")


def job_of(mpi: Mpi, folder: pathlib.Path, program: str, words: list, before: tuple[str, ...] = ()) -> Job:
    command = [mpi.python, PROGRAMS / program, *words]
    return run_job(mpi, RANKS, command, Settings(folder / "records", 120, {"PYTHONDONTWRITEBYTECODE": "1"}, before=before))


def space_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    small = folder / "small"
    return job_of(mpi, folder, "space.py", [small, *STRATEGIES], on_mount(small, ""))


def limit_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    (folder / "large").mkdir(parents=True)
    return job_of(mpi, folder, "space.py", [folder / "large", *TOGETHER, "--limit"])


def refusals_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    (folder / "files").mkdir(parents=True)
    if private_mounts() is None:
        return job_of(mpi, folder, "refusals.py", [folder / "files"])
    still = folder / "still"
    before = on_mount(still, f'touch "{still}/there" && mount -o remount,ro "{still}" &&')
    return job_of(mpi, folder, "refusals.py", [folder / "files", still], before)


def visible_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    (folder / "files").mkdir(parents=True)
    return job_of(mpi, folder, "visible.py", [folder / "files", *STRATEGIES])


def hints_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    folder.mkdir(parents=True)
    return job_of(mpi, folder, "bad_hints.py", [folder / "data"])


def rewriting_job(mpi: Mpi, folder: pathlib.Path) -> Job:
    folder.mkdir(parents=True)
    return job_of(mpi, folder, "rewriting.py", [folder / "data"])


JOBS = {
    "rewriting": rewriting_job,
    "space": space_job,
    "limit": limit_job,
    "refusals": refusals_job,
    "visible": visible_job,
    "hints": hints_job,
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory):
    """Runs a job at most once for each MPI."""
    base = tmp_path_factory.mktemp("faults")
    base.parent.chmod(0o755)
    base.chmod(0o755)

    @functools.cache
    def run(name: str, mpi: Mpi) -> Job:
        job = JOBS[name](mpi, base / f"{name}-{mpi.family}")
        return job

    return run


@pytest.fixture
def on(mpi: tuple, collate_exec: pathlib.Path, jobs):
    """on("space") is the finished job under this test's MPI."""
    return lambda name: jobs(name, Mpi(*mpi))


@pytest.fixture
def told(capsys: pytest.CaptureFixture):
    def tell(where: str, message: str) -> None:
        with capsys.disabled():
            print(f"\n  {where}: {re.sub(r'/[^ ]*/(?=[^ /]+/[^ /]+ )', '.../', message)}", end="")

    return tell


def stopped_at(job: Job) -> str:
    """Where each rank was when the job ended, and the end of what it wrote."""
    places = []
    for rank, mine in enumerate(job.records):
        open_ends = [name for name in mine if name.startswith("begin ") and name.removeprefix("begin ") not in mine]
        places.append(f"rank {rank}: {open_ends or list(mine)[-1:]}, {mine.get('end', {}).get('problem', '')}")
    state = f"hung, ended after {job.seconds:.0f} s" if job.hung else f"exit status {job.status}"
    return "\n".join([state, *places, job.errors[-2000:]])


def outcomes(job: Job, name: str) -> list[dict]:
    found = [mine.get(name) for mine in job.records]
    assert all(found), f"{name} did not end on every rank; {stopped_at(job)}"
    return found


def all_say(job: Job, name: str, wanted: str) -> str:
    """Every rank got the class and, told of an error, the same reason; returns the sentence of rank 0."""
    found = outcomes(job, name)
    assert [one["class"] for one in found] == [wanted] * RANKS, [one["message"] for one in found]
    assert max(one["seconds"] for one in found) < SOON
    assert len({one["message"].partition(" failed")[2] for one in found}) == 1, [one["message"] for one in found]
    return found[0]["message"]


# --- no space ------------------------------------------------------------------------------------------------


def check_usable_after(job: Job, name: str) -> None:
    for step in ("shrink after", "write after", "close after"):
        all_say(job, f"{step} {name}", "SUCCESS")


def check_message(message: str, operation: str, words: str) -> None:
    """File, operation, rank and the system's reason."""
    assert message.startswith(operation) and "/data failed on rank " in message and words in message, message


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("case", ["collective", "sparse", "contiguous"])
def test_no_space_is_told_to_every_rank(on, told, case: str, strategy: str) -> None:
    job = on("space")
    name = f"{case} {strategy}"
    message = all_say(job, name, "NO_SPACE")
    told(name, message)
    check_message(message, "writing", "No space left on device")
    check_usable_after(job, name)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_space_alone(on, told, strategy: str) -> None:
    job = on("space")
    found = outcomes(job, f"independent {strategy}")
    assert [one["class"] for one in found] == ["NO_SPACE"] * RANKS
    told(f"independent {strategy}", found[0]["message"])
    for one in found:
        assert one["message"].startswith("writing ") and "/data failed" in one["message"]
        assert "No space left on device" in one["message"]
    check_usable_after(job, f"independent {strategy}")


def test_no_space_to_preallocate(on, told) -> None:
    message = all_say(on("space"), "preallocate automatic", "NO_SPACE")
    told("preallocate", message)
    check_message(message, "reserving space for", "No space left on device")


def test_no_space_was_really_short(on) -> None:
    assert {mine["space"]["free"] for mine in on("space").records} == {16 << 20}


@pytest.mark.parametrize("strategy", TOGETHER)
def test_a_limit_on_file_sizes_is_no_space(on, told, strategy: str) -> None:
    job = on("limit")
    message = all_say(job, f"collective {strategy}", "NO_SPACE")
    told(f"ulimit -f {strategy}", message)
    check_message(message, "writing", "File too large")
    check_usable_after(job, f"collective {strategy}")


@pytest.mark.parametrize("name", JOBS)
def test_jobs_end_by_themselves(on, name: str) -> None:
    job = on(name)
    assert not job.hung and job.status == 0 and all(mine.get("end", {}).get("problem") == "" for mine in job.records), stopped_at(job)


# --- refusals ------------------------------------------------------------------------------------------------

OPENS = {
    "missing folder": ("NO_SUCH_FILE", "No such file or directory"),
    "missing file": ("NO_SUCH_FILE", "No such file or directory"),
    "directory": ("BAD_FILE", "directory"),
    "exclusive": ("FILE_EXISTS", "File exists"),
    "different path": ("NOT_SAME", "different file names"),
    "different mode": ("NOT_SAME", "different access modes"),
    "mode contradicts itself": ("AMODE", "CREATE and EXCL not with RDONLY"),
    "path too long": ("BAD_FILE", "File name too long"),
    "folder in the path is a file": ("BAD_FILE", "Not a directory"),
    "not permitted": ("ACCESS", "Permission denied"),
    "one rank not permitted": ("ACCESS", "failed on rank 2: Permission denied"),
}


@pytest.mark.parametrize("name", OPENS)
def test_an_open_that_fails(on, told, name: str) -> None:
    wanted, words = OPENS[name]
    message = all_say(on("refusals"), name, wanted)
    told(name, message)
    assert message.startswith("opening ") and words in message, message


def test_a_read_only_file_system(on, told) -> None:
    if private_mounts() is None:
        pytest.skip("mounting a file system is not allowed here")
    job = on("refusals")
    for name in ("write", "create"):
        message = all_say(job, f"read-only file system, {name}", "READ_ONLY")
        told(f"read-only file system, {name}", message)
        assert "Read-only file system" in message
    all_say(job, "read-only file system, read", "SUCCESS")


def test_deleting_what_is_missing(on, told) -> None:
    found = outcomes(on("refusals"), "delete missing")
    told("delete missing", found[0]["message"])
    assert {one["class"] for one in found} == {"NO_SUCH_FILE"}


ARGUMENTS = {
    "negative count write_all": "COUNT",
    "negative count read_all": "COUNT",
    "no datatype": "TYPE",
    "negative offset": "ARG",
    "negative size": "ARG",
    "different size": "NOT_SAME",
    "different calls": "NOT_SAME",
    "write to RDONLY, all": "READ_ONLY",
    "write to RDONLY, one rank has data": "READ_ONLY",
    "set_size of RDONLY": "READ_ONLY",
    "read from WRONLY, all": "ACCESS",
    "usable afterwards": "SUCCESS",
    "read after": "SUCCESS",
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_wrong_argument_of_a_collective(on, told, name: str) -> None:
    message = all_say(on("refusals"), name, ARGUMENTS[name])
    told(name, message)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("negative displacement", "ARG"),
        ("backward filetype", "SUCCESS"),
        ("unknown datarep", "UNSUPPORTED_DATAREP"),
        ("independent negative count", "COUNT"),
        ("write to RDONLY, alone", "READ_ONLY"),
    ],
)
def test_a_wrong_argument_of_one_rank(on, told, name: str, wanted: str) -> None:
    found = outcomes(on("refusals"), name)
    told(name, found[0]["message"])
    assert {one["class"] for one in found} == {wanted}


def test_an_unordered_view_is_served_rightly_or_refused(on) -> None:
    """The standard forbids filetypes that go backwards; to write them in another order would be the worst answer."""
    assert all(one["same"] for one in outcomes(on("refusals"), "through backward filetype"))


def test_data_are_right_after_refusals(on) -> None:
    assert all(one["right"] for one in outcomes(on("refusals"), "contents"))


# --- hints and visibility ------------------------------------------------------------------------------------

BAD_HINTS = {"cb_buffer_size": "16777216", "romio_cb_write": "automatic", "collate_strategy": "automatic", "ind_wr_buffer_size": "524288"}


@pytest.mark.parametrize("name", BAD_HINTS)
def test_a_bad_hint_is_told_once_and_ignored(on, told, name: str) -> None:
    job = on("hints")
    lines = [line for line in job.errors.splitlines() if f"hint {name}" in line]
    told(name, "; ".join(lines))
    assert len(lines) == 1 and lines[0].startswith("collate: "), job.errors
    used = [one[f"hint {name}"] for one in outcomes(job, "used")]
    assert used == [BAD_HINTS[name]] * RANKS
    assert all(one["same"] for one in outcomes(job, "compared"))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("way", ["independent", "collective"])
def test_a_write_is_seen_after_a_barrier(on, way: str, strategy: str) -> None:
    assert [one["wrong"] for one in outcomes(on("visible"), f"{way} {strategy}")] == [[]] * RANKS


def test_rewriting_holes_loses_nobodys_bytes(on) -> None:
    assert outcomes(on("rewriting"), "rewritten")[0]["wrong"] == []


def test_visibility_is_promised_by_hint(on) -> None:
    assert {one["answer"] for one in outcomes(on("visible"), "immediate")} == {"true"}


# --- a rank that dies ----------------------------------------------------------------------------------------


def segments() -> set[str]:
    folder = pathlib.Path("/dev/shm")
    return {path.name for path in folder.glob("collate-*")} if folder.is_dir() else set()


def lasting(names: set[str]) -> set[str]:
    """Those still there after a while: other jobs on this machine have segments for a moment."""
    deadline = time.monotonic() + 5
    while names & segments() and time.monotonic() < deadline:
        time.sleep(0.2)
    return names & segments()


def running(number: int) -> bool:
    """A process that has ended and that nobody has asked about (a zombie) does not count."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def alive(job: Job) -> list[int]:
    return [mine["start"]["process"] for mine in job.records if "start" in mine and running(mine["start"]["process"])]


@pytest.mark.parametrize("strategy", TOGETHER)
@pytest.mark.parametrize("how", ["absent", "inside"])
def test_a_rank_is_killed_in_a_collective(mpi: tuple, collate_exec, tmp_path: pathlib.Path, told, how: str, strategy: str) -> None:
    family = Mpi(*mpi)
    folder = tmp_path / "data"
    folder.mkdir()
    before = segments()
    job = job_of(family, tmp_path, "killed.py", [folder / "file", strategy, how])
    assert not job.hung and job.seconds < SOON, stopped_at(job)
    assert job.status != 0
    assert all("first write" in mine for mine in job.records) and not any("end" in mine for mine in job.records), stopped_at(job)
    told(f"{how} {strategy}", f"the job ended after {job.seconds:.1f} s with status {job.status}")
    time.sleep(0.5)
    assert not alive(job)
    assert not lasting(segments() - before)
    assert [path.name for path in folder.iterdir()] == ["file"]
    again = job_of(family, tmp_path, "killed.py", [folder / "file", strategy, "none"])
    assert again.status == 0 and not again.hung, stopped_at(again)
    assert all(mine.get("compared", {}).get("same") for mine in again.records)
    assert collections.Counter(path.name for path in folder.iterdir()) == {"file": 1}
