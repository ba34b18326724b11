"""Differences over seeds, and which numbers are bold."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from prequential.testbed.cards.significance import difference, not_worse_than_the_best


def test_the_test_is_scipys_exact_one() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(10), rng.random(10)
    found = difference(first, second)
    assert found.p_value == pytest.approx(scipy.stats.wilcoxon(first, second, method="exact").pvalue)
    assert found.mean == pytest.approx((first - second).mean())


def test_better_is_what_the_direction_says() -> None:
    low = np.linspace(0.1, 0.2, 10)
    found = difference(low, low + np.linspace(0.01, 0.02, 10))
    assert (found.verdict("lower"), found.verdict("higher")) == ("better", "worse")
    assert difference(low, low).verdict("lower") == ""


def test_too_few_seeds_have_no_test_but_a_difference() -> None:
    found = difference(np.zeros(5), np.ones(5))
    assert found.mean == -1.0
    assert np.isnan(found.p_value)
    assert found.reason == "Wilcoxon's test needs at least 6 seeds at α = 0.05; there are 5"
    assert found.verdict("lower") == ""


def test_what_is_undefined_is_not_compared() -> None:
    found = difference(np.full(10, np.nan), np.ones(10))
    assert np.isnan(found.p_value)
    assert found.reason == "one of the two is undefined"
    assert difference(np.empty(0), np.empty(0)).reason == "there is no seed in common"


def test_boldface_is_for_the_best_and_those_not_shown_to_be_worse() -> None:
    rng = np.random.default_rng(1)
    best = rng.random(10) / 100
    errors = {
        "worse": best + 0.1,
        "best": best,
        "close": best + rng.normal(0.0005, 0.005, 10),
        "gone": np.full(10, np.nan),
    }
    p = scipy.stats.wilcoxon(errors["close"], best, method="exact").pvalue
    assert p > 0.05
    names, reason = not_worse_than_the_best(errors)
    assert (names, reason) == (frozenset({"best", "close"}), "")


def test_learners_without_any_error_are_all_best() -> None:
    names, _ = not_worse_than_the_best({"a": np.zeros(10), "b": np.zeros(10), "c": np.full(10, 0.1)})
    assert names == {"a", "b"}


def test_with_few_seeds_only_the_best_is_returned_with_a_reason() -> None:
    names, reason = not_worse_than_the_best({"a": np.array([0.1, 0.2]), "b": np.array([0.1, 0.3])})
    assert names == {"a"}
    assert "needs at least 6 seeds" in reason


def test_equal_learners_rarely_differ_significantly() -> None:
    """Under the null at most 5 % are, within binomial bounds."""
    rng = np.random.default_rng(7)
    n = 2000
    rejected = sum(difference(*rng.normal(size=(2, 10))).shown for _ in range(n))
    exact = 0.048828125  # the largest level below 0.05 of the exact test with ten pairs: 50 of 1,024 sign patterns
    assert abs(rejected - n * exact) < 5 * np.sqrt(n * exact * (1 - exact))
