"""A rank that dies in the middle of collective writes.

    killed.py FILE STRATEGY HOW     HOW: absent (dies while the others wait in the call for it), inside (dies in the call), none

With `none` nobody dies: the file is written, read back and compared, as a later run would do on what the dead job left.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from mpi4py import MPI
from ranks import Rank, hints, interleave

VICTIM = 2
PIECE = 5000
EACH = 4 << 20
ROUNDS_FOREVER = 10**9


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(path: str, strategy: str, how: str) -> None:
    with Rank() as rank:
        file = MPI.File.Open(rank.comm, path, MPI.MODE_RDWR | MPI.MODE_CREATE, hints(collate_strategy=strategy))
        interleave(file, rank, PIECE)
        data = bytearray([rank.number + 1]) * EACH
        file.Write_at_all(0, data)
        rank.record("first write")
        if how == "inside" and rank.number == VICTIM:
            threading.Timer(0.3, die).start()
        if how == "absent" and rank.number == VICTIM:
            time.sleep(0.3)
            die()
        for _ in range(ROUNDS_FOREVER if how != "none" else 1):
            file.Write_at_all(0, data)
        back = bytearray(EACH)
        file.Read_at_all(0, back)
        rank.record("compared", same=back == data)
        file.Close()


if __name__ == "__main__":
    main(*sys.argv[1:])
