"""Two learners over time: M with its critical value, Q, and the difference with its confidence sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from prequential.comparisons.mcnemar import CRITICAL
from prequential.comparisons.paired import PairedTrace
from prequential.report.curves import KnownDrift, thin
from prequential.report.difference_range import difference_range
from prequential.report.palette import BAND, forgetting_colours, forgetting_dashes, printed_dash
from prequential.report.paper_figure import PaperFigure
from prequential.report.printed import STYLE, count_records, draw_drifts, drift_keys
from prequential.report.status import one_line

_LIMIT = "#D55E00"


def draw_comparison(trace: PairedTrace, *, title: str = "", drifts: Sequence[KnownDrift] = ()) -> PaperFigure:
    """Draw two learners over the records, in three panels; below 0 the first is better in all of them.

    M is drawn to scale up to its critical value, 6.635, and by its logarithm beyond. Of several folds the first is
    drawn.
    """
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(6.4, 6.6), layout="constrained")
        axes = fig.subplots(3, 1, sharex=True)
        _draw(axes[0], trace, "mcnemar", drifts)
        _mark_critical(axes[0])
        _title(axes[0], "signed McNemar statistic")
        _draw(axes[1], trace, "q", drifts)
        _title(axes[1], f"Q = ln(loss {one_line(trace.a)} / loss {one_line(trace.b)})")
        _draw(axes[2], trace, "difference", drifts)
        banded = _band(axes[2], trace)
        _title(axes[2], f"error of {one_line(trace.a)} − error of {one_line(trace.b)}")
        axes[2].set_xlabel("records")
        axes[2].set_xlim(0, int(np.max(trace.table["n"].to_numpy())))
        count_records(axes[2])
        if title:
            fig.suptitle(one_line(title), fontsize=9.5, parse_math=False)
        _legend(fig, trace, drifts, banded)
    return fig


def _draw(ax: Axes, trace: PairedTrace, name: str, drifts: Sequence[KnownDrift]) -> None:
    draw_drifts(ax, drifts)
    ax.axhline(0.0, color="0.45", linewidth=0.8)
    for forgetting, (colour, dash) in _looks(trace).items():
        series = trace.series(forgetting, trace.folds[0])
        value = np.where(np.isfinite(series[name]), series[name], np.nan)  # an infinite Q is a gap
        n, value = thin(series["n"].astype(np.int64), value)
        marker = "o" if len(n) == 1 else ""
        ax.plot(n, value, color=colour, linestyle=dash, linewidth=1.2, marker=marker, markersize=3.5)


def _looks(trace: PairedTrace) -> dict[str, tuple[str, tuple[float, Sequence[float]] | Literal["-"]]]:
    """Return the colour and dash of each forgetting; all history has the colour of its band."""
    colours = forgetting_colours(trace.forgetting)
    return {name: (colours[name], printed_dash(dash)) for name, dash in forgetting_dashes(trace.forgetting).items()}


def _mark_critical(ax: Axes) -> None:
    """Draw the critical values, and scale the axis so that they are seen beside values of thousands."""
    ax.set_yscale("symlog", linthresh=CRITICAL)
    for level in (-CRITICAL, CRITICAL):
        ax.axhline(level, color=_LIMIT, linewidth=0.9, linestyle=":")
    low, high = ax.get_ylim()
    powers = [10.0**k for k in range(2, 13)]
    ticks = [t for t in [*(-p for p in reversed(powers)), -CRITICAL, 0.0, CRITICAL, *powers] if low <= t <= high]
    labels = [f"{t:,.3f}" if abs(t) == CRITICAL else f"{t:,.0f}" for t in ticks]
    ax.set_yticks(ticks, labels=[label.replace("-", "−") for label in labels])
    ax.minorticks_off()


def _band(ax: Axes, trace: PairedTrace) -> bool:
    """Draw the confidence sequence; return whether there is one."""
    if "cumulative" not in trace.forgetting:
        return False
    series = trace.series("cumulative", trace.folds[0])
    low, high = series["sequence_low"], series["sequence_high"]
    if np.isnan(low).all():
        return False
    ax.fill_between(series["n"], low, high, color=BAND, alpha=0.3, linewidth=0, zorder=1)
    ax.set_ylim(*difference_range(trace))
    return True


def _title(ax: Axes, text: str) -> None:
    ax.set_title(text, loc="left", fontsize=9, parse_math=False)


def _legend(fig: PaperFigure, trace: PairedTrace, drifts: Sequence[KnownDrift], banded: bool) -> None:
    keys: list[tuple[str, Line2D | Patch]] = [
        (name, Line2D([], [], color=colour, linestyle=dash, linewidth=1.2))
        for name, (colour, dash) in _looks(trace).items()
    ]
    faded = "; of faded counts 99.97 %" if any(name.startswith("fading:") for name in trace.forgetting) else ""
    keys.append((f"±6.635 (99 %, one look{faded})", Line2D([], [], color=_LIMIT, linestyle=":", linewidth=0.9)))
    if banded:
        name = f"confidence sequence ({100 * (1 - trace.alpha):g} %, any number of looks)"
        keys.append((name, Patch(facecolor=BAND, alpha=0.3)))
    keys += drift_keys(drifts)
    fig.legend(
        handles=[handle for _, handle in keys],
        labels=[name for name, _ in keys],
        loc="outside lower center",
        ncols=2,
        frameon=False,
        handlelength=2.6,
    )
