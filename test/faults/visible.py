"""What one rank writes, every rank sees after a barrier, through whatever handle and without MPI_File_sync.

    visible.py FOLDER STRATEGY...

In each round every rank writes its own stretch - of a size that crosses pages, next to its neighbours' - with a value new in this
round; after a barrier every rank reads all stretches: by the handle that wrote, by a second handle of all ranks, by one of its own
(MPI_COMM_SELF), collectively, and with plain read. The writer goes through each of the three handles in turn.
"""

from __future__ import annotations

import os
import sys

from mpi4py import MPI
from ranks import Rank, hints, remove

SIZES = [1, 7, 4095, 4097, 65537, 300001]
ROUNDS = 2


def stretch(rank: int, size: int, step: int) -> bytes:
    return bytes([(rank * 50 + step * 7 + 1) % 256]) * size


def write(file: MPI.File, rank: Rank, size: int, step: int, together: bool) -> None:
    data = bytearray(stretch(rank.number, size, step))
    (file.Write_at_all if together else file.Write_at)(rank.number * size, data)


def read_back(rank: Rank, files: dict[str, MPI.File], path: str, size: int) -> dict[str, bytes]:
    """The whole file, as each way of reading sees it."""
    seen = {}
    for name, file in files.items():
        back = bytearray(size * rank.count)
        file.Read_at(0, back)
        seen[name] = bytes(back)
    back = bytearray(size * rank.count)
    files["first"].Read_at_all(0, back)
    seen["collective"] = bytes(back)
    with open(path, "rb") as plain:
        seen["plain"] = plain.read()
    return seen


def compare(rank: Rank, files: dict[str, MPI.File], path: str, together: bool) -> list[str]:
    wrong = []
    step = 0
    for size in SIZES:
        files["first"].Set_size(size * rank.count)
        for _ in range(ROUNDS):
            for writer in ("first", "second") if together else files:
                step += 1
                write(files[writer], rank, size, step, together)
                rank.comm.Barrier()
                expected = b"".join(stretch(r, size, step) for r in range(rank.count))
                for reader, seen in read_back(rank, files, path, size).items():
                    if seen != expected:
                        at = next((i for i, (a, b) in enumerate(zip(seen, expected)) if a != b), min(len(seen), len(expected)))
                        wrong.append(f"size {size}, written by {writer}, read by {reader}: byte {at} (of rank {at // size})")
                rank.comm.Barrier()
    return wrong


def main(folder: str, *strategies: str) -> None:
    with Rank() as rank:
        path = os.path.join(folder, "visible")
        mode = MPI.MODE_RDWR | MPI.MODE_CREATE
        for strategy in strategies:
            info = hints(collate_strategy=strategy)
            files = {
                "first": MPI.File.Open(rank.comm, path, mode, info),
                "second": MPI.File.Open(rank.comm, path, mode, info),
                "own": MPI.File.Open(MPI.COMM_SELF, path, mode, info),
            }
            rank.record("immediate", answer=files["first"].Get_info().Get("romio_visibility_immediate"))
            for together in (False, True):
                name = f"{'collective' if together else 'independent'} {strategy}"
                rank.record(f"begin {name}")
                rank.record(name, wrong=compare(rank, files, path, together)[:5])
            for file in files.values():
                file.Close()
            remove(rank, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
