"""Plots of figures: each JSON file of a benchmark's `--json` becomes a picture beside it.

`python -m benchmarks.fetch --json docs/plots/fetch.json && python -m benchmarks.plots`
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pygal
from pygal.style import Style

from benchmarks.harness import ROOT
from benchmarks.options import existing_file, run

PLOTS: Final = ROOT / "docs" / "plots"
NAMES: Final = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
COLORS: Final = (
    "#2f6f9f", "#c2762b", "#9db8cc", "#e3c29c", "#4f8f5b", "#a44a5b", "#7a5fa3", "#6b6b6b", "#1d9aa8",
)  # fmt: skip
STYLE: Final = Style(
    background="#ffffff",
    plot_background="#ffffff",
    colors=COLORS,
    font_family="sans-serif",
    label_font_size=13,
    major_label_font_size=13,
    value_font_size=12,
    legend_font_size=14,
    value_colors=("#222222",) * len(COLORS),
    guide_stroke_color="#dddddd",
    major_guide_stroke_color="#dddddd",
    guide_stroke_dasharray="0",
    major_guide_stroke_dasharray="0",
    title_font_size=13,
    transition="none",
)
BEHIND: Final = "\N{EM SPACE}" * 3
"""A value is centred at the end of its bar, and so is behind it."""
LINE: Final = 24
"""Pixels of a bar."""
AROUND: Final = 140
"""Pixels of the legend and the axis."""
REMARKS: Final = re.compile(r"<!--.*?-->|<(script|desc)\b[^>]*?(/>|>.*?</\1>)", re.DOTALL)
"""Scripts, which nothing runs in a page, and remarks with the date."""


def plot(figures: Sequence[Mapping[str, Any]]) -> str:
    """Return bars of the medians as SVG: a group for each operation, a colour for each store."""
    operations = list(dict.fromkeys(one["what"] for one in figures))[::-1]  # drawn from below
    stores = list(dict.fromkeys(one["store"] for one in figures))
    medians = {(one["store"], one["what"]): one["median"] for one in figures}
    units = dict.fromkeys(one["unit"] for one in figures)
    chart = pygal.HorizontalBar(
        js=(),
        style=STYLE,
        width=800,
        height=AROUND + LINE * (len(stores) + 1) * len(operations),
        legend_at_bottom=True,
        print_values=True,
        print_values_position="top",
        show_y_guides=True,
        margin_right=40,
        x_labels=operations,
        x_title=", ".join(units),
    )
    chart.uuid = "plot"  # the same figures are the same picture
    for store in stores:
        values = [medians.get((store, what)) for what in operations]
        chart.add(NAMES.get(store, store), values, formatter=lambda value: f"{BEHIND}{value:,g}")
    return REMARKS.sub("", chart.render(is_unicode=True)).strip() + "\n"


def lines(figures: Sequence[Mapping[str, Any]]) -> str:
    """Return the medians of `benchmarks.growth` for one store and axis as SVG: a line for each operation."""
    sizes = sorted({one["size"] for one in figures})
    medians = {(one["what"], one["size"]): one["median"] for one in figures}
    chart = pygal.Line(
        js=(),
        style=STYLE,
        width=800,
        height=500,
        legend_at_bottom=True,
        legend_at_bottom_columns=2,
        truncate_legend=-1,
        logarithmic=True,
        stroke_style={"width": 2},
        margin_right=40,
        x_labels=[f"{size:,}" for size in sizes],
        x_title=f"{figures[0]['axis']}, {NAMES[figures[0]['store']]}",
        y_title=figures[0]["unit"],
    )
    chart.uuid = "plot"
    for what in dict.fromkeys(one["what"] for one in figures):
        chart.add(what, [medians.get((what, size)) for size in sizes])
    return REMARKS.sub("", chart.render(is_unicode=True)).strip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=existing_file, nargs="*", default=sorted(PLOTS.glob("*.json")))
    for file in parser.parse_args().files:
        try:
            figures = json.loads(file.read_text())
            picture = lines(figures) if "size" in figures[0] else plot(figures)
        except (ValueError, LookupError, TypeError):
            parser.error(f"{file} has no figures for a plot; those of `benchmarks.load` have none")
        file.with_suffix(".svg").write_text(picture)


if __name__ == "__main__":
    run(main)
