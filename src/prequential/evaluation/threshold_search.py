"""The search for the value of a parameter at which a detector's rate of false alarms becomes admissible.

The rate at one value is the number of alarms K over N records. Rare alarms of a detector that starts again after each
are nearly a Poisson process, so the interval of the rate is that of Garwood, exact for a Poisson count. If the counts
of the parts (runs, or tenths of one series) vary more than Poisson counts, by the factor φ = variance / mean, it is
that of K/φ alarms in N/φ records.

The answer is the last value, from few alarms to many, up to which the rate is admissible at all values tried; the
limits are the last ones up to which the lower, or the upper limit of the rate is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import scipy

from prequential.elementary import log
from prequential.errors import InputError
from prequential.types import IntArray

Counts: TypeAlias = Callable[[Sequence[float]], tuple[IntArray, int]]
"""Values of the parameter -> numbers of alarms, a row per value and a column per part, and the number of records."""

_AT_ONCE = 5
"""Values that are tried side by side."""
_PRECISION = 0.01
"""The search ends when the values around an answer differ by at most this share."""


class Rate(NamedTuple):
    """False alarms per record, the limits of its interval, and the dispersion φ."""

    rate: float
    low: float
    high: float
    dispersion: float


def poisson_rate(counts: IntArray, n_records: int, alpha: float) -> Rate:
    """Return the rate of alarms with its interval.

    Examples
    --------
    >>> import numpy as np
    >>> [round(one, 3) for one in poisson_rate(np.array([2, 1, 2]), 10, 0.05)]
    [0.5, 0.162, 1.167, 1.0]
    """
    k = float(counts.sum())
    phi = max(1.0, float(np.var(counts, ddof=1) / np.mean(counts))) if k and counts.size > 1 else 1.0
    low = float(scipy.stats.chi2.ppf(alpha / 2, 2 * k / phi)) / 2 if k else 0.0
    high = float(scipy.stats.chi2.ppf(1 - alpha / 2, 2 * k / phi + 2)) / 2
    return Rate(k / n_records, low * phi / n_records, high * phi / n_records, phi)


class ThresholdSearch:
    """Values of the parameter with their numbers of alarms.

    Parameters
    ----------
    counts
        Runs the detector with several values.
    per
        The admissible rate is one alarm in so many records.
    alpha
        1 − the confidence of the intervals.
    """

    def __init__(self, counts: Counts, per: float, alpha: float) -> None:
        self._counts, self._per, self._alpha = counts, per, alpha
        self._sign = 1.0
        self.found: dict[float, IntArray] = {}
        self.n_records = 0

    def run(self, values: Sequence[float], first: str) -> None:
        """Search from values with few alarms to values with many; ``first`` names the first one in messages.

        Raises
        ------
        InputError
            If the data are too few, or if the first value has too many alarms.
        """
        self._sign = math.copysign(1.0, values[0] - values[-1])
        for at in range(0, len(values), _AT_ONCE):
            batch = values[at : at + _AT_ONCE]
            self._add(batch)
            if at == 0:
                self._check(values[0], first)
            if any(self.rate(one).low > 1 / self._per for one in batch):
                break
        while self._refine():
            pass

    def answers(self) -> tuple[float, float, float]:
        """Return the value, the bold limit and the cautious one."""
        return self._last("rate"), self._last("low"), self._last("high")

    def rate(self, value: float) -> Rate:
        """Return the rate at a value that was tried."""
        return poisson_rate(self.found[value], self.n_records, self._alpha)

    def _check(self, value: float, name: str) -> None:
        if self.n_records < 4 * self._per:
            raise InputError(
                f"calibrate: {self.n_records:,} records in all are too few for one false alarm per {self._per:,.15g}. "
                f"Accepted: at least {4 * self._per:,.15g}, by a longer stream or more seeds."
            )
        if self.rate(value).high > 1 / self._per:
            raise InputError(
                f"calibrate: even {name}, with {self.found[value].sum():,} alarms in {self.n_records:,} records, "
                f"is not shown to give at most one false alarm per {self._per:,.15g}. Do the data drift, or are they "
                "too few?"
            )

    def _refine(self) -> bool:
        """Try values next to the answers; return whether there were new ones."""
        ordered, new = self._ordered(), set[float]()
        for answer in self.answers():
            i = ordered.index(answer) + 1
            if i < len(ordered) and abs(float(log(ordered[i] / answer))) > _PRECISION:
                new |= {float(f"{one:.4g}") for one in np.geomspace(answer, ordered[i], _AT_ONCE + 2)[1:-1]}
        new -= self.found.keys()
        self._add(sorted(new))
        return bool(new)

    def _last(self, part: str) -> float:
        ordered = self._ordered()
        last = ordered[0]
        for value in ordered:
            if getattr(self.rate(value), part) > 1 / self._per:
                break
            last = value
        return last

    def _ordered(self) -> list[float]:
        """Return the values from few alarms to many."""
        return sorted(self.found, key=lambda value: -self._sign * value)

    def _add(self, values: Sequence[float]) -> None:
        if values:
            rows, self.n_records = self._counts(values)
            self.found.update(zip(values, rows, strict=True))
