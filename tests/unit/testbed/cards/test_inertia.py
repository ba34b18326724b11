"""Peaks and recoveries on curves whose answers are known."""

from __future__ import annotations

import numpy as np
from unit.testbed.cards.made_up import N, flat

from prequential.testbed.cards.error_counts import ErrorCounts
from prequential.testbed.cards.inertia import peak, recovery, rise


def jump(level: int, high: int, begin: int, end: int) -> ErrorCounts:
    """A number of errors per stretch, and a higher one between two records."""
    counts = flat(level)
    counts[:, begin // 50 : end // 50] = high
    return ErrorCounts(counts, N)


OPTIMUM = ErrorCounts(flat(2), N)


def test_a_step_of_the_error_is_seen_through_the_window() -> None:
    """From 4 to 24 errors of 50 for 1,000 records: the window of 500 is full after 500, and empty after 1,500."""
    n, height = rise(jump(4, 24, 2500, 3500), OPTIMUM, 2500)
    assert n[0] == 50
    assert n[-1] == 7500
    np.testing.assert_allclose(height[:, 0], 0.4 / 10, rtol=1e-9)
    np.testing.assert_allclose(peak(height), 0.4, rtol=1e-9)
    assert recovery(n, height) == (1500.0, False)
    assert recovery(n, height, threshold=0.2 + 1e-9) == (1250.0, False)  # half of the window


def test_the_level_before_does_not_count() -> None:
    """A learner that is bad all the time has no inertia: other numbers say that it is bad."""
    n, height = rise(jump(20, 20, 0, 50), OPTIMUM, 5000)
    assert np.abs(height).max() < 1e-12
    assert recovery(n, height) == (0.0, False)


def test_what_gets_harder_for_the_optimum_too_is_no_rise() -> None:
    harder = jump(2, 12, 5000, 10_000)
    _, height = rise(jump(5, 15, 5000, 10_000), harder, 5000)
    assert np.abs(height).max() < 1e-12


def test_who_never_comes_back_has_a_lower_bound() -> None:
    n, height = rise(jump(4, 24, 5000, 10_000), OPTIMUM, 5000)
    assert recovery(n, height) == (5000.0, True)


def test_an_error_that_falls_has_no_peak() -> None:
    n, height = rise(jump(24, 4, 5000, 10_000), OPTIMUM, 5000)
    assert peak(height).tolist() == [0.0] * 10
    assert recovery(n, height) == (0.0, False)


def test_recovery_counts_from_the_highest_point_on() -> None:
    """A first small rise that is over does not hide the greater one after it."""
    learner = jump(4, 10, 2500, 3000)
    later = jump(4, 40, 6000, 6500)
    both = ErrorCounts(np.maximum(learner.counts, later.counts), N)
    n, height = rise(both, OPTIMUM, 2500)
    assert recovery(n, height) == (6500 - 2500 + 500, False)


def test_the_peak_is_that_of_the_average_over_the_seeds() -> None:
    """Single seeds peak by chance: those of ten seeds of pure noise are about twice as high as that of the average."""
    rng = np.random.default_rng(1)
    counts = rng.binomial(50, 0.1, (10, 201))
    counts[:, -1] = 0
    _, height = rise(ErrorCounts(counts, N), OPTIMUM, 5000)
    assert peak(height).mean() == height.mean(axis=0).max()
    assert peak(height).mean() < 0.6 * height.max(axis=1).mean()
