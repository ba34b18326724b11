"""The interval around the mean of one learner: batch means, Wilson, Hoeffding, and one for any number of looks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy

from prequential.arguments import check_number
from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.confidence_sequence import confidence_sequence
from prequential.metrics.metric import REGISTRY
from prequential.metrics.sizes import effective_records
from prequential.types import FloatArray

BOUNDS: Mapping[str, tuple[float, float]] = {
    "accuracy": (0.0, 1.0),
    "error": (0.0, 1.0),
    "brier": (0.0, 2.0),
    "log_loss": (0.0, float("inf")),
    "mae": (0.0, float("inf")),
    "mse": (0.0, float("inf")),
}
"""The metrics that are means over records, and the least and the largest value of one record."""
SHARES = ("accuracy", "error")

NUMBERS = (
    *("low", "high", "wilson_low", "wilson_high", "hoeffding_low", "hoeffding_high"),
    *("sequence_low", "sequence_high", "n_effective"),
)
"""The columns of numbers of an interval."""


def mean_interval(
    value: FloatArray,
    n_records: FloatArray,
    history: tuple[FloatArray, FloatArray],
    forgetting: str,
    bounds: tuple[float, float],
    *,
    share: bool,
    estimated: bool = False,
    confidence: float = 0.95,
) -> dict[str, FloatArray]:
    """Return the columns of `NUMBERS`, one number per checkpoint; NaN where unknown.

    Parameters
    ----------
    value, n_records
        The mean under a forgetting at each checkpoint, and the number of records that count (Σw under fading).
    history
        The number of records and the mean over all history, at the same checkpoints.
    forgetting
        The forgetting, as text.
    bounds
        The least and the largest value of one record.
    share
        Whether each record has 0 or 1, so that Wilson's interval exists.
    estimated
        Whether sums are estimated, so that there is no interval.
    confidence
        Confidence of each interval, and of the whole sequence.
    """
    check_number(confidence, "confidence", "intervals", above=0, below=1)
    least, most = bounds
    n, mean = history
    m = np.full(len(value), np.nan) if estimated else effective_records(forgetting, n_records)
    m = np.where(np.isnan(value), np.nan, m)
    out = {name: np.full(len(value), np.nan) for name in NUMBERS}
    out["n_effective"] = m
    if not np.isnan(n).any():
        half = batch_half_width(n, n * np.nan_to_num(mean), m, confidence=confidence)
        out["low"], out["high"] = np.clip(value - half, least, most), np.clip(value + half, least, most)
    if share:
        out["wilson_low"], out["wilson_high"] = wilson_interval(value, m, confidence)
    if np.isfinite(most):
        with np.errstate(invalid="ignore", divide="ignore"):
            half = (most - least) * np.sqrt(np.log(2 / (1 - confidence)) / (2 * m))
        out["hoeffding_low"] = np.clip(value - half, least, most)
        out["hoeffding_high"] = np.clip(value + half, least, most)
    if forgetting == "cumulative" and np.isfinite(most) and not np.isnan(n).any():
        found = confidence_sequence(
            n, n * np.nan_to_num(mean), _variance(n, mean, bounds), alpha=1 - confidence, bounds=bounds
        )
        out["sequence_low"], out["sequence_high"] = found.low, found.high
    return out


def wilson_interval(share: FloatArray, n: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of a share of n records that do not depend on each other.

    Examples
    --------
    >>> low, high = wilson_interval(np.array([0.9]), np.array([100.0]), 0.95)
    >>> round(float(low[0]), 4), round(float(high[0]), 4)
    (0.8256, 0.9448)
    """
    z = float(scipy.special.ndtri((1 + confidence) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * np.sqrt(np.maximum(share * (1 - share), 0.0) / n + z**2 / (4 * n**2))
    low: FloatArray = np.minimum(middle - half, share)
    high: FloatArray = np.maximum(middle + half, share)
    return low, high


def bounds_of(metric: str, declared: float | None) -> tuple[float, float] | None:
    """Return the least and largest value of a record, for a metric that is a mean over records; None for others."""
    if metric in BOUNDS:
        return BOUNDS[metric]
    if metric in REGISTRY:
        return None
    return (0.0, float("inf") if declared is None else declared)


def _variance(n: FloatArray, mean: FloatArray, bounds: tuple[float, float]) -> FloatArray:
    """Return V = Σ (x − c)², where c is the mean at the checkpoint before the record, or an upper bound of it.

    A value between 0 and B has x² ≤ Bx, so Σ (x − c)² ≤ BΣx − 2cΣx + mc² for the m records between two checkpoints,
    with equality if each value is 0 or B.
    """
    least, most = bounds
    size = most - least
    x = np.nan_to_num(mean) - least
    m, total = np.diff(n, prepend=0.0), np.diff(n * x, prepend=0.0)
    before = np.concatenate([[size / 2], np.where(n[:-1] > 0, x[:-1], size / 2)])
    found: FloatArray = np.cumsum(np.maximum((size - 2 * before) * total + m * before**2, 0.0))
    return found
