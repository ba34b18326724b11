"""The ROC curve of the records in a window."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import pyarrow as pa

from prequential import _native
from prequential.number import fixed
from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, repr=False)
class RocCurve(Tidy):
    """The ROC curve of some records: the shares of both classes at or above each threshold.

    Parameters
    ----------
    false_positive_rate, true_positive_rate
        Shares of the weight of the negatives and of the positives, from (0, 0) to (1, 1). With straight lines
        between the points, a tied pair counts one half, and the area below them is the AUC.
    threshold
        The scores, descending, infinity before the first. An abstention counts as infinity for a negative record and as
        minus infinity for a positive one.

    Examples
    --------
    >>> import prequential as pq
    >>> scorer = pq.Scorer("auc", pq.Sliding(100), classes=("ham", "spam"))
    >>> scorer.update(["ham", "spam", "ham", "spam"], scores=[0.2, 0.6, 0.7, 0.7])
    >>> scorer.roc()
    ROC curve, area 0.6250 · 4 rows
    <BLANKLINE>
    false_positive_rate  true_positive_rate  threshold
    0                                     0          ∞
    0.5000                           0.5000     0.7000
    0.5000                                1     0.6000
    1                                     1     0.2000
    """

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    threshold: FloatArray

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"ROC curve, area {fixed(self.area)}"

    def to_arrow(self) -> pa.Table:
        """Return the points: false_positive_rate, true_positive_rate, threshold."""
        return pa.table({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def of_groups(cls, groups: _native.ScoreGroups) -> Self:
        """Return the curve of scores in ascending order, with the weights of both classes at each."""
        with np.errstate(invalid="ignore"):
            rates = [np.concatenate([[0.0], np.cumsum(part[::-1])]) for part in (groups.negatives, groups.positives)]
            false, true = (rate / rate[-1] for rate in rates)
        return cls(false, true, np.concatenate([[np.inf], groups.score[::-1]]))

    @property
    def area(self) -> float:
        """The area below the curve; NaN with one class only."""
        if np.isnan(self.true_positive_rate[-1]):
            return float("nan")
        heights = self.true_positive_rate[1:] + self.true_positive_rate[:-1]
        return float((np.diff(self.false_positive_rate) * heights).sum() / 2)
