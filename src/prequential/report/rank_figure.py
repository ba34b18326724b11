"""The critical-difference diagram of Demšar (2006): mean ranks on a line, bars over learners that do not differ."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from rich.cells import cell_len

from prequential.comparisons.ranking import Ranking
from prequential.report.paper_figure import PaperFigure
from prequential.report.printed import STYLE
from prequential.report.status import one_line

_ROW, _BAR, _LETTER = 0.3, 0.14, 0.078
"""Inches from name to name, from bar to bar, and that a letter takes."""
_TOP = 0.95


@dataclass(frozen=True, slots=True)
class _Name:
    """A learner's place in the diagram: its mean rank, and where its name stands."""

    text: str
    rank: float
    row: int
    left: bool


def draw_ranks(ranking: Ranking) -> PaperFigure:
    """Draw the diagram: the best rank to the right, as in the paper; names at both sides; CD above.

    A bar joins learners whose mean ranks differ by less than the critical difference.
    """
    means = np.asarray(ranking.friedman.mean_ranks)
    names, cliques = _names(ranking), ranking.nemenyi.cliques
    k = len(names)
    width = max(3.4, 0.3 * k)  # of the axis, in inches
    rooms = [0.3 + _LETTER * max(cell_len(n.text) for n in names if n.left == left) for left in (True, False)]
    begin = 0.28 + _BAR * len(cliques)
    depth = begin + _ROW * max(name.row for name in names) + 0.2
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        fig = PaperFigure(figsize=(sum(rooms) + width, depth + _TOP))
        ax = fig.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        inch = (k - 1) / width  # ranks
        ax.set_xlim(k + rooms[0] * inch, 1 - rooms[1] * inch)
        ax.set_ylim(-depth, _TOP)
        _axis(ax, k)
        _critical(ax, ranking, k)
        for i, clique in enumerate(cliques):
            worst, best = means[list(clique)].max(), means[list(clique)].min()
            span, y = [worst + 0.05 * inch, best - 0.05 * inch], -0.18 - _BAR * i
            ax.plot(span, [y, y], color="0.1", linewidth=3.2, solid_capstyle="butt")
        for name in names:
            y = -begin - _ROW * name.row
            edge, side = (k + 0.1 * inch, "right") if name.left else (1 - 0.1 * inch, "left")
            ax.plot([name.rank, name.rank, edge], [0, y, y], color="0.35", linewidth=0.9)
            gap = 0.06 * inch if name.left else -0.06 * inch
            ax.text(edge + gap, y, name.text, ha=side, va="center", fontsize=8.5, parse_math=False)
    return fig


def _names(ranking: Ranking) -> list[_Name]:
    """Place the worse half of the learners at the left and the better half at the right, the outermost on top."""
    means = ranking.friedman.mean_ranks
    order = np.argsort([-mean for mean in means], kind="stable").tolist()
    k = len(order)
    return [
        _Name(
            text=f"{one_line(ranking.learners[i])}  {means[i]:.3f}",
            rank=means[i],
            row=place if place < k // 2 else k - 1 - place,
            left=place < k // 2,
        )
        for place, i in enumerate(order)
    ]


def _axis(ax: Axes, k: int) -> None:
    ax.plot([1, k], [0, 0], color="0.1", linewidth=1.1)
    for half in range(2, 2 * k + 1):
        whole = half % 2 == 0
        ax.plot([half / 2, half / 2], [0, 0.1 if whole else 0.06], color="0.1", linewidth=0.9)
        if whole:
            ax.text(half / 2, 0.14, f"{half // 2}", ha="center", va="bottom", fontsize=8.5)


def _critical(ax: Axes, ranking: Ranking, k: int) -> None:
    """Draw the critical difference above the axis, from its left end on; cut where it is longer than all ranks."""
    cd = ranking.nemenyi.critical_difference
    end = max(k - cd, 1.0)
    ax.plot([k, end], [0.5, 0.5], color="0.1", linewidth=1.1)
    for x in (k, end) if k - cd >= 1 else (k,):
        ax.plot([x, x], [0.45, 0.55], color="0.1", linewidth=1.1)
    ax.text(k, 0.6, f"CD = {cd:.3f} (Nemenyi, α = {ranking.alpha:g})", ha="left", va="bottom", fontsize=8.5)
