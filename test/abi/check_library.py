#!/usr/bin/env python3
"""What a built library exports, needs and leaves open, against tables/mpi_functions.toml.

    check_library.py ABI LIBRARY [MPI_LIBRARY]

LIBRARY must export the table's names and nothing else, leave no MPI symbol undefined, and need nothing at run
time but libc. MPI_LIBRARY, where given, must offer every name in turn: what the table lists and the MPI lacks
could not be forwarded, what the MPI has and the table lacks would split a file between two engines.
Works with `nm` and `readelf`. Prints what is wrong, one line each; exit status 1 if anything is.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/generators"))

import functions  # noqa: E402

LIBC_FAMILY = re.compile(r"^(libc|libm|libpthread|libdl|librt|ld-linux[-\w]*)\.so\.\d+$")
OF_THE_CHAPTER = re.compile(r"^P?MPI_(File_|Register_datarep)")
OF_AN_MPI = re.compile(r"^(P?MPI_|MPIR_|MPII_|ompi_|opal_|mca_)")


def symbols(library: str, which: str) -> set[str]:
    done = subprocess.run(["nm", "-D", which, library], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()}


def needed(library: str) -> list[str]:
    done = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True)
    return re.findall(r"\(NEEDED\).*\[(.*?)\]", done.stdout)


def complaints(abi: str, library: str) -> list[str]:
    wanted = set(functions.exported(functions.load(ROOT), abi))
    found = symbols(library, "--defined-only")
    undefined = symbols(library, "--undefined-only")
    return [
        *(f"{name} is in the table and not exported" for name in sorted(wanted - found)),
        *(f"{name} is exported and not in the table" for name in sorted(found - wanted)),
        *(f"{name} is undefined: the library could not be loaded before its MPI" for name in sorted(undefined) if OF_AN_MPI.match(name)),
        *(f"{name} is needed at run time" for name in needed(library) if not LIBC_FAMILY.match(name)),
    ]


def differences_from_mpi(abi: str, mpi_library: str) -> list[str]:
    wanted = set(functions.exported(functions.load(ROOT), abi))
    offered = {name for name in symbols(mpi_library, "--defined-only") if OF_THE_CHAPTER.match(name)}
    return [
        *(f"{name} is in the table but not in {mpi_library}" for name in sorted(wanted - offered)),
        *(f"{name} is in {mpi_library} but not in the table" for name in sorted(offered - wanted)),
    ]


def main(argv: list[str]) -> int:
    wrong = complaints(argv[1], argv[2])
    if len(argv) > 3:
        wrong += differences_from_mpi(argv[1], argv[3])
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
