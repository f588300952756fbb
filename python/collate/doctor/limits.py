"""The limits of this process and the size of this machine, as a rank started from here would have them."""

from __future__ import annotations

import os
import resource

from .. import launch


def _soft(which: int) -> int | None:
    soft, _ = resource.getrlimit(which)
    return None if soft == resource.RLIM_INFINITY else soft


def all_limits() -> dict:
    return {
        "file_size_bytes": _soft(resource.RLIMIT_FSIZE),
        "open_files": _soft(resource.RLIMIT_NOFILE),
        "locked_memory_bytes": _soft(resource.RLIMIT_MEMLOCK),
        "cores": launch.physical_cores(),
        "hardware_threads": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    }
