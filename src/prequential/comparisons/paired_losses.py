"""Comparison of two learners by any loss: squared, absolute, log-loss, Brier, or your own.

Gama, Sebastião, Rodrigues 2013, "On evaluating stream learning algorithms": Q on squared loss, figures 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.confidence_sequence import confidence_sequence
from prequential.comparisons.interval import checked_alpha
from prequential.comparisons.pair_table import PairTable
from prequential.comparisons.q_statistic import q_reason, q_statistic
from prequential.metrics.forgetting import ExponentialHistogram
from prequential.metrics.sizes import effective_records, forgetting_of
from prequential.types import FloatArray

NUMBERS = (
    "n_records",
    "loss_a",
    "loss_b",
    "difference",
    "batch_low",
    "batch_high",
    "q",
    "sequence_low",
    "sequence_high",
)
"""The columns of numbers of a comparison by a loss, for each checkpoint and forgetting."""

UNBOUNDED = "the confidence sequence needs the largest possible loss: bound=… (--bound)"
EXCEEDED = "a loss exceeded the bound, so the confidence sequence ends before it"
FEW = "the interval by batch means needs five checkpoints or more, whose losses differ"
LEARNING = "the bound is learned from these records"
ESTIMATED = "sums are estimated: no interval can be computed from them"
UNCOUNTED = (
    "not every record counts, or records have weights, so that the trace does not say how many: add the metric 'width'"
)


@dataclass(frozen=True, slots=True, eq=False)
class MeanLosses:
    """The mean losses of two learners under one forgetting, one number per checkpoint.

    ``n_records`` is the number of records that count, or the sum of their weights under fading; NaN if it is unknown.
    """

    n: FloatArray
    time: FloatArray
    n_records: FloatArray
    a: FloatArray
    b: FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedLosses(PairTable):
    """The comparison of two learners by their losses: one row per checkpoint and forgetting.

    Parameters
    ----------
    a, b
        Names of the two learners.
    alpha
        The error rate of the confidence sequence; intervals for one look have the confidence 1 − α.
    table
        The columns fold, n, time, forgetting, then ``n_records``; ``loss_a``, ``loss_b``, the mean losses; their
        ``difference`` with its interval by batch means (``batch_low``, ``batch_high``), for one look, which holds if
        losses depend on those before; ``q`` = ln(loss_a / loss_b); ``sequence_low``, ``sequence_high``, the confidence
        sequence of the difference, valid for any number of looks, NaN except over all history and with a bound;
        ``reason``: why a value is undefined or infinite.
    loss
        The name of the loss.
    bound
        The largest possible loss; None if there is none.

    Examples
    --------
    >>> import prequential as pq
    >>> comparison = pq.Comparison.from_losses([0.1, 0.2] * 500, [0.3, 0.1] * 500, forgetting="cumulative")
    >>> [round(row["q"], 4) for row in comparison.trace.last()]
    [-0.2877]
    """

    NUMBERS: ClassVar[tuple[str, ...]] = NUMBERS

    loss: str = "loss"
    bound: float | None = field(default=None)


def losses_compared(
    means: Mapping[str, MeanLosses],
    a: str,
    b: str,
    *,
    loss: str,
    variance: FloatArray | None,
    bound: float | None,
    alpha: float = 0.05,
    since: int = 0,
) -> PairedLosses:
    """Compute the comparison from mean losses by forgetting; those over all history must be among them.

    ``variance`` is V over all history, NaN from where a loss exceeds the bound, after ``since`` checkpoints that
    the confidence sequence leaves out.
    """
    checked_alpha(alpha, "compare")
    whole = means["cumulative"]
    total = (whole.a - whole.b) * whole.n_records
    tables = []
    for label, at in means.items():
        difference = at.a - at.b
        half = _half_width(label, at, whole.n_records, total, 1 - alpha)
        out = {
            "n_records": at.n_records,
            "loss_a": at.a,
            "loss_b": at.b,
            "difference": difference,
            "batch_low": difference - half,
            "batch_high": difference + half,
            "q": q_statistic(np.nan_to_num(at.a), np.nan_to_num(at.b)),
            "sequence_low": np.full(len(at.n), np.nan),
            "sequence_high": np.full(len(at.n), np.nan),
        }
        if label == "cumulative" and bound is not None and variance is not None:
            out["sequence_low"], out["sequence_high"] = _sequence(whole.n_records, total, variance, bound, alpha, since)
        reasons = [
            _reason(label, bound, float(n), float(x), float(y), float(h), float(low), learning=k < since)
            for k, (n, x, y, h, low) in enumerate(zip(at.n_records, at.a, at.b, half, out["sequence_low"], strict=True))
        ]
        columns = {
            "fold": pa.array(np.zeros(len(at.n), np.int32)),
            "n": pa.array(at.n.astype(np.int64)),
            "time": pa.array(at.time, from_pandas=True),
            "forgetting": pa.array([label] * len(at.n), pa.string()),
            **out,
            "reason": pa.array(reasons, pa.string()),
        }
        tables.append(pa.table(columns))
    return PairedLosses(a, b, alpha, pa.concat_tables(tables), loss, bound)


def _half_width(
    label: str, at: MeanLosses, n_whole: FloatArray, total: FloatArray, confidence: float
) -> npt.NDArray[np.float64]:
    estimated = isinstance(forgetting_of(label), ExponentialHistogram)
    if estimated or np.isnan(n_whole).any() or len(n_whole) != len(at.n):
        return np.full(len(at.n), np.nan)
    return batch_half_width(n_whole, total, effective_records(label, at.n_records), confidence=confidence)


def _sequence(
    n: FloatArray, total: FloatArray, variance: FloatArray, bound: float, alpha: float, since: int
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the confidence sequence over the records after the first ``since`` checkpoints."""
    low, high = np.full(len(n), np.nan), np.full(len(n), np.nan)
    usable = np.logical_and.accumulate(np.isfinite(variance[since:]) & np.isfinite(n[since:]))
    n_before, before = (float(n[since - 1]), float(total[since - 1])) if since else (0.0, 0.0)
    part = slice(since, since + int(usable.sum()))
    found = confidence_sequence(
        n[part] - n_before, total[part] - before, variance[part], alpha=alpha, bounds=(-bound, bound)
    )
    low[part], high[part] = found.low, found.high
    return low, high


def _reason(
    label: str,
    bound: float | None,
    n_records: float,
    loss_a: float,
    loss_b: float,
    half: float,
    low: float,
    *,
    learning: bool,
) -> str:
    found = []
    if np.isnan(loss_a) or np.isnan(loss_b):
        found.append("no record counts yet")
    elif isinstance(forgetting_of(label), ExponentialHistogram):
        found.append(ESTIMATED)
    elif np.isnan(n_records):
        found.append(UNCOUNTED)
    elif np.isnan(half):
        found.append(FEW)
    if label == "cumulative" and np.isnan(low):
        found.append(LEARNING if learning else UNBOUNDED if bound is None else EXCEEDED)
    if not (np.isnan(loss_a) or np.isnan(loss_b)):
        found.append(q_reason(loss_a, loss_b))
    return "; ".join(filter(None, found))
