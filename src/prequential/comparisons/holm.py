"""Holm correction: p-values of several tests with a bound on the probability of any false rejection.

Holm 1979, "A simple sequentially rejective multiple test procedure".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.comparisons.friedman import Better, signed_table
from prequential.comparisons.wilcoxon import Wilcoxon, wilcoxon
from prequential.errors import ParameterError
from prequential.sheets.summary import Summary
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, repr=False)
class PairTest(Summary):
    """The Wilcoxon test of one pair of several learners.

    Parameters
    ----------
    a, b
        The columns of the two learners.
    test
        The Wilcoxon test of the two alone.
    p_value
        Its p-value, corrected for the number of pairs.

    Examples
    --------
    >>> import prequential as pq
    >>> values = [[0.9 - i / 100, 0.8 - i / 90] for i in range(8)]
    >>> (pair,) = pq.comparisons.pairwise_wilcoxon(values)
    >>> round(pair.p_value, 3)
    0.008
    """

    a: int
    b: int
    test: Wilcoxon
    p_value: float


@checked_call
def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Correct p-values for their number: the i-th smallest of m becomes max over j ≤ i of (m − j + 1)·p_j, at most 1.

    Reject if the corrected p-value is at most α; then the probability of any false rejection is at most α, for any
    dependence between the tests.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ParameterError("p_values", "holm", "a list of numbers in [0, 1]", p_values)
    order = np.argsort(p, kind="stable")
    corrected = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    result = np.empty_like(p)
    result[order] = np.minimum(corrected, 1.0)
    return result


@checked_call
def pairwise_wilcoxon(values: npt.ArrayLike, *, better: Better = "higher", alpha: float = 0.05) -> tuple[PairTest, ...]:
    """Compare every pair of learners with the Wilcoxon test over the streams, with Holm correction.

    Parameters
    ----------
    values
        Results, streams in rows and learners in columns.
    better
        Whether higher or lower results are better; a positive effect means that the first of the two is better.
    alpha
        The error rate of all pairs together; each interval alone has the confidence 1 − α.

    Raises
    ------
    InputError
        If there are fewer streams than the Wilcoxon test needs.

    Examples
    --------
    >>> results = [[0.9, 0.8, 0.8], [0.8, 0.7, 0.6], [0.7, 0.5, 0.6], [0.9, 0.7, 0.7], [0.8, 0.6, 0.5], [0.9, 0.8, 0.9]]
    >>> [(pair.a, pair.b, round(pair.p_value, 3)) for pair in pairwise_wilcoxon(results)]
    [(0, 1, 0.094), (0, 2, 0.125), (1, 2, 1.0)]
    """
    signed = signed_table(values, better, "pairwise_wilcoxon")
    pairs = list(combinations(range(signed.shape[1]), 2))
    tests = [wilcoxon(signed[:, i], signed[:, j], alpha=alpha) for i, j in pairs]
    corrected = holm([test.p_value for test in tests])
    return tuple(PairTest(i, j, test, float(p)) for (i, j), test, p in zip(pairs, tests, corrected, strict=True))
