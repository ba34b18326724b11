"""The ROC curve of the records in a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from prequential import _native
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True)
class RocCurve:
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
    RocCurve(false_positive_rate=array([0. , 0.5, 0.5, 1. ]), true_positive_rate=array([0. , 0.5, 1. , 1. ]), ...)
    """

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    threshold: FloatArray

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
