"""Matthews' correlation between labels and predictions."""

from __future__ import annotations

import numpy as np

from prequential.measures.counts import Counts, ratio
from prequential.measures.measure import register
from prequential.types import FloatArray


@register("mcc", undefined="when all labels or all predictions are of one class")
def mcc(counts: Counts) -> FloatArray:
    """Matthews' correlation coefficient, for any number of classes (Gorodkin 2004), in [−1, 1].

    (c·s − Σ pₖtₖ) / √((s² − Σ pₖ²)(s² − Σ tₖ²)), with c hits, s records, tₖ labels and pₖ predictions of class k; an
    abstention is a prediction of a class of its own.

    Examples
    --------
    >>> round(float(mcc(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.3728
    """
    weight = counts.weight
    predicted = counts.matrix.sum(axis=-2)
    labels = counts.labels
    covariance = counts.hits.sum(axis=-1) * weight - (labels * counts.predictions).sum(axis=-1)
    spread = (weight**2 - (predicted**2).sum(axis=-1)) * (weight**2 - (labels**2).sum(axis=-1))
    return ratio(covariance, np.sqrt(np.maximum(spread, 0.0)))
