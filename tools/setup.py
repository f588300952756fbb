#!/usr/bin/env python3
"""Set up and build Collate on a machine that has only a C++ compiler, Python and make; no root.

    python3 tools/setup.py setup    fetch what is missing: .venv, .mpi/mpich, .mpi/openmpi, .deps/googletest
    python3 tools/setup.py build    the same, then configure and compile into build/

Standard library only. Every step leaves a stamp that holds a digest of what was asked for, so a second run does nothing and
takes a fraction of a second; changing a requirement redoes the steps that depend on it, and only those.
"""

import sys

if sys.version_info < (3, 10):
    sys.exit(
        "setup: Collate needs Python 3.10 or newer, and this is %d.%d; name another with: make PYTHON=python3.12 ..."
        % sys.version_info[:2]
    )

import argparse
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import setup_build
import setup_gtest
import setup_python
from setup_common import Project, SetupError, Steps


def main(argv):
    parser = argparse.ArgumentParser(prog="tools/setup.py", description=__doc__.splitlines()[0])
    parser.add_argument("goal", choices=["setup", "build"])
    options = parser.parse_args(argv)
    project = Project.here()
    steps = Steps(project)
    steps.add(setup_build.compiler_step(project))
    steps.extend(setup_python.all_steps(project))
    steps.add(setup_gtest.step(project))
    if options.goal == "build":
        steps.extend(setup_build.build_steps(project))
    try:
        steps.run()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; run the same command again to go on where it stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
