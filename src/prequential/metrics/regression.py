"""Metrics of regression. A prediction that is not a finite number is left out and counted as an abstention."""

from __future__ import annotations

import numpy as np

from prequential.metrics.counts import Counts, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("mae", needs="targets", better="lower")
def mae(counts: Counts) -> FloatArray:
    """Mean absolute error (MAE): the mean of |ŷ − y|, in [0, ∞).

    Lower is better. NaN before the first label.
    """
    return ratio(counts.losses[..., 0], counts.weight)


@register("mse", needs="targets", better="lower")
def mse(counts: Counts) -> FloatArray:
    """Mean squared error (MSE): the mean of (ŷ − y)², in [0, ∞).

    Lower is better. NaN before the first label.
    """
    return ratio(counts.losses[..., 1], counts.weight)


@register("rmse", needs="targets", better="lower")
def rmse(counts: Counts) -> FloatArray:
    """Root mean squared error (RMSE), in the unit of the target, in [0, ∞).

    √MSE. Lower is better. NaN before the first label.
    """
    root: FloatArray = np.sqrt(np.maximum(mse(counts), 0.0))
    return root


@register(
    "r2",
    needs="targets",
    undefined="when all targets are equal or too far from the first one, or under an exponential histogram",
)
def r2(counts: Counts) -> FloatArray:
    """Coefficient of determination R²: 1 − Σ(ŷ − y)² / Σ(y − ȳ)², in (−∞, 1].

    ȳ is the mean target under the same forgetting. Higher is better. NaN if all targets are equal. Targets are summed
    relative to the first one; the value is also NaN, rather than inaccurate, if they are more than 10⁵ of their
    standard deviations away from it, and under ``ExponentialHistogram``, which bounds no error for the difference of
    two sums.
    """
    target, squared = counts.losses[..., 2], counts.losses[..., 3]
    spread = squared - ratio(target * target, counts.weight)
    spread = np.where(spread > 1e-10 * np.abs(squared), spread, 0.0)
    return 1.0 - ratio(counts.losses[..., 1], spread)
