"""What the benchmark ran on: processor, kernel, file systems, MPI versions."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

from collate.bench import engines


def filesystem_type(directory: Path, mounts: str | None = None) -> str:
    """Type of the file system that holds a directory, from /proc/self/mounts (or the text given)."""
    text = mounts if mounts is not None else Path("/proc/self/mounts").read_text()
    where = str(directory.resolve()) + "/"
    longest, kind = -1, "unknown"
    for line in text.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ").rstrip("/") + "/"
        if where.startswith(point) and len(point) >= longest:
            longest, kind = len(point), fields[2]
    return kind


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def _memory_mib() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 20)


def facts() -> dict:
    """The machine in words and numbers with units in the keys."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_mib": _memory_mib(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def mpi_version(mpi: str) -> str | None:
    """The version an MPI's launcher reports, or None when it is not there."""
    launcher = engines.launcher(mpi)
    if not launcher.exists():
        return None
    try:
        done = subprocess.run(
            [launcher, "--version"], capture_output=True, text=True, timeout=20, env=engines.environment(mpi), check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(\d+\.\d+[\w.]*)", done.stdout)
    return found.group(1) if found else None
