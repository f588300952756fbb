"""Medians, spreads and ratios of samples. Bandwidths are MiB/s of useful bytes."""

from __future__ import annotations

import statistics as _statistics
from collections.abc import Iterable
from dataclasses import dataclass

from collate.bench.runner import OK, WRONG, Sample

MIB = 1 << 20


@dataclass(frozen=True)
class Spread:
    """Median, least and greatest of some values."""

    median: float
    min: float
    max: float


def spread(values: Iterable[float]) -> Spread | None:
    """The spread of the values, or None when there are none."""
    found = sorted(values)
    if not found:
        return None
    return Spread(_statistics.median(found), found[0], found[-1])


def bandwidth(sample: Sample, with_open_close: bool = False) -> float:
    """MiB/s of a sample: of the transfer, or of open, transfer and close together."""
    seconds = sample.seconds_with_open_close if with_open_close else sample.seconds
    return sample.useful_bytes / MIB / max(seconds, 1e-9)


@dataclass(frozen=True)
class Cell:
    """All repetitions of one engine on one line."""

    status: str
    rate: Spread | None
    rate_with_open_close: Spread | None
    error: str | None
    samples: tuple[Sample, ...]


def summarise(samples: Iterable[Sample]) -> Cell:
    """One cell from its repetitions. A single wrong or failed repetition decides the status; rates only come from all-ok cells."""
    found = tuple(samples)
    bad = [s for s in found if s.status != OK]
    if bad or not found:
        worst = next((s for s in bad if s.status == WRONG), bad[0] if bad else Sample("missing", error="not run"))
        return Cell(worst.status, None, None, worst.error, found)
    return Cell(OK, spread(bandwidth(s) for s in found), spread(bandwidth(s, True) for s in found), None, found)


def ratio(ours: Cell | None, theirs: Cell | None) -> float | None:
    """Our median over theirs, or None when either has none."""
    if ours is None or theirs is None or ours.rate is None or theirs.rate is None:
        return None
    return ours.rate.median / theirs.rate.median


def best(cells: Iterable[Cell | None]) -> Cell | None:
    """The cell with the greatest median among those that have one."""
    return max((c for c in cells if c is not None and c.rate), key=lambda c: c.rate.median, default=None)


def slowest(cells: Iterable[Cell | None]) -> Cell | None:
    """The cell with the least median among those that have one."""
    return min((c for c in cells if c is not None and c.rate), key=lambda c: c.rate.median, default=None)
