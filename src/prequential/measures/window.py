"""What is behind a measure: how many records count, and how often a window that adapts has shrunk."""

from __future__ import annotations

from prequential.measures.counts import Counts
from prequential.measures.measure import register
from prequential.types import FloatArray


@register("width", needs="nothing", better=None, undefined="never")
def width(counts: Counts) -> FloatArray:
    """How many records count: the width of a window; under fading the sum N of the weights.

    Part of every trace with ``Adwin``, whose width says since when the loss has not changed.
    """
    return counts.n_records


@register("alarms", needs="nothing", better=None, undefined="for a bare confusion matrix")
def alarms(counts: Counts) -> FloatArray:
    """How often the window has shrunk because the loss had changed; 0 where it does not adapt.

    Part of every trace with ``Adwin``.
    """
    return counts.n_alarms
