"""How verbs print: rich on a terminal; plain text in a pipe, in CI, or with NO_COLOR set."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 132


def console(stderr: bool = False) -> Console:
    """A console for stdout, or for stderr, where progress and remarks go."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    plain = not stream.isatty() or bool(os.environ.get("NO_COLOR"))
    width = None if stream.isatty() else PLAIN_WIDTH
    return Console(stderr=stderr, no_color=plain, highlight=False, soft_wrap=not stream.isatty(), width=width)


def bytes_text(count: int | None) -> str:
    """1536 as "1.5 KiB"; None as "unlimited"."""
    if count is None:
        return "unlimited"
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError("unreachable")
