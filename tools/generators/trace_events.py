"""The TraceEvent enum inside src/port/tracer.hpp, from tables/trace_events.toml."""

from __future__ import annotations

import pathlib
import re

from generators import _table

ENUM = re.compile(r"enum class TraceEvent : std::uint8_t \{[^}]*\};")


def outputs(root: pathlib.Path) -> dict[pathlib.Path, str]:
    header = root / "src" / "port" / "tracer.hpp"
    text = header.read_text(encoding="utf-8")
    names = [event["name"] for event in _table.load(root, "trace_events")["event"]]
    enum = f"enum class TraceEvent : std::uint8_t {{ {', '.join(names)} }};"
    replaced, times = ENUM.subn(lambda _: enum, text)
    if times != 1:
        raise SystemExit(f"{header}: expected one `enum class TraceEvent : std::uint8_t {{...}};`, found {times}")
    return {header: replaced}
