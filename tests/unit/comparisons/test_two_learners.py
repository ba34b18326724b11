"""Two learners: Q, McNemar, the tests over folds; degenerate and invalid input."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from prequential.comparisons import (
    Interval,
    confidence_sequence,
    error_difference,
    mcnemar,
    q_statistic,
    sign_test,
    wilcoxon,
)
from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.comparisons.mcnemar import signed_mcnemar
from prequential.comparisons.q_statistic import q_reason
from prequential.comparisons.sample import least_pairs
from prequential.errors import InputError, ParameterError


def test_q_is_infinite_or_undefined_with_a_reason_if_a_learner_lost_nothing() -> None:
    assert q_statistic([0, 3, 0], [4, 0, 0]).tolist()[:2] == [-math.inf, math.inf]
    assert math.isnan(float(q_statistic(0, 0)))
    assert "first learner has no loss" in q_reason(0, 4)
    assert "second learner has no loss" in q_reason(3, 0)
    assert "neither" in q_reason(0, 0)


def test_q_changes_its_sign_with_the_order_of_the_learners() -> None:
    a, b = np.random.default_rng(1).random((2, 20)) + 0.1
    np.testing.assert_allclose(q_statistic(a, b), -q_statistic(b, a))


def test_q_refuses_negative_losses() -> None:
    with pytest.raises(ParameterError, match="'loss_b' parameter of q_statistic must be sums of losses"):
        q_statistic([1.0], [-1.0])


def test_a_learner_that_is_right_more_often_has_a_negative_m_and_an_odds_ratio_below_1() -> None:
    result = mcnemar([[100, 10], [30, 860]])
    assert result.statistic == -10
    assert result.difference == pytest.approx(-0.02)
    assert result.interval.high < 0
    assert result.odds_ratio == pytest.approx(1 / 3)
    assert result.odds_ratio_interval.high < 1
    assert (result.n, result.n_discordant, result.reason) == (1000, 40, "")


def test_learners_that_are_right_and_wrong_together_have_p_1_with_a_reason_and_no_warning() -> None:
    for method in ("chi2", "exact", "mid-p"):
        result = mcnemar([[5, 0], [0, 95]], method=method)
        assert (result.statistic, result.p_value, result.difference) == (0, 1, 0)
        assert "right on the same records" in result.reason
        assert 0 in result.interval
        assert result.interval.low < 0 < result.interval.high
        assert math.isnan(result.odds_ratio)


def test_mcnemar_without_records_has_a_reason() -> None:
    result = mcnemar([[0, 0], [0, 0]])
    assert result.reason == "there is no record"
    assert result.p_value == 1
    assert math.isnan(result.difference)


def test_a_mid_p_value_of_equal_counts_is_fagerlands() -> None:
    assert mcnemar([[0, 3], [3, 0]], method="mid-p").p_value == pytest.approx(1 - 0.5 * 20 / 64)


@pytest.mark.parametrize("counts", [[[1, 2, 3]], [[1, -2], [3, 4]], [[0.5, 1], [1, 1]], [[np.nan, 1], [1, 1]]])
def test_mcnemar_refuses_invalid_counts(counts: object) -> None:
    with pytest.raises(ParameterError, match="2 x 2 whole numbers"):
        mcnemar(counts)  # type: ignore[arg-type]


def test_mcnemar_refuses_an_unknown_method() -> None:
    with pytest.raises(ParameterError, match="'chi2', 'exact' or 'mid-p'"):
        mcnemar([[1, 1], [1, 1]], method="fisher")  # type: ignore[arg-type]


def test_newcombes_interval_never_leaves_its_range_and_contains_the_difference() -> None:
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 6, size=(500, 2, 2)).astype(float)
    counts[counts.sum(axis=(1, 2)) == 0] += 1
    difference, low, high = error_difference(counts)
    assert (low >= -1).all()
    assert (high <= 1).all()
    assert ((low <= difference + 1e-12) & (difference <= high + 1e-12)).all()


def test_newcombes_interval_changes_sign_with_the_order_of_the_learners() -> None:
    counts = np.random.default_rng(3).integers(0, 50, size=(50, 2, 2)).astype(float)
    difference, low, high = error_difference(counts)
    turned = error_difference(np.swapaxes(counts, 1, 2))
    np.testing.assert_allclose(turned, (-difference, -high, -low), atol=1e-12)


def test_arrays_of_counts_give_the_results_of_single_counts() -> None:
    counts = np.random.default_rng(4).integers(0, 50, size=(3, 4, 2, 2))
    m = signed_mcnemar(counts[..., 0, 1], counts[..., 1, 0])
    for i in np.ndindex(3, 4):
        assert m[i] == mcnemar(counts[i]).statistic


@pytest.mark.parametrize(("alpha", "need"), [(0.05, 6), (0.1, 5), (0.01, 8), (0.5, 2), (2.0**-9, 10)])
def test_a_test_over_folds_needs_enough_folds_to_reject(alpha: float, need: int) -> None:
    assert least_pairs(alpha) == need
    rising = np.arange(1.0, need + 1)
    assert wilcoxon(rising, np.zeros(need), alpha=alpha).p_value <= alpha
    assert sign_test(rising, np.zeros(need), alpha=alpha).p_value <= alpha


@pytest.mark.parametrize("test", [sign_test, wilcoxon])
def test_too_few_folds_are_refused_with_the_number_needed(test: object) -> None:
    with pytest.raises(InputError, match=r"needs at least 6 folds at α = 0\.05\. Got 5\. With 5 no p-value is below"):
        test([1, 2, 3, 4, 5], [0] * 5)  # type: ignore[operator]
    with pytest.raises(InputError, match=r"needs at least 6 folds.*Got 0\.$"):
        test([], [])  # type: ignore[operator]


@pytest.mark.parametrize("test", [sign_test, wilcoxon])
def test_unequal_numbers_of_folds_are_refused(test: object) -> None:
    with pytest.raises(InputError, match="the first learner has 7, the second 6"):
        test(range(7), range(6))  # type: ignore[operator]


@pytest.mark.parametrize("test", [sign_test, wilcoxon])
def test_an_undefined_result_is_refused_with_its_place(test: object) -> None:
    with pytest.raises(InputError, match="result 2 of the second learner is nan"):
        test([1.0] * 6, [1, 2, math.nan, 4, 5, 6])  # type: ignore[operator]


@pytest.mark.parametrize("test", [sign_test, wilcoxon])
def test_equal_pairs_have_p_1_with_a_reason_and_no_warning(test: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = test([0.8] * 10, [0.8] * 10)  # type: ignore[operator]
    assert result.p_value == 1
    assert result.reason == "all 10 pairs are equal"
    assert result.n_ties == 10


def test_few_pairs_that_differ_are_reported() -> None:
    a = [0.9, 0.9, 0.9] + [0.5] * 7
    for result in (sign_test(a, [0.5] * 10), wilcoxon(a, [0.5] * 10)):
        assert result.p_value == 0.25
        assert result.reason == "only 3 of 10 pairs differ: no p-value is below 0.25"


def test_a_tie_up_to_rounding_is_a_tie() -> None:
    """0.1 + 0.2 and 0.3 differ in the last bit."""
    a, b = [0.1 + 0.2] * 3 + [0.9, 0.8, 0.7], [0.3] * 3 + [0.8, 0.7, 0.6]
    assert sign_test(a, b).n_ties == 3
    result = wilcoxon(a, b)
    assert result.n_ties == 3
    assert (result.rank_sum_a, result.rank_sum_b) == (6, 0)


def test_the_unit_of_the_results_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random(12), rng.random(12)
    plain = wilcoxon(a, b)
    for unit in (1e-12, 1e-3, 100, 1e9):
        scaled = wilcoxon(a * unit, b * unit)
        assert (scaled.p_value, scaled.effect) == (plain.p_value, plain.effect)
        assert scaled.estimate == pytest.approx(plain.estimate * unit, rel=1e-9)


def test_wilcoxon_changes_sign_with_the_order_of_the_learners() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.random(15), rng.random(15)
    one, other = wilcoxon(a, b), wilcoxon(b, a)
    assert one.p_value == other.p_value
    assert one.effect == -other.effect
    assert one.estimate == pytest.approx(-other.estimate)
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))


def test_the_interval_of_the_fewest_pairs_is_their_whole_range() -> None:
    assert wilcoxon(range(1, 3), [0] * 2, alpha=0.5).interval == Interval(1.0, 2.0, 0.5)
    assert wilcoxon(range(1, 7), [0] * 6).interval == Interval(1.0, 6.0, 0.95)


def test_before_the_first_record_the_confidence_sequence_is_the_whole_range() -> None:
    sequence = confidence_sequence([0, 10], [0, 3], [0, 5])
    assert (sequence.low[0], sequence.high[0]) == (-1, 1)
    assert math.isnan(sequence.mean[0])
    assert not sequence.excludes_zero.any()


def test_a_confidence_sequence_of_a_smaller_error_rate_is_wider() -> None:
    n, total, v = [10_000, 50_000], [200, 900], [2000, 10_000]
    wide, narrow = confidence_sequence(n, total, v, alpha=0.01), confidence_sequence(n, total, v, alpha=0.1)
    assert (wide.low < narrow.low).all()
    assert (wide.high > narrow.high).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: confidence_sequence([10], [11], [5]),
        lambda: confidence_sequence([10], [1], [-1]),
        lambda: confidence_sequence([10], [1], [1], alpha=0),
        lambda: confidence_sequence([10], [1], [1], start=0),
        lambda: log_e_value([1], [-1]),
        lambda: log_e_value([1], [1], prior=0),
        lambda: wilcoxon(range(10), range(10), alpha=1),
    ],
)
def test_invalid_arguments_are_refused(call: object) -> None:
    with pytest.raises(ParameterError, match="must be"):
        call()  # type: ignore[operator]


def test_an_anytime_p_value_never_rises_again() -> None:
    rng = np.random.default_rng(7)
    wins = np.cumsum(rng.random(1000) < 0.6)
    p = anytime_p_value(log_e_value(wins, np.arange(1, 1001) - wins))
    assert (np.diff(p) <= 0).all()
    assert p[-1] < 0.001


def test_the_evidence_of_a_million_records_does_not_overflow() -> None:
    log_e = log_e_value([1_000_000], [0])
    assert log_e[0] == pytest.approx(1e6 * math.log(2), rel=1e-3)
    assert anytime_p_value(log_e)[0] == 0.0
