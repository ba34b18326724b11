"""Curves as Matplotlib figures, for print: PNG, SVG and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from prequential.report.curves import Curves, KnownDrift, panels
from prequential.report.file import FIGURES, checked_suffix, write_whole
from prequential.report.palette import BLIP, DRIFT, alarm_markers, dashes, inks, printed_dash
from prequential.report.rug import detector_names
from prequential.report.values import ForgettingChoice, MeasureChoice
from prequential.runs.directory import RunDirectory

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "0.45",
    "axes.grid": True,
    "axes.unicode_minus": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "pdf.fonttype": 42,
    "svg.hashsalt": "prequential",
    "xtick.color": "0.3",
    "ytick.color": "0.3",
}
_UNDATED = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def save_figure(
    directory: RunDirectory, path: str | Path, *, measures: MeasureChoice = None, forgetting: ForgettingChoice = None
) -> Path:
    """Draw a run for print, a panel a measure; the suffix of the path says whether as PNG, SVG or PDF.

    Learners have a colour and a marker each, so that the figure reads in greyscale. Alarms are marks along the upper
    edge, a row a detector and learner. The same run gives the same file.
    """
    checked_suffix(path, FIGURES)
    drawn = panels(directory, measures, forgetting)
    with mpl.rc_context(STYLE):
        return write_figure(printed(drawn), path)


def write_figure(fig: Figure, path: str | Path) -> Path:
    """Write a figure; the suffix of the path says how. The same figure gives the same file."""
    suffix = checked_suffix(path, FIGURES)
    content = BytesIO()
    with mpl.rc_context(STYLE):
        fig.savefig(content, format=suffix[1:], dpi=300, metadata=_UNDATED[suffix])
    return write_whole(path, content.getvalue())


def printed(drawn: Sequence[Curves]) -> Figure:
    """Draw panels as small multiples, two in a line, with one legend below."""
    n_columns = min(2, len(drawn))
    n_lines = -(-len(drawn) // n_columns)
    width, height = 3.6 * n_columns if n_columns > 1 else 6.0, 2.5 + 0.04 * len(drawn[0].rug.rows)
    fig = Figure(figsize=(width, height * n_lines + 0.5), layout="constrained")
    axes = fig.subplots(n_lines, n_columns, squeeze=False, sharex=True).ravel()
    for ax, panel in zip(axes, drawn, strict=False):
        _draw(ax, panel)
    for ax in axes[len(drawn) :]:
        ax.remove()
    for ax in axes[max(0, len(drawn) - n_columns) : len(drawn)]:
        ax.set_xlabel(drawn[0].counted)
        ax.tick_params(labelbottom=True)
    keys = _keys(drawn)
    legend = fig.legend(
        handles=[handle for _, handle in keys],
        labels=["key"] * len(keys),
        loc="outside lower center",
        ncols=_n_columns(keys, width),
        frameon=False,
        handlelength=2.6,
    )
    for text, (name, _) in zip(legend.get_texts(), keys, strict=True):
        text.set_parse_math(False)  # names are the user's: a $ is a dollar
        text.set_text(name)
    return fig


def _draw(ax: Axes, panel: Curves) -> None:
    ink, dash = inks(panel), dashes(panel)
    draw_drifts(ax, panel.drifts)
    for i, curve in enumerate(panel.curves):
        look = ink[curve.learner]
        every = max(1, len(curve.n) * max(1, len(panel.stages)) // 8)  # stages share the markers of their learner
        ax.plot(
            curve.n,
            curve.value,
            color=look.colour,
            linestyle=printed_dash(dash[curve.kind]),
            linewidth=look.width * 0.65,
            marker=look.marker,
            markersize=3.2,
            markevery=(i * every // max(1, len(panel.curves)), every),
            zorder=2 if curve.is_baseline else 3,
        )
    ax.set_title(panel.title, loc="left", fontsize=9, parse_math=False)
    ax.set_ylabel(panel.unit)
    ax.set_xlim(*panel.x_range)
    ax.set_ylim(*panel.y_range)
    if panel.rug.rows:
        _draw_rug(ax, panel)
    count_records(ax)


def _draw_rug(ax: Axes, panel: Curves) -> None:
    """Draw the alarms in a strip above the curves, beside which the axis has no ticks."""
    (low, high), share = panel.y_range, panel.rug.share
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(low, low + (high - low) / (1 - share))
    ax.spines["left"].set_bounds(low, high)
    ink, shapes = inks(panel), alarm_markers(panel.rug.detectors)
    for row, height in zip(panel.rug.rows, panel.rug.heights, strict=True):
        ax.plot(
            row.n,
            [1 - share * (1 - height)] * len(row.n),
            transform=ax.get_xaxis_transform(),
            linestyle="",
            marker=shapes[row.detector][0],
            color=ink[row.learner].colour,
            markersize=3.6,
            markeredgewidth=0,
            clip_on=False,
            zorder=4,
        )


def draw_drifts(ax: Axes, drifts: Sequence[KnownDrift]) -> None:
    """Draw known drifts: a line where abrupt, a span where gradual; blips in grey."""
    for drift in drifts:
        colour, alpha = _drift_look(drift)
        if drift.abrupt:
            ax.axvline(drift.begin, color=colour, linewidth=1.0, linestyle="-" if drift.real else ":", zorder=1)
        else:
            ax.axvspan(drift.begin, drift.end, color=colour, alpha=alpha, linewidth=0, zorder=0)


def drift_keys(drifts: Sequence[KnownDrift]) -> list[tuple[str, Line2D | Patch]]:
    """Return the part of a legend that names each kind of drift once."""
    keys: dict[str, Line2D | Patch] = {}
    for drift in sorted(drifts, key=lambda drift: (drift.temporary, not drift.abrupt, not drift.real)):
        colour, alpha = _drift_look(drift)
        if drift.abrupt:
            keys.setdefault(
                drift.name, Line2D([], [], color=colour, linewidth=1.0, linestyle="-" if drift.real else ":")
            )
        else:
            keys.setdefault(drift.name, Patch(facecolor=colour, alpha=alpha))
    return list(keys.items())


def _drift_look(drift: KnownDrift) -> tuple[str, float]:
    return BLIP if drift.temporary else DRIFT, 0.2 if drift.real else 0.1


def count_records(ax: Axes) -> None:
    """Label an axis of records with whole numbers."""
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))


def _n_columns(keys: Sequence[tuple[str, object]], width: float) -> int:
    """Return how many keys stand beside each other in so many inches, at about 0.07 a letter."""
    widest = 0.6 + 0.07 * max(len(name) for name, _ in keys)
    return max(1, min(4, len(keys), int(width / widest)))


def _keys(drawn: Sequence[Curves]) -> list[tuple[str, Line2D | Patch]]:
    """Return the legend: learners, dashes where there is more than one, detectors, kinds of drift."""
    panel = drawn[0]
    keys: list[tuple[str, Line2D | Patch]] = []
    for name, look in inks(panel).items():
        line = Line2D([], [], color=look.colour, marker=look.marker, markersize=3.5, linewidth=look.width * 0.65)
        keys.append((name, line))
    used = {name for one in drawn for name in one.drawn_kinds}
    for name, dash in dashes(panel).items():
        if len(used) > 1 and name in used:
            keys.append((name, Line2D([], [], color="0.3", linestyle=printed_dash(dash), linewidth=1.1)))
    names, marked = detector_names(panel.rug.detectors), {row.detector for row in panel.rug.rows}
    for label, (shape, _) in alarm_markers(panel.rug.detectors).items():
        if label in marked:
            mark = Line2D([], [], color="0.3", linestyle="", marker=shape, markersize=4, markeredgewidth=0)
            keys.append((f"alarm of {names[label]}", mark))
    return keys + drift_keys(panel.drifts)
