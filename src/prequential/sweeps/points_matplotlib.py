"""Delay against false alarms, drawn with Matplotlib."""

from __future__ import annotations

import matplotlib as mpl

from prequential.figures.matplotlib_style import STYLE, PaperFigure
from prequential.figures.palette import COLOURS
from prequential.sweeps.points import TradeOffPoints


def draw_trade_off(found: TradeOffPoints) -> PaperFigure:
    """Draw one point per setting; those of the Pareto set are full and joined."""
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(6.4, 4.2), layout="constrained")
        ax = fig.subplots()
        for k, learner in enumerate(found.learners):
            colour = COLOURS[k % len(COLOURS)]
            for pareto in (True, False):
                points = found.of(learner, pareto=pareto)
                ax.errorbar(
                    [one.false_per_run for one in points],
                    [one.delay for one in points],
                    yerr=[one.error for one in points],
                    color=colour,
                    marker="o",
                    markersize=5,
                    markerfacecolor=colour if pareto else "white",
                    linestyle="-" if pareto else "",
                    linewidth=1.0,
                    elinewidth=0.8,
                    capsize=2,
                )
                for one in points:
                    ax.annotate(
                        one.text,
                        (one.false_per_run, one.delay),
                        xytext=(5, 4),
                        textcoords="offset points",
                        fontsize=7,
                        parse_math=False,
                    )
        ax.margins(x=0.15, y=0.12)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("false alarms per run")
        ax.set_ylabel("mean delay in records")
        ax.set_title(found.title, loc="left", fontsize=9, parse_math=False)
        return fig
