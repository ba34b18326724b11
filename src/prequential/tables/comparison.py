"""Two learners compared: the table, the figure and the conclusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.loss_series import Bound, paired_losses
from prequential.comparisons.paired import PairedTrace
from prequential.comparisons.paired_losses import PairedLosses
from prequential.comparisons.pairs import count_pairs
from prequential.figures.comparison import last_record
from prequential.figures.pictured import Pictured
from prequential.metrics.forgetting import Forgetting
from prequential.number import finite_or_none
from prequential.runs.holdout_tests import complete_pairs
from prequential.runs.known_drift import KnownDrift, known_drifts
from prequential.runs.manifest import Manifest
from prequential.runs.status import warning
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Sheet
from prequential.sheets.text_table import TextTable
from prequential.tables.comparison_sheet import comparison_sheet, loss_sheet, paired_fold_tests
from prequential.tables.conclusion import loss_conclusion, pair_conclusion

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Printable, Pictured):
    """Two learners compared on the same records, at every checkpoint and under every forgetting.

    Prints as a table of the last checkpoint with a conclusion, and shows itself in a notebook.

    Parameters
    ----------
    trace
        All numbers: a `prequential.comparisons.PairedTrace` of errors, or `prequential.comparisons.PairedLosses`.
    title
        The stream or run that they were compared on.
    drifts
        Known drifts, for the figure.
    warning
        A warning to show before the numbers, such as that the run was interrupted.
    stage
        With late labels, the predictions that were compared: ``initial`` or ``final``. Their records are counted when
        labels arrive.

    Examples
    --------
    >>> import prequential as pq
    >>> comparison = pq.Comparison.from_losses([0, 1] * 500, [1, 1, 0, 1] * 250, a="tree", b="bayes")
    >>> comparison.trace.a, comparison.trace.b
    ('tree', 'bayes')
    """

    trace: PairedTrace | PairedLosses
    title: str = ""
    drifts: tuple[KnownDrift, ...] = ()
    warning: str = ""
    stage: str = ""

    @classmethod
    def from_losses(
        cls,
        a_losses: npt.ArrayLike,
        b_losses: npt.ArrayLike,
        *,
        a: str = "A",
        b: str = "B",
        forgetting: Forgetting | str | Sequence[Forgetting | str] = ("cumulative", "sliding:1000"),
        every: int = 1000,
        alpha: float = 0.05,
        bound: Bound = None,
        loss: str = "loss",
        time: npt.ArrayLike | None = None,
    ) -> Comparison:
        """Compare two learners from their losses, one number of at least 0 per record, in the order of the stream.

        Losses that are all 0 or 1 are errors, which are compared by pairs, with McNemar's test.

        Parameters
        ----------
        a_losses, b_losses
            The losses of the two learners.
        a, b
            Their names.
        forgetting, every
            The forgettings, and the number of records between checkpoints.
        alpha
            Significance level, and error rate of the confidence sequence.
        bound
            The largest possible loss, which the confidence sequence needs; ``"learned"``: twice the largest loss up to
            the first checkpoint.
        loss
            The name of the loss.
        time
            The time of each record, for windows in seconds.

        Examples
        --------
        >>> comparison = Comparison.from_losses([0, 1] * 500, [1, 1, 0, 1] * 250, forgetting=["cumulative"])
        >>> print(comparison.conclusion)
        After 1,000 records the confidence sequence excludes 0: A errs 20.08 to 29.92 percentage points less than B \
(95 %, however often one looks).
        """
        several = [forgetting] if isinstance(forgetting, str) or not isinstance(forgetting, Sequence) else forgetting
        clock = None if time is None else np.asarray(time, dtype=np.float64)
        if bound in (None, 1) and _are_errors(a_losses) and _are_errors(b_losses):
            right = [np.asarray(losses) == 0 for losses in (a_losses, b_losses)]
            pairs = count_pairs(*right, a=a, b=b, forgetting=several, every=every, time=clock)
            return cls(PairedTrace.of_pairs(pairs, a, b, alpha=alpha))
        return cls(
            paired_losses(
                a_losses,
                b_losses,
                (a, b),
                forgetting=several,
                every=every,
                bound=bound,
                alpha=alpha,
                loss=loss,
                time=clock,
            )
        )

    @property
    def conclusion(self) -> str:
        """The conclusion in a sentence."""
        return (
            loss_conclusion(self.trace)
            if isinstance(self.trace, PairedLosses)
            else pair_conclusion(self.trace, self.stage)
        )

    def table(self) -> TextTable:
        """Return the last checkpoint under every forgetting."""
        return TextTable(self.sheet(), data=tuple(self.to_dicts()))

    def plot(self) -> go.Figure:
        """Return an interactive figure: the difference with its confidence sequence, and Q, over the records."""
        from prequential.figures.comparison_plotly import comparison_figure

        return self._shown(comparison_figure(self.trace, drifts=self.drifts, unit=self._unit), self.figure)

    def figure(self) -> PaperFigure:
        """Draw Q, M and the difference with its confidence sequence over the records, for print."""
        from prequential.figures.comparison_matplotlib import draw_comparison

        return draw_comparison(self.trace, title=self._headed, drifts=self.drifts, unit=self._unit)

    def to_arrow(self) -> pa.Table:
        """Return all numbers, one row per fold, checkpoint and forgetting."""
        return self.trace.table

    def to_dict(self) -> dict[str, Any]:
        """Return the last checkpoint and the conclusion as JSON-able data; undefined values are None."""
        return {
            "a": self.trace.a,
            "b": self.trace.b,
            "alpha": self.trace.alpha,
            "title": self.title,
            "warning": self.warning,
            "conclusion": self.conclusion,
            **({"stage": self.stage} if self.stage else {}),
            "last": [{key: finite_or_none(value) for key, value in row.items()} for row in self.trace.last()],
            **(
                {"loss": self.trace.loss, "bound": self.trace.bound}
                if isinstance(self.trace, PairedLosses)
                else {"over_folds": paired_fold_tests(self.trace)}
            ),
        }

    @property
    def _headed(self) -> str:
        return " · ".join(filter(None, [self.title, f"{self.stage} predictions" if self.stage else ""]))

    @property
    def _unit(self) -> str:
        return "label" if self.stage else "record"

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes; with several folds, their means and the tests over them."""
        if isinstance(self.trace, PairedLosses):
            return loss_sheet(self.trace, self.title, self.warning)
        return comparison_sheet(self.trace, self._headed, self.warning, unit=self._unit)

    def paragraphs(self) -> tuple[str, ...]:
        """Return the conclusion."""
        return (self.conclusion,)


def _are_errors(losses: npt.ArrayLike) -> bool:
    """Return whether losses are a list of 0 (right) and 1 (wrong)."""
    array = np.asarray(losses)
    return array.ndim == 1 and len(array) > 0 and bool(np.isin(array, (0, 1)).all())


def comparison_of_pairs(
    pairs: pa.Table, a: str, b: str, *, manifest: Manifest, alpha: float = 0.05, stage: str = ""
) -> Comparison:
    """Compare two learners of a run from its table of pairs; with late labels, from those of a stage."""
    trace = PairedTrace.of_pairs(complete_pairs(pairs, manifest), a, b, alpha=alpha)
    return Comparison(trace, manifest.name, known_drifts(manifest, last_record(trace)), warning(manifest), stage)


def comparison_of_losses(trace: PairedLosses, manifest: Manifest) -> Comparison:
    """Compare two learners of a run, or of two, by a loss."""
    return Comparison(trace, manifest.name, known_drifts(manifest, last_record(trace)), warning(manifest))
