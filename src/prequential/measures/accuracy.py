"""Share of the predictions that are right."""

from __future__ import annotations

from prequential.measures.counts import Counts, ratio
from prequential.measures.measure import register
from prequential.types import FloatArray


@register("accuracy")
def accuracy(counts: Counts) -> FloatArray:
    """Share of the predictions that are right: Σ hits / Σ weight, in [0, 1].

    An abstention is wrong, unless the run leaves abstentions out.

    Examples
    --------
    >>> float(accuracy(Counts.of_matrix([[40, 30], [5, 25]])))
    0.65
    """
    return ratio(counts.hits.sum(axis=-1), counts.weight)


@register("error", better="lower")
def error(counts: Counts) -> FloatArray:
    """Share of the predictions that are wrong: 1 − accuracy, in [0, 1].

    Examples
    --------
    >>> float(error(Counts.of_matrix([[40, 30], [5, 25]])))
    0.35
    """
    return ratio(counts.weight - counts.hits.sum(axis=-1), counts.weight)
