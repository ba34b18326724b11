"""Metrics over the records of a stream, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from prequential.figures.curves import MOST_PANELS, Panel, by_forgetting, is_crowded, limited, panels
from prequential.figures.matplotlib_style import (
    STYLE,
    Key,
    PaperFigure,
    add_legend,
    count_records,
    draw_drifts,
    drift_keys,
    write_figure,
)
from prequential.figures.palette import alarm_markers, dashes, inks, legend_dashes, legend_markers, printed_dash
from prequential.runs.directory import RunDirectory
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice
from prequential.whole_file import FIGURES, checked_suffix

_MOST_COLUMNS = 4
"""The largest number of forgettings whose panels are in one line."""


def printed_curves(
    directory: RunDirectory,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
) -> PaperFigure:
    """Draw a run for print, one panel per metric.

    Each learner has a colour and a marker, so that the figure reads in greyscale. Alarms are marks along the upper
    edge, one row per detector and learner.
    """
    return printed_panels(panels(directory, metrics, forgetting, learners))


def printed_panels(drawn: Sequence[Panel]) -> PaperFigure:
    """Draw panels for print; a band around a curve is shaded."""
    with mpl.rc_context(STYLE):
        return draw_panels(drawn)


def save_figure(
    directory: RunDirectory,
    path: str | Path,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
) -> Path:
    """Write the figure of `printed_curves` as PNG, SVG or PDF; equal runs give equal files."""
    checked_suffix(path, FIGURES)
    return write_figure(printed_curves(directory, metrics=metrics, forgetting=forgetting, learners=learners), path)


def draw_panels(drawn: Sequence[Panel]) -> PaperFigure:
    """Draw at most twelve panels as small multiples, with one legend below.

    They are two in a line. If curves under several forgettings were too many for a panel, each forgetting has a panel,
    and those of a metric form a line.
    """
    n_columns, remark = min(2, len(drawn)), ""
    if is_crowded(drawn):
        parts = [by_forgetting(panel) for panel in drawn]
        n_columns = max(map(len, parts))
        if all(len(part) == n_columns for part in parts) and n_columns <= _MOST_COLUMNS:
            rows, remark = limited(drawn, max(1, MOST_PANELS // n_columns))
            drawn = [one for part in parts[: len(rows)] for one in part]
        else:
            n_columns = 3
            drawn = [one for part in parts for one in part]
    if not remark:
        drawn, remark = limited(drawn)
    n_lines = -(-len(drawn) // n_columns)
    width = {1: 6.0, 2: 7.2}.get(n_columns, 3.0 * n_columns)
    height = 2.5 + 0.04 * len(drawn[0].alarms.rows)
    fig = PaperFigure(figsize=(width, height * n_lines + 0.5), layout="constrained")
    if remark:
        fig.suptitle(remark, fontsize=8, x=0.01, ha="left", color="0.3", parse_math=False)
    axes = fig.subplots(n_lines, n_columns, squeeze=False, sharex=True).ravel()
    for ax, panel in zip(axes, drawn, strict=False):
        _draw(ax, panel)
    for ax in axes[len(drawn) :]:
        ax.remove()
    for ax in axes[max(0, len(drawn) - n_columns) : len(drawn)]:
        ax.set_xlabel(drawn[0].counted if drawn[0].dates is None else f"{drawn[0].counted}, and their dates (UTC)")
        ax.tick_params(labelbottom=True)
    keys = _keys(drawn)
    add_legend(fig, keys, _n_columns(keys, width))
    return fig


def _draw(ax: Axes, panel: Panel) -> None:
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
        if curve.low is not None and curve.high is not None:
            ax.fill_between(curve.n, curve.low, curve.high, color=look.colour, alpha=0.15, linewidth=0, zorder=1.5)
    ax.set_title(panel.title, loc="left", fontsize=9, parse_math=False)
    ax.set_ylabel(panel.unit)
    ax.set_xlim(*panel.x_range)
    ax.set_ylim(*panel.y_range)
    if panel.alarms.rows:
        _draw_alarms(ax, panel)
    count_records(ax, 5 if panel.dates is None else 3, panel.dates)


def _draw_alarms(ax: Axes, panel: Panel) -> None:
    """Draw the alarms in a strip above the curves, next to which the axis has no ticks."""
    (low, high), share = panel.y_range, panel.alarms.share
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
    ax.set_ylim(low, low + (high - low) / (1 - share))
    ax.spines["left"].set_bounds(low, high)
    ink, shapes = inks(panel), alarm_markers(panel.alarms.detectors)
    for row, height in zip(panel.alarms.rows, panel.alarms.heights, strict=True):
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


def _n_columns(keys: Sequence[Key], width: float) -> int:
    """Return how many keys fit next to each other into ``width`` inches, at about 0.07 per letter."""
    widest = 0.6 + 0.07 * max(len(name) for name, _ in keys)
    return max(1, min(4, len(keys), int(width / widest)))


def _keys(drawn: Sequence[Panel]) -> list[Key]:
    """Return the legend: learners, dashes if there is more than one, detectors, kinds of drift."""
    panel = drawn[0]
    keys: list[Key] = []
    for name, look in inks(panel).items():
        line = Line2D([], [], color=look.colour, marker=look.marker, markersize=3.5, linewidth=look.width * 0.65)
        keys.append((name, line))
    for name, dash in legend_dashes(drawn).items():
        keys.append((name, Line2D([], [], color="0.3", linestyle=printed_dash(dash), linewidth=1.1)))
    for name, shape, _ in legend_markers(panel.alarms).values():
        keys.append((name, Line2D([], [], color="0.3", linestyle="", marker=shape, markersize=4, markeredgewidth=0)))
    return keys + drift_keys(panel.drifts)
