"""The command: options, missing parts, the JSON document and its schema, the plot."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from collate.bench import document, engines, machine, plot, table
from collate.bench.campaign import Key, Results, Settings
from collate.bench.check import judge
from collate.bench.runner import OK, TIMEOUT, Sample
from collate.bench.statistics import summarise
from collate.cli.bench import bench, parse_levels, parse_words

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
    for name in ("COLLATE_ROOT", "COLLATE_MPICH_ROOT", "COLLATE_OPENMPI_ROOT"):
        monkeypatch.setenv(name, str(tmp_path))
    arguments = ["contig", "--quick", "--dir", str(tmp_path), "--op", "write", "--levels", "3"]
    done = CliRunner().invoke(bench, [*arguments, "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 0, done.output
    assert "missing" in done.output and "make build" in done.output
    found = json.loads((tmp_path / "out.json").read_text())
    assert {r["status"] for r in found["results"]} == {"missing"}
    checked = CliRunner().invoke(bench, [*arguments, "--check"])
    assert checked.exit_code == 1
    assert "0 PASS, 1 short" in checked.output


@pytest.mark.parametrize("arguments", [["nonsense"], ["--levels", "7"], ["--op", "erase"], ["--mpi", "lam"], ["--plot", "x.gif"]])
def test_bad_options_are_usage_errors(arguments):
    done = CliRunner().invoke(bench, arguments)
    assert done.exit_code == 2 and "Error:" in done.output
