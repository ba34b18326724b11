"""A run: the results of an evaluation."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from prequential.data_frame import data_frame
from prequential.errors import InputError
from prequential.evaluation.comparison import comparison_in
from prequential.runs.directory import RunDirectory
from prequential.runs.failure import Failure
from prequential.runs.manifest import Manifest
from prequential.runs.stage import counted
from prequential.tables.comparison import Comparison
from prequential.tables.result_table import ResultTable, result_table
from prequential.tables.significance_table import SignificanceTable, significance_table
from prequential.tables.stage_ranking import StageRanking, stage_ranking

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


class Run:
    """The results of an evaluation, read from its directory on demand.

    ``evaluate``, ``score`` and ``score_delayed`` return a run; ``pq.load(path)`` opens a saved one, also while it is
    being written. ``table()`` has the last checkpoint, ``to_arrow()`` and ``to_pandas()`` the whole trace, ``plot()``
    and ``report(path)`` figures, ``compare()`` the difference of two learners.

    Parameters
    ----------
    directory
        The directory of the run.
    keep
        The temporary directory around it, if there is one; it is deleted together with this object.
    """

    def __init__(self, directory: RunDirectory, keep: TemporaryDirectory[str] | None = None) -> None:
        self.directory = directory
        if keep is not None:
            weakref.finalize(self, keep.cleanup)

    @property
    def path(self) -> Path:
        """Path of the directory."""
        return self.directory.path

    @property
    def manifest(self) -> Manifest:
        """The settings of the run, the versions of packages, and the state of each learner."""
        return self.directory.manifest

    @property
    def status(self) -> str:
        """``complete``, ``failed`` (a learner failed), ``partial`` (interrupted) or ``running``."""
        return self.manifest.status

    @property
    def failures(self) -> dict[str, Failure]:
        """The failures by learner: record, message, traceback."""
        return {name: e.failure for name, e in self.manifest.learners.items() if e.failure is not None}

    @property
    def learners(self) -> list[str]:
        """The names of the learners."""
        return list(self.manifest.learners)

    def to_arrow(self) -> pa.Table:
        """Return the tidy trace: learner, fold, n, time, forgetting, metric, value.

        Folds are numbered from 1; a run without folds has the one fold 0. Means over folds are in `table`.
        """
        return self.directory.trace()

    def alarms(self) -> pa.Table:
        """Return the alarms of drift detectors: learner, fold, detector, n, t.

        ``n`` is the number of records seen, as in the trace: the alarm came after the record with index n − 1.
        ``pq.score_alarms`` and the drifts of a stream use this index.
        """
        return self.directory.alarms()

    def significance(self) -> pa.Table:
        """Return the tests over folds at every checkpoint (``KFold``).

        The columns are learner_a, learner_b, n, time, forgetting, metric, test, statistic, p_value, reason. A p-value
        is valid for one look: among many checkpoints, some p-values are small by chance.
        """
        return self.directory.significance()

    def significance_table(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        metrics: str | Sequence[str] | None = None,
        forgetting: str | Sequence[str] | None = None,
        alpha: float = 0.05,
    ) -> SignificanceTable:
        """Return the tests over folds at the end of the run, for all pairs of learners or for one (``KFold``)."""
        pair = None if a is None or b is None else (a, b)
        return significance_table(self.directory, metrics=metrics, forgetting=forgetting, learners=pair, alpha=alpha)

    def bins(self) -> pa.Table:
        """Return the metrics by bin: learner, fold, n, time, forgetting, metric, bin, value (``Delayed``)."""
        return self.directory.bins()

    def irregular(self) -> pa.Table:
        """Return irregular events, such as labels without a record: kind, id, event, t (``Delayed``)."""
        return self.directory.irregular()

    def to_pandas(self) -> pd.DataFrame:
        """Return the tidy trace as a pandas DataFrame."""
        return data_frame(self.to_arrow(), "run.to_pandas()")

    def predictions(self, learner: str) -> pa.Table:
        """Return the predictions of a learner; the run must have been made with ``predictions=True``."""
        return self.directory.predictions(learner)

    def table(self, *, metrics: Sequence[str] | None = None, forgetting: Sequence[str] | None = None) -> ResultTable:
        """Return the last checkpoint of every learner, as a table for terminals and notebooks.

        With several folds, each value is their mean ± standard deviation.
        """
        return result_table(self.directory, metrics=metrics, forgetting=forgetting)

    def ranking(self, metric: str | None = None, *, forgetting: str | None = None) -> StageRanking:
        """Return the ranks of the learners by initial, prioritised and final predictions (``Delayed``).

        The first measure and the first forgetting of the run are the defaults.
        """
        return stage_ranking(self.directory, metric, forgetting)

    def plot(
        self, metrics: str | Sequence[str] | None = None, *, forgetting: str | Sequence[str] | None = None
    ) -> go.Figure:
        """Return an interactive figure of the metrics over time, by default of all metrics.

        Under ``Delayed``, a solid line is the initial prediction, a dashed one Ψ, a dotted one the final prediction.
        """
        from prequential.figures.curves_plotly import figure

        return figure(self.directory, metrics=metrics, forgetting=forgetting)

    def plot_significance(self, metric: str | None = None, *, forgetting: str | None = None) -> go.Figure:
        """Return an interactive figure of the p-values of the tests over folds, over time (``KFold``)."""
        from prequential.figures.significance_plotly import significance_figure

        return significance_figure(self.directory, metric, forgetting)

    def save_significance_figure(
        self, path: str | Path, metric: str | None = None, *, forgetting: str | None = None
    ) -> Path:
        """Write the figure of the p-values for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.figures.significance_matplotlib import save_significance_figure

        return save_significance_figure(self.directory, path, metric, forgetting=forgetting)

    def save_figure(
        self,
        path: str | Path,
        metrics: str | Sequence[str] | None = None,
        *,
        forgetting: str | Sequence[str] | None = None,
    ) -> Path:
        """Write the figure of the metrics for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.figures.curves_matplotlib import save_figure

        return save_figure(self.directory, path, metrics=metrics, forgetting=forgetting)

    def plot_bins(
        self, metric: str | None = None, *, forgetting: str | None = None, learner: str | Sequence[str] | None = None
    ) -> go.Figure:
        """Return an interactive figure of a metric in every bin of the waiting time (``Delayed``).

        The upper part shows the last checkpoint, with one curve per learner. The lower part shows all checkpoints, with
        one panel per learner; the colour is the value. The first measure and the first forgetting of the run are the
        defaults.
        """
        from prequential.figures.bins_plotly import bin_figure

        return bin_figure(self.directory, metric, forgetting=forgetting, learner=learner)

    def save_bins_figure(
        self,
        path: str | Path,
        metric: str | None = None,
        *,
        forgetting: str | None = None,
        learner: str | Sequence[str] | None = None,
    ) -> Path:
        """Save the figure of the bins for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.figures.bins_matplotlib import save_bins_figure

        return save_bins_figure(self.directory, path, metric, forgetting=forgetting, learner=learner)

    def save_report(self, path: str | Path) -> Path:
        """Write the report: one HTML file that works offline."""
        from prequential.report.page import write_page

        return write_page(self.directory, path)

    def compare(self, a: str | None = None, b: str | None = None, *, alpha: float = 0.05) -> Comparison:
        """Compare two learners record by record; names are needed if the run has more than two learners."""
        if (a is None) != (b is None):
            raise InputError(f"{a or b!r} needs a second learner to compare with: name two learners, or none.")
        return comparison_in(self.directory, None if a is None or b is None else (a, b), alpha=alpha)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Run:
        """Copy the run to a directory, and return the copy."""
        return Run(self.directory.copy_to(path, overwrite=overwrite))

    def __repr__(self) -> str:
        manifest = self.manifest
        so_far = f"{manifest.n_records:,} {counted(manifest)}"
        return f"<Run {manifest.name!r}: {manifest.status}, {so_far}>\n{self.table()}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a Run cannot be pickled: save it with run.save(path) and read it with pq.load(path)")


def load(path: str | Path) -> Run:
    """Open the directory of a run, also while it is being written."""
    return Run(RunDirectory.open(path))


AnyRun: TypeAlias = Run | str | Path
"""A run, or its directory."""


def as_run(given: AnyRun) -> Run:
    """Return a run, given as such or as its directory."""
    if isinstance(given, str | Path):
        return load(given)
    if not isinstance(given, Run):
        raise InputError(f"Expected a run or its directory. Got a {type(given).__name__}.")
    return given
