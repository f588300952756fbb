"""GoogleTest's sources for the unit tests: the machine's own if it has them, else Debian's package unpacked in .deps."""

from __future__ import annotations

import glob
import pathlib

import setup_debian
from setup_common import Project, SetupError, Step, shown

SYSTEM_SOURCE = pathlib.Path("/usr/src/googletest")
SYSTEM_CONFIGS = (
    "/usr/lib/*/cmake/GTest/GTestConfig.cmake",
    "/usr/lib*/cmake/GTest/GTestConfig.cmake",
    "/usr/local/lib*/cmake/GTest/GTestConfig.cmake",
)


def system_config() -> bool:
    return any(glob.glob(pattern) for pattern in SYSTEM_CONFIGS)


def source(project: Project) -> pathlib.Path | None:
    """The folder CMake should build GoogleTest from, or None when CMake's own search will find it."""
    if system_config():
        return None
    if (SYSTEM_SOURCE / "CMakeLists.txt").is_file():
        return SYSTEM_SOURCE
    return project.deps / "googletest" / "usr" / "src" / "googletest"


def _fetch(project: Project) -> None:
    package = project.requirements["debian"]["googletest"]
    if setup_debian.unpack(project, package, project.deps / "googletest"):
        return
    raise SetupError(
        f"GoogleTest is neither installed nor to be had through apt (see {shown(project.log('debian'))}); install your system's "
        "GoogleTest package (Debian: libgtest-dev) and run the same command again"
    )


def _ready(project: Project) -> bool:
    folder = source(project)
    return folder is None or (folder / "CMakeLists.txt").is_file()


def step(project: Project) -> Step:
    def act() -> None:
        if not _ready(project):
            _fetch(project)

    what = "GoogleTest's sources, into .deps/googletest"
    return Step(what, act, str(source(project)), project.deps / "gtest.stamp", lambda: _ready(project), quiet=_ready(project))
