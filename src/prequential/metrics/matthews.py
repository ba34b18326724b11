"""Matthews correlation coefficient."""

from __future__ import annotations

import numpy as np

from prequential.metrics.counts import ROUNDING, Counts, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("mcc", undefined="when all labels or all predictions are of one class")
def mcc(counts: Counts) -> FloatArray:
    """Matthews correlation coefficient, for any number of classes (Gorodkin 2004), in [−1, 1].

    (c·s − Σ pₖtₖ) / √((s² − Σ pₖ²)(s² − Σ tₖ²)), with c hits, s records, tₖ labels and pₖ predictions of class k.
    Abstentions count as predictions of one further class. Higher is better; 0 is chance. NaN if all labels or all
    predictions are of one class.

    Examples
    --------
    >>> round(float(mcc(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.3728
    """
    weight = counts.weight[..., np.newaxis]
    labels, predicted = ratio(counts.labels, weight), ratio(counts.matrix.sum(axis=-2), weight)
    covariance = ratio(counts.hits.sum(axis=-1), counts.weight) - (labels * predicted[..., :-1]).sum(axis=-1)
    spreads = [1.0 - (shares**2).sum(axis=-1) for shares in (labels, predicted)]
    spread = np.where(np.minimum(*spreads) > ROUNDING, spreads[0] * spreads[1], 0.0)
    return ratio(covariance, np.sqrt(spread))
