"""The distribution of label latencies, drawn with Matplotlib."""

from __future__ import annotations

import matplotlib as mpl

from prequential.figures.matplotlib_style import STYLE, PaperFigure
from prequential.runs.latency_histogram import LatencyHistogram


def draw_latencies(histogram: LatencyHistogram) -> PaperFigure:
    """Draw the histogram over a logarithmic axis, with marked quantiles."""
    x, y = histogram.outline
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(6.0, 2.6), layout="constrained")
        ax = fig.subplots()
        ax.fill_between(x, y, color="#0072B2", alpha=0.35, linewidth=0)
        ax.plot(x, y, color="#0072B2", linewidth=0.9)
        ax.set_xscale("log")
        ax.set_xlabel(f"latency{histogram.unit}")
        if not histogram.unit:
            ax.set_xticks(histogram.ticks, map(histogram.written, histogram.ticks))
            ax.minorticks_off()
        ax.set_ylabel("labels")
        ax.set_ylim(0, 1.25 * max(y))
        for k, (name, at) in enumerate(histogram.quantiles):
            ax.axvline(at, color="0.2", linewidth=0.8, linestyle=":")
            ax.annotate(name, (at, 1.2 - 0.1 * k), xycoords=("data", ax.get_xaxis_transform()), fontsize=7.5)
    return fig
