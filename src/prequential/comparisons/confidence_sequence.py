"""Confidence sequence: intervals for a mean loss, or a mean difference, that are valid at all checkpoints together.

Howard, Ramdas, McAuliffe, Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of
Statistics 49 (arXiv 1810.08240): Theorem 4, with a boundary of `boundary`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.arguments import check_choice, check_number, checked_call
from prequential.comparisons.boundary import START, mixture_boundary, stitched_boundary
from prequential.comparisons.interval import checked_alpha
from prequential.errors import ParameterError
from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConfidenceSequence(Tidy):
    """The intervals of a confidence sequence, one per checkpoint.

    Parameters
    ----------
    mean
        The mean so far, of a difference loss_A − loss_B negative if A is better; NaN before the first record.
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


@checked_call
def confidence_sequence(
    n: npt.ArrayLike,
    total: npt.ArrayLike,
    variance: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    start: float = START,
    bounds: tuple[float, float] = (-1.0, 1.0),
    boundary: Literal["mixture", "stitched"] = "mixture",
) -> ConfidenceSequence:
    """Return confidence intervals for a mean loss, or a mean difference, that are valid at all records together.

    mean_t ± u(V_t)/t, where u is a boundary for α/2 per side whose scale is the range of the values. With probability
    at least 1 − α *every* interval contains μ_t: the mean, over the records so far, of the expected value of each
    record given the records before it. There is no other assumption: records may depend on each other, the stream and
    the learners may change, and you may look at every record and stop at any time. μ_t itself may move, so an interval
    that excludes 0 is a statement about the records up to that checkpoint.

    The price is width: from V = 100 on, 1.9 to 2.1 times that of a normal interval for one look with the mixture, 2.1
    to 2.3 times with the stitched boundary. The mixture is the narrower one up to V = 10⁶, by a fifth at V = 100.

    Parameters
    ----------
    n
        Records so far, one number per checkpoint.
    total
        Σ d, with d between the ``bounds``: a loss, or the difference loss_A − loss_B.
    variance
        V = Σ (dᵢ − m_{i−1})², where m_{i−1} depends only on what was before record i, such as the mean so far.
    alpha
        The error rate of the whole sequence.
    start
        The variance at which the boundary is tightest, for a range of 2. Choose it before you look at the data.
    bounds
        The least and the largest possible value: (−1, 1) for a difference of errors, (0, 1) for an error.
    boundary
        ``"mixture"`` or ``"stitched"``.

    Examples
    --------
    >>> sequence = confidence_sequence([1000, 100_000], [-30, -3000], [200, 20_000])
    >>> sequence.low.round(4).tolist(), sequence.high.round(4).tolist()
    ([-0.0804, -0.0353], [0.0204, -0.0247])
    >>> sequence.excludes_zero.tolist()
    [False, True]
    """
    checked_alpha(alpha, "confidence_sequence")
    check_number(start, "start", "confidence_sequence", above=0)
    check_choice(boundary, "boundary", "confidence_sequence", ("mixture", "stitched"))
    least, most = checked_bounds(bounds, "confidence_sequence")
    t, s, v = (np.asarray(values, dtype=np.float64) for values in (n, total, variance))
    beyond = 1e-9 * (most - least) * np.maximum(t, 1.0)  # sums of rounded numbers
    if (t < 0).any() or (v < 0).any() or (s > most * t + beyond).any() or (s < least * t - beyond).any():
        within = f"sums of values in [{least:g}, {most:g}], one per record"
        raise ParameterError("total", "confidence_sequence", within, total)
    size = most - least
    of = mixture_boundary if boundary == "mixture" else stitched_boundary
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = s / t
        half = of(v, alpha=alpha / 2, scale=size, start=start * (size / 2) ** 2) / t
    low: FloatArray = np.where(t > 0, np.clip(mean - half, least, most), least)
    high: FloatArray = np.where(t > 0, np.clip(mean + half, least, most), most)
    return ConfidenceSequence(mean, low, high, alpha)


def checked_bounds(bounds: tuple[float, float], caller: str) -> tuple[float, float]:
    """Return the least and the largest possible value as numbers."""
    expected = "two finite numbers, the least possible value and the largest"
    try:
        least, most = (float(one) for one in bounds)
    except (TypeError, ValueError):
        raise ParameterError("bounds", caller, expected, bounds) from None
    if not (np.isfinite([least, most]).all() and least < most):
        raise ParameterError("bounds", caller, expected, bounds)
    return least, most


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
