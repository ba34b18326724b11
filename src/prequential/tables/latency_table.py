"""The times from a record to its label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prequential.errors import InputError
from prequential.figures.pictured import Pictured
from prequential.number import count
from prequential.runs.directory import RunDirectory
from prequential.runs.latency_histogram import LatencyHistogram, latency_histogram, written_latency
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LatencyTable(Printable, Pictured):
    """The latencies of the labels of a run, in the unit of the stream's time.

    Parameters
    ----------
    latency
        The summary in the manifest.
    """

    latency: Mapping[str, Any]

    @classmethod
    def of(cls, directory: RunDirectory) -> LatencyTable:
        """Return the latencies of a run."""
        latency = (directory.manifest.events or {}).get("latency")
        if not latency:
            raise InputError(f"{directory.path}: no label has arrived, so there are no latencies.")
        return cls(latency)

    def sheet(self) -> Sheet:
        """Return the quantiles as text."""
        (row,) = self.to_dicts()
        unit = "" if self.latency.get("unit") else ", in the unit of the stream's time"
        caption, written = f"Latency of {count(row.pop('n'))} labels{unit}", written_latency(self.latency)
        rows = tuple((Cell(name), Cell(written(value))) for name, value in row.items())
        accuracy = "" if self.latency.get("exact") else "Quantiles are accurate to 9 % of their value."
        return Sheet(caption, (Heading("", number=False), Heading("latency")), rows, remark=accuracy)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary: the number of labels, and the least, the mean, quantiles, the most."""
        latency = self.latency
        quantiles = {f"quantile_{share}": value for share, value in latency["quantiles"].items()}
        return [
            {
                "n": latency["n"],
                "least": latency["least"],
                "mean": latency["mean"],
                **quantiles,
                "most": latency["most"],
            }
        ]

    def plot(self) -> go.Figure:
        """Return the histogram as an interactive figure, on a logarithmic axis."""
        from prequential.figures.latency_plotly import latency_figure

        return self._shown(latency_figure(self._histogram()), self.figure)

    def figure(self) -> PaperFigure:
        """Draw the histogram for print, on a logarithmic axis."""
        from prequential.figures.latency_matplotlib import draw_latencies

        return draw_latencies(self._histogram())

    def _histogram(self) -> LatencyHistogram:
        found = latency_histogram(self.latency)
        if found is None:
            latency = written_latency(self.latency)(self.latency["most"])
            raise InputError(f"All labels have the latency {latency}: there is no histogram.")
        return found
