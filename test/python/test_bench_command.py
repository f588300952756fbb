"""The command: options, missing parts, the JSON document and its schema, the plot."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from collate import paths
from collate.bench import document, engines, machine, plot, table, verify
from collate.bench.campaign import Results
from collate.bench.check import judge
from collate.bench.runner import OK, TIMEOUT, WRONG, Sample
from collate.bench.settings import Key, Settings
from collate.bench.statistics import summarise
from collate.cli.bench import bench, parse_levels, parse_ranks, parse_words

HERE = Path("/somewhere")


def sample_results() -> Results:
    chosen = tuple(engines.select([], ["mpich", "openmpi"]))
    settings = Settings(("contig",), (0, 3), ("write",), (HERE,), chosen, ("mpich", "openmpi"), mib=8)
    results = Results(settings)
    for engine in chosen:
        for level in settings.levels if engine.levelled else (None,):
            one = Sample(OK, 8 << 20, 0.01, 0.02)
            if engine.name == "ompio/openmpi":
                one = Sample(TIMEOUT, error="not finished after 120 s")
            results.cells[Key(HERE, "contig", "write", 8192, level, engine.name)] = summarise([one, one])
    return results


def test_levels():
    assert parse_levels("0-3") == (0, 1, 2, 3)
    assert parse_levels("3,0") == (0, 3)
    for bad in ("", "4", "0-9", "a", "1-"):
        with pytest.raises(ValueError):
            parse_levels(bad)


def test_words():
    assert parse_words("read,write", ("write", "read"), "operation") == ("write", "read")
    with pytest.raises(ValueError, match="choose from"):
        parse_words("erase", ("write", "read"), "operation")


def test_rank_lists():
    assert parse_ranks("1,2,8") == (1, 2, 8)
    for bad in ("", "0", "4-8", "four"):
        with pytest.raises(ValueError, match="write 4"):
            parse_ranks(bad)


def test_a_cell_says_how_often_it_went_wrong():
    good, bad, late = Sample(OK, 1 << 20, 0.5, 1.0), Sample(WRONG, error="5 bytes wrong"), Sample(TIMEOUT, error="late")
    assert table.cell_text(summarise([good, bad, bad])) == "WRONG BYTES 2/3"
    assert table.cell_text(summarise([bad, bad])) == "WRONG BYTES"
    assert table.cell_text(summarise([good, late])) == "timeout 1/2"
    assert table.cell_text(summarise([good])) == "2.00"


def test_verification_counts_cells_and_names_the_failed():
    from rich.console import Console

    made = [sample_results(), sample_results()]
    cells = len(made[0].cells)
    assert verify.totals(made) == (2 * cells - 4, 4)
    assert verify.summary(made) == f"{2 * cells - 4} verified, 4 failed"
    console = Console(width=80)
    with console.capture() as shown:
        verify.show(console, made)
    assert "0/2" in shown.get() and "4 ranks: contig write level 3 ompio/openmpi" in shown.get()


def test_engines_by_name_and_family():
    assert [e.name for e in engines.select(["romio"], ["mpich", "openmpi"])] == ["romio/mpich", "romio/openmpi"]
    assert [e.name for e in engines.select(["collate", "posix"], ["mpich"])] == ["collate/mpich", "posix"]
    with pytest.raises(ValueError, match="no engine 'romeo'"):
        engines.select(["romeo"], ["mpich"])


def test_collate_exec_stands_right_before_the_program():
    words = engines.command(engines.ENGINES["collate/openmpi"], "openmpi", 4, ["--pattern", "tiny"])
    assert words[-4].endswith("collate-exec") and words[-3].endswith("openmpi/workload")
    assert words[-2:] == ["--pattern", "tiny"]
    assert "io" not in words
    assert "romio341" in engines.command(engines.ENGINES["romio/openmpi"], "openmpi", 4, [])


def test_the_document_fits_its_schema():
    jsonschema = pytest.importorskip("jsonschema")
    results = sample_results()
    filesystems = {HERE: "ext4"}
    made = json.loads(json.dumps(document.build(results, filesystems, judge(results, filesystems))))
    jsonschema.Draft202012Validator.check_schema(document.schema())
    jsonschema.validate(made, document.schema())
    timed_out = next(r for r in made["results"] if r["engine"] == "ompio/openmpi")
    assert timed_out["status"] == "timeout" and timed_out["bandwidth_mib_per_s"] is None
    made["results"][0]["status"] = "splendid"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(made, document.schema())


def test_the_plot_is_well_formed_svg(tmp_path):
    from xml.etree import ElementTree

    plot.write(sample_results(), tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text()
    ElementTree.fromstring(text)
    assert "MiB/s" in text and "collate/mpich" in text and "ompio/openmpi" not in text
    with pytest.raises(ValueError, match=r"\.svg or \.png"):
        plot.write(sample_results(), tmp_path / "x.gif")


def test_rates_are_short():
    assert [table.rate(v) for v in (3.214, 321.4, 9876, 12345, 123456)] == ["3.21", "321", "9876", "12.3k", "123k"]


def test_the_longest_mount_point_decides_the_file_system():
    mounts = "a / ext4 rw 0 0\nb /dev/shm tmpfs rw 0 0\nc /de xfs rw 0 0\n"
    assert machine.filesystem_type(Path("/dev/shm"), mounts) == "tmpfs"
    assert machine.filesystem_type(Path("/usr"), mounts) == "ext4"


def test_nothing_built_is_reported_as_missing_not_as_a_crash(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "build_dir", lambda: tmp_path / "build")
    arguments = ["contig", "--quick", "--dir", str(tmp_path), "--op", "write", "--levels", "3"]
    done = CliRunner().invoke(bench, [*arguments, "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 1, done.output
    assert "missing" in done.output and "make build" in done.output
    found = json.loads((tmp_path / "out.json").read_text())
    assert {r["status"] for r in found["results"]} == {"missing"}
    assert {r["engine"] for r in found["results"]} == {e.name for e in engines.ENGINES.values() if "write" in e.operations}
    checked = CliRunner().invoke(bench, [*arguments, "--check"])
    assert checked.exit_code == 1
    assert "0 PASS, 1 short" in checked.output and "posix" not in checked.output
    verified = CliRunner().invoke(bench, [*arguments, "--verify", "--ranks", "1,2"])
    assert verified.exit_code == 1
    assert verified.output.endswith("0 verified, 4 failed\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"], ["--levels", "7"], ["--op", "erase"], ["--mpi", "lam"], ["--plot", "x.gif"],
        ["--ranks", "1,2"], ["--ranks", "x", "--verify"], ["--verify", "--check"],
    ],
)  # fmt: skip
def test_bad_options_are_usage_errors(arguments):
    done = CliRunner().invoke(bench, arguments)
    assert done.exit_code == 2 and "Error:" in done.output
