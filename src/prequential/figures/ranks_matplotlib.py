"""The critical-difference diagram of Demšar (2006), drawn with Matplotlib."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib.axes import Axes
from rich.cells import cell_len

from prequential.comparisons.ranking import Ranking
from prequential.figures.matplotlib_style import STYLE, PaperFigure
from prequential.figures.ranks import rank_bars, rank_labels

_ROW, _BAR, _LETTER = 0.3, 0.14, 0.078
"""The distances between labels and between bars, and the width of a letter, in inches."""
_TOP = 0.95


def draw_ranks(ranking: Ranking) -> PaperFigure:
    """Draw the diagram: the best rank at the right, as in the paper; labels at both sides; CD above.

    A bar joins learners whose mean ranks differ by less than the critical difference.
    """
    labels, bars = rank_labels(ranking), rank_bars(ranking)
    k = len(labels)
    width = max(3.4, 0.3 * k)  # of the axis, in inches
    margins = [0.3 + _LETTER * max(cell_len(one.text) for one in labels if one.left == left) for left in (True, False)]
    begin = 0.28 + _BAR * len(bars)
    depth = begin + _ROW * max(label.row for label in labels) + 0.2
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        fig = PaperFigure(figsize=(sum(margins) + width, depth + _TOP))
        ax = fig.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        inch = (k - 1) / width  # ranks
        ax.set_xlim(k + margins[0] * inch, 1 - margins[1] * inch)
        ax.set_ylim(-depth, _TOP)
        _draw_axis(ax, k)
        _draw_critical_difference(ax, ranking, k)
        for i, (worst, best) in enumerate(bars):
            span, y = [worst + 0.05 * inch, best - 0.05 * inch], -0.18 - _BAR * i
            ax.plot(span, [y, y], color="0.1", linewidth=3.2, solid_capstyle="butt")
        for label in labels:
            y = -begin - _ROW * label.row
            edge, side = (k + 0.1 * inch, "right") if label.left else (1 - 0.1 * inch, "left")
            ax.plot([label.rank, label.rank, edge], [0, y, y], color="0.35", linewidth=0.9)
            gap = 0.06 * inch if label.left else -0.06 * inch
            ax.text(edge + gap, y, label.text, ha=side, va="center", fontsize=8.5, parse_math=False)
    return fig


def _draw_axis(ax: Axes, k: int) -> None:
    ax.plot([1, k], [0, 0], color="0.1", linewidth=1.1)
    for half in range(2, 2 * k + 1):
        whole = half % 2 == 0
        ax.plot([half / 2, half / 2], [0, 0.1 if whole else 0.06], color="0.1", linewidth=0.9)
        if whole:
            ax.text(half / 2, 0.14, f"{half // 2}", ha="center", va="bottom", fontsize=8.5)


def _draw_critical_difference(ax: Axes, ranking: Ranking, k: int) -> None:
    """Draw the critical difference above the axis, from its left end; cut off if it is longer than the axis."""
    cd = ranking.nemenyi.critical_difference
    end = max(k - cd, 1.0)
    ax.plot([k, end], [0.5, 0.5], color="0.1", linewidth=1.1)
    for x in (k, end) if k - cd >= 1 else (k,):
        ax.plot([x, x], [0.45, 0.55], color="0.1", linewidth=1.1)
    ax.text(k, 0.6, f"CD = {cd:.3f} (Nemenyi, α = {ranking.alpha:g})", ha="left", va="bottom", fontsize=8.5)
