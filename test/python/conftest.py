"""What the Python tests share: the MPIs to run under, and a click runner."""

from __future__ import annotations

import pathlib

import pytest
from click.testing import CliRunner

from collate import paths


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture(params=paths.ABIS)
def mpi(request: pytest.FixtureRequest) -> tuple[str, pathlib.Path]:
    """(family, prefix) of each MPI that set-up fetched."""
    prefix = paths.project_mpi(request.param)
    if prefix is None:
        pytest.skip(f"{request.param} is not set up")
    return request.param, prefix


@pytest.fixture
def collate_exec() -> pathlib.Path:
    if not paths.exec_path().is_file():
        pytest.skip("collate-exec is not built")
    return paths.exec_path()
