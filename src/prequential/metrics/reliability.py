"""The reliability diagram: how often predictions of a confidence are right, bin by bin."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import pyarrow as pa

from prequential.metrics.counts import ratio
from prequential.number import fixed
from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, repr=False)
class Reliability(Tidy):
    """The reliability diagram of some records: accuracy against mean confidence, one row per bin that is not empty.

    Parameters
    ----------
    confidence, accuracy
        The mean confidence of the records of each bin, and the share that is predicted right.
    weight
        The weight of the records of each bin.

    Examples
    --------
    >>> import prequential as pq
    >>> scorer = pq.Scorer("ece", pq.Sliding(100), classes=("ham", "spam"))
    >>> scorer.update(["ham", "spam", "ham", "spam"], scores=[0.12, 0.62, 0.65, 0.88])
    >>> scorer.reliability()
    Reliability, ECE 0.1275 · 2 rows
    <BLANKLINE>
    confidence  accuracy  weight
    0.6350        0.5000       2
    0.8800             1       2
    """

    confidence: FloatArray
    accuracy: FloatArray
    weight: FloatArray

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"Reliability, ECE {fixed(self.error)}"

    def to_arrow(self) -> pa.Table:
        """Return the bins: confidence, accuracy, weight."""
        return pa.table({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def of_bins(cls, binned: FloatArray) -> Self:
        """Return the diagram of the sums of confidences, hits and weights of each bin."""
        kept = binned[binned[:, 2] > 0]
        return cls(ratio(kept[:, 0], kept[:, 2]), ratio(kept[:, 1], kept[:, 2]), kept[:, 2])

    @property
    def error(self) -> float:
        """The expected calibration error; NaN without a record."""
        gaps = np.abs(self.accuracy - self.confidence) * self.weight
        return float(gaps.sum() / self.weight.sum()) if len(gaps) else float("nan")
