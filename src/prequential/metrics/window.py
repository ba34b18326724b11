"""The number of records behind a metric, and how often an adaptive window has shrunk."""

from __future__ import annotations

from prequential.metrics.counts import Counts
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("width", needs="nothing", better=None, undefined="never")
def width(counts: Counts) -> FloatArray:
    """Width of the window in records; under fading, the sum N of the weights.

    Part of every trace with ``AdaptiveWindow``: the loss has not changed within this width.
    """
    return counts.n_records


@register("alarms", needs="nothing", better=None, undefined="for a bare confusion matrix")
def alarms(counts: Counts) -> FloatArray:
    """How often the window has shrunk because the loss changed; 0 if it is not adaptive.

    Part of every trace with ``AdaptiveWindow``.
    """
    return counts.n_alarms
