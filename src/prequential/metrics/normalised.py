"""Accuracy relative to the lowest and the highest that can be reached on a stream."""

from __future__ import annotations

from dataclasses import dataclass

from prequential.arguments import check_number, checked_call
from prequential.errors import ParameterError
from prequential.metrics.accuracy import accuracy
from prequential.metrics.counts import Counts
from prequential.metrics.metric import Metric, register, register_family
from prequential.types import FloatArray


@register("normalised_accuracy", undefined="before the first label, and with one class")
def normalised(counts: Counts) -> FloatArray:
    """Normalised accuracy p₀′ = (p₀ − min) / (max − min), at most 1.

    ``min`` and ``max`` are the lowest and the highest accuracy that can be reached on the stream; by default 1/C, that
    of guessing one of C classes, and 1. ``normalised_accuracy:low=0.5,high=0.9`` gives them. Higher is better; below 0
    is less than the minimum. NaN before the first label (Bifet et al. 2015).

    Examples
    --------
    >>> round(float(normalised(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.3
    """
    if counts.n_classes < 2:
        return counts.weight * float("nan")
    return _Normalised(1 / counts.n_classes, 1.0)(counts)


@checked_call
def normalised_accuracy(low: float, high: float = 1.0) -> Metric:
    """Return the normalised accuracy p₀′ = (p₀ − low) / (high − low) as a metric.

    Parameters
    ----------
    low, high
        The lowest and the highest accuracy that can be reached on the stream, such as that of the majority class, and
        one minus the Bayes error.

    Examples
    --------
    >>> metric = normalised_accuracy(0.5, 0.9)
    >>> metric.name, round(float(metric(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    ('normalised_accuracy:0.5:0.9', 0.375)
    """
    for name, value in (("low", low), ("high", high)):
        check_number(value, name, "normalised_accuracy", least=0, most=1)
    if not low < high:
        raise ParameterError("high", "normalised_accuracy", f"above low = {low:g}", high)
    return Metric(
        f"normalised_accuracy:{low:.12g}:{high:.12g}",
        _Normalised(float(low), float(high)),
        undefined="before the first label",
    )


@dataclass(frozen=True)
class _Normalised:
    """Normalised accuracy, with its limits."""

    low: float
    high: float

    def __call__(self, counts: Counts) -> FloatArray:
        return (accuracy(counts) - self.low) / (self.high - self.low)


register_family("normalised_accuracy", normalised_accuracy)
