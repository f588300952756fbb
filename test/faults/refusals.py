"""Opens that must fail and arguments that are wrong: the standard's class on every rank, and a file that still works afterwards.

    refusals.py FOLDER READ_ONLY_FOLDER      the second, on a read-only file system, holds a file `there`; "" when there is none
"""

from __future__ import annotations

import os
import sys

from mpi4py import MPI
from ranks import Rank, raw, remove

WRITE = MPI.MODE_RDWR | MPI.MODE_CREATE
NOBODY = 65534


def opened(rank: Rank, name: str, path: str, mode: int) -> None:
    """An open that should fail; one that does not is closed again, so that the record says SUCCESS."""
    file = rank.attempt(name, lambda: MPI.File.Open(rank.comm, path, mode))
    if file is not None:
        file.Close()


def opens(rank: Rank, folder: str, read_only: str) -> None:
    there = os.path.join(folder, "there")
    if rank.number == 0:
        open(there, "wb").close()
        os.mkdir(os.path.join(folder, "directory"))
    rank.comm.Barrier()
    opened(rank, "missing folder", os.path.join(folder, "no", "such", "file"), WRITE)
    opened(rank, "missing file", os.path.join(folder, "missing"), MPI.MODE_RDONLY)
    opened(rank, "directory", os.path.join(folder, "directory"), WRITE)
    opened(rank, "exclusive", there, WRITE | MPI.MODE_EXCL)
    opened(rank, "different path", there if rank.number != 2 else there + "2", WRITE)
    opened(rank, "different mode", there, WRITE if rank.number != 2 else MPI.MODE_RDONLY)
    opened(rank, "mode contradicts itself", there, MPI.MODE_RDONLY | MPI.MODE_CREATE)
    opened(rank, "path too long", os.path.join(folder, "x" * 300), WRITE)
    opened(rank, "folder in the path is a file", os.path.join(there, "x"), WRITE)
    rank.attempt("delete missing", lambda: MPI.File.Delete(os.path.join(folder, "missing")))
    if read_only:
        opened(rank, "read-only file system, write", os.path.join(read_only, "there"), MPI.MODE_RDWR)
        opened(rank, "read-only file system, create", os.path.join(read_only, "new"), WRITE)
        opened(rank, "read-only file system, read", os.path.join(read_only, "there"), MPI.MODE_RDONLY)


def permissions(rank: Rank, folder: str) -> None:
    """A file that only its owner may touch; root is above that, so the ranks act as nobody for a moment."""
    path = os.path.join(folder, "private")
    if rank.number == 0:
        open(path, "wb").close()
        os.chmod(path, 0o600)
        os.chmod(folder, 0o755)
    rank.comm.Barrier()
    root = os.geteuid() == 0
    for name, others in (("not permitted", range(rank.count)), ("one rank not permitted", [2])):
        if rank.number in others and root:
            os.seteuid(NOBODY)
        elif rank.number in others and rank.number == 2:
            os.chmod(path, 0)
        rank.comm.Barrier()
        opened(rank, name, path, MPI.MODE_RDWR)
        if root:
            os.seteuid(0)


def arguments(rank: Rank, folder: str) -> None:
    path = os.path.join(folder, "arguments")
    file = MPI.File.Open(rank.comm, path, WRITE)
    odd = rank.number == 2
    data = bytearray(100)
    status = bytearray(256)  # larger than any MPI_Status
    for name in ("write_all", "read_all"):
        rank.attempt(f"negative count {name}", lambda n=name: raw(f"File_{n}", file, data, -1 if odd else 100, MPI.BYTE, status))
    rank.attempt("no datatype", lambda: raw("File_write_all", file, data, 100, MPI.DATATYPE_NULL if odd else MPI.BYTE, status))
    rank.attempt("negative offset", lambda: file.Write_at_all(-8 if odd else 0, data))
    rank.attempt("negative size", lambda: file.Set_size(-1))
    rank.attempt("different size", lambda: file.Set_size(1000 + rank.number))
    rank.attempt("different calls", lambda: file.Sync() if odd else file.Write_at_all(0, data))
    rank.attempt("negative displacement", lambda: file.Set_view(-4))
    backwards = MPI.INT.Create_indexed([1, 1], [3, 0]).Commit()
    rank.attempt("backward filetype", lambda: file.Set_view(0, MPI.INT, backwards))
    back = bytearray(8)
    file.Write_at_all(4 * rank.number, bytearray(b"upanddn" + bytes([rank.number])))
    rank.comm.Barrier()
    file.Read_at_all(4 * rank.number, back)
    rank.record("through backward filetype", same=back == b"upanddn" + bytes([rank.number]))
    file.Set_view(0, MPI.BYTE)
    file.Set_size(0)
    rank.attempt("unknown datarep", lambda: file.Set_view(0, MPI.INT, MPI.INT, "mine"))
    rank.attempt("independent negative count", lambda: raw("File_write", file, data, -1, MPI.BYTE, status))
    rank.attempt("usable afterwards", lambda: file.Write_at_all(rank.number * 100, bytearray([rank.number + 1]) * 100))
    rank.comm.Barrier()
    with open(path, "rb") as plain:
        right = plain.read() == b"".join(bytes([r + 1]) * 100 for r in range(rank.count))
    rank.record("contents", right=right)
    file.Close()


def read_only_handle(rank: Rank, folder: str) -> None:
    path = os.path.join(folder, "arguments")
    file = MPI.File.Open(rank.comm, path, MPI.MODE_RDONLY)
    rank.attempt("write to RDONLY, all", lambda: file.Write_at_all(0, bytearray(10)))
    rank.attempt("write to RDONLY, one rank has data", lambda: file.Write_at_all(0, bytearray(10 if rank.number == 1 else 0)))
    rank.attempt("write to RDONLY, alone", lambda: file.Write_at(0, bytearray(10)))
    rank.attempt("set_size of RDONLY", lambda: file.Set_size(5))
    rank.attempt("read after", lambda: file.Read_at_all(0, bytearray(10)))
    file.Close()
    file = MPI.File.Open(rank.comm, path, MPI.MODE_WRONLY)
    rank.attempt("read from WRONLY, all", lambda: file.Read_at_all(0, bytearray(10)))
    file.Close()
    remove(rank, path)


def main(folder: str, read_only: str = "") -> None:
    with Rank() as rank:
        opens(rank, folder, read_only)
        permissions(rank, folder)
        arguments(rank, folder)
        read_only_handle(rank, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
