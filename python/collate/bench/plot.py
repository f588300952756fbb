"""A plot of the results: one panel per directory, workload and operation; levels across, one bar per engine, MiB/s upwards.

SVG is written here, with nothing to install; PNG is drawn by matplotlib when that is installed. The scale is logarithmic, because
levels differ by factors of a thousand; whiskers are least and greatest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from pathlib import Path

from collate.bench.campaign import Results
from collate.bench.statistics import Spread

COLOURS = {
    "collate/mpich": "#0b6e4f",
    "romio/mpich": "#e07a1f",
    "collate/openmpi": "#35b37e",
    "ompio/openmpi": "#7b3fa0",
    "romio/openmpi": "#f2b134",
    "posix": "#8c8c8c",
    "fpp": "#4a4a4a",
    "w1": "#b5b5b5",
    "rp": "#b5b5b5",
}
AXIS = "bandwidth, MiB/s (log)"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 460, 260, 56, 40, 26


@dataclass(frozen=True)
class Panel:
    """One panel: bars[engine][group] is a spread or None."""

    title: str
    groups: list[str]
    bars: dict[str, list[Spread | None]]

    def decades(self) -> tuple[int, int]:
        """The powers of ten that hold all values."""
        values = [s for row in self.bars.values() for s in row if s is not None]
        if not values:
            return 0, 1
        low = math.floor(math.log10(max(min(s.min for s in values), 1e-3)))
        return low, max(low + 1, math.ceil(math.log10(max(s.max for s in values))))


def panels(results: Results) -> list[Panel]:
    """The panels of a benchmark run; engines with no value anywhere are left out."""
    settings, made = results.settings, []
    for directory in settings.directories:
        for workload in settings.workloads:
            for operation in settings.operations:
                sizes = [settings.kib(workload, level) for level in settings.levels]
                groups = [f"level {level}, {kib / 1024:.3g} MiB" for level, kib in zip(settings.levels, sizes)]
                bars = {}
                for engine in settings.engines:
                    cells = [results.cell(directory, workload, operation, n, engine.name) for n in settings.levels]
                    row = [c.rate if c else None for c in cells]
                    if any(row):
                        bars[engine.name] = row
                made.append(Panel(f"{workload} {operation}, {settings.ranks} ranks, {directory}", groups, bars))
    return made


def write(results: Results, path: Path) -> None:
    """Writes the plot. Raises ValueError, one actionable sentence, when the format cannot be made."""
    kind = path.suffix.lower()
    if kind == ".svg":
        path.write_text(svg(panels(results)))
    elif kind == ".png":
        _png(panels(results), path)
    else:
        raise ValueError(f"cannot plot to '{path.name}': end the name in .svg or .png")


def _columns(count: int) -> int:
    return 1 if count == 1 else 2


def svg(found: list[Panel]) -> str:
    """All panels and one legend as an SVG document."""
    columns = _columns(len(found))
    rows = math.ceil(len(found) / columns)
    engines = [name for name in COLOURS if any(name in p.bars for p in found)]
    legend_rows = math.ceil(len(engines) / (3 * columns))
    width, height = columns * WIDTH, rows * HEIGHT + 18 * legend_rows + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        '<g font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for i, panel in enumerate(found):
        out.append(f'<g transform="translate({i % columns * WIDTH},{i // columns * HEIGHT})">')
        out += _svg_panel(panel)
        out.append("</g>")
    for i, name in enumerate(engines):
        x, y = 20 + i % (3 * columns) * 145, rows * HEIGHT + 14 + i // (3 * columns) * 18
        out.append(f'<rect x="{x}" y="{y - 9}" width="11" height="11" fill="{COLOURS[name]}"/>')
        out.append(f'<text x="{x + 16}" y="{y}">{escape(name)}</text>')
    return "\n".join([*out, "</g>", "</svg>", ""])


def _svg_panel(panel: Panel) -> list[str]:
    low, high = panel.decades()
    floor, tall = HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP

    def y(value: float) -> float:
        return floor - tall * (math.log10(max(value, 10.0**low)) - low) / (high - low)

    out = [f'<text x="{WIDTH / 2}" y="16" text-anchor="middle" font-weight="bold">{escape(panel.title)}</text>']
    middle = TOP + tall / 2
    out.append(f'<text transform="translate(13,{middle}) rotate(-90)" text-anchor="middle">{AXIS}</text>')
    for power in range(low, high + 1):
        at = y(10.0**power)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{at:.1f}" y2="{at:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:,.10g}</text>')
    group_width = (WIDTH - 10 - LEFT) / len(panel.groups)
    bar = group_width * 0.86 / max(1, len(panel.bars))
    for g, group in enumerate(panel.groups):
        start = LEFT + g * group_width + group_width * 0.07
        for i, (name, row) in enumerate(panel.bars.items()):
            if row[g] is None:
                continue
            top, x = y(row[g].median), start + i * bar
            out.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{bar * 0.9:.1f}" height="{floor - top:.1f}" fill="{COLOURS[name]}">'
                f"<title>{escape(name)}: {row[g].median:.1f} MiB/s</title></rect>"
            )
            line = x + bar * 0.45
            out.append(f'<line x1="{line:.1f}" x2="{line:.1f}" y1="{y(row[g].min):.1f}" y2="{y(row[g].max):.1f}" stroke="black"/>')
        out.append(f'<text x="{LEFT + (g + 0.5) * group_width:.1f}" y="{floor + 16}" text-anchor="middle">{escape(group)}</text>')
    out.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{floor}" y2="{floor}" stroke="black"/>')
    return out


def _png(found: list[Panel], path: Path) -> None:
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise ValueError("a PNG plot needs matplotlib: run 'pip install matplotlib', or ask for .svg") from None
    columns = _columns(len(found))
    rows = math.ceil(len(found) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(5.5 * columns, 3.2 * rows + 0.6), squeeze=False)
    for axis, panel in zip(axes.flat, found):
        step = 0.86 / max(1, len(panel.bars))
        for i, (name, row) in enumerate(panel.bars.items()):
            held = [(g - 0.43 + (i + 0.5) * step, s) for g, s in enumerate(row) if s is not None]
            errors = [[s.median - s.min for _, s in held], [s.max - s.median for _, s in held]]
            axis.bar(
                [x for x, _ in held], [s.median for _, s in held], step * 0.9, yerr=errors, color=COLOURS[name],
                label=name, error_kw={"linewidth": 0.8},
            )  # fmt: skip
        axis.set_yscale("log")
        axis.set_ylim(*(10.0**power for power in panel.decades()))
        axis.set_ylabel(AXIS, fontsize=8)
        axis.set_xticks(range(len(panel.groups)), panel.groups, fontsize=8)
        axis.set_title(panel.title, fontsize=9)
        axis.grid(axis="y", color="#dddddd")
        axis.set_axisbelow(True)
    for axis in list(axes.flat)[len(found) :]:
        axis.set_visible(False)
    labels = {name: handle for axis in axes.flat for handle, name in zip(*axis.get_legend_handles_labels())}
    figure.legend(labels.values(), labels.keys(), loc="lower center", ncols=min(5, max(1, len(labels))), fontsize=8)
    figure.tight_layout(rect=(0, 0.5 / (3.2 * rows + 0.6), 1, 1))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
