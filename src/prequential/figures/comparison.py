"""Two learners over the records of a stream: the data to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.comparisons.paired import PairedTrace
from prequential.figures.curves import thin
from prequential.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PairedCurve:
    """A statistic of two learners under one forgetting; NaN where it is undefined or infinite."""

    forgetting: str
    n: IntArray
    value: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """The confidence sequence of the difference."""

    n: IntArray
    low: FloatArray
    high: FloatArray


def paired_curves(trace: PairedTrace, statistic: str) -> list[PairedCurve]:
    """Return one curve per forgetting, of the first fold; ``statistic`` is a column of the trace."""
    curves = []
    for forgetting in trace.forgetting:
        series = trace.series(forgetting, trace.folds[0])
        value = np.where(np.isfinite(series[statistic]), series[statistic], np.nan)  # an infinite Q is a gap
        curves.append(PairedCurve(forgetting, *thin(series["n"].astype(np.int64), value)))
    return curves


def confidence_band(trace: PairedTrace) -> Band | None:
    """Return the confidence sequence; None if there is none."""
    if "cumulative" not in trace.forgetting:
        return None
    series = trace.series("cumulative", trace.folds[0])
    if np.isnan(series["sequence_low"]).all():
        return None
    return Band(series["n"].astype(np.int64), series["sequence_low"], series["sequence_high"])


def difference_range(trace: PairedTrace) -> tuple[float, float]:
    """Return a range that holds 0, the differences and their confidence sequence.

    The first tenth of the sequence is left out: it is so wide that the rest would not be visible.
    """
    shown = [trace.series(f, trace.folds[0])["difference"] for f in trace.forgetting]
    if "cumulative" in trace.forgetting:
        series = trace.series("cumulative", trace.folds[0])
        shown += [series[name][len(series[name]) // 10 :] for name in ("sequence_low", "sequence_high")]
    finite = np.concatenate([[0.0], *(values[np.isfinite(values)] for values in shown)])
    margin = 0.05 * (float(finite.max()) - float(finite.min())) + 1e-4
    return float(finite.min()) - margin, float(finite.max()) + margin


def last_record(trace: PairedTrace) -> int:
    """Return the number of records at the last checkpoint."""
    return int(np.max(trace.table["n"].to_numpy()))
