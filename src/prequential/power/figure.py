"""A printed figure of rejection rates over the number of folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from prequential.figures.matplotlib_style import STYLE, PaperFigure
from prequential.figures.palette import COLOURS, printed_dash
from prequential.power.design import TESTS
from prequential.power.rate import Rate
from prequential.runs.status import one_line

if TYPE_CHECKING:
    from prequential.power.table import Power

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_MARKERS = "os^Dv<"
_SPREAD = 0.6
"""Share of the distance between two numbers of folds over which the points of one are spread."""

Setting = tuple[str, str]
"""A scheme, and which records test."""


def draw_power(power: Power) -> PaperFigure:
    """Draw the rates over the number of folds, with intervals: one row per stream, one panel per copy of the learner.

    Tests differ in colour, schemes in marker and dash. The line at α is where the rates of the same learner should lie;
    those of noisy copies should be high.
    """
    design, found = power.design, power.rates()
    streams, copies = list(design.streams), (None, *design.noise)
    settings = list(dict.fromkeys((case.scheme, case.tests) for case in design.cases))
    with mpl.rc_context(STYLE):
        size = (max(5.2, 2.7 * len(copies)), 2.3 * len(streams) + 0.7)
        fig = PaperFigure(figsize=size, layout="constrained")
        axes = fig.subplots(len(streams), len(copies), squeeze=False, sharex=True, sharey=True)
        for row, stream in zip(axes, streams, strict=True):
            for ax, noise in zip(row, copies, strict=True):
                _draw(
                    ax,
                    [one for one in found if one.case.stream == stream and one.noise == noise],
                    settings,
                    design.folds,
                )
                ax.axhline(design.alpha, color="0.35", linewidth=0.9, linestyle=(0, (1, 1.5)), zorder=1)
                title = "same learner" if noise is None else f"noise {noise:g}"
                ax.set_title(
                    title if len(streams) == 1 else f"{one_line(stream)}, {title}",
                    loc="left",
                    fontsize=8.5,
                    parse_math=False,
                )
            row[0].set_ylabel("share rejected")
        for ax in axes[-1]:
            ax.set_xlabel("folds")
        keys = _keys(settings, several_tests=len(design.tests) > 1, alpha=design.alpha)
        fig.legend(handles=keys, loc="outside lower center", ncols=4, frameon=False, handlelength=2.6)
    return fig


def _draw(ax: Axes, found: Sequence[Rate], settings: Sequence[Setting], folds: Sequence[int]) -> None:
    n_curves = len(TESTS) * len(settings)
    for i, test in enumerate(TESTS):
        for j, setting in enumerate(settings):
            mine = {
                one.case.folds: one
                for one in found
                if one.test == test and (one.case.scheme, one.case.tests) == setting and one.n_runs
            }
            shift = _SPREAD * ((i * len(settings) + j + 0.5) / n_curves - 0.5)
            at = [place for place, k in enumerate(folds) if k in mine]
            points = [mine[folds[place]] for place in at]
            rate = [one.rejection_rate for one in points]
            below = [one.rejection_rate - one.interval.low for one in points]
            above = [one.interval.high - one.rejection_rate for one in points]
            ax.errorbar(
                [place + shift for place in at],
                rate,
                yerr=[below, above],
                color=COLOURS[i],
                linestyle=printed_dash(_DASHES[j % len(_DASHES)]),
                marker=_MARKERS[j % len(_MARKERS)],
                markersize=3.6,
                linewidth=1.0,
                elinewidth=0.7,
            )
    ax.set_xticks(range(len(folds)), [str(k) for k in folds])
    ax.set_xlim(-0.5, len(folds) - 0.5)
    ax.set_ylim(-0.03, 1.03)
    ax.grid(visible=False, axis="x")


def _keys(settings: Sequence[Setting], *, several_tests: bool, alpha: float) -> list[Line2D]:
    colours = [Line2D([], [], color=COLOURS[i], linewidth=2.0, label=test) for i, test in enumerate(TESTS)]
    shapes = [
        Line2D(
            [],
            [],
            color="0.3",
            linestyle=printed_dash(_DASHES[j % len(_DASHES)]),
            marker=_MARKERS[j % len(_MARKERS)],
            markersize=3.6,
            linewidth=1.0,
            label=f"{scheme}, {tests.replace('_', ' ')}" if several_tests else scheme,
        )
        for j, (scheme, tests) in enumerate(settings)
    ]
    level = Line2D([], [], color="0.35", linewidth=0.9, linestyle=(0, (1, 1.5)), label=f"α = {alpha:g}")
    return [*colours, *shapes, level]
