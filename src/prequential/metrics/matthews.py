"""Matthews correlation coefficient, and its numerator, the determinant of the confusion matrix."""

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


@register("cmd", undefined="before the first label, and with other than two classes")
def cmd(counts: Counts) -> FloatArray:
    """CMD, the determinant of the confusion matrix of two classes, in shares of the records, in [−¼, ¼].

    (TP·TN − FN·FP) / n², the numerator of MCC and half that of κ. Higher is better; 0 is chance. An abstention is in n
    only. NaN before the first label, and unless there are two classes; ``h_mean`` has no such limit (Bifet et al.
    2015).

    Examples
    --------
    >>> float(cmd(Counts.of_matrix([[40, 30], [5, 25]])))
    0.085
    """
    if counts.n_classes != 2:
        return np.full_like(counts.weight, np.nan)
    shares = ratio(counts.matrix, counts.weight[..., np.newaxis, np.newaxis])
    result: FloatArray = shares[..., 0, 0] * shares[..., 1, 1] - shares[..., 0, 1] * shares[..., 1, 0]
    return result
