"""A run: the results of an evaluation."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prequential.arguments import checked_call
from prequential.comparisons.loss_series import Bound
from prequential.data_frame import data_frame
from prequential.errors import InputError, ParameterError
from prequential.evaluation.compare import Forgettings, OneRun, compare
from prequential.evaluation.delays import Delays
from prequential.evaluation.folds import Folds
from prequential.figures.pictured import Pictured
from prequential.metrics.metric import Metric
from prequential.namespace import NotIndexed
from prequential.runs.directory import RunDirectory
from prequential.runs.failure import Failure
from prequential.runs.manifest import Manifest
from prequential.runs.stage import counted
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice
from prequential.sheets.tidy_table import TidyTable
from prequential.tables.comparison import Comparison
from prequential.tables.interval_table import IntervalTable, interval_table
from prequential.tables.result_rows import At
from prequential.tables.result_table import ResultTable, result_table

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


class Run(Pictured, NotIndexed):
    """The results of an evaluation, read from its directory on demand.

    ``evaluate``, ``score`` and ``score_delayed`` return a run; ``pq.load(path)`` opens a saved one, also while it is
    being written. ``table()`` has the last checkpoint, which ``print(run)`` and ``to_latex()`` show; ``to_arrow()``,
    ``to_pandas()`` and ``to_dicts()`` have the whole trace; ``plot()`` and ``save_report(path)`` give figures,
    ``compare()`` the difference of two learners.

    Parameters
    ----------
    directory
        The directory of the run.
    keep
        The temporary directory around it, if there is one. It is deleted when neither this run nor a part or a table
        of it is in use.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), "naive_bayes", every=500)
    >>> run.status, run.learners, run.to_arrow().num_columns
    ('complete', ['naive_bayes'], 7)
    """

    def __init__(self, directory: RunDirectory, keep: TemporaryDirectory[str] | None = None) -> None:
        if not isinstance(directory, RunDirectory):
            raise ParameterError("directory", "Run", "a run directory; pq.load(path) opens one", directory)
        self.directory = directory
        if keep is not None:
            weakref.finalize(directory, keep.cleanup)

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

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the tidy trace as one dictionary per row; undefined values are None."""
        return TidyTable(self.to_arrow(), self.manifest.name).to_dicts()

    def to_markdown(self, *, digits: int | None = None, percent: bool = False) -> str:
        """Return the table of the last checkpoint in Markdown: ``table().to_markdown()``."""
        return self.table().to_markdown(digits=digits, percent=percent)

    def to_latex(
        self, *, caption: str | None = None, label: str | None = None, digits: int | None = None, percent: bool = False
    ) -> str:
        """Return the table of the last checkpoint in LaTeX: ``table().to_latex()``."""
        return self.table().to_latex(caption=caption, label=label, digits=digits, percent=percent)

    def to_html(self, *, digits: int | None = None, percent: bool = False) -> str:
        """Return the table of the last checkpoint in HTML: ``table().to_html()``."""
        return self.table().to_html(digits=digits, percent=percent)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def alarms(self) -> TidyTable:
        """Return the alarms of drift detectors: learner, fold, detector, record, time.

        ``record`` is the index, from 0, of the record at which the alarm was given, as in ``pq.drift.score_alarms`` and
        the drifts of a stream; with late labels, that of the label.
        """
        return TidyTable(self.directory.alarms(), f"Alarms · {self.manifest.name}")

    @property
    def folds(self) -> Folds:
        """Results that only runs with folds have: ``table()``, ``significance()``, ``summary()``, figures of the tests.

        Raises
        ------
        InputError
            If the run has no folds.
        """
        return Folds(self.directory)

    @property
    def delays(self) -> Delays:
        """Results that only runs with late labels have: ``bins()``, ``ranking()``, ``latencies()`` and others.

        Raises
        ------
        InputError
            If the labels of the run are not late.
        """
        return Delays(self.directory)

    def to_pandas(self) -> pd.DataFrame:
        """Return the tidy trace as a pandas DataFrame."""
        return data_frame(self.to_arrow(), "run.to_pandas()")

    def predictions(self, learner: str) -> TidyTable:
        """Return the predictions of a learner; the run must have been made with ``predictions=True``."""
        return TidyTable(self.directory.predictions(learner), f"Predictions of {learner} · {self.manifest.name}")

    def psi(self, alpha: float) -> TidyTable:
        """Return Ψ for another α, of a run with late labels: ``run.delays.psi(alpha)``."""
        return self.delays.psi(alpha)

    def table(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
        at: At = "end",
    ) -> ResultTable:
        """Return the results of every learner, or of some, as a table for terminals and notebooks.

        With several folds, each value is their mean ± standard deviation.

        Parameters
        ----------
        metrics, forgetting, learners
            Which of them to show; all by default.
        at
            ``"end"`` for the last checkpoint, ``"mean"`` for the mean over all checkpoints, as papers report, or a
            number of records: the last checkpoint at or before it. A mean is undefined where one checkpoint is.
        """
        return result_table(self.directory, metrics=metrics, forgetting=forgetting, learners=learners, at=at)

    def intervals(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
        confidence: float = 0.95,
    ) -> IntervalTable:
        """Return the intervals around the estimates of metrics that are means over records, at every checkpoint.

        By batch means, for one look, also if records depend on each other; Wilson's and Hoeffding's for comparison; and
        a confidence sequence for any number of looks, over all history, if the loss is bounded. The run needs the
        forgetting ``cumulative``.

        Examples
        --------
        >>> import prequential as pq
        >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(10_000), "naive_bayes", metrics="accuracy", every=500)
        >>> row = run.intervals(forgetting="cumulative").last()[0]
        >>> [round(row[name], 3) for name in ("value", "low", "high")]
        [0.882, 0.875, 0.888]
        """
        return interval_table(
            self.directory, metrics=metrics, forgetting=forgetting, learners=learners, confidence=confidence
        )

    def plot(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> go.Figure:
        """Return an interactive figure of the metrics over time, by default of all metrics and learners.

        Under ``Delayed``, a solid line is the initial prediction, a dashed one Ψ, a dotted one the final prediction.
        """
        from prequential.figures.curves_plotly import figure

        drawn = figure(self.directory, metrics=metrics, forgetting=forgetting, learners=learners)
        return self._shown(drawn, lambda: self.figure(metrics, forgetting=forgetting, learners=learners))

    def figure(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> PaperFigure:
        """Draw the metrics over time for print, with Matplotlib."""
        from prequential.figures.curves_matplotlib import printed_curves

        return printed_curves(self.directory, metrics=metrics, forgetting=forgetting, learners=learners)

    def save_figure(
        self,
        path: str | Path,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> Path:
        """Write the figure of the metrics for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, lambda: self.figure(metrics, forgetting=forgetting, learners=learners))

    def save_report(self, path: str | Path) -> Path:
        """Write the report: one HTML file that works offline."""
        from prequential.report.page import write_page

        return write_page(self.directory, path)

    def compare(
        self,
        a: OneRun | None = None,
        b: str | None = None,
        *,
        learners: Sequence[str] | None = None,
        loss: str | Metric | None = None,
        bound: Bound = None,
        forgetting: Forgettings | None = None,
        stage: str | None = None,
        alpha: float = 0.05,
    ) -> Comparison:
        """Compare two learners record by record: ``pq.compare`` with this run.

        ``run.compare("a", "b")`` compares two learners, ``run.compare(other)`` this run with another one on the same
        stream. Names are needed if the run has more than two learners. With late labels ``stage="final"`` compares the
        final predictions, otherwise the initial ones.
        """
        return compare(
            self, a, b, learners=learners, loss=loss, bound=bound, forgetting=forgetting, stage=stage, alpha=alpha
        )

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
        raise InputError("A run cannot be pickled or copied: write run.save(path) and pq.load(path).")


@checked_call
def load(path: str | Path) -> Run:
    """Open the directory of a run, also while it is being written.

    Examples
    --------
    >>> import tempfile
    >>> import prequential as pq
    >>> with tempfile.TemporaryDirectory() as place:
    ...     made = pq.evaluate(pq.streams.SEA(seed=1).take(2000), "no_change", directory=f"{place}/run")
    ...     pq.load(f"{place}/run").status
    'complete'
    """
    return Run(RunDirectory.open(path))
