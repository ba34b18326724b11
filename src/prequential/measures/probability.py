"""How good the probabilities are, not only the class they favour. Scores are taken relative to their sum."""

from __future__ import annotations

from prequential.measures.counts import Counts, ratio
from prequential.measures.measure import register
from prequential.types import FloatArray


@register("log_loss", needs="probabilities", better="lower")
def log_loss(counts: Counts) -> FloatArray:
    """Mean of −ln p(label), in [0, 36.05]: p is cut off at the machine epsilon, as in scikit-learn.

    An abstention gives its label a probability of zero; a learner that only names a class gives it a probability of 1.
    """
    return ratio(counts.losses[..., 0], counts.weight)


@register("brier", needs="probabilities", better="lower")
def brier(counts: Counts) -> FloatArray:
    """Brier's score: the mean of Σ_c (p_c − [label = c])², over all classes, in [0, 2] (Brier 1950).

    Half of it is the score over one of two classes that some libraries report. An abstention counts 1.
    """
    return ratio(counts.losses[..., 1], counts.weight)
