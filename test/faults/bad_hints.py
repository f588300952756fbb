"""Hints with values that can't be: one warning each, on one rank, the default in use on all, and the data right.

    bad_hints.py FILE
"""

from __future__ import annotations

import sys

from mpi4py import MPI
from ranks import Rank, hints

GIVEN = {"cb_buffer_size": "banana", "romio_cb_write": "perhaps", "collate_strategy": "fastest", "ind_wr_buffer_size": "-5"}


def main(path: str) -> None:
    with Rank() as rank:
        file = MPI.File.Open(rank.comm, path, MPI.MODE_RDWR | MPI.MODE_CREATE, hints(**GIVEN))
        used = file.Get_info()
        rank.record("used", **{f"hint {name}": used.Get(name) for name in [*GIVEN, "cb_nodes"]})
        data = bytearray([rank.number + 1]) * 10000
        rank.attempt("write", lambda: file.Write_at_all(rank.number * 10000, data))
        back = bytearray(10000)
        rank.attempt("read", lambda: file.Read_at_all(rank.number * 10000, back))
        rank.record("compared", same=back == data)
        file.Close()


if __name__ == "__main__":
    main(*sys.argv[1:])
