"""Accuracy relative to a baseline: κ = (p₀ − p) / (1 − p), with the accuracy p of three baselines.

Bifet et al. 2015, "Efficient online evaluation of big data stream classifiers".
"""

from __future__ import annotations

import numpy as np

from prequential.metrics.counts import ROUNDING, Counts, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


def _kappa(hits: FloatArray, baseline: FloatArray, weight: FloatArray) -> FloatArray:
    room = weight - baseline
    return ratio(hits - baseline, np.where(room > ROUNDING * weight, room, 0.0))


@register("kappa", undefined="when chance agreement is 1 (one class, and always predicted)")
def kappa(counts: Counts) -> FloatArray:
    """Cohen's κ: accuracy relative to chance agreement with the same class shares, in [−1, 1].

    (p₀ − p_c) / (1 − p_c) with p_c = Σ_c label share × prediction share. Higher is better; 0 is chance. NaN if p_c = 1.

    Examples
    --------
    >>> round(float(kappa(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    0.3269
    """
    chance = ratio((counts.labels * counts.predictions).sum(axis=-1), counts.weight)
    return _kappa(counts.hits.sum(axis=-1), chance, counts.weight)


@register("kappa_m", undefined="when the majority baseline is always right, or not known because of a merge")
def kappa_m(counts: Counts) -> FloatArray:
    """κ_m: accuracy relative to the causal majority class under the same forgetting, in (−∞, 1].

    (p₀ − p_m) / (1 − p_m), where p_m is the accuracy of predicting the most frequent of the labels known before each
    record; before the first label this baseline abstains (convention 4). Higher is better; 0 is the baseline. NaN if
    p_m = 1, and after ``Grid.merge`` while it includes records whose previous labels were not known.

    Examples
    --------
    >>> round(float(kappa_m(Counts.of_matrix([[40, 30], [5, 25]]))), 4)
    -0.1667
    """
    return _kappa(counts.hits.sum(axis=-1), counts.majority_hits, counts.weight)


@register("kappa_t", undefined="when the no-change baseline is always right, or records have no order")
def kappa_t(counts: Counts) -> FloatArray:
    """κ_per: accuracy relative to the no-change baseline, which predicts the last label, in (−∞, 1].

    (p₀ − p_e) / (1 − p_e), where p_e is the accuracy of that baseline; before the first label it abstains. Higher is
    better; 0 is the baseline. NaN if p_e = 1, and for a confusion matrix, which has no order of records.

    Examples
    --------
    >>> bool(kappa_t(Counts.of_matrix([[40, 30], [5, 25]])) != 0)  # NaN: a matrix has no order
    True
    """
    return _kappa(counts.hits.sum(axis=-1), counts.no_change_hits, counts.weight)
