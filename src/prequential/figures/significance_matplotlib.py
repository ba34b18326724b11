"""The p-values of tests over folds, drawn with Matplotlib."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib.ticker import NullLocator

from prequential.figures.matplotlib_style import STYLE, PaperFigure, add_legend, count_records
from prequential.figures.palette import printed_dash
from prequential.figures.significance import ALPHA, LEAST, TICKS, SignificancePanel, significance_panel
from prequential.runs.directory import RunDirectory


def printed_significance(
    directory: RunDirectory, metric: str | None = None, *, forgetting: str | None = None
) -> PaperFigure:
    """Draw p over the records for print.

    One colour per pair of learners, one dash per test, and a line at 0.05. Equal runs give equal figures.
    """
    panel = significance_panel(directory, metric, forgetting)
    with mpl.rc_context(STYLE):
        return draw_significance(panel)


def draw_significance(panel: SignificancePanel) -> PaperFigure:
    """Draw p over the records, on a logarithmic axis."""
    n_lines = -(-len(panel.curves) // 2)
    fig = PaperFigure(figsize=(6.4, 3.0 + 0.19 * n_lines), layout="constrained")
    ax = fig.subplots()
    for curve in panel.curves:
        ax.plot(
            curve.n,
            curve.drawn,
            color=curve.colour,
            linestyle=printed_dash(curve.dash),
            linewidth=1.2,
            marker="o" if len(curve.n) == 1 else None,
            markersize=3.2,
        )
    lines = list(ax.get_lines())
    ax.axhline(ALPHA, color="0.2", linewidth=0.8, linestyle=":")
    ax.annotate(f"{ALPHA:g}", (1, ALPHA), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=7.5)
    ax.set_yscale("log")
    ax.set_ylim(LEAST * 0.8, 1.1)
    ax.set_yticks(list(TICKS), list(TICKS.values()))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("records")
    ax.set_ylabel(panel.label, parse_math=False)
    count_records(ax)
    add_legend(fig, [(curve.name, line) for curve, line in zip(panel.curves, lines, strict=True)], 2)
    return fig
