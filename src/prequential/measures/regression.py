"""Measures of predicted numbers. A prediction that is not a finite number is left out and counted as abstained."""

from __future__ import annotations

import numpy as np

from prequential.measures.counts import Counts, ratio
from prequential.measures.measure import register
from prequential.types import FloatArray


@register("mae", needs="targets", better="lower")
def mae(counts: Counts) -> FloatArray:
    """Mean absolute error: the mean of |ŷ − y|, from 0 up."""
    return ratio(counts.losses[..., 0], counts.weight)


@register("mse", needs="targets", better="lower")
def mse(counts: Counts) -> FloatArray:
    """Mean squared error: the mean of (ŷ − y)², from 0 up."""
    return ratio(counts.losses[..., 1], counts.weight)


@register("rmse", needs="targets", better="lower")
def rmse(counts: Counts) -> FloatArray:
    """Root of the mean squared error, in the unit of the target, from 0 up."""
    root: FloatArray = np.sqrt(np.maximum(mse(counts), 0.0))
    return root


@register(
    "r2",
    needs="targets",
    undefined="when all targets are equal, or lie too far from the first to tell, or under an exponential histogram",
)
def r2(counts: Counts) -> FloatArray:
    """Coefficient of determination: 1 − Σ(ŷ − y)² / Σ(y − ȳ)², ȳ the mean under the same forgetting, in (−∞, 1].

    Targets are summed relative to the first one. Where they lie more than 10⁵ of their deviations from it, too few
    digits are left, and the value is NaN rather than wrong. So it is under ``ExponentialHistogram``: the difference of
    two estimated sums has no error that could be stated.
    """
    target, squared = counts.losses[..., 2], counts.losses[..., 3]
    spread = squared - ratio(target * target, counts.weight)
    spread = np.where(spread > 1e-10 * np.abs(squared), spread, 0.0)
    return 1.0 - ratio(counts.losses[..., 1], spread)
