"""Significance of the differences between two learners over the seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from prequential.comparisons.sample import least_pairs
from prequential.comparisons.wilcoxon import wilcoxon
from prequential.types import FloatArray

ALPHA = 0.05
"""The error rate of each test alone, as in the paper.

It is not corrected for the number of tests: with ten seeds no p-value is below 0.002, and after a correction for dozens
of tests nothing could be significant. Of twenty tests of equal learners, one is expected to reject.
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two learners, or of two versions of one, on the same seeds.

    Parameters
    ----------
    mean
        The mean of first − second.
    p_value
        Of Wilcoxon's exact signed-rank test; NaN if it is undefined.
    reason
        Why the p-value is undefined.
    """

    mean: float
    p_value: float
    reason: str = ""

    @property
    def shown(self) -> bool:
        """Whether the difference is significant."""
        return self.p_value <= ALPHA

    def verdict(self, better: Literal["higher", "lower"]) -> Literal["better", "worse", ""]:
        """Return whether the first is better or worse; empty if the difference is not significant."""
        if not self.shown or self.mean == 0:
            return ""
        return "better" if (self.mean > 0) == (better == "higher") else "worse"


def difference(first: FloatArray, second: FloatArray) -> Difference:
    """Compare two lists of results for the same seeds in the same order.

    Examples
    --------
    >>> found = difference(np.arange(10) / 100, np.arange(10) / 100 + 0.2)
    >>> round(found.mean, 2), round(found.p_value, 5), found.verdict("lower")
    (-0.2, 0.00195, 'better')
    """
    undefined = float("nan")
    if not len(first):
        return Difference(undefined, undefined, "there is no seed in common")
    mean = float((first - second).mean())
    if np.isnan(mean):
        return Difference(mean, undefined, "one of the two is undefined")
    if len(first) < least_pairs(ALPHA):
        reason = f"Wilcoxon's test needs at least {least_pairs(ALPHA)} seeds at α = {ALPHA:g}; there are {len(first)}"
        return Difference(mean, undefined, reason)
    test = wilcoxon(first, second, alpha=ALPHA)
    return Difference(mean, test.p_value, test.reason)


def not_worse_than_the_best(errors: Mapping[str, FloatArray]) -> tuple[frozenset[str], str]:
    """Return the learner with the lowest mean error, and all that are not significantly worse.

    These are printed in bold in the paper. Learners with undefined errors are left out.

    Returns
    -------
    names, reason
        The names of these learners; and, if there are too few seeds for tests, the reason why it is only the best.

    Examples
    --------
    >>> a, b = np.arange(10) / 100, np.array([1, 0, 3, 2, 5, 4, 7, 6, 9, 8]) / 100
    >>> names, _ = not_worse_than_the_best({"a": a, "b": b, "c": a + 0.1})
    >>> sorted(names)
    ['a', 'b']
    """
    means = {name: float(values.mean()) for name, values in errors.items() if len(values)}
    defined = {name: mean for name, mean in means.items() if not np.isnan(mean)}
    if not defined:
        return frozenset(), ""
    best = min(defined, key=lambda name: defined[name])
    against = {name: difference(errors[name], errors[best]) for name in defined if name != best}
    reason = next((one.reason for one in against.values() if np.isnan(one.p_value)), "")
    alike = {name for name, one in against.items() if (one.mean == 0 if np.isnan(one.p_value) else not one.shown)}
    return frozenset({best, *alike}), reason
