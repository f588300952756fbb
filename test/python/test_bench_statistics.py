"""Medians, spreads and ratios of the benchmark."""

import pytest

from collate.bench.runner import FAILED, OK, WRONG, Sample
from collate.bench.statistics import bandwidth, best, ratio, slowest, spread, summarise

MIB = 1 << 20


def sample(mib_per_s: float, status: str = OK) -> Sample:
    return Sample(status, 100 * MIB, 100 / mib_per_s, 200 / mib_per_s)


def test_spread_takes_the_middle_and_the_ends():
    found = spread([5.0, 1.0, 3.0])
    assert (found.median, found.min, found.max) == (3.0, 1.0, 5.0)
    assert spread([1.0, 2.0]).median == 1.5
    assert spread([]) is None


def test_bandwidth_counts_useful_mib_per_second():
    assert bandwidth(sample(50.0)) == pytest.approx(50.0)
    assert bandwidth(sample(50.0), with_open_close=True) == pytest.approx(25.0)


def test_one_wrong_repetition_spoils_a_cell():
    cell = summarise([sample(10), Sample(FAILED, error="x"), Sample(WRONG, error="3 bytes wrong"), sample(12)])
    assert (cell.status, cell.rate, cell.error) == (WRONG, None, "3 bytes wrong")


def test_no_repetition_is_no_result():
    assert summarise([]).rate is None


def test_ratio_is_of_medians_and_missing_without_both():
    fast, slow = summarise([sample(30), sample(40), sample(90)]), summarise([sample(20)])
    assert ratio(fast, slow) == pytest.approx(2.0)
    assert ratio(fast, None) is None
    assert ratio(fast, summarise([Sample(FAILED)])) is None


def test_best_and_slowest_ignore_cells_without_rates():
    fast, slow, broken = summarise([sample(30)]), summarise([sample(20)]), summarise([Sample(FAILED)])
    assert best([slow, broken, fast, None]) is fast
    assert slowest([fast, broken, slow, None]) is slow
    assert best([broken, None]) is None
