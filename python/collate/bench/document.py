"""The results as a JSON document, `collate.bench/1`; its schema is bench.schema.json beside this file. Units are in the keys."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from collate.bench import machine
from collate.bench.campaign import Results
from collate.bench.check import Verdict
from collate.bench.engines import ENGINES
from collate.bench.runner import OK
from collate.bench.settings import Key
from collate.bench.statistics import Cell, Spread

SCHEMA = "collate.bench/1"


def schema() -> dict:
    """The JSON schema of the document."""
    return json.loads((Path(__file__).parent / "bench.schema.json").read_text())


def _spread(found: Spread | None) -> dict | None:
    return None if found is None else {"median": found.median, "min": found.min, "max": found.max}


def _result(key: Key, cell: Cell) -> dict:
    good = [s for s in cell.samples if s.status == OK]
    return {
        "directory": str(key.directory),
        "workload": key.workload,
        "operation": key.operation,
        "level": key.level,
        "engine": key.engine,
        "mpi": ENGINES[key.engine].mpi,
        "asked_kib": key.kib,
        "useful_bytes": max((s.useful_bytes for s in cell.samples), default=0),
        "status": cell.status,
        "verified": cell.status == OK,
        "error": cell.error,
        "bandwidth_mib_per_s": _spread(cell.rate),
        "bandwidth_with_open_close_mib_per_s": _spread(cell.rate_with_open_close),
        "transfer_seconds": [s.seconds for s in good],
        "with_open_close_seconds": [s.seconds_with_open_close for s in good],
    }


def _check(verdict: Verdict) -> dict:
    return {
        "directory": str(verdict.directory),
        "workload": verdict.workload,
        "operation": verdict.operation,
        "level": verdict.level,
        "against": verdict.against,
        "collate_mib_per_s": verdict.ours_mib_per_s,
        "own_mib_per_s": verdict.theirs_mib_per_s,
        "ratio": verdict.ratio,
        "target_ratio": verdict.target,
        "passed": verdict.passed,
        "note": verdict.note,
    }


def build(results: Results, filesystems: dict[Path, str], verdicts: list[Verdict] | None = None) -> dict:
    """The document of a benchmark run."""
    settings = results.settings
    document = {
        "schema": SCHEMA,
        "created": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": machine.facts(),
        "mpi": [{"name": mpi, "version": machine.mpi_version(mpi)} for mpi in settings.mpis],
        "filesystems": [{"directory": str(d), "type": filesystems[d]} for d in settings.directories],
        "settings": {
            "ranks": settings.ranks,
            "size_mib": settings.mib,
            "repetitions": settings.repetitions,
            "timeout_seconds": settings.timeout_seconds,
            "hints": list(settings.hints),
        },
        "results": [_result(key, cell) for key, cell in results.cells.items()],
    }
    if verdicts is not None:
        document["checks"] = [_check(v) for v in verdicts]
    return document
