"""Accuracy and error rate."""

from __future__ import annotations

from prequential.metrics.counts import Counts, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("accuracy")
def accuracy(counts: Counts) -> FloatArray:
    """Accuracy, the share of right predictions: Σ hits / Σ weight, in [0, 1].

    Higher is better. An abstention is wrong, unless the run leaves abstentions out. NaN before the first label.

    Examples
    --------
    >>> float(accuracy(Counts.of_matrix([[40, 30], [5, 25]])))
    0.65
    """
    return ratio(counts.hits.sum(axis=-1), counts.weight)


@register("error", better="lower")
def error(counts: Counts) -> FloatArray:
    """Error rate, the share of wrong predictions: 1 − accuracy, in [0, 1].

    Lower is better. NaN before the first label.

    Examples
    --------
    >>> float(error(Counts.of_matrix([[40, 30], [5, 25]])))
    0.35
    """
    return ratio(counts.weight - counts.hits.sum(axis=-1), counts.weight)
