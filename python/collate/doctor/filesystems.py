"""What a folder's file system can do, found by trying on a small file that is gone afterwards."""

from __future__ import annotations

import fcntl
import mmap
import os
import pathlib
import struct
import tempfile

F_OFD_SETLK = getattr(fcntl, "F_OFD_SETLK", 37)
SHARED_MEMORY = "/dev/shm"
PAGE = 4096


def _unescape(text: str) -> str:
    """mountinfo writes spaces and the like as octal: "\\040"."""
    return text.encode().decode("unicode_escape") if "\\" in text else text


def file_system_type(folder: pathlib.Path, mountinfo: str | None = None) -> str:
    """The type of the mount that holds `folder`: the last one of the longest matching mount point."""
    if mountinfo is None:
        try:
            mountinfo = pathlib.Path("/proc/self/mountinfo").read_text()
        except OSError:
            return "unknown"
    best, kind = -1, "unknown"
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        fields = left.split()
        if len(fields) < 5 or not right:
            continue
        point = pathlib.PurePosixPath(_unescape(fields[4]))
        if folder.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), right.split()[0]
    return kind


def lock_support(descriptor: int) -> str:
    """ "ofd" (locks that belong to an open file), "posix" (to a process), or "none"."""
    request = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
    for name, command in (("ofd", F_OFD_SETLK), ("posix", fcntl.F_SETLK)):
        try:
            fcntl.fcntl(descriptor, command, request)
            return name
        except OSError:
            continue
    return "none"


def direct_io(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_DIRECT)
    except OSError:
        return False
    try:
        with mmap.mmap(-1, PAGE) as page:
            return os.write(descriptor, page) == PAGE
    except OSError:
        return False
    finally:
        os.close(descriptor)


def examine(folder: str) -> dict:
    """One folder's facts; `problem` is a sentence when the folder can't be used."""
    real = pathlib.Path(folder).resolve()
    facts: dict = {
        "path": str(real),
        "type": file_system_type(real),
        "total_bytes": None,
        "free_bytes": None,
        "locks": None,
        "direct_io": None,
        "problem": None,
    }
    try:
        space = os.statvfs(real)
        facts["total_bytes"] = space.f_frsize * space.f_blocks
        facts["free_bytes"] = space.f_frsize * space.f_bavail
        with tempfile.NamedTemporaryFile(dir=real, prefix=".collate-doctor-") as file:
            facts["locks"] = lock_support(file.fileno())
            facts["direct_io"] = direct_io(file.name)
    except OSError as error:
        facts["problem"] = f"no file can be made in {real}: {error.strerror}"
    return facts


def all_file_systems(work: str) -> list[dict]:
    return [examine(folder) for folder in dict.fromkeys([work, tempfile.gettempdir(), SHARED_MEMORY]) if os.path.isdir(folder)]
