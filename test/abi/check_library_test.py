#!/usr/bin/env python3
"""That check_library.py can fail: each of its rules against a library made to break it."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import check_library  # noqa: E402


def build(folder: pathlib.Path, text: str, *options: str) -> str:
    source = folder / "library.c"
    source.write_text(text)
    library = folder / "library.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, *options], check=True)
    return str(library)


class Rules(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def complaints(self, text: str, *options: str) -> str:
        return "\n".join(check_library.complaints("mpich", build(pathlib.Path(self.folder.name), text, *options)))

    def test_missing_name(self) -> None:
        self.assertIn("MPI_File_open is in the table and not exported", self.complaints("int MPI_File_close(void) { return 0; }"))

    def test_extra_name(self) -> None:
        self.assertIn("MPI_Send is exported and not in the table", self.complaints("int MPI_Send(void) { return 0; }"))

    def test_undefined_name(self) -> None:
        text = "extern int PMPI_Comm_dup(void); int MPI_File_open(void) { return PMPI_Comm_dup(); }"
        self.assertIn("PMPI_Comm_dup is undefined", self.complaints(text))

    def test_undefined_data(self) -> None:
        text = "extern int ompi_mpi_byte; int* MPI_File_open(void) { return &ompi_mpi_byte; }"
        self.assertIn("ompi_mpi_byte is undefined", self.complaints(text))

    def test_needed_library(self) -> None:
        self.assertIn("is needed at run time", self.complaints("int x;", "-Wl,--no-as-needed", "-lstdc++"))


if __name__ == "__main__":
    unittest.main()
