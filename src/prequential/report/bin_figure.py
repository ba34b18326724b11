"""A measure in every bin of the time that records wait, as a Plotly figure, for notebooks and the report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.report.bin_surface import BinSurface, bin_surface, value_range
from prequential.report.interactive import GRID, laid_out
from prequential.report.palette import Ink, learner_inks
from prequential.runs.directory import RunDirectory

COLOURS = "Viridis"
"""Even steps of the value are even steps of lightness, for all readers."""
_CURVES, _PANEL = 300, 230
"""Pixels that the curves take, and a line of panels."""


def bin_figure(
    directory: RunDirectory,
    measure: str | None = None,
    *,
    forgetting: str | None = None,
    learner: str | Sequence[str] | None = None,
) -> go.Figure:
    """Draw one measure by bin: the last checkpoint as curves, all learners; below, a panel a learner over the labels.

    The colour is the value; the colours span the middle 96 % of the values, and the number under the pointer is exact.
    """
    return draw_bins([bin_surface(directory, measure, forgetting, learner)])


def draw_bins(drawn: Sequence[BinSurface]) -> go.Figure:
    """Draw one measure; of several forgettings, on top of each other, for the page to choose from by ``bins``."""
    first = drawn[0]
    shown = [one.learner for one in first.surfaces]
    n_columns = min(2, len(shown))
    n_lines = -(-len(shown) // n_columns)
    height = _CURVES + _PANEL * n_lines + 80
    blank: list[Any] = [None] * (n_columns - 1)
    cells: list[list[Any]] = [[{"colspan": n_columns}, *blank], *([{}] * n_columns for _ in range(n_lines))]
    if len(shown) % n_columns:
        cells[-1] = [{}, None]
    last = max(int(one.n[-1]) for one in first.surfaces)
    fig = make_subplots(
        rows=1 + n_lines,
        cols=n_columns,
        specs=cells,
        row_heights=[_CURVES, *[_PANEL] * n_lines],
        vertical_spacing=80 / height,
        horizontal_spacing=0.09,
        subplot_titles=[f"after {last:,} labels", *map(escape, shown)],
    )
    ink = learner_inks(first.learners, first.baselines)
    for k, panel in enumerate(drawn, start=1):
        meta = {"bins": panel.forgetting} if len(drawn) > 1 else None
        for i, one in enumerate(panel.surfaces):
            place = {"row": 2 + i // n_columns, "col": 1 + i % n_columns}
            _add_curve(fig, one.last, one.learner, ink[one.learner], meta)
            fig.add_heatmap(
                x=one.n,
                y=np.arange(panel.n_bins),
                z=np.round(one.value, 4).astype(np.float32),
                coloraxis=_colour_axis(k),
                hovertemplate="%{x:,d} labels, bin %{y}: %{z:.4f}<extra></extra>",
                meta=meta,
                **place,
            )
    for name in shown:
        look = ink[name]
        key = {"x": [None], "y": [None], "mode": "lines", "hoverinfo": "skip", "row": 1, "col": 1}
        fig.add_scatter(**key, name=escape(name), legendgroup=escape(name), line=_line(look))
    _label(fig, first, drawn, n_lines, n_columns)
    laid_out(fig, height=height)
    return fig.update_layout(legend={"y": 1, "yanchor": "top"}, margin={"t": 40})


def _add_curve(fig: go.Figure, value: Any, learner: str, look: Ink, meta: dict[str, str] | None) -> None:
    size = np.zeros(len(value))
    size[[0, -1]] = 7  # the first and the last prediction stand out
    fig.add_scatter(
        x=np.arange(len(value)),
        y=value,
        name=escape(learner),
        legendgroup=escape(learner),
        showlegend=False,
        mode="lines+markers",
        line=_line(look),
        marker={"color": look.colour, "size": size, "opacity": 1},
        hovertemplate="bin %{x}: %{y:.4f}",
        meta=meta,
        row=1,
        col=1,
    )


def _line(look: Ink) -> dict[str, object]:
    return {"color": look.colour, "width": look.width}


def _label(fig: go.Figure, first: BinSurface, drawn: Sequence[BinSurface], n_lines: int, n_columns: int) -> None:
    better = None if first.known is None else first.known.better
    for k, panel in enumerate(drawn, start=1):  # what is hidden has no colour bar
        low, high = value_range(panel)
        fig.update_layout(
            {
                _colour_axis(k): {
                    "colorscale": COLOURS,
                    "reversescale": better == "lower",  # light is good
                    "cmin": low,
                    "cmax": high,
                    "colorbar": {
                        "title": {"text": escape(first.measure), "side": "right"},
                        "thickness": 12,
                        "outlinewidth": 0,
                        "y": 0,
                        "yanchor": "bottom",
                        "len": 0.62,
                    },
                }
            }
        )
    fig.update_annotations(font_size=13)
    marks = {"tickvals": list(first.ticks), "ticktext": list(first.ticks.values())}
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID)
    fig.update_yaxes(gridcolor=GRID, zeroline=False, automargin=True)
    under = f", {first.forgetting}" if len(drawn) == 1 else ""
    fig.update_yaxes(title_text=escape(f"{first.measure}{under}"), row=1, col=1)
    waiting = {"text": "bin of the time until the label", "standoff": 4}
    fig.update_xaxes(title=waiting, range=_whole(first), **marks, row=1, col=1)
    for row in range(2, 2 + n_lines):
        fig.update_xaxes(tickformat=",d", showgrid=False, row=row)
        fig.update_yaxes(title_text="bin", showgrid=False, **marks, row=row, col=1)
        if n_columns > 1:
            fig.update_yaxes(showgrid=False, **marks, row=row, col=2)
    fig.update_xaxes(title={"text": "labels", "standoff": 4}, row=1 + n_lines)
    fig.update_xaxes(title_font_size=13).update_yaxes(title_font_size=13)


def _colour_axis(k: int) -> str:
    """Name the colours of the k-th forgetting: each has its own, as their values differ."""
    return "coloraxis" if k == 1 else f"coloraxis{k}"


def _whole(panel: BinSurface) -> tuple[float, float]:
    air = 0.01 * panel.n_bins
    return -air, panel.n_bins - 1 + air
