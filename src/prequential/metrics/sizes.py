"""How many records a forgetting counts, and how many records of equal weight that is worth."""

from __future__ import annotations

import numpy as np

from prequential.errors import InputError
from prequential.metrics.forgetting import ExponentialHistogram, Fading, Forgetting, Sliding, as_forgetting
from prequential.types import FloatArray


def counted_records(label: str, n: FloatArray) -> FloatArray:
    """Return the number of records that count under a forgetting after ``n`` records; Σw under fading, NaN if unknown.

    Examples
    --------
    >>> counted_records("sliding:100", np.array([50.0, 150.0])), counted_records("fading:0.5", np.array([2.0]))
    (array([ 50., 100.]), array([1.5]))
    """
    forgetting = forgetting_of(label)
    if label == "cumulative":
        return n
    if isinstance(forgetting, Sliding | ExponentialHistogram) and forgetting.seconds is None:
        return n if forgetting.n_records is None else np.minimum(n, forgetting.n_records)
    if isinstance(forgetting, Fading):
        alpha = forgetting.alpha
        return n if alpha == 1 else (1 - alpha**n) / (1 - alpha)
    return np.full(len(n), np.nan)


def effective_records(label: str, n_records: FloatArray) -> FloatArray:
    """Return the number of records of equal weight that a mean stands for, by the number of those that count.

    For a fading factor ``n_records`` is N = Σw, and the result (Σw)²/Σw² = N(1 + α)/(2 − (1 − α)N).

    Examples
    --------
    >>> effective_records("sliding:10", np.array([10.0])), effective_records("fading:0.5", np.array([1, 1.5])).round(3)
    (array([10.]), array([1. , 1.8]))
    """
    forgetting = forgetting_of(label)
    if isinstance(forgetting, Fading):
        alpha = forgetting.alpha
        found: FloatArray = n_records * (1 + alpha) / (2 - (1 - alpha) * n_records)
        return found
    return n_records


def forgetting_of(label: str) -> Forgetting | None:
    """Return the forgetting of a label; None for a protocol's own, such as a holdout test."""
    try:
        return as_forgetting(label)
    except InputError:
        return None
