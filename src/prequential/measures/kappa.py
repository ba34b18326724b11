"""Agreement beyond what a baseline reaches: κ = (p₀ − p) / (1 − p), with three baselines p.

Bifet et al. 2015, "Efficient online evaluation of big data stream classifiers".
"""

from __future__ import annotations

import numpy as np

from prequential.measures.counts import ROUNDING, Counts, ratio
from prequential.measures.measure import register
from prequential.types import FloatArray


def _beyond(hits: FloatArray, baseline: FloatArray, weight: FloatArray) -> FloatArray:
    room = weight - baseline
    return ratio(hits - baseline, np.where(room > ROUNDING * weight, room, 0.0))


@register("kappa", undefined="when chance alone is always right (one class, and always predicted)")
def kappa(counts: Counts) -> FloatArray:
    """Cohen's κ: accuracy against that of chance with the same margins, in [−1, 1].

    p_c = Σ_c label share × prediction share.

    Examples
    --------
    >>> round(float(kappa(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.3269
    """
    chance = ratio((counts.labels * counts.predictions).sum(axis=-1), counts.weight)
    return _beyond(counts.hits.sum(axis=-1), chance, counts.weight)


@register("kappa_m", undefined="when the majority baseline is always right, or not known for records after a merge")
def kappa_m(counts: Counts) -> FloatArray:
    """κ against the causal majority class under the same forgetting, in (−∞, 1].

    p_m is the accuracy of a learner that predicts the most frequent of the labels known before each record; before
    the first label it abstains (convention 4). After ``Grid.merge`` it is NaN as long as records count that were judged
    without knowing the labels before them.

    Examples
    --------
    >>> round(float(kappa_m(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    -0.1667
    """
    return _beyond(counts.hits.sum(axis=-1), counts.majority_hits, counts.weight)


@register("kappa_per", undefined="when the no-change baseline is always right, or records have no order")
def kappa_per(counts: Counts) -> FloatArray:
    """κ against the label before (no-change, "persistent"), in (−∞, 1].

    Examples
    --------
    >>> bool(kappa_per(Counts.of_matrix([[40, 30], [5, 25]])) != 0)  # NaN: a matrix has no order
    True
    """
    return _beyond(counts.hits.sum(axis=-1), counts.no_change_hits, counts.weight)
