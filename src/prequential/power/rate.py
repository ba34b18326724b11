"""The rejection rate of a test, with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from prequential.comparisons.interval import Interval, clopper_pearson
from prequential.power.design import TESTS, Case
from prequential.power.repetition import Contrast, Repetition

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one test rejects the hypothesis that a learner and one of its copies are equally good.

    Parameters
    ----------
    case
        Stream and protocol.
    test
        The test.
    noise
        The probability with which the copy's predictions are changed; None for the copy with another seed.
    n_runs, n_undefined, n_rejected
        Number of runs in which the test has a p-value, in which it has none, and in which it rejects.
    interval
        The exact binomial interval of the rate.
    difference
        The mean over all runs of the learner's metric minus the copy's.
    n_identical
        Number of runs in which both have the same value in every fold.
    reason
        Why the test is undefined in some runs; empty if it never is.
    """

    case: Case
    test: str
    noise: float | None
    n_runs: int
    n_undefined: int
    n_rejected: int
    interval: Interval
    difference: float
    n_identical: int
    reason: str

    @property
    def kind(self) -> Literal["type I", "type II"]:
        """The possible error: ``type I``, to reject equal learners, or ``type II``, not to reject different ones."""
        return "type I" if self.noise is None else "type II"

    @property
    def rejection_rate(self) -> float:
        """The share of runs in which the test rejects; NaN without runs."""
        return self.n_rejected / self.n_runs if self.n_runs else math.nan

    @property
    def error_rate(self) -> float:
        """The share of runs in which the test is wrong."""
        return self.rejection_rate if self.noise is None else 1 - self.rejection_rate


def rates(repetitions: Iterable[Repetition], alpha: float) -> tuple[Rate, ...]:
    """Count rejections at the level ``alpha``: p ≤ α.

    They are ordered by case as the repetitions are, then by test, then by copy.

    Examples
    --------
    >>> case = Case("SEA", "cross", "held_out", 10)
    >>> twice = [Repetition(case, k, 1.0, (Contrast(None, 0.9, 0.8, False, {"sign": p}, {}),))
    ...          for k, p in ((1, 0.02), (2, 0.75))]
    >>> [(one.n_runs, one.n_rejected, one.rejection_rate) for one in rates(twice, 0.05)]
    [(2, 1, 0.5)]
    """
    found: dict[Case, dict[float | None, list[Contrast]]] = {}
    for repetition in repetitions:
        copies = found.setdefault(repetition.case, {})
        for contrast in repetition.contrasts:
            copies.setdefault(contrast.noise, []).append(contrast)
    return tuple(
        _rate(case, test, noise, contrasts, alpha)
        for case, copies in found.items()
        for test in TESTS
        for noise, contrasts in copies.items()
        if test in contrasts[0].p
    )


def _rate(case: Case, test: str, noise: float | None, contrasts: list[Contrast], alpha: float) -> Rate:
    defined = [one.p[test] for one in contrasts if not math.isnan(one.p[test])]
    n_rejected = sum(p <= alpha for p in defined)
    return Rate(
        case=case,
        test=test,
        noise=noise,
        n_runs=len(defined),
        n_undefined=len(contrasts) - len(defined),
        n_rejected=n_rejected,
        interval=clopper_pearson(n_rejected, len(defined), confidence=CONFIDENCE),
        difference=math.fsum(one.value - one.other for one in contrasts) / len(contrasts),
        n_identical=sum(one.identical for one in contrasts),
        reason=next((one.reason[test] for one in contrasts if test in one.reason), ""),
    )
