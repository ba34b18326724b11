"""Alarms over the records of a stream, beside the drifts that there were."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from prequential.drift.scoring import extent
from prequential.report.detections import DetectionTable
from prequential.report.file import FIGURES, checked_suffix
from prequential.report.interactive import GRID, laid_out
from prequential.report.palette import BLIP, DRIFT
from prequential.report.printed import STYLE, write_figure
from prequential.report.rug import gathered

_MARKS = {
    "detected": ("#009E73", "o", "circle", "detects a drift"),
    "repeat": ("#E69F00", "|", "line-ns", "repeats an alarm"),
    "false": ("#D55E00", "x", "x", "false alarm"),
    "alarm": ("#0072B2", "|", "line-ns", "alarm"),
}
"""By verdict: the colour, the marker in print and on the screen, and the words."""


def save_timeline(table: DetectionTable, path: str | Path) -> Path:
    """Draw the alarms for print, a line a detector; the suffix of the path says whether as PNG, SVG or PDF.

    A vertical line is an abrupt drift, a shaded span a gradual one, a grey one a blip; the paler span behind is where
    an alarm counts.
    """
    checked_suffix(path, FIGURES)
    with mpl.rc_context(STYLE):
        return write_figure(printed_timeline(table), path)


def printed_timeline(table: DetectionTable) -> Figure:
    """Draw the alarms with Matplotlib."""
    names = table.names()
    fig = Figure(figsize=(8.0, 1.3 + 0.42 * len(names)), layout="constrained")
    ax = fig.subplots()
    _draw_drifts(ax, table)
    used: list[str] = []
    for y, marks in enumerate(_marks(table)):
        ax.axhline(y, color="0.85", linewidth=0.8, zorder=1)
        for verdict, at in marks.items():
            colour, marker, _, _ = _MARKS[verdict]
            size = 9.0 if marker == "|" else 5.0
            ax.plot(at, [y] * len(at), linestyle="", marker=marker, color=colour, markersize=size, zorder=3)
            used += [verdict] if verdict not in used else []
    ax.set_yticks(range(len(names)), names)
    for text in ax.get_yticklabels():
        text.set_parse_math(False)  # names are the user's: a $ is a dollar
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(0, max(1, table.detections[0].n_records))
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("records")
    ax.set_title(table.name, loc="left", fontsize=9, parse_math=False)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    handles: list[Line2D | Patch] = [
        Line2D([], [], linestyle="", marker=_MARKS[v][1], color=_MARKS[v][0], label=_MARKS[v][3]) for v in used
    ]
    if any(not drift.temporary for drift in table.drifts or ()):
        handles.append(Line2D([], [], color=DRIFT, linewidth=1.2, label="drift"))
        if not math.isinf(table.tolerance):
            handles.append(Patch(facecolor=DRIFT, alpha=0.12, label="where an alarm counts"))
    if any(drift.temporary for drift in table.drifts or ()):
        handles.append(Patch(facecolor=BLIP, alpha=0.25, label="blip"))
    if handles:
        fig.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return fig


def timeline_figure(table: DetectionTable) -> go.Figure:
    """Draw the alarms with Plotly, for notebooks and the report."""
    fig = go.Figure()
    for drift in table.drifts or ():
        begin, length = extent(drift)
        if drift.temporary:
            fig.add_vrect(x0=begin, x1=begin + max(1, length), fillcolor=BLIP, opacity=0.25, line_width=0)
            continue
        if not math.isinf(table.tolerance):
            end = begin + length + table.tolerance
            fig.add_vrect(x0=begin, x1=end, fillcolor=DRIFT, opacity=0.12, line_width=0)
        if length:
            fig.add_vrect(x0=begin, x1=begin + length, fillcolor=DRIFT, opacity=0.25, line_width=0)
        else:
            fig.add_vline(x=begin, line={"color": DRIFT, "width": 1.5})
    shown: set[str] = set()
    names = [escape(name) for name in table.names()]
    for name, marks in zip(names, _marks(table), strict=True):
        for verdict, at in marks.items():
            colour, _, symbol, words = _MARKS[verdict]
            fig.add_scatter(
                x=at,
                y=[name] * len(at),
                mode="markers",
                name=words,
                legendgroup=verdict,
                showlegend=verdict not in shown,
                marker={"color": colour, "symbol": symbol, "size": 10, "line": {"color": colour, "width": 2}},
                hovertemplate="record %{x:,d}<extra></extra>",
            )
            shown.add(verdict)
    fig.update_xaxes(title_text="records", gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_xaxes(range=(0, table.detections[0].n_records))
    fig.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1], automargin=True)
    fig.update_yaxes(range=(-0.6, len(names) - 0.4), gridcolor=GRID, zeroline=False)
    return laid_out(fig, height=160 + 32 * len(names)).update_layout(title_text=escape(table.name))


def _marks(table: DetectionTable) -> list[dict[str, list[int]]]:
    """Return for each detection the records of its alarms, by verdict; of very many, some."""
    found: list[dict[str, list[int]]] = []
    for one in table.detections:
        verdicts: list[str] = ["alarm"] * len(one.alarms)
        if table.drifts is not None:
            verdicts = list(one.verdicts(table.drifts, tolerance=table.tolerance))
        marks: dict[str, list[int]] = {}
        for alarm, verdict in zip(one.alarms, verdicts, strict=True):
            marks.setdefault(verdict, []).append(alarm.record)
        found.append({key: gathered(np.array(at), one.n_records)[0].tolist() for key, at in marks.items()})
    return found


def _draw_drifts(ax: Axes, table: DetectionTable) -> None:
    for drift in table.drifts or ():
        begin, length = extent(drift)
        if drift.temporary:
            ax.axvspan(begin, begin + max(1, length), color=BLIP, alpha=0.25, linewidth=0, zorder=0)
            continue
        if not math.isinf(table.tolerance):
            ax.axvspan(begin, begin + length + table.tolerance, color=DRIFT, alpha=0.12, linewidth=0, zorder=0)
        if length:
            ax.axvspan(begin, begin + length, color=DRIFT, alpha=0.2, linewidth=0, zorder=0)
        else:
            ax.axvline(begin, color=DRIFT, linewidth=1.2, zorder=2)
