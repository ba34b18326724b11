"""The p-values of two or more learners over time, for print: PNG, SVG and PDF."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from prequential.report.file import FIGURES, checked_suffix
from prequential.report.palette import printed_dash
from prequential.report.printed import STYLE, count_records, write_figure
from prequential.report.significance_curves import ALPHA, LEAST, TICKS, SignificanceCurves, significance_curves
from prequential.runs.directory import RunDirectory


def save_significance_figure(
    directory: RunDirectory, path: str | Path, measure: str | None = None, *, forgetting: str | None = None
) -> Path:
    """Draw p over the records for print; the suffix of the path says whether as PNG, SVG or PDF.

    A colour a pair of learners, a dash a test, and a line at 0.05. The same run gives the same file.
    """
    checked_suffix(path, FIGURES)
    panel = significance_curves(directory, measure, forgetting)
    with mpl.rc_context(STYLE):
        return write_figure(printed_significance(panel), path)


def printed_significance(panel: SignificanceCurves) -> Figure:
    """Draw p over the records with Matplotlib, on a logarithmic axis."""
    n_lines = -(-len(panel.curves) // 2)
    fig = Figure(figsize=(6.4, 3.0 + 0.19 * n_lines), layout="constrained")
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
    handles = ax.get_lines()
    ax.axhline(ALPHA, color="0.2", linewidth=0.8, linestyle=":")
    ax.annotate(f"{ALPHA:g}", (1, ALPHA), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=7.5)
    ax.set_yscale("log")
    ax.set_ylim(LEAST * 0.8, 1.1)
    ax.set_yticks(list(TICKS), list(TICKS.values()))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("records")
    ax.set_ylabel(panel.label, parse_math=False)
    count_records(ax)
    legend = fig.legend(
        handles=handles,
        labels=["key"] * len(handles),
        loc="outside lower center",
        ncols=2,
        frameon=False,
        handlelength=2.6,
    )
    for text, curve in zip(legend.get_texts(), panel.curves, strict=True):
        text.set_parse_math(False)  # names are the user's: a $ is a dollar
        text.set_text(curve.name)
    return fig
