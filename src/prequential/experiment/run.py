"""What an evaluation gives back."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from prequential.errors import InputError, MissingExtraError
from prequential.report import (
    ResultTable,
    SignificanceTable,
    StageRanking,
    result_table,
    significance_table,
    stage_ranking,
)
from prequential.report.stage import counted
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Failure, Manifest

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from prequential.report import Comparison


class Run:
    """A finished, failed or partial run: its directory, read on demand.

    Parameters
    ----------
    directory
        Where the run is.
    keep
        The temporary directory it lives in, if nobody chose one; it goes away with this object.
    """

    def __init__(self, directory: RunDirectory, keep: TemporaryDirectory[str] | None = None) -> None:
        self.directory = directory
        if keep is not None:
            weakref.finalize(self, keep.cleanup)

    @property
    def path(self) -> Path:
        """The directory."""
        return self.directory.path

    @property
    def manifest(self) -> Manifest:
        """What was asked, with which versions, and how each learner fared."""
        return self.directory.manifest

    @property
    def status(self) -> str:
        """``complete``, ``failed`` (a learner failed), ``partial`` (interrupted) or ``running``."""
        return self.manifest.status

    @property
    def failures(self) -> dict[str, Failure]:
        """The learners that failed: record, message, traceback."""
        return {name: e.failure for name, e in self.manifest.learners.items() if e.failure is not None}

    @property
    def learners(self) -> list[str]:
        """The names of the learners."""
        return list(self.manifest.learners)

    def to_arrow(self) -> pa.Table:
        """Return the tidy trace: learner, fold, n, t, forgetting, measure, value.

        The fold is 0 unless the protocol has several: then they count from 1, and fold 0 is their mean.
        """
        return self.directory.trace()

    def alarms(self) -> pa.Table:
        """Return the alarms of drift detectors: learner, fold, detector, n, t.

        ``n`` is the number of records seen, as in the trace: the alarm came after the record with the index n − 1,
        which is what ``pq.score_alarms`` and the drifts of a stream count by.
        """
        return self.directory.alarms()

    def significance(self) -> pa.Table:
        """Return, with several folds, the tests over them at every checkpoint.

        The columns are learner_a, learner_b, n, t, forgetting, measure, test, statistic, p, reason. A p-value is for
        one look: who looks at many finds some below any bound.
        """
        return self.directory.significance()

    def significance_table(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        measures: str | Sequence[str] | None = None,
        forgetting: str | Sequence[str] | None = None,
        alpha: float = 0.05,
    ) -> SignificanceTable:
        """Return, with several folds, the tests over them at the end of the run; of every two learners, or of two."""
        pair = None if a is None or b is None else (a, b)
        return significance_table(self.directory, measures=measures, forgetting=forgetting, learners=pair, alpha=alpha)

    def bins(self) -> pa.Table:
        """Return, with delayed labels, the measures by bin: learner, fold, n, t, forgetting, measure, bin, value."""
        return self.directory.bins()

    def irregular(self) -> pa.Table:
        """Return, with delayed labels, the events that are not as they should be: kind, id, event, t."""
        return self.directory.irregular()

    def to_pandas(self) -> pd.DataFrame:
        """Return the tidy trace as a pandas DataFrame."""
        try:
            import pandas  # noqa: F401  # only to see whether it is there
        except ImportError as error:
            raise MissingExtraError("run.to_pandas()", "pandas") from error
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def predictions(self, learner: str) -> pa.Table:
        """Return the saved predictions of a learner; they are saved with ``predictions=True``."""
        return self.directory.predictions(learner)

    def table(self, *, measures: Sequence[str] | None = None, forgetting: Sequence[str] | None = None) -> ResultTable:
        """Return the last checkpoint of every learner; it prints as text and shows itself in a notebook.

        With several folds: their mean ± their standard deviation.
        """
        return result_table(self.directory, measures=measures, forgetting=forgetting)

    def ranking(self, measure: str | None = None, *, forgetting: str | None = None) -> StageRanking:
        """Return, with delayed labels, the learners ranked by initial, prioritised and final predictions side by side.

        By the first measure and under the first forgetting of the run, if no other is named.
        """
        return stage_ranking(self.directory, measure, forgetting)

    def plot(
        self, measures: str | Sequence[str] | None = None, *, forgetting: str | Sequence[str] | None = None
    ) -> go.Figure:
        """Return an interactive figure of the measures over time, all of them by default.

        With delayed labels a solid line is the initial prediction, a dashed one Ψ, a dotted one the final one.
        """
        from prequential.report.interactive import figure

        return figure(self.directory, measures=measures, forgetting=forgetting)

    def plot_significance(self, measure: str | None = None, *, forgetting: str | None = None) -> go.Figure:
        """Return an interactive figure of the p-values of the tests over folds, over time."""
        from prequential.report.significance_figure import significance_figure

        return significance_figure(self.directory, measure, forgetting)

    def save_significance_figure(
        self, path: str | Path, measure: str | None = None, *, forgetting: str | None = None
    ) -> Path:
        """Write the figure of the p-values over time for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.report.printed_significance import save_significance_figure

        return save_significance_figure(self.directory, path, measure, forgetting=forgetting)

    def save_figure(
        self,
        path: str | Path,
        measures: str | Sequence[str] | None = None,
        *,
        forgetting: str | Sequence[str] | None = None,
    ) -> Path:
        """Write a figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.report.printed import save_figure

        return save_figure(self.directory, path, measures=measures, forgetting=forgetting)

    def plot_bins(
        self, measure: str | None = None, *, forgetting: str | None = None, learner: str | Sequence[str] | None = None
    ) -> go.Figure:
        """Return, with delayed labels, an interactive figure of a measure in every bin of the time that records wait.

        Above, the last checkpoint, a curve a learner; below, all checkpoints, a panel a learner, where the colour is
        the value. By the first measure and under the first forgetting of the run, if no other is named.
        """
        from prequential.report.bin_figure import bin_figure

        return bin_figure(self.directory, measure, forgetting=forgetting, learner=learner)

    def save_bins_figure(
        self,
        path: str | Path,
        measure: str | None = None,
        *,
        forgetting: str | None = None,
        learner: str | Sequence[str] | None = None,
    ) -> Path:
        """Write the figure of all bins for print: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.report.printed_bins import save_bins_figure

        return save_bins_figure(self.directory, path, measure, forgetting=forgetting, learner=learner)

    def report(self, path: str | Path) -> Path:
        """Write the report: one HTML file that needs no network."""
        from prequential.report.page import write_page

        return write_page(self.directory, path)

    def compare(self, a: str | None = None, b: str | None = None, *, alpha: float = 0.05) -> Comparison:
        """Compare two learners record by record; without names, the two of a run that has no more."""
        from prequential.experiment.comparing import compare

        return compare(self, *(name for name in (a, b) if name is not None), alpha=alpha)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Run:
        """Copy the run to a directory of its own."""
        return Run(self.directory.copy_to(path, overwrite=overwrite))

    def __repr__(self) -> str:
        manifest = self.manifest
        so_far = f"{manifest.n_records:,} {counted(manifest)}"
        return f"<Run {manifest.name!r}: {manifest.status}, {so_far}>\n{self.table()}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a Run is a directory: save it with run.save(path) and read it with pq.load(path)")


def load(path: str | Path) -> Run:
    """Open the directory of a run, finished or still being written."""
    return Run(RunDirectory.open(path))


AnyRun: TypeAlias = Run | str | Path
"""A run, or its directory."""


def as_run(given: AnyRun) -> Run:
    """Take a run, or its directory."""
    if isinstance(given, str | Path):
        return load(given)
    if not isinstance(given, Run):
        raise InputError(f"A run is needed, or its directory, not a {type(given).__name__}.")
    return given
