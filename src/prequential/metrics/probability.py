"""Metrics of predicted probabilities: scores relative to their sum."""

from __future__ import annotations

from prequential.metrics.counts import Counts, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("log_loss", needs="probabilities", better="lower")
def log_loss(counts: Counts) -> FloatArray:
    """Log-loss: the mean of −ln p(label), in [0, 36.05].

    Lower is better. p is at least the machine epsilon, as in scikit-learn. An abstention gives the label a probability
    of 0; a learner that only predicts a class gives it a probability of 1. NaN before the first label.
    """
    return ratio(counts.losses[..., 0], counts.weight)


@register("brier", needs="probabilities", better="lower")
def brier(counts: Counts) -> FloatArray:
    """Brier score: the mean of Σ_c (p_c − [label = c])² over all classes, in [0, 2] (Brier 1950).

    Lower is better. Some libraries report half of it, the score of one of two classes. An abstention counts as 1. NaN
    before the first label.
    """
    return ratio(counts.losses[..., 1], counts.weight)
