#!/usr/bin/env python3
"""Writes code and documents from the tables, so that each family of facts has one home.

Every module in tools/generators exposes `outputs(root) -> {path: text}`. This program runs them all and writes
what differs; with --check it writes nothing, prints the difference and exits with 1 where there is any.

    tools/generate.py            # after editing a table
    tools/generate.py --check    # what the tests do

Needs Python 3.10 and, before 3.11, the package tomli.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))


def load_generators(folder: pathlib.Path):
    """The generator modules of a folder, in the order of their names."""
    for path in sorted(folder.glob("*.py")):
        if path.name.startswith("_"):
            continue
        spec = importlib.util.spec_from_file_location(f"generators.{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if hasattr(module, "outputs"):
            yield module


def collect(root: pathlib.Path, folder: pathlib.Path) -> dict[pathlib.Path, str]:
    """All outputs; two generators must not claim one file."""
    texts: dict[pathlib.Path, str] = {}
    for module in load_generators(folder):
        for path, text in module.outputs(root).items():
            if path in texts:
                raise SystemExit(f"{path}: written by two generators")
            texts[path] = text
    return texts


def difference(path: pathlib.Path, text: str, root: pathlib.Path) -> str:
    """A unified diff from what is there to what should be; empty when they agree."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    name = str(path.relative_to(root))
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), text.splitlines(keepends=True), f"{name} (as it is)", f"{name} (as generated)")
    return "".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write code and documents from the tables.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is out of date")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the source tree to read tables from and write to")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    stale = 0
    for path, text in collect(root, ROOT / "tools" / "generators").items():
        change = difference(path, text, root)
        if not change:
            continue
        stale += 1
        if options.check:
            sys.stdout.write(change)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(root)}")
    if options.check and stale:
        print(f"{stale} file(s) differ from the tables: run tools/generate.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
