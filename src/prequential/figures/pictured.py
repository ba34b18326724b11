"""The interface of results with a picture: show it in Plotly, draw it in Matplotlib, and write it to a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from prequential.drift.statistic_series import StatisticSeries, register_drawings
from prequential.namespace import Suggesting
from prequential.whole_file import FIGURES, checked_suffix

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


class Pictured(Suggesting, ABC):
    """A result with a picture: ``plot`` is always Plotly, ``figure`` always Matplotlib, ``save_figure`` a file."""

    __slots__ = ()

    @abstractmethod
    def plot(self) -> go.Figure:
        """Return an interactive figure, in Plotly."""

    @abstractmethod
    def figure(self) -> PaperFigure:
        """Return the figure for print, in Matplotlib."""

    def save_figure(self, path: str | Path) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, self.figure)

    @staticmethod
    def _shown(figure: go.Figure, draw: Callable[[], PaperFigure]) -> go.Figure:
        """Return an interactive figure that notebooks also keep as the picture for print."""
        from prequential.figures.plotly_style import NotebookFigure  # imports Plotly, which is slow

        return NotebookFigure(figure).with_picture(draw)

    @staticmethod
    def _written(path: str | Path, draw: Callable[[], PaperFigure]) -> Path:
        """Draw a figure and write it; the suffix is checked before."""
        from prequential.figures.matplotlib_style import write_figure  # imports Matplotlib, which is slow

        checked_suffix(path, FIGURES)
        return write_figure(draw(), path)


def _plotted(series: StatisticSeries) -> go.Figure:
    from prequential.figures.plotly_style import NotebookFigure
    from prequential.figures.timeline_plotly import statistic_figure

    return NotebookFigure(statistic_figure(series)).with_picture(lambda: _drawn(series))


def _drawn(series: StatisticSeries) -> PaperFigure:
    from prequential.figures.timeline_matplotlib import draw_statistic

    return draw_statistic(series)


def _written(series: StatisticSeries, path: str | Path) -> Path:
    from prequential.figures.matplotlib_style import write_figure

    checked_suffix(path, FIGURES)
    return write_figure(_drawn(series), path)


register_drawings(plot=_plotted, figure=_drawn, save_figure=_written)
