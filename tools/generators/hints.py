"""The typed hints and their table, from tables/hints.toml."""

from __future__ import annotations

import pathlib

from generators import _table

KEYS = ("name", "kind", "default", "source", "changes", "use", "listed", "line")
TYPES = {"length": "Length", "integer": "int", "mode": "int", "boolean": "bool", "toggle": "Toggle",
         "strategy": "Strategy", "text": "std::string"}
NUMBERS = ("length", "integer", "mode")
CHOICES = {"source": ("standard", "ROMIO", "collate"), "changes": ("any time", "open"),
           "use": ("honoured", "accepted", "answer"), "listed": ("always", "when set")}
LONGEST_NAME, LONGEST_VALUE = 35, 255  # Open MPI's limits of MPI_Info

HEADER = """\
// hints/hints.hpp - the hints of one open file as typed values: what planning reads.
//
// A member for every hint of the table. Guarantees: every value lies in the range that the table names, so
// nobody who reads a member has to check it. Hints change how Collate works, never which bytes move. The comment
// of a member says what it means; "accepted" ones are checked and echoed and change nothing.
//
//   const Hints hints = read(sources).hints.values();      // hints/read.hpp
//   const Length staging = hints.cb_buffer_size;           // 16777216 unless somebody said otherwise
//
// Cost: a few strings. Thread rule: plain value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace collate::hints {

"""


def check(hint: dict) -> None:
    """Stops with a sentence where an entry breaks the rules at the top of the table."""
    name = hint.get("name", "?")
    where = "tables/hints.toml"
    _table.require(hint, KEYS, where)
    if hint["kind"] not in TYPES:
        raise SystemExit(f"{where}: {name}: unknown kind {hint['kind']}")
    for key, allowed in CHOICES.items():
        if hint[key] not in allowed:
            raise SystemExit(f"{where}: {name}: {key} must be one of {', '.join(allowed)}")
    if hint["kind"] in NUMBERS:
        _table.require(hint, ("minimum", "maximum"), where)
        value = number(hint)
        if not hint["minimum"] <= value <= hint["maximum"]:
            raise SystemExit(f"{where}: {name}: the default lies outside its range")
    if len(name) > LONGEST_NAME or len(hint["default"]) > LONGEST_VALUE:
        raise SystemExit(f"{where}: {name}: at most {LONGEST_NAME} characters, values {LONGEST_VALUE}")


def load(root: pathlib.Path) -> dict:
    """The table, checked; hints.md uses it too."""
    table = _table.load(root, "hints")
    for hint in table["hint"]:
        check(hint)
    names = [hint["name"] for hint in table["hint"]] + table["foreign"]["names"]
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise SystemExit(f"tables/hints.toml: more than once: {', '.join(doubles)}")
    return table


def number(hint: dict) -> int:
    return int(hint["default"], 8 if hint["kind"] == "mode" else 10)


def cpp_default(hint: dict) -> str:
    kind, default = hint["kind"], hint["default"]
    if kind == "mode":
        return "0" + default
    if kind in ("length", "integer", "boolean"):
        return default
    if kind == "text":
        return ""
    return f"{TYPES[kind]}::{default}"


def member(hint: dict) -> str:
    default = cpp_default(hint)
    initial = f" = {default}" if default else ""
    note = "" if hint["use"] == "honoured" else f" ({hint['use']})"
    return f"  // {hint['line']}{note}\n  {TYPES[hint['kind']]} {hint['name']}{initial};\n"


def enum(name: str, entry: dict) -> str:
    values = ", ".join(entry["values"])
    return f"// {entry['line']}\nenum class {name} : std::uint8_t {{ {values} }};\n"


def values_header(table: dict) -> str:
    parts = [_table.banner("hints"), HEADER]
    for name, entry in table["enums"].items():
        parts.append(enum(name, entry) + "\n")
    parts.append("struct Hints {\n")
    parts.extend(member(hint) for hint in table["hint"])
    parts.append("  friend bool operator==(const Hints&, const Hints&) = default;\n};\n\n")
    parts.append("// The spelling of a value in hints and reports. Example: to_text(Strategy::sieve) == \"sieve\".\n")
    for name in table["enums"]:
        parts.append(f"[[nodiscard]] std::string_view to_text({name} value) noexcept;\n")
    parts.append("\n}  // namespace collate::hints\n")
    return "".join(parts)


def id_header(table: dict) -> str:
    names = "".join(f"  {hint['name']},\n" for hint in table["hint"])
    return (_table.banner("hints") + "// The place of every known hint in the table and in a HintSet.\n#pragma once\n\n"
            "#include <cstddef>\n#include <cstdint>\n\nnamespace collate::hints {\n\n"
            f"enum class HintId : std::uint8_t {{\n{names}}};\n"
            f"inline constexpr std::size_t hint_count = {len(table['hint'])};\n\n"
            "}  // namespace collate::hints\n")


def row(hint: dict) -> str:
    words = [_table.quoted(hint["name"]), f"Kind::{hint['kind']}", _table.quoted(hint["default"]),
             str(hint.get("minimum", 0)), str(hint.get("maximum", 0)),
             f"Use::{hint['use']}", "true" if hint["changes"] == "any time" else "false",
             "true" if hint["listed"] == "always" else "false", f"&Hints::{hint['name']}"]
    return f"    {{{', '.join(words)}}},\n"


def texts(name: str, values: list[str]) -> str:
    listed = ", ".join(_table.quoted(value) for value in values)
    array = f"{name.lower()}_texts"
    return (f"constexpr std::array<std::string_view, {len(values)}> {array}{{{listed}}};\n", array)


def table_source(table: dict) -> str:
    parts = [_table.banner("hints"), '#include "hints/hint_table.hpp"\n\nnamespace collate::hints {\nnamespace {\n\n']
    functions = []
    for name, entry in table["enums"].items():
        array, array_name = texts(name, entry["values"])
        parts.append(array)
        functions.append(f"std::string_view to_text({name} value) noexcept {{ return {array_name}[static_cast<std::size_t>(value)]; }}\n"
                         f"std::span<const std::string_view> all_texts({name}) noexcept {{ return {array_name}; }}\n")
    parts.append("\nconstexpr std::array<HintSpec, hint_count> specs{{\n")
    parts.extend(row(hint) for hint in table["hint"])
    foreign = table["foreign"]["names"]
    parts.append(f"}}}};\n\nconstexpr std::array<std::string_view, {len(foreign)}> foreign{{\n")
    parts.extend(f"    {_table.quoted(name)},\n" for name in foreign)
    parts.append("};\n\n}  // namespace\n\n")
    parts.extend(functions)
    parts.append("std::span<const HintSpec, hint_count> all_hints() noexcept { return specs; }\n"
                 "std::span<const std::string_view> foreign_names() noexcept { return foreign; }\n\n"
                 "}  // namespace collate::hints\n")
    return "".join(parts)


def outputs(root: pathlib.Path) -> dict[pathlib.Path, str]:
    table = load(root)
    room = root / "src" / "hints"
    return {
        room / "hints.hpp": values_header(table),
        room / "generated" / "hint_id.hpp": id_header(table),
        room / "generated" / "hint_table.cpp": table_source(table),
    }
