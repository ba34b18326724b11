"""Two learners over the records of a stream: the data to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.comparisons.pair_table import PairTable
from prequential.comparisons.paired_losses import PairedLosses
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
    """The confidence sequence of the difference; without one, the interval by batch means, which is for one look."""

    n: IntArray
    low: FloatArray
    high: FloatArray
    name: str


def loss_of(trace: PairTable) -> str:
    """Return the name of the loss that is compared."""
    return trace.loss if isinstance(trace, PairedLosses) else "error"


def paired_curves(trace: PairTable, statistic: str) -> list[PairedCurve]:
    """Return one curve per forgetting, of the first fold; ``statistic`` is a column of the trace."""
    curves = []
    for forgetting in trace.forgetting:
        series = trace.series(forgetting, trace.folds[0])
        value = np.where(np.isfinite(series[statistic]), series[statistic], np.nan)  # an infinite Q is a gap
        curves.append(PairedCurve(forgetting, *thin(series["n"].astype(np.int64), value)))
    return curves


def confidence_band(trace: PairTable) -> Band | None:
    """Return the confidence sequence, or the interval by batch means if there is none; None without both."""
    if "cumulative" not in trace.forgetting:
        return None
    series = trace.series("cumulative", trace.folds[0])
    sure = f"{100 * (1 - trace.alpha):g} %"
    kinds = {
        "sequence": f"confidence sequence ({sure}, any number of looks)",
        "batch": f"batch means ({sure}, one look)",
    }
    for kind, name in kinds.items():
        low, high = series[f"{kind}_low"], series[f"{kind}_high"]
        if not np.isnan(low).all():
            return Band(series["n"].astype(np.int64), low, high, name)
    return None


def difference_range(trace: PairTable) -> tuple[float, float]:
    """Return a range that holds 0, the differences and their confidence sequence.

    The first tenth of the sequence is left out: it is so wide that the rest would not be visible.
    """
    shown = [trace.series(f, trace.folds[0])["difference"] for f in trace.forgetting]
    if (band := confidence_band(trace)) is not None:
        shown += [edge[len(edge) // 10 :] for edge in (band.low, band.high)]
    finite = np.concatenate([[0.0], *(values[np.isfinite(values)] for values in shown)])
    margin = 0.05 * (float(finite.max()) - float(finite.min())) + 1e-4
    return float(finite.min()) - margin, float(finite.max()) + margin


def last_record(trace: PairTable) -> int:
    """Return the number of records at the last checkpoint."""
    return int(np.max(trace.table["n"].to_numpy()))
