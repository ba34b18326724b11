"""Alarms over the records of a stream, drawn with Matplotlib."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from prequential.drift.statistic_series import StatisticSeries
from prequential.figures.matplotlib_style import STYLE, PaperFigure, count_records, write_figure
from prequential.figures.palette import BLIP, COLOURS, DRIFT, VERDICTS
from prequential.figures.timeline import Timeline
from prequential.whole_file import FIGURES, checked_suffix


def save_timeline(timeline: Timeline, path: str | Path) -> Path:
    """Draw the alarms for print, one line per detector, as PNG, SVG or PDF by the suffix of the path.

    A vertical line is an abrupt drift, a shaded span a gradual one, a grey span a blip; in the paler span behind a
    drift an alarm detects it.
    """
    checked_suffix(path, FIGURES)
    with mpl.rc_context(STYLE):
        return write_figure(draw_timeline(timeline), path)


def draw_timeline(timeline: Timeline) -> PaperFigure:
    """Draw the alarms."""
    names = timeline.names
    fig = PaperFigure(figsize=(8.0, 1.3 + 0.42 * len(names)), layout="constrained")
    ax = fig.subplots()
    _draw_drifts(ax, timeline)
    used: dict[str, None] = {}
    for y, (_, marks) in enumerate(timeline.rows):
        ax.axhline(y, color="0.85", linewidth=0.8, zorder=1)
        for verdict, at in marks.items():
            look = VERDICTS[verdict]
            size = 9.0 if look.marker == "|" else 5.0
            ax.plot(at, [y] * len(at), linestyle="", marker=look.marker, color=look.colour, markersize=size, zorder=3)
            used[verdict] = None
    ax.set_yticks(range(len(names)), names)
    for text in ax.get_yticklabels():
        text.set_parse_math(False)  # names come from the user: a $ is a dollar
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(0, max(1, timeline.n_records))
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("records")
    ax.set_title(timeline.title, loc="left", fontsize=9, parse_math=False)
    count_records(ax, n_ticks=6)
    if handles := _handles(timeline, list(used)):
        fig.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return fig


def draw_statistic(series: StatisticSeries) -> PaperFigure:
    """Draw the statistics of a detector, one below the other: the last one with its limit, alarms as lines."""
    with mpl.rc_context(STYLE):
        n = len(series.statistics)
        fig = PaperFigure(figsize=(6.4, 1.0 + 2.2 * n), layout="constrained")
        axes = fig.subplots(n, 1, sharex=True, squeeze=False)[:, 0]
        for ax, name, values in zip(axes, series.statistics, series.values.T, strict=True):
            ax.plot(series.record, values, color=COLOURS[0], linewidth=1.1, label=name)
            for k, at in enumerate(series.alarms.tolist()):
                ax.axvline(at, color=COLOURS[1], linewidth=0.9, linestyle=":", label=None if k else "alarm")
            ax.set_ylabel(name)
        if not np.isnan(series.limit).all():
            axes[-1].plot(series.record, series.limit, color="0.2", linewidth=0.9, linestyle="--", label="limit")
        axes[-1].set_xlabel("records")
        axes[0].set_title(series.detector, loc="left", fontsize=9, parse_math=False)
        axes[-1].legend(frameon=False, fontsize=7.5)
        count_records(axes[-1])
    return fig


def _handles(timeline: Timeline, used: list[str]) -> list[Line2D | Patch]:
    looks = [VERDICTS[verdict] for verdict in used]
    handles: list[Line2D | Patch] = [
        Line2D([], [], linestyle="", marker=look.marker, color=look.colour, label=look.label) for look in looks
    ]
    lasting = [drift for drift in timeline.drifts if not drift.temporary]
    if lasting:
        handles.append(Line2D([], [], color=DRIFT, linewidth=1.2, label="drift"))
        if lasting[0].detected_until is not None:
            handles.append(Patch(facecolor=DRIFT, alpha=0.12, label="where an alarm counts"))
    if len(lasting) < len(timeline.drifts):
        handles.append(Patch(facecolor=BLIP, alpha=0.25, label="blip"))
    return handles


def _draw_drifts(ax: Axes, timeline: Timeline) -> None:
    for drift in timeline.drifts:
        if drift.temporary:
            ax.axvspan(drift.begin, drift.end, color=BLIP, alpha=0.25, linewidth=0, zorder=0)
            continue
        if drift.detected_until is not None:
            ax.axvspan(drift.begin, drift.detected_until, color=DRIFT, alpha=0.12, linewidth=0, zorder=0)
        if drift.end > drift.begin:
            ax.axvspan(drift.begin, drift.end, color=DRIFT, alpha=0.2, linewidth=0, zorder=0)
        else:
            ax.axvline(drift.begin, color=DRIFT, linewidth=1.2, zorder=2)
