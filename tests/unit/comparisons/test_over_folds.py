"""The vectorised tests over folds: each row is the result of the single test."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.comparisons import sign_test, wilcoxon
from prequential.comparisons.over_folds import fold_differences, sign_tests, wilcoxon_tests


@pytest.mark.parametrize("k", [6, 10, 25, 60])
@pytest.mark.parametrize("grain", [2, 8, 10**9])
def test_every_row_is_the_result_of_the_single_test(k: int, grain: int) -> None:
    rng = np.random.default_rng(k)
    a, b = (np.round(rng.random((40, k)) * grain) / grain for _ in range(2))  # coarse, for ties
    b[0] = a[0]
    difference = fold_differences(a, b)
    wins, p_sign = sign_tests(difference)
    less, p_rank = wilcoxon_tests(difference)
    for i in range(40):
        signs, ranks = sign_test(a[i], b[i]), wilcoxon(a[i], b[i])
        assert (wins[i], less[i]) == (signs.statistic, ranks.statistic)
        assert p_sign[i] == pytest.approx(signs.p_value, rel=1e-9)
        assert p_rank[i] == pytest.approx(ranks.p_value, rel=1e-9)


def test_a_difference_by_rounding_is_a_tie() -> None:
    a = np.array([[0.1 + 0.2, 77.98 - 77.91, 0.5, 0.6, 0.7, 0.8]])
    b = np.array([[0.3, 0.07, 0.4, 0.5, 0.6, 0.7]])
    wins, _ = sign_tests(fold_differences(a, b))
    assert wins.tolist() == [4]
    assert wilcoxon_tests(fold_differences(a, b))[1][0] == wilcoxon(a[0], b[0]).p_value


def test_an_undefined_fold_makes_only_its_row_undefined() -> None:
    difference = np.arange(1.0, 13.0).reshape(2, 6)
    difference[0, 3] = np.nan
    for test in (sign_tests, wilcoxon_tests):
        statistic, p = test(difference)
        assert np.isnan(statistic).tolist() == np.isnan(p).tolist() == [True, False]
        assert p[1] == 0.03125


def test_any_leading_axes_are_kept() -> None:
    difference = np.random.default_rng(1).normal(size=(3, 2, 4, 8))
    for test in (sign_tests, wilcoxon_tests):
        statistic, p = test(difference)
        assert statistic.shape == p.shape == (3, 2, 4)
        assert p[2, 1, 3] == test(difference[2, 1, 3])[1]


def test_differences_are_rounded_relative_to_the_results_of_their_own_row() -> None:
    a, b = np.array([[1e9, 2e9], [3e-9, 2e-9]]), np.array([[1e9, 1e9], [1e-9, 2e-9]])
    np.testing.assert_allclose(fold_differences(a, b), [[0.0, 1e9], [2e-9, 0.0]], rtol=1e-9)
    np.testing.assert_array_equal(fold_differences(a, b, unit=1e9)[1], [0.0, 0.0])


def test_without_a_unit_tiny_differences_count() -> None:
    np.testing.assert_allclose(fold_differences(np.array([[1e-20, 0.0]]), np.zeros((1, 2))), [[1e-20, 0.0]])
