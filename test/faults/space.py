"""A file system that fills up in the middle of writes: every way of writing must say so on every rank and stay usable.

    space.py FOLDER STRATEGY...      FOLDER is on a file system of some 16 MiB of which all is free

With a FOLDER on a large file system and --limit, the process's own limit on file sizes takes the file system's place.
"""

from __future__ import annotations

import os
import resource
import sys

from mpi4py import MPI
from ranks import Rank, hints, interleave, remove

MIB = 1 << 20
PIECE = 24 * 1024 + 8  # not a whole number of pages
EACH = 8 * MIB
ALONE = 24 * MIB  # more than the file system has, for one rank


def open_file(path: str, strategy: str) -> MPI.File:
    return MPI.File.Open(MPI.COMM_WORLD, path, MPI.MODE_RDWR | MPI.MODE_CREATE, hints(collate_strategy=strategy))


def fill(rank: Rank, path: str, case: str, strategy: str) -> None:
    """One way of running out of space, then proof that file and file system are usable afterwards."""
    file = open_file(path, strategy)
    name = f"{case} {strategy}"
    if case in ("collective", "sparse"):
        if case == "sparse":
            file.Set_size(rank.count * EACH)
        interleave(file, rank, PIECE)
        rank.attempt(name, lambda: file.Write_all(bytearray(EACH)))
    elif case == "contiguous":
        rank.attempt(name, lambda: file.Write_at_all(rank.number * EACH, bytearray(EACH)))
    elif case == "independent":
        interleave(file, rank, PIECE)
        rank.attempt(name, lambda: file.Write(bytearray(ALONE)))
    else:
        rank.attempt(name, lambda: file.Preallocate(rank.count * EACH))
    rank.attempt(f"shrink after {name}", lambda: file.Set_size(0))
    rank.attempt(f"write after {name}", lambda: file.Write_at_all(0, bytearray(1000)))
    rank.attempt(f"close after {name}", file.Close)
    remove(rank, path)


def main(folder: str, *words: str) -> None:
    with Rank() as rank:
        strategies = [word for word in words if word != "--limit"]
        cases = ["collective", "contiguous", "independent"]
        if "--limit" in words:
            resource.setrlimit(resource.RLIMIT_FSIZE, (16 * MIB, resource.RLIM_INFINITY))
        else:
            space = os.statvfs(folder)
            rank.record("space", free=space.f_bavail * space.f_frsize)
            cases.append("sparse")
        for strategy in strategies:
            for case in cases:
                fill(rank, os.path.join(folder, "data"), case, strategy)
        fill(rank, os.path.join(folder, "data"), "preallocate", "automatic")


if __name__ == "__main__":
    main(*sys.argv[1:])
