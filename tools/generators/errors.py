"""The error classes, details and errno map, from tables/errors.toml."""

from __future__ import annotations

import pathlib

from generators import _table

HEADER = """\
// base/error_class.hpp - the kinds of failure: the standard's classes, and the engine's own findings.
//
// Small numbers that ranks exchange. Guarantees: `other` and `none` are 0. What each means stands in
// docs/reference/errors.md; the sentences are in base/generated/error_tables.cpp.
//
// Thread rule: plain values.
#pragma once

#include <cstdint>

namespace collate {

"""
DEFAULT_CLASS = "io"


def load(root: pathlib.Path) -> dict:
    """The table, checked; errors.md uses it too."""
    table = _table.load(root, "errors")
    classes = [entry["name"] for entry in table["class"]]
    details = [entry["name"] for entry in table["detail"]]
    if classes[0] != "other" or details[0] != "none":
        raise SystemExit("tables/errors.toml: the first class is `other`, the first detail `none`")
    for names in (classes, details, errno_names(table)):
        doubles = sorted({name for name in names if names.count(name) > 1})
        if doubles:
            raise SystemExit(f"tables/errors.toml: more than once: {', '.join(doubles)}")
    strangers = sorted(set(table["errno"]) - set(classes))
    if strangers:
        raise SystemExit(f"tables/errors.toml: [errno] names unknown classes: {', '.join(strangers)}")
    return table


def errno_names(table: dict) -> list[str]:
    return [name for names in table["errno"].values() for name in names]


def enum(name: str, entries: list[dict], comment: str) -> str:
    values = "".join(f"  {entry['name']},\n" for entry in entries)
    return f"// {comment}\nenum class {name} : std::uint8_t {{\n{values}}};\n\n"


def class_header(table: dict) -> str:
    return (_table.banner("errors") + HEADER
            + enum("ErrorClass", table["class"], "The I/O error classes of MPI-5.0 and the general ones the engine uses.")
            + enum("ErrorDetail", table["detail"], "Sentences for what the engine decides itself.")
            + "}  // namespace collate\n")


def array(kind: str, name: str, rows: list[str]) -> str:
    body = "".join(f"    {row},\n" for row in rows)
    return f"constexpr std::array<{kind}, {len(rows)}> {name}{{{{\n{body}}}}};\n\n"


def tables_source(table: dict) -> str:
    classes = [f"{{{_table.quoted(entry['mpi'])}, {_table.quoted(entry['line'])}}}" for entry in table["class"]]
    details = [_table.quoted(entry["line"]) for entry in table["detail"]]
    errnos = [f"{{{name}, ErrorClass::{code}}}" for code, names in table["errno"].items() for name in names]
    return (_table.banner("errors")
            + '#include "base/error_tables.hpp"\n\n#include <array>\n#include <cerrno>\n\nnamespace collate {\nnamespace {\n\n'
            + array("ErrorClassRow", "classes", classes)
            + array("std::string_view", "details", details)
            + array("ErrnoRow", "errnos", errnos)
            + "}  // namespace\n\n"
            "std::span<const ErrorClassRow> error_classes() noexcept { return classes; }\n"
            "std::span<const std::string_view> error_details() noexcept { return details; }\n"
            "std::span<const ErrnoRow> errno_rows() noexcept { return errnos; }\n\n"
            "}  // namespace collate\n")


def outputs(root: pathlib.Path) -> dict[pathlib.Path, str]:
    table = load(root)
    base = root / "src" / "base"
    return {
        base / "error_class.hpp": class_header(table),
        base / "generated" / "error_tables.cpp": tables_source(table),
    }
