"""Confidence sequence: intervals for the mean loss difference that are valid at all checkpoints together.

Howard, Ramdas, McAuliffe, Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of
Statistics 49 (arXiv 1810.08240): Theorem 4, with the stitched boundary of Theorem 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy

from prequential.arguments import check_number, checked_call
from prequential.comparisons.interval import checked_alpha
from prequential.elementary import log
from prequential.errors import ParameterError
from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray

RANGE = 2.0
"""Loss differences lie in [−1, 1]."""
START = 100.0
"""The variance V from which the boundary is stitched, and where it is tightest relative to √V.

Two learners that disagree on a tenth of the records reach it after a thousand records; before that, only very different
learners can be told apart. A start of 1 would widen the intervals by 38 % at V = 100 and by 6 % at V = 10,000.
"""
_ETA, _POWER = 2.0, 1.4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConfidenceSequence(Tidy):
    """The intervals of a confidence sequence, one per checkpoint.

    Parameters
    ----------
    mean
        The mean loss difference so far, loss_A − loss_B: negative if A is better; NaN before the first record.
    low, high
        The ends of the intervals. With probability at least 1 − α all intervals, at all records, are right.
    alpha
        The error rate of the whole sequence.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> found = pq.comparisons.confidence_sequence([10, 100], [8, 70], [2.0, 20.0])
    >>> isinstance(found, pq.comparisons.ConfidenceSequence), found.excludes_zero.tolist()
    (True, [False, True])
    """

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    alpha: float

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"Confidence sequence, α = {self.alpha:g}"

    def to_arrow(self) -> pa.Table:
        """Return the sequence: mean, low, high, excludes_zero."""
        names = ("mean", "low", "high", "excludes_zero")
        return pa.table({name: np.atleast_1d(getattr(self, name)) for name in names})

    @property
    def excludes_zero(self) -> npt.NDArray[np.bool_]:
        """At which checkpoints the interval excludes 0: one learner is better."""
        return (self.low > 0) | (self.high < 0)


def stitched_boundary(
    v: npt.ArrayLike, *, alpha: float, scale: float, start: float = START, eta: float = _ETA, power: float = _POWER
) -> FloatArray:
    """Return u(v): a sub-gamma process with variance process V ever exceeds u(V) with probability at most ``alpha``.

    u(v) = √(k₁²·v·ℓ + k₂²c²ℓ²) + k₂cℓ with ℓ = s·ln(1 + log_η(v/m)) + ln(ζ(s)/α), k₁ = (η^¼ + η^−¼)/√2,
    k₂ = (√η + 1)/2, and u(v) = u(m) for v < m. Here m is ``start``, c ``scale``, s ``power``.

    Examples
    --------
    >>> round(float(stitched_boundary(100, alpha=0.05, scale=3, start=10)), 5)  # the value in the authors' own test
    64.48755
    """
    v = np.maximum(np.asarray(v, dtype=np.float64), start)
    root = np.sqrt(np.sqrt(eta))
    k1, k2 = (root + 1 / root) / np.sqrt(2), (np.sqrt(eta) + 1) / 2
    epochs = power * log(1 + log(v / start) / log(eta)) + log(scipy.special.zeta(power) / alpha)
    bound: FloatArray = np.sqrt(k1**2 * v * epochs + (k2 * scale * epochs) ** 2) + k2 * scale * epochs
    return bound


@checked_call
def confidence_sequence(
    n: npt.ArrayLike, total: npt.ArrayLike, variance: npt.ArrayLike, *, alpha: float = 0.05, start: float = START
) -> ConfidenceSequence:
    """Return confidence intervals for the mean loss difference that are valid at all records together.

    mean_t ± u(V_t)/t, where u is the stitched boundary for α/2 per side and scale 2, the range of the differences. With
    probability at least 1 − α *every* interval contains μ_t: the mean, over the records so far, of the expected
    difference of each record given the records before it. There is no other assumption: records may depend on each
    other, the stream and the learners may change, and you may look at every record and stop at any time. μ_t itself may
    move, so an interval that excludes 0 is a statement about the records up to that checkpoint.

    The price is width: from V = 100 on, 2.1 to 2.3 times that of a normal interval for one look.

    Parameters
    ----------
    n
        Records so far, one number per checkpoint.
    total
        Σ d, with d = loss_A − loss_B in [−1, 1].
    variance
        V = Σ (dᵢ − m_{i−1})², where m_{i−1} is the mean of the differences before record i, 0 before the first.
    alpha
        The error rate of the whole sequence.
    start
        The variance from which the boundary is stitched. Choose it before you look at the data.

    Examples
    --------
    >>> sequence = confidence_sequence([1000, 100_000], [-30, -3000], [200, 20_000])
    >>> sequence.low.round(4).tolist(), sequence.high.round(4).tolist()
    ([-0.0948, -0.0359], [0.0348, -0.0241])
    >>> sequence.excludes_zero.tolist()
    [False, True]
    """
    checked_alpha(alpha, "confidence_sequence")
    check_number(start, "start", "confidence_sequence", above=0)
    t, s, v = (np.asarray(values, dtype=np.float64) for values in (n, total, variance))
    if (t < 0).any() or (v < 0).any() or (np.abs(s) > t).any():
        raise ParameterError("total", "confidence_sequence", "sums of differences in [-1, 1], one per record", total)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = s / t
        half = stitched_boundary(v, alpha=alpha / 2, scale=RANGE, start=start) / t
    low: FloatArray = np.where(t > 0, np.maximum(mean - half, -1.0), -1.0)
    high: FloatArray = np.where(t > 0, np.minimum(mean + half, 1.0), 1.0)
    return ConfidenceSequence(mean, low, high, alpha)


def predictable_variance(difference: npt.ArrayLike) -> FloatArray:
    """Return V after each record (last axis): Σ (dᵢ − m_{i−1})², with the mean m_{i−1} before record i (first: 0).

    Examples
    --------
    >>> predictable_variance([1, 1, -1]).tolist()
    [1.0, 1.0, 5.0]
    """
    d = np.asarray(difference, dtype=np.float64)
    before = np.zeros_like(d)
    before[..., 1:] = np.cumsum(d, axis=-1)[..., :-1] / np.arange(1, d.shape[-1])
    summed: FloatArray = np.cumsum((d - before) ** 2, axis=-1)
    return summed
