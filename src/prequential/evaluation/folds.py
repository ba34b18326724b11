"""Results that only runs with several folds have: the means over folds and the tests over them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from prequential.arguments import check_choice
from prequential.errors import InputError
from prequential.figures.pictured import Pictured
from prequential.runs.directory import RunDirectory
from prequential.runs.values import ForgettingChoice, LearnerChoice, Values
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Sheet
from prequential.sheets.tidy_table import TidyTable
from prequential.tables.fold_values import FoldValues
from prequential.tables.rank_table import RankTable
from prequential.tables.repeated import repeated_ranks
from prequential.tables.significance_table import SignificanceTable, significance_table
from prequential.types import FloatArray

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


class Folds(Printable, Pictured):
    """The folds of a run with ``protocol=pq.KFold(…)``: ``run.folds``.

    Parameters
    ----------
    directory
        The directory of the run.

    Raises
    ------
    InputError
        If the run has no folds.

    Examples
    --------
    >>> import prequential as pq
    >>> sea = pq.streams.SEA(seed=1).take(500)
    >>> run = pq.evaluate(sea, ["naive_bayes", "no_change"], protocol=pq.KFold(6, "cross"), metrics="accuracy")
    >>> run.folds.n, run.folds.summary().column_names[5:]
    (6, ['mean', 'std', 'n_folds'])
    """

    def __init__(self, directory: RunDirectory) -> None:
        protocol = directory.manifest.protocol
        if protocol.get("protocol") != "kfold":
            raise InputError(
                f"{directory.path}: run.folds needs a run with folds (protocol=pq.KFold(…)). The protocol of this run "
                f"is {protocol.get('protocol')!r}."
            )
        self.directory = directory
        self.n = int(protocol["k"])
        """The number of folds."""

    def sheet(self) -> Sheet:
        """Return the tests over folds at the end of the run as text."""
        return self.table().sheet()

    def paragraphs(self) -> tuple[str, ...]:
        """Return the text below the table."""
        return self.table().paragraphs()

    def to_arrow(self) -> pa.Table:
        """Return the tests over folds at every checkpoint: `significance`."""
        return self.directory.significance()

    def summary(self) -> TidyTable:
        """Return the means over folds: learner, n, time, forgetting, metric, mean, std, n_folds.

        ``std`` is the standard deviation of the folds (n − 1). Where one fold is undefined, both are NaN.
        """
        return TidyTable(self.directory.summary(), f"Means over {self.n} folds · {self.directory.manifest.name}")

    def significance(self) -> TidyTable:
        """Return the tests over folds at every checkpoint.

        The columns are learner_a, learner_b, n, time, forgetting, metric, test, statistic, p_value, reason. A p-value
        is valid for one look: among many checkpoints, some p-values are small by chance.
        """
        return TidyTable(self.directory.significance(), f"Tests over {self.n} folds · {self.directory.manifest.name}")

    def table(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        metrics: str | Sequence[str] | None = None,
        forgetting: str | Sequence[str] | None = None,
        alpha: float = 0.05,
    ) -> SignificanceTable:
        """Return the tests over folds at the end of the run, for all pairs of learners or for one."""
        if (a is None) != (b is None):
            raise InputError(f"{a or b!r} needs a second learner to compare with: name two learners, or none.")
        pair = None if a is None or b is None else (a, b)
        return significance_table(self.directory, metrics=metrics, forgetting=forgetting, learners=pair, alpha=alpha)

    def ranks(
        self,
        metric: str | None = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
        at: Literal["end", "mean"] = "end",
        alpha: float = 0.05,
    ) -> RankTable:
        """Return the learners ranked over the folds: Friedman, Nemenyi, and Wilcoxon with Holm's correction.

        By default by the first metric over all history. Folds share most of their training records, so the p-values
        are approximate; runs with several seeds are independent: ``pq.replicate``.

        Parameters
        ----------
        metric, forgetting, learners
            What to rank by, and which learners.
        at
            ``"end"`` for the last checkpoint, ``"mean"`` for the mean of each fold over all checkpoints.
        alpha
            The error rate of each test.
        """
        check_choice(at, "at", "run.folds.ranks", ("end", "mean"))
        values, folds = Values(self.directory), FoldValues(self.directory)

        def results(learner: str, under: str, by: str) -> FloatArray:
            n = int(values.checkpoints(learner)[-1])
            if at == "mean":
                return folds.means(learner, under, by, n)
            return folds.at(learner, n).get((under, by), np.full(self.n, np.nan))

        return repeated_ranks(
            values,
            results,
            [f"fold {k + 1}" for k in range(self.n)],
            over="folds",
            metric=metric,
            forgetting=forgetting,
            learners=learners,
            alpha=alpha,
        )

    def plot(self, metric: str | None = None, *, forgetting: str | None = None) -> go.Figure:
        """Return an interactive figure of the p-values of the tests over the records.

        The first metric and the first forgetting of the run are the defaults.
        """
        from prequential.figures.significance_plotly import significance_figure

        drawn = significance_figure(self.directory, metric, forgetting)
        return self._shown(drawn, lambda: self.figure(metric, forgetting=forgetting))

    def figure(self, metric: str | None = None, *, forgetting: str | None = None) -> PaperFigure:
        """Draw the p-values for print, one colour per pair of learners, one dash per test."""
        from prequential.figures.significance_matplotlib import printed_significance

        return printed_significance(self.directory, metric, forgetting=forgetting)

    def save_figure(self, path: str | Path, metric: str | None = None, *, forgetting: str | None = None) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, lambda: self.figure(metric, forgetting=forgetting))
