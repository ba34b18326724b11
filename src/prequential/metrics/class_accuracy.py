"""Arithmetic, geometric and harmonic mean of the class accuracies (recalls): A ≥ G ≥ H.

A rare class counts as much as a frequent one. Classes without a label among the counted records are left out.
"""

from __future__ import annotations

import numpy as np

from prequential.elementary import exp, log
from prequential.metrics.counts import Counts, mean_of_defined, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


def _class_accuracies(counts: Counts) -> FloatArray:
    return ratio(counts.hits, counts.labels)


@register("balanced_accuracy")
def balanced_accuracy(counts: Counts) -> FloatArray:
    """Arithmetic mean of the class accuracies (balanced accuracy), in [0, 1].

    (1/C) Σ_c hits_c / labels_c. Higher is better. NaN before the first label.

    Examples
    --------
    >>> round(float(balanced_accuracy(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.7024
    """
    return mean_of_defined(_class_accuracies(counts))


@register("g_mean")
def g_mean(counts: Counts) -> FloatArray:
    """Geometric mean of the class accuracies, in [0, 1].

    (Π_c hits_c / labels_c)^(1/C). Higher is better; 0 if a class is never predicted right. NaN before the first label.

    Examples
    --------
    >>> round(float(g_mean(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.6901
    """
    return exp(mean_of_defined(log(_class_accuracies(counts))))


@register("h_mean")
def h_mean(counts: Counts) -> FloatArray:
    """Harmonic mean of the class accuracies, in [0, 1].

    C / Σ_c (labels_c / hits_c). Higher is better; 0 if a class is never predicted right. NaN before the first label.

    Examples
    --------
    >>> round(float(h_mean(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.678
    """
    with np.errstate(divide="ignore"):
        inverse = mean_of_defined(1.0 / _class_accuracies(counts))
        result: FloatArray = 1.0 / inverse
    return result
