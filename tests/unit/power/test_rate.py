"""Counting rejections."""

from __future__ import annotations

import math

import pytest
from scipy import stats
from unit.power.made_up import CASE, contrast, repetitions

from prequential.power.design import TESTS, Case
from prequential.power.rate import rates
from prequential.power.repetition import Repetition


def test_a_p_value_of_alpha_rejects_and_one_above_does_not() -> None:
    same, noisy = (one for one in rates(repetitions([(0.05, 0.001), (0.050001, 0.2), (0.9, 0.05)]), 0.05)[:2])
    assert (same.kind, same.noise, same.n_runs, same.n_rejected) == ("type I", None, 3, 1)
    assert (noisy.kind, noisy.noise, noisy.n_runs, noisy.n_rejected) == ("type II", 0.05, 3, 2)
    assert same.error_rate == same.rejection_rate == pytest.approx(1 / 3)
    assert noisy.error_rate == pytest.approx(1 / 3)
    assert noisy.rejection_rate == pytest.approx(2 / 3)


@pytest.mark.parametrize("n_rejected", [0, 3, 17, 50])
def test_the_interval_is_the_exact_one_of_scipy(n_rejected: int) -> None:
    found = rates(repetitions([(0.01 if k < n_rejected else 0.5, 0.5) for k in range(50)]), 0.05)[0]
    exact = stats.binomtest(n_rejected, 50).proportion_ci(0.95, method="exact")
    assert (found.interval.low, found.interval.high) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_runs_without_a_p_value_count_for_neither() -> None:
    found = rates(repetitions([(math.nan, 0.5), (0.01, 0.5), (0.5, math.nan)]), 0.05)
    assert (found[0].n_runs, found[0].n_undefined, found[0].n_rejected, found[0].reason) == (2, 1, 1, "weights")
    assert (found[1].n_runs, found[1].n_undefined, found[1].n_rejected) == (2, 1, 0)


def test_where_no_run_has_a_p_value_the_rate_is_undefined_and_may_be_anything() -> None:
    found = rates(repetitions([(math.nan, math.nan)]), 0.05)[0]
    assert math.isnan(found.rejection_rate)
    assert math.isnan(found.error_rate)
    assert (found.interval.low, found.interval.high) == (0, 1)


def test_cases_are_counted_apart_and_the_difference_is_the_mean() -> None:
    other = Case("SEA", "split", "held_out", 10)
    some = [
        *repetitions([(0.01, 0.01)]),
        *repetitions([(0.5, 0.5)], other),
        Repetition(CASE, 2, 0.5, (contrast(dict.fromkeys(TESTS, 0.5), value=0.5, other=0.6, identical=True),)),
    ]
    found = {(one.case.scheme, one.test, one.noise): one for one in rates(some, 0.05)}
    assert found["cross", "sign", None].n_runs == 2
    assert found["cross", "sign", None].difference == pytest.approx((0.025 - 0.1) / 2)
    assert found["cross", "sign", None].n_identical == 1
    assert found["split", "sign", None].n_rejected == 0
    assert found["cross", "sign", 0.05].n_rejected == 1
