"""The intervals around the estimates of a run, at every checkpoint, read from its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from prequential.comparisons.mean_interval import SHARES, bounds_of, mean_interval
from prequential.metrics.forgetting import ExponentialHistogram
from prequential.metrics.sizes import forgetting_of
from prequential.runs.counted import counted_per_checkpoint
from prequential.runs.holdout_tests import COMPLETE, size_of_test
from prequential.runs.stage import Stage, is_delayed
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values, metric_of
from prequential.types import FloatArray, IntArray

_UNKNOWN = (
    "not every record counts, or records have weights, so that the trace does not say how many: add the metric 'width'"
)
_NO_HISTORY = "batch means need the metric over all history: add the forgetting 'cumulative'"
_FEW = "the interval by batch means needs five checkpoints or more, whose values differ"
_ESTIMATED = "sums are estimated: no interval can be computed from them"


@dataclass(frozen=True, slots=True, eq=False)
class IntervalCurve:
    """The intervals of one learner, forgetting and metric at its checkpoints."""

    learner: str
    forgetting: str
    metric: str
    n: IntArray
    value: FloatArray
    numbers: Mapping[str, FloatArray]
    reason: str

    @property
    def band(self) -> tuple[FloatArray, FloatArray]:
        """The interval to draw: by batch means; on a holdout test Wilson's."""
        kind = "wilson_" if self.forgetting == COMPLETE else ""
        return self.numbers[f"{kind}low"], self.numbers[f"{kind}high"]


def interval_curves(
    values: Values,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
    confidence: float = 0.95,
) -> list[IntervalCurve]:
    """Return the intervals of each learner, forgetting and metric; none for a run with folds."""
    if values.manifest.protocol.get("protocol") == "kfold":
        return []
    return [
        curve
        for metric, under in values.choose(metrics, forgetting).items()
        for label in under
        for learner in values.choose_learners(learners)
        if (curve := _curve(values, learner, label, metric, confidence)) is not None
    ]


def interval_band(values: Values, learner: str, forgetting: str, column: str) -> tuple[FloatArray, FloatArray] | None:
    """Return the ends of the interval around a curve at each checkpoint; None if there is none."""
    for found in interval_curves(values, metrics=column, forgetting=forgetting, learners=learner):
        if not np.isnan(found.band[0]).all():
            return found.band
    return None


def _curve(values: Values, learner: str, label: str, metric: str, confidence: float) -> IntervalCurve | None:
    base = Stage.of(metric).metric if is_delayed(values.manifest) else metric
    entry = metric_of(values.manifest, base)
    squared = base == "rmse"
    bounds = bounds_of("mse" if squared else base, None if entry is None else entry.bound)
    if bounds is None or "[" in base or (entry is not None and base not in SHARES and entry.better != "lower"):
        return None
    n = values.checkpoints(learner)
    if not len(n):
        return None
    value, whole = (values.curve(learner, one, metric) for one in (label, "cumulative"))
    if squared:
        value, whole = value**2, whole**2
    has_history = "cumulative" in values.forgetting
    history = counted_per_checkpoint(values, (learner,), "cumulative") if has_history else np.full(len(n), np.nan)
    estimated = isinstance(forgetting_of(label), ExponentialHistogram)
    numbers = mean_interval(
        value,
        _n_records(values, learner, label, n),
        (history, whole),
        label,
        bounds,
        share=base in SHARES,
        estimated=estimated,
        confidence=confidence,
    )
    if squared:
        value = np.sqrt(value)
        numbers = {k: v if k == "n_effective" else np.sqrt(v) for k, v in numbers.items()}
    known = not np.isnan(numbers["n_effective"][-1])
    reason = ""
    if np.isnan(numbers["low"][-1]) and label != COMPLETE and not np.isnan(value[-1]):
        reason = _ESTIMATED if estimated else _NO_HISTORY if not has_history else _FEW if known else _UNKNOWN
    return IntervalCurve(learner, label, metric, n, value, numbers, reason)


def _n_records(values: Values, learner: str, label: str, n: IntArray) -> FloatArray:
    if label == COMPLETE:
        sizes = [size_of_test(values.manifest, int(one)) for one in n]
        return np.array([np.nan if size is None else float(size) for size in sizes])
    return counted_per_checkpoint(values, (learner,), label)
