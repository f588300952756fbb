"""Read-modify-write beside other writers: the holes that one rank rewrites hold the bytes that others write at the same moment.

    rewriting.py FILE

Ranks 0 and 1 write 64 bytes of every 256, rewriting the holes between in windows of 4 KiB; rank 2 writes 64 bytes of every 8 KiB in
one call, so that each is a window without holes; rank 3 the same, one piece a call. Nobody writes another's bytes, so whatever the
order, all must be there in the end.
"""

from __future__ import annotations

import sys

from mpi4py import MPI
from ranks import Rank, hints

PIECE = 64
STEP = 256
BLOCK = 8192
BLOCKS = 64
ROUNDS = 100


def step_of(rank: int) -> int:
    return STEP if rank < 2 else BLOCK


def write(file: MPI.File, rank: int, value: int) -> None:
    if rank < 3:
        file.Write_at(0, bytearray([value]) * (PIECE * (BLOCK * BLOCKS // step_of(rank))))
        return
    for block in range(BLOCKS):
        file.Write_at(block * PIECE, bytearray([value]) * PIECE)


def wrong_bytes(data: bytes, value: int) -> list[str]:
    wrong = []
    for rank in range(4):
        for at in range(rank * PIECE, BLOCK * BLOCKS, step_of(rank)):
            if data[at : at + PIECE] != bytes([value + rank]) * PIECE:
                wrong.append(f"byte {at} of rank {rank}: {data[at]} instead of {value + rank}")
    return wrong


def main(path: str) -> None:
    with Rank() as rank:
        file = MPI.File.Open(rank.comm, path, MPI.MODE_RDWR | MPI.MODE_CREATE, hints(collate_strategy="rmw", ind_wr_buffer_size="4096"))
        filetype = MPI.BYTE.Create_contiguous(PIECE).Create_resized(0, step_of(rank.number)).Commit()
        file.Set_view(rank.number * PIECE, MPI.BYTE, filetype)
        wrong: list[str] = []
        for turn in range(ROUNDS):
            value = 1 + 4 * (turn % 60)
            rank.comm.Barrier()
            write(file, rank.number, value + rank.number)
            rank.comm.Barrier()
            if rank.number == 0 and not wrong:
                with open(path, "rb") as plain:
                    wrong = [f"round {turn}: {line}" for line in wrong_bytes(plain.read(), value)]
        rank.record("rewritten", wrong=wrong[:5])
        file.Close()


if __name__ == "__main__":
    main(*sys.argv[1:])
