"""Two learners over the records of a stream, drawn with Matplotlib.

M with its critical value, Q, and the difference with its confidence sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from prequential.comparisons.mcnemar import CRITICAL
from prequential.comparisons.pair_table import PairTable
from prequential.figures.comparison import confidence_band, difference_range, last_record, loss_of, paired_curves
from prequential.figures.matplotlib_style import (
    STYLE,
    Key,
    PaperFigure,
    add_legend,
    count_records,
    draw_drifts,
    drift_keys,
)
from prequential.figures.palette import BAND, forgetting_colours, forgetting_dashes, printed_dash
from prequential.runs.known_drift import KnownDrift
from prequential.runs.status import one_line

_LIMIT = "#D55E00"


def draw_comparison(
    trace: PairTable, *, title: str = "", drifts: Sequence[KnownDrift] = (), unit: str = "record"
) -> PaperFigure:
    """Draw two learners over the records, in three panels, or two for a loss; below 0 the first is better in all.

    The axis of M is linear up to its critical value, 6.635, and logarithmic beyond. With several folds the first is
    drawn.
    """
    a, b, loss = one_line(trace.a), one_line(trace.b), one_line(loss_of(trace))
    titles = {
        "mcnemar": "signed McNemar statistic",
        "q": f"Q = ln(loss {a} / loss {b})",
        "difference": f"{loss} of {a} − {loss} of {b}",
    }
    shown = [name for name in titles if name in trace.NUMBERS]
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(6.4, 2.2 * len(shown)), layout="constrained")
        axes = fig.subplots(len(shown), 1, sharex=True)
        for ax, statistic in zip(axes, shown, strict=True):
            _draw(ax, trace, statistic, drifts)
            _title(ax, titles[statistic])
            if statistic == "mcnemar":
                _mark_critical(ax)
        band = _band(axes[-1], trace)
        axes[-1].set_xlabel(f"{unit}s")
        axes[-1].set_xlim(0, last_record(trace))
        count_records(axes[-1])
        if title:
            fig.suptitle(one_line(title), fontsize=9.5, parse_math=False)
        _legend(fig, trace, drifts, band)
    return fig


def _draw(ax: Axes, trace: PairTable, statistic: str, drifts: Sequence[KnownDrift]) -> None:
    draw_drifts(ax, drifts)
    ax.axhline(0.0, color="0.45", linewidth=0.8)
    looks = _looks(trace)
    for curve in paired_curves(trace, statistic):
        colour, dash = looks[curve.forgetting]
        marker = "o" if len(curve.n) == 1 else ""
        ax.plot(curve.n, curve.value, color=colour, linestyle=dash, linewidth=1.2, marker=marker, markersize=3.5)


def _looks(trace: PairTable) -> dict[str, tuple[str, tuple[float, Sequence[float]] | Literal["-"]]]:
    """Return the colour and dash of each forgetting; cumulative has the colour of its band."""
    colours = forgetting_colours(trace.forgetting)
    return {name: (colours[name], printed_dash(dash)) for name, dash in forgetting_dashes(trace.forgetting).items()}


def _mark_critical(ax: Axes) -> None:
    """Draw the critical values, and scale the axis so that they are visible next to values of thousands."""
    ax.set_yscale("symlog", linthresh=CRITICAL)
    for level in (-CRITICAL, CRITICAL):
        ax.axhline(level, color=_LIMIT, linewidth=0.9, linestyle=":")
    low, high = ax.get_ylim()
    powers = [10.0**k for k in range(2, 13)]
    ticks = [t for t in [*(-p for p in reversed(powers)), -CRITICAL, 0.0, CRITICAL, *powers] if low <= t <= high]
    labels = [f"{t:,.3f}" if abs(t) == CRITICAL else f"{t:,.0f}" for t in ticks]
    ax.set_yticks(ticks, labels=[label.replace("-", "−") for label in labels])
    ax.minorticks_off()


def _band(ax: Axes, trace: PairTable) -> str:
    """Draw the confidence sequence, or the intervals; return their name, empty if there are none."""
    band = confidence_band(trace)
    if band is None:
        return ""
    ax.fill_between(band.n, band.low, band.high, color=BAND, alpha=0.3, linewidth=0, zorder=1)
    ax.set_ylim(*difference_range(trace))
    return band.name


def _title(ax: Axes, text: str) -> None:
    ax.set_title(text, loc="left", fontsize=9, parse_math=False)


def _legend(fig: PaperFigure, trace: PairTable, drifts: Sequence[KnownDrift], band: str) -> None:
    keys: list[Key] = [
        (name, Line2D([], [], color=colour, linestyle=dash, linewidth=1.2))
        for name, (colour, dash) in _looks(trace).items()
    ]
    if "mcnemar" in trace.NUMBERS:
        faded = "; of faded counts 99.97 %" if any(name.startswith("fading:") for name in trace.forgetting) else ""
        keys.append((f"±6.635 (99 %, one look{faded})", Line2D([], [], color=_LIMIT, linestyle=":", linewidth=0.9)))
    if band:
        keys.append((band, Patch(facecolor=BAND, alpha=0.3)))
    add_legend(fig, keys + drift_keys(drifts), 2)
