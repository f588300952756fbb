"""The acceptance targets: what passes, what is short, and why."""

from pathlib import Path

import pytest

from collate.bench import check
from collate.bench.campaign import Results
from collate.bench.engines import ENGINES, select
from collate.bench.runner import OK, WRONG, Sample
from collate.bench.settings import Key, Settings
from collate.bench.statistics import summarise
from collate.bench.workloads import WORKLOADS, size_kib

HERE = Path("/somewhere")
MPIS = ("mpich", "openmpi")


def settings(workload: str = "interleaved", levels: tuple = (3,), operation: str = "read") -> Settings:
    return Settings((workload,), levels, (operation,), (HERE,), tuple(select([], list(MPIS))), MPIS)


def results(rates: dict, **kind) -> Results:
    """Results of one line with the given MiB/s per engine; a string is a status."""
    made = Results(settings(**kind))
    chosen = made.settings
    for workload in chosen.workloads:
        for level in chosen.levels:
            for engine, rate in rates.items():
                kib = size_kib(WORKLOADS[workload], level, chosen.mib, chosen.ranks)
                key = Key(HERE, workload, chosen.operations[0], kib, level if ENGINES[engine].levelled else None, engine)
                one = Sample(rate, error="why") if isinstance(rate, str) else Sample(OK, 1 << 20, 1 / rate, 2 / rate)
                made.cells[key] = summarise([one])
    return made


OWN = {"romio/mpich": 100.0, "ompio/openmpi": 200.0, "romio/openmpi": 150.0}


def judge(rates: dict, filesystem: str = "tmpfs", **kind) -> list:
    return check.judge(results({**OWN, **rates}, **kind), {HERE: filesystem})


def test_level_3_is_the_slower_collate_against_the_best_own_engine():
    (line,) = judge({"collate/mpich": 210.0, "collate/openmpi": 400.0})
    assert line.passed and line.against == "ompio/openmpi"
    assert line.ratio == pytest.approx(1.05)


def test_slower_than_the_best_own_engine_is_short():
    (line,) = judge({"collate/mpich": 190.0, "collate/openmpi": 400.0})
    assert not line.passed


@pytest.mark.parametrize(
    ("workload", "operation", "filesystem", "least"),
    [
        ("dist3d", "read", "ext4", 1.0),
        ("dist3d", "write", "ext4", 1.5),
        ("dist3d", "write", "tmpfs", 1.0),
        ("tiny", "read", "tmpfs", 2.0),
        ("unstruc", "write", "ext4", 2.0),
    ],
)
def test_level_3_targets(workload, operation, filesystem, least):
    assert check.target(workload, operation, 3, filesystem) == least


def test_other_levels_are_judged_per_mpi_against_its_own_engines():
    first, second = judge({"collate/mpich": 91.0, "collate/openmpi": 170.0}, levels=(2,))
    assert (first.against, first.passed) == ("mpich: romio/mpich", True)
    assert (second.against, second.passed) == ("openmpi: ompio/openmpi", False)


def test_wrong_missing_or_absent_collate_is_short():
    for bad in ("wrong", "missing", "timeout"):
        (line,) = judge({"collate/mpich": bad, "collate/openmpi": 900.0})
        assert not line.passed and bad in line.note
    (line,) = judge({"collate/openmpi": 900.0})
    assert not line.passed and "not run" in line.note


def test_an_own_engine_with_wrong_bytes_is_no_rival_but_noted():
    (line,) = judge({"collate/mpich": 160.0, "collate/openmpi": 160.0, "ompio/openmpi": "wrong"})
    assert line.passed and line.against == "romio/openmpi"
    assert "ompio/openmpi: wrong bytes" in line.note


def test_nothing_to_compare_with_is_short():
    line = check.judge(results({"collate/mpich": 1.0, "collate/openmpi": 1.0}), {HERE: "ext4"})[0]
    assert not line.passed and line.ratio is None


def test_wrong_bytes_of_collate_and_baselines_are_listed_but_not_of_own_engines():
    found = check.unverified(results({"collate/mpich": WRONG, "posix": WRONG, "ompio/openmpi": WRONG}))
    assert len(found) == 2
    assert any("collate/mpich" in text for text in found)


def test_summary_counts():
    good, bad = judge({"collate/mpich": 91.0, "collate/openmpi": 170.0}, levels=(2,))
    assert check.summary([good, bad, bad]) == "1 PASS, 2 short"


def test_collate_that_failed_is_a_failure_but_a_missing_engine_is_not():
    for bad in ("wrong", "timeout", "failed"):
        assert check.failed(results({"collate/mpich": bad, "collate/openmpi": 1.0}))
    assert not check.failed(results({"collate/mpich": "missing", "collate/openmpi": 1.0, "ompio/openmpi": "wrong"}))
    assert check.failed(results({"collate/mpich": "missing", "romio/mpich": "missing"}))


def test_sizes_shrink_where_a_call_per_piece_is_slow():
    def kib(name, level, mib=64):
        return size_kib(WORKLOADS[name], level, mib, 4)

    assert [kib("dist3d", level) for level in (0, 1, 2, 3)] == [65536, 32, 65536, 65536]
    assert [kib("tiny", level) for level in (0, 1, 2, 3)] == [8192, 32, 65536, 65536]
    assert [kib("contig", level) for level in (0, 1, 2, 3)] == [65536] * 4
    assert kib("holes", 3) == 16384
    assert all(size_kib(w, level, 1, 1) >= 1 for w in WORKLOADS.values() for level in (0, 1, 2, 3))
