"""Find a compiler, configure with CMake, compile with Ninja. All three speak for themselves when they fail."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile

import setup_gtest
from setup_common import Project, SetupError, Step

PROBE = "#include <concepts>\n#include <span>\nint main() { return std::span<int>().size(); }\n"


def _compiler() -> str | None:
    named = os.environ.get("CXX")
    names = [named] if named else ["c++", "g++", "clang++"]
    return next((name for name in names if shutil.which(name.split()[0])), None)


def compiler_step(project: Project) -> Step:
    """Before anything is fetched: is there a compiler that knows C++20 and finds its own headers?"""
    name = _compiler()
    stamp = project.deps / "compiler.stamp"

    def act() -> None:
        if name is None:
            raise SetupError("no C++ compiler found; install one (Debian: g++) or name one with CXX=...")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "probe.cpp")
            source.write_text(PROBE)
            command = [*name.split(), "-std=c++20", str(source), "-o", str(pathlib.Path(folder, "probe"))]
            if subprocess.run(command, capture_output=True).returncode != 0:
                raise SetupError(
                    f"the C++ compiler {name} can't build a small C++20 program; install g++ 11 or clang 14 or newer, "
                    "or name another with CXX=..."
                )

    where = shutil.which(name.split()[0]) if name else ""
    return Step("looking for a C++20 compiler", act, f"{name} {where}", stamp, quiet=True)


def _environment(project: Project) -> dict[str, str]:
    env = dict(os.environ)
    env["PATH"] = f"{project.venv / 'bin'}{os.pathsep}{env.get('PATH', '')}"
    env.pop("LD_PRELOAD", None)
    env.setdefault("CMAKE_POLICY_VERSION_MINIMUM", "3.10")  # CMake 4 refuses what older GoogleTests ask for
    return env


def _definitions(project: Project) -> list[str]:
    definitions = {
        "COLLATE_MPICH_ROOT": project.mpi("mpich"),
        "COLLATE_OPENMPI_ROOT": project.mpi("openmpi"),
        "CMAKE_MAKE_PROGRAM": project.venv / "bin" / "ninja",
    }
    gtest = setup_gtest.source(project)
    if gtest is not None:
        definitions["COLLATE_GTEST_SOURCE"] = gtest
    return [f"-D{name}={value}" for name, value in definitions.items()]


def build_steps(project: Project) -> list[Step]:
    build = project.root / "build"
    definitions = _definitions(project)
    presets = project.root / "CMakePresets.json"

    def configure() -> None:
        if not presets.is_file():
            raise SetupError("CMakePresets.json is missing, so this is not a whole copy of Collate's sources")
        command = ["cmake", "--preset", "release", "--log-level=NOTICE", "-Wno-deprecated", *definitions]
        if subprocess.run(command, cwd=project.root, env=_environment(project)).returncode != 0:
            shutil.rmtree(build / "CMakeFiles", ignore_errors=True)
            raise SetupError("CMake could not configure the build; its own message is above")

    def compile_all() -> None:
        if subprocess.run(["ninja", "-C", "build"], cwd=project.root, env=_environment(project)).returncode != 0:
            raise SetupError("the build failed; the compiler's own message is above")

    key = "\n".join([str(project.root), presets.read_text() if presets.is_file() else "", *definitions, os.environ.get("CXX", "")])
    return [
        Step("configuring, into build", configure, key, build / "configure.stamp", (build / "build.ninja").exists),
        Step("compiling", compile_all, quiet=True),
    ]
