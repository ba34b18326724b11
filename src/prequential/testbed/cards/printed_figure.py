"""The error curves of a card for print."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from prequential.figures.matplotlib_style import STYLE, PaperFigure, count_records, draw_drifts
from prequential.figures.palette import Ink, card_inks, printed_dash
from prequential.runs.status import one_line
from prequential.testbed.cards.panels import CardPanel, card_panels
from prequential.testbed.cards.results import Results

COLUMNS = 3


def print_card(results: Results) -> PaperFigure:
    """Draw the error over the last 500 records, one panel per stream, as in figure 2 of the paper.

    The learner is a wide line, the others are thin with markers, the optimum is dashed.
    """
    panels = card_panels(results)
    n_columns = min(COLUMNS, len(panels))
    n_rows = -(-len(panels) // n_columns)
    inks = card_inks(results.learner, results.references)
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(max(2.6 * n_columns, 5.2), 2.1 * n_rows + 0.6), layout="constrained")
        axes = fig.subplots(n_rows, n_columns, squeeze=False).ravel()
        for ax, panel in zip(axes, panels, strict=False):
            _draw(ax, panel, inks, results.learner)
        for ax in axes[len(panels) :]:
            ax.remove()
        for ax in axes[max(0, len(panels) - n_columns) : len(panels)]:
            ax.set_xlabel("records")
        handles = [
            Line2D([], [], color=look.colour, linewidth=0.75 * look.width, marker=_marker(name, look, results.learner))
            for name, look in inks.items()
        ]
        handles.append(Line2D([], [], color="0.35", linewidth=1.1, linestyle=printed_dash("dash")))
        legend = fig.legend(
            handles=handles,
            labels=["key"] * len(handles),
            loc="outside lower center",
            ncols=5,
            frameon=False,
            handlelength=2.4,
        )
        for text, name in zip(legend.get_texts(), (*inks, "optimum"), strict=True):
            text.set_parse_math(False)  # the names come from the user: a $ is a dollar
            text.set_text(one_line(name))
        for handle in legend.get_lines():
            handle.set_markersize(3.2)
    return fig


def _draw(ax: Axes, panel: CardPanel, inks: Mapping[str, Ink], own: str) -> None:
    draw_drifts(ax, panel.drifts)
    every = max(1, len(panel.n) // 6)
    for i, (name, curve) in enumerate(panel.curves.items()):
        look = inks[name]
        ax.plot(
            panel.n,
            curve,
            color=look.colour,
            linewidth=0.6 * look.width,
            marker=_marker(name, look, own),
            markersize=2.6,
            markevery=(i * every // len(panel.curves), every),
            zorder=4 if name == own else 3,
        )
    ax.plot(panel.n, panel.optimum, color="0.35", linewidth=1.0, linestyle=printed_dash("dash"), zorder=3.5)
    ax.set_title(panel.stream, loc="left", fontsize=8.5)
    ax.set_ylim(0, panel.top)
    ax.set_xlim(0, panel.n[-1])
    count_records(ax)
    ax.tick_params(labelsize=7)


def _marker(name: str, look: Ink, own: str) -> str:
    return "" if name == own else look.marker
