"""The workloads, and how much of each is moved at each level.

Levels 0 and 1 make one call per piece, and MPI libraries need microseconds (level 0) to milliseconds (level 1) for one, so the size
shrinks there to a number of pieces that takes seconds. All engines of a line move the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = (0, 1, 2, 3)
OPERATIONS = ("write", "read")

#: Pieces of all ranks together that a level-0 run may make.
LEVEL0_PIECES = 131072
#: Pieces of one rank that a level-1 run may make.
LEVEL1_PIECES_PER_RANK = 128


@dataclass(frozen=True)
class Workload:
    """One access pattern of `bench/`."""

    name: str
    text: str
    piece_bytes: int
    """Typical contiguous piece of one rank, bytes; 0 when pieces are few and large."""
    level1_piece_bytes: int = 0
    """The same at level 1's small sizes, where it differs: rows of arrays shrink with the array."""
    share: int = 1
    """The size asked for is divided by this (a file with holes is larger than its useful bytes)."""
    existing: bool = False
    """Writes go over an existing file, where the bytes nobody writes are known."""
    tiny: bool = False
    """Pieces of at most 64 bytes: the acceptance target is higher."""


WORKLOADS = {
    w.name: w
    for w in (
        Workload("dist3d", "3-D block distributed array of ints, 512 B rows", 512, level1_piece_bytes=64),
        Workload("btio", "NAS BT multipartition cells with ghosts, 40 B records", 1280, level1_piece_bytes=320),
        Workload("unstruc", "irregular map, 64 B elements scattered in file and memory", 64, tiny=True),
        Workload("interleaved", "32 KiB records round robin", 32768),
        Workload("tiny", "64 B records round robin", 64, tiny=True),
        Workload("hard", "47,008 B records round robin", 47008),
        Workload("flash", "24 variables of guarded 8^3 blocks, 8 B pieces in memory", 0),
        Workload("holes", "4 KiB of every 64 KiB, round robin, into an existing file", 4096, share=4, existing=True),
        Workload("contig", "each rank one contiguous region", 0),
    )
}


def size_kib(workload: Workload, level: int, mib: int, ranks: int, level1_pieces: int = LEVEL1_PIECES_PER_RANK) -> int:
    """Useful KiB of all ranks together for one run of a workload at a level, `mib` MiB having been asked for."""
    limit = mib * 1024 // workload.share
    if workload.piece_bytes and level == 0:
        limit = min(limit, LEVEL0_PIECES * workload.piece_bytes // 1024)
    piece = workload.level1_piece_bytes or workload.piece_bytes
    if piece and level == 1:
        limit = min(limit, level1_pieces * ranks * piece // 1024)
    return max(1, limit)
