"""One launch for many cells: its options, reading it back, and who is to blame when it dies half way."""

import json
from pathlib import Path

import pytest

from collate.bench import campaign, engines, launch, runner
from collate.bench.settings import Key, Settings, keys

HERE = Path("/somewhere")
MPIS = ("mpich", "openmpi")


def settings(workload: str = "contig", **more) -> Settings:
    return Settings((workload,), (0, 1, 2, 3), ("write", "read"), (HERE,), tuple(engines.select([], list(MPIS))), MPIS, **more)


def cells(engine: str = "ompio/openmpi", workload: str = "contig") -> list[Key]:
    return list(keys(settings(workload), HERE, workload, engines.ENGINES[engine]))


def line(repetition: int, key: Key, level: int | None = None, **more) -> str:
    found = {
        "rep": repetition, "op": key.operation, "level": key.level if level is None else level, "kib": key.kib, "bytes": 1 << 20,
        "seconds": 0.5, "seconds_with_open_close": 1.0, "verified": True,
    }  # fmt: skip
    return json.dumps({**found, **more}) + "\n"


def option(words: list[str], name: str) -> list[str]:
    return [words[i + 1] for i, word in enumerate(words) if word == name]


def test_one_launch_asks_for_all_operations_and_levels():
    words = launch.arguments(settings("holes", hints=("a=b",)), cells(workload="holes"), 2, 7, Path("/x/data"))
    assert option(words, "--op") == ["write,read"] and option(words, "--level") == ["0,1,2,3"]
    assert option(words, "--kib-level") == ["0=16384", "1=2048", "2=16384", "3=16384"]
    assert option(words, "--reps") == ["2"] and option(words, "--hint") == ["a=b"] and "--existing" in words


def test_a_baseline_is_measured_once_a_size():
    found = cells("posix", "tiny")
    assert [key.kib for key in found] == [8192, 32, 65536] * 2
    words = launch.arguments(settings("tiny"), found, 1, 1, Path("/x/data"))
    assert option(words, "--level") == ["0,1,2"] and option(words, "--kib-level") == ["0=8192", "1=32", "2=65536"]
    printed = "".join(line(0, key, level % 3) for level, key in enumerate(found))
    measured, blamed = launch.judge(runner.Output(0, printed), found, 1)
    assert [key for key, _ in measured] == found and not blamed


def test_a_launch_that_dies_blames_the_first_cell_it_did_not_print():
    found = cells()
    printed = "".join(line(0, key) for key in found[:3])
    measured, blamed = launch.judge(runner.Output(139, printed, "Segmentation fault"), found, 2)
    assert list(blamed) == [found[3]] and "Segmentation fault" in blamed[found[3]].error
    assert [sample.status for _, sample in measured] == [runner.OK] * 3 + [runner.FAILED]


def test_a_line_lost_among_others_is_not_taken_for_its_neighbour():
    found = cells()
    printed = "".join(line(0, key, seconds=float(i)) for i, key in enumerate(found) if i != 2)
    measured, blamed = launch.judge(runner.Output(0, printed), found, 1)
    assert list(blamed) == [found[2]]
    assert dict(measured)[found[3]].seconds == 3.0


def test_wrong_bytes_need_no_culprit_but_a_bad_end_spoils_all():
    found = cells()
    lines = [line(0, key) for key in found]
    bad = line(0, found[4], verified=False, wrong_bytes=5)
    measured, blamed = launch.judge(runner.Output(1, "".join([*lines[:4], bad, *lines[5:]])), found, 1)
    assert dict(measured)[found[4]].status == runner.WRONG and not blamed
    _, blamed = launch.judge(runner.Output(139, "".join(lines), "Segmentation fault"), found, 1)
    assert set(blamed) == set(found)


def test_cells_behind_a_hang_are_measured_without_it(monkeypatch):
    found, asked = cells(), []

    def program(folder, words, environment, timeout_seconds):
        operations, levels = option(words, "--op")[0].split(","), option(words, "--level")[0].split(",")
        asked.append((operations, levels, option(words, "--reps")[0]))
        printed = ""
        for repetition in range(int(option(words, "--reps")[0])):
            for key in (k for o in operations for k in found if k.operation == o and str(k.level) in levels):
                if (key.operation, key.level) == ("write", 1):
                    return runner.Output(output=printed, problem=runner.Sample(runner.TIMEOUT, error="late"))
                printed += line(repetition, key)
        return runner.Output(0, printed)

    monkeypatch.setattr(launch, "_in_folder", program)
    monkeypatch.setattr(engines, "missing", lambda engine, mpi: None)
    given_up: dict = {}
    measured = launch.measure(settings(), found, 2, 1, given_up)
    assert list(given_up) == [found[1]]
    counts = {key: [s.status for of, s in measured if of == key] for key in found}
    assert counts.pop(found[1]) == [runner.TIMEOUT]
    assert all(statuses == [runner.OK] * 2 for statuses in counts.values())
    asked.clear()
    assert launch.measure(settings(), found, 1, 1, given_up)[0] == (found[1], given_up[found[1]])
    assert not any("write" in operations and "1" in levels for operations, levels, _ in asked)


def test_cells_with_other_levels_for_reads_need_two_launches():
    found = cells()
    owed = {key: 1 for key in found if key != found[1]}
    first = launch.batch(owed)
    assert first == [found[0], found[2], found[3]]
    assert launch.batch({key: 1 for key in owed if key not in first}) == found[4:]


@pytest.mark.parametrize(
    ("repetitions", "levels", "found"), [(6, 4, [2, 2, 2]), (5, 3, [2, 2, 1]), (1, 4, [1]), (6, 1, [3, 3]), (5, 2, [3, 2])]
)
def test_repetitions_come_in_rounds(repetitions, levels, found):
    assert campaign.rounds(repetitions, levels) == found


def test_rounds_alternate_between_engines():
    found = list(campaign.steps(settings(repetitions=4)))
    names = [step.keys[0].engine for step in found]
    assert names[: len(names) // 2] == names[len(names) // 2 :] == list(engines.ENGINES)
    assert len(found) == campaign.launches(settings(repetitions=4)) == 18
