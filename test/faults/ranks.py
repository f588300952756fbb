"""What the fault programs share on every rank: records, attempts that note their error, raw C calls, and hints.

    with Rank() as rank:
        rank.attempt("open", lambda: MPI.File.Open(...))
        # record: {"name": "open", "class": "NO_SUCH_FILE", "message": "MPI_File_open /x failed on rank 0: ...", "seconds": 0.01}

A record `begin NAME` goes before, so that a hang is known by name. mpi4py refuses some wrong arguments itself; `raw` calls the MPI
function of the process, whoever provides it.
"""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import time
from typing import Any, Callable

from mpi4py import MPI

CLASSES = {
    getattr(MPI, name): name.removeprefix("ERR_")
    for name in dir(MPI)
    if name.startswith("ERR_") and isinstance(getattr(MPI, name), int) and name not in ("ERR_LASTCODE",)
}


class Rank:
    def __enter__(self) -> Rank:
        self.comm = MPI.COMM_WORLD
        self.number = self.comm.Get_rank()
        self.count = self.comm.Get_size()
        self.out = open(pathlib.Path(os.environ["COLLATE_TEST_RECORDS"], f"rank-{self.number}.jsonl"), "w")
        self.record("start", process=os.getpid())
        return self

    def __exit__(self, *problem: object) -> None:
        self.record("end", problem=repr(problem[1]) if problem[0] else "")
        self.out.close()

    def record(self, name: str, **facts: Any) -> None:
        self.out.write(json.dumps({"name": name, **facts}) + "\n")
        self.out.flush()

    def attempt(self, name: str, act: Callable[[], Any]) -> Any:
        """The result, or None when MPI says no. Any other exception ends the program."""
        self.record(f"begin {name}")
        begun = time.monotonic()
        outcome, message, result = "SUCCESS", "", None
        try:
            result = act()
        except MPI.Exception as problem:
            outcome = CLASSES.get(problem.Get_error_class(), str(problem.Get_error_class()))
            message = problem.Get_error_string()
        self.record(name, **{"class": outcome, "message": message, "seconds": time.monotonic() - begun})
        return result


def _argument(value: Any) -> Any:
    """An MPI object as its C handle; an int stays an int, anything with a buffer is passed by address."""
    if isinstance(value, (MPI.File, MPI.Datatype, MPI.Info, MPI.Comm)):
        kind = ctypes.c_int if MPI._sizeof(value) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p
        return kind.from_address(MPI._addressof(value))
    if isinstance(value, bytearray):
        return (ctypes.c_char * len(value)).from_buffer(value)
    return value


def raw(function: str, *arguments: Any) -> None:
    """MPI_<function>(...), as C would call it; a code other than MPI_SUCCESS is raised as MPI.Exception."""
    code = getattr(ctypes.CDLL(None), f"MPI_{function}")(*[_argument(value) for value in arguments])
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)


def hints(**pairs: str) -> MPI.Info:
    info = MPI.Info.Create()
    for key, value in pairs.items():
        info.Set(key, value)
    return info


def interleave(file: MPI.File, rank: Rank, piece: int) -> None:
    """A view in which the ranks take turns, `piece` bytes each."""
    filetype = MPI.BYTE.Create_contiguous(piece).Create_resized(0, piece * rank.count).Commit()
    file.Set_view(piece * rank.number, MPI.BYTE, filetype)
    filetype.Free()


def remove(rank: Rank, path: str) -> None:
    rank.comm.Barrier()
    if rank.number == 0 and os.path.exists(path):
        os.unlink(path)
    rank.comm.Barrier()
