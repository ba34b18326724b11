"""Results that only runs with late labels have: bins of the waiting time, ranks by stage, latencies and others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.arguments import is_number
from prequential.errors import InputError, ParameterError
from prequential.figures.pictured import Pictured
from prequential.metrics.binned import prioritised
from prequential.runs.directory import RunDirectory
from prequential.runs.stage import is_delayed
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Sheet
from prequential.sheets.tidy_table import TidyTable
from prequential.tables.latency_table import LatencyTable
from prequential.tables.stage_ranking import StageRanking, stage_ranking

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


class Delays(Printable, Pictured):
    """The late labels of a run with ``protocol=pq.Delayed(…)``: ``run.delays``.

    Its figure is a metric by bin of the waiting time. Above, the last checkpoint, with one curve per learner; below,
    all checkpoints, with one panel per learner, where the colour is the value.

    Parameters
    ----------
    directory
        The directory of the run.

    Raises
    ------
    InputError
        If the labels of the run are not late.

    Examples
    --------
    >>> import prequential as pq
    >>> late = pq.streams.SEA(seed=1).take(500).delayed(20)
    >>> run = pq.evaluate(late, ["naive_bayes", "no_change"], protocol=pq.Delayed(bins=2), metrics="accuracy")
    >>> run.delays.latencies().to_dicts()[0]["mean"]
    20.0
    """

    def __init__(self, directory: RunDirectory) -> None:
        if not is_delayed(directory.manifest):
            raise InputError(
                f"{directory.path}: run.delays needs a run with late labels (protocol=pq.Delayed(…)). The protocol of "
                f"this run is {directory.manifest.protocol.get('protocol')!r}."
            )
        self.directory = directory

    def sheet(self) -> Sheet:
        """Return the latencies as text."""
        return self.latencies().sheet()

    def paragraphs(self) -> tuple[str, ...]:
        """Return the text below the table."""
        return self.latencies().paragraphs()

    def to_arrow(self) -> pa.Table:
        """Return the metrics by bin: `bins`."""
        return self.directory.bins()

    def bins(self) -> TidyTable:
        """Return the metrics by bin: learner, fold, n, time, forgetting, metric, bin, value."""
        return TidyTable(self.directory.bins(), f"Bins of the waiting time · {self.directory.manifest.name}")

    def psi(self, alpha: float) -> TidyTable:
        """Return Ψ for another α, from the saved bins: learner, fold, n, time, forgetting, metric, value.

        The numbers are those of a run with ``Delayed(psi_alpha=alpha)``. NaN where a bin is undefined.
        """
        protocol = self.directory.manifest.protocol
        n_bins = int(protocol["bins"])
        if not (is_number(alpha) and 1 <= alpha < float("inf")):
            raise ParameterError("alpha", "psi", "a number of at least 1", alpha)
        table = self.directory.bins()
        table = table.filter(pc.less_equal(table["bin"], n_bins)).combine_chunks()
        keys = ["learner", "fold", "n", "time", "forgetting", "metric"]
        plain = pa.table({name: _plain(table[name]) for name in [*keys, "bin", "value"]})
        grouped = plain.group_by(keys, use_threads=False).aggregate([("bin", "list"), ("value", "list")])
        found = []
        for bins, values in zip(grouped["bin_list"].to_pylist(), grouped["value_list"].to_pylist(), strict=True):
            row = np.full(n_bins + 1, np.nan)
            row[bins] = values
            found.append(float(prioritised(row, float(alpha))))
        shown = grouped.select(keys).append_column("value", pa.array(found, pa.float64()))
        return TidyTable(shown, f"Ψ, α = {alpha:g} · {self.directory.manifest.name}")

    def irregular(self) -> TidyTable:
        """Return irregular events, such as labels without a record: kind, id, event, time."""
        return TidyTable(self.directory.irregular(), f"Irregular events · {self.directory.manifest.name}")

    def ranking(self, metric: str | None = None, *, forgetting: str | None = None) -> StageRanking:
        """Return the ranks of the learners by initial, prioritised and final predictions.

        The first metric and the first forgetting of the run are the defaults.
        """
        return stage_ranking(self.directory, metric, forgetting)

    def latencies(self) -> LatencyTable:
        """Return the times from a record to its label: quantiles as a table, and a histogram as a figure."""
        return LatencyTable.of(self.directory)

    def plot(
        self, metric: str | None = None, *, forgetting: str | None = None, learners: str | Sequence[str] | None = None
    ) -> go.Figure:
        """Return an interactive figure of a metric in every bin of the waiting time.

        The first metric and the first forgetting of the run, and all learners, are the defaults.
        """
        from prequential.figures.bins_plotly import bin_figure

        drawn = bin_figure(self.directory, metric, forgetting=forgetting, learners=learners)
        return self._shown(drawn, lambda: self.figure(metric, forgetting=forgetting, learners=learners))

    def figure(
        self, metric: str | None = None, *, forgetting: str | None = None, learners: str | Sequence[str] | None = None
    ) -> PaperFigure:
        """Draw the same figure for print."""
        from prequential.figures.bins_matplotlib import printed_bins

        return printed_bins(self.directory, metric, forgetting=forgetting, learners=learners)

    def save_figure(
        self,
        path: str | Path,
        metric: str | None = None,
        *,
        forgetting: str | None = None,
        learners: str | Sequence[str] | None = None,
    ) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, lambda: self.figure(metric, forgetting=forgetting, learners=learners))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column without a dictionary, by which rows can be grouped."""
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
