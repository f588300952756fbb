"""Puts the doctor's facts together, draws findings from them, and prints them."""

from __future__ import annotations

from collections.abc import Callable

from .. import __version__, paths
from ..console import bytes_text, console
from . import filesystems, limits, mpis, proof

SCHEMA = "collate.doctor/1"
MIB = 1 << 20
LEAST_FREE = 64 * MIB
LEAST_OPEN_FILES = 256


def examine(work: str, with_proof: bool, progress: Callable[[str], None]) -> dict:
    progress("looking for MPIs and compilers")
    found = mpis.all_mpis()
    report = {
        "schema": SCHEMA,
        "collate": {
            "version": __version__,
            "exec": str(paths.exec_path()),
            "exec_present": paths.exec_path().is_file(),
            "libraries": [
                {"mpi": abi, "path": str(paths.library(abi)), "present": paths.library(abi).is_file()} for abi in paths.ABIS
            ],
        },
        "mpis": found,
        "compilers": mpis.compilers(),
    }
    progress("trying the file systems")
    report["file_systems"] = filesystems.all_file_systems(work)
    report["limits"] = limits.all_limits()
    report["proofs"] = []
    for mpi in found if with_proof else []:
        if mpi["origin"] == "project":
            progress(f"a real run on {mpi['title']} {mpi['version']}")
            report["proofs"].append(proof.prove(mpi, work))
    report["findings"] = findings(report)
    return report


def findings(report: dict) -> list[dict]:
    """What is wrong, each with what to do; an empty list is a healthy machine."""
    out = []

    def add(subject: str, sentence: str) -> None:
        out.append({"subject": subject, "sentence": sentence})

    if not report["collate"]["exec_present"]:
        add("collate", f"{report['collate']['exec']} is missing; build it with: make build")
    for library in report["collate"]["libraries"]:
        if not library["present"]:
            add("collate", f"{library['path']} is missing; build it with: make build")
    if not report["mpis"]:
        add("mpi", "no MPICH or Open MPI found; run make setup, or put your MPI's bin folder in PATH")
    for one in report["proofs"]:
        if not one["ok"]:
            add("proof", f"Collate does not work with {paths.ABI_TITLES[one['mpi']]} at {one['launcher']}: {one['reason']}")
    for place in report["file_systems"]:
        if place["problem"]:
            add("storage", place["problem"])
            continue
        if place["free_bytes"] < LEAST_FREE:
            add("storage", f"{place['path']} has only {bytes_text(place['free_bytes'])} free; make room before writing there")
        if place["locks"] == "none":
            add("storage", f"{place['path']} ({place['type']}) can't lock files; atomic mode and some writes with gaps fail there")
    size = report["limits"]["file_size_bytes"]
    if size is not None:
        add("limits", f"files may not grow beyond {bytes_text(size)} (ulimit -f); raise it with: ulimit -f unlimited")
    files = report["limits"]["open_files"]
    if files is not None and files < LEAST_OPEN_FILES:
        add("limits", f"only {files} files may be open at once (ulimit -n); raise it with: ulimit -n 1024")
    return out


def _mpi_rows(report: dict) -> list[tuple[str, str, str]]:
    rows = []
    proofs = {one["launcher"]: one for one in report["proofs"]}
    for mpi in report["mpis"]:
        one = proofs.get(mpi["launcher"])
        if one is None:
            state = "not tried"
        elif one["ok"]:
            state = f"ok, {one['seconds']:.1f} s"
        else:
            state = "failed"
        rows.append((f"{mpi['title']} {mpi['version'] or ''}".strip(), mpi["launcher"], state))
    return rows


def _storage_row(place: dict) -> tuple[str, str, str]:
    if place["problem"]:
        return place["path"], place["type"], "failed"
    text = (
        f"{place['type']}, {bytes_text(place['free_bytes'])} free of {bytes_text(place['total_bytes'])}, "
        f"locks {place['locks']}, O_DIRECT {'yes' if place['direct_io'] else 'no'}"
    )
    return place["path"], text, "ok" if place["locks"] != "none" else "no locks"


def _rows(report: dict) -> list[tuple[str, str, str, str]]:
    """(section, subject, facts, state) for everything that is printed."""
    rows = []
    collate = report["collate"]
    present = [one["mpi"] for one in collate["libraries"] if one["present"]]
    ready = collate["exec_present"] and len(present) == len(collate["libraries"])
    built = ", ".join(paths.ABI_TITLES[abi] for abi in present) or "no MPI yet"
    rows.append(("collate", collate["version"], f"built for {built}", "ok" if ready else "failed"))
    rows += [("mpi", *row) for row in _mpi_rows(report)]
    rows += [("compiler", one["command"], one["version"] or one["path"], "") for one in report["compilers"]]
    rows += [("storage", *_storage_row(place)) for place in report["file_systems"]]
    limit = report["limits"]
    text = (
        f"file size {bytes_text(limit['file_size_bytes'])}, open files {limit['open_files'] or 'unlimited'}, "
        f"locked memory {bytes_text(limit['locked_memory_bytes'])}"
    )
    rows.append(("limits", "this shell", text, ""))
    rows.append(("machine", f"{limit['cores']} cores", f"{bytes_text(limit['memory_bytes'])} of memory", ""))
    return rows


def show(report: dict) -> None:
    from rich.markup import escape
    from rich.table import Table

    out = console()
    table = Table(box=None, show_header=False, pad_edge=False)
    last = ""
    for section, subject, facts, state in _rows(report):
        colour = "green" if state.startswith("ok") else "red" if state in ("failed", "no locks") else "default"
        name = section if section != last else ""
        last = section
        table.add_row(f"[bold]{name}[/]", escape(subject), escape(facts), f"[{colour}]{state}[/]")
    out.print(table)
    for one in report["proofs"]:
        if one["ok"]:
            out.print(f"{paths.ABI_TITLES[one['mpi']]}: {escape(one['reason'])}", style="dim")
    if not report["findings"]:
        out.print("Nothing wrong found." if report["proofs"] else "Nothing wrong found; no run was tried.")
        return
    for number, one in enumerate(report["findings"], 1):
        out.print(f"[red]{number}.[/] {escape(one['sentence'])}")
