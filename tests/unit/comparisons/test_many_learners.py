"""Several learners on several streams."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from prequential.comparisons import friedman, holm, nemenyi, pairwise_wilcoxon, ranking
from prequential.comparisons.friedman import ranks
from prequential.comparisons.nemenyi import critical_difference
from prequential.errors import InputError, ParameterError

TABLE = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8], [0.8, 0.7, 0.6]]


def test_lower_is_better_reverses_the_ranks() -> None:
    higher, lower = ranks(TABLE), ranks(TABLE, better="lower")
    np.testing.assert_array_equal(higher + lower, 4)
    assert higher[0].tolist() == [1, 2, 3]


def test_equal_results_everywhere_have_p_1_with_a_reason() -> None:
    result = friedman(np.full((5, 3), 0.8))
    assert (result.statistic, result.p_value, result.f_p_value) == (0, 1, 1)
    assert result.reason == "all learners have equal results on every stream"
    assert result.mean_ranks == (2, 2, 2)
    assert math.isnan(result.kendall_w)


def test_streams_that_all_rank_alike_have_an_exact_p_value() -> None:
    result = friedman([[3, 2, 1]] * 5)
    assert result.f_statistic == math.inf
    assert result.f_p_value == pytest.approx(6.0**-4)
    assert (result.kendall_w, result.agreement) == pytest.approx((1, 1))
    assert "rank the learners alike" in result.reason


def test_two_learners_are_ranked_too() -> None:
    result = friedman([[2, 1]] * 6 + [[1, 2]] * 2)
    assert result.statistic == pytest.approx((6 - 2) ** 2 / 8)  # McNemar's statistic of wins and losses


def test_a_stream_with_equal_results_does_not_affect_the_others() -> None:
    result = friedman([*TABLE, [0.5, 0.5, 0.5]])
    assert 0 < result.agreement < friedman(TABLE).agreement


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1, 2, 3]], "at least 2 streams .* Got 1 x 3"),
        ([[1], [2]], "2 learners .* Got 2 x 1"),
        ([1, 2], "Got 2"),
        ([[1, 2], [3, math.nan]], "stream 1, learner 1 is nan"),
        ([["a", "b"], ["c", "d"]], "not a table of numbers"),
        ([[1, 2], [3]], "not a table of numbers"),
    ],
)
def test_an_invalid_table_of_results_is_refused(values: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        friedman(values)  # type: ignore[arg-type]


def test_an_unknown_direction_is_refused() -> None:
    with pytest.raises(ParameterError, match="'higher' or 'lower'"):
        friedman(TABLE, better="best")  # type: ignore[arg-type]


def test_cliques_are_the_largest_groups_that_do_not_differ() -> None:
    cd = critical_difference(n_learners=4, n_streams=10)
    close = nemenyi([1, 1 + 0.9 * cd, 1 + 1.5 * cd, 1 + 3 * cd], n_streams=10)
    assert close.cliques == ((0, 1), (1, 2))
    assert nemenyi([2.5, 2.5, 2.5, 2.5], n_streams=10).cliques == ((0, 1, 2, 3),)
    assert nemenyi([1, 2, 3, 4], n_streams=10_000).cliques == ()


def test_mean_ranks_that_differ_by_the_critical_difference_differ() -> None:
    cd = critical_difference(n_learners=3, n_streams=10)
    result = nemenyi([1, 1 + cd, 1 + 5 * cd], n_streams=10)
    assert result.cliques == ()
    assert result.p_values[0, 1] <= 0.05 + 1e-9
    assert result.differences[0, 1] == pytest.approx(-cd)


def test_agreement_is_the_mean_rank_correlation_of_two_streams_with_a_jackknife_interval() -> None:
    table = np.random.default_rng(3).random((7, 5)) + np.linspace(0, 0.3, 5)

    def mean_correlation(rows: np.ndarray) -> float:
        pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
        return float(np.mean([scipy.stats.spearmanr(rows[i], rows[j]).statistic for i, j in pairs]))

    without = np.array([mean_correlation(np.delete(table, i, axis=0)) for i in range(7)])
    half = scipy.stats.t.isf(0.05, 6) * math.sqrt(6 / 7 * np.sum((without - np.mean(without)) ** 2))
    result = friedman(table, alpha=0.1)
    assert result.agreement == pytest.approx(mean_correlation(table))
    assert result.interval.low == pytest.approx(result.agreement - half)
    assert result.interval.high == pytest.approx(min(1, result.agreement + half))
    assert 0 < result.interval.high < 1


def test_an_interval_of_agreement_stays_within_its_range() -> None:
    disagreeing = friedman([[1, 2, 3], [3, 2, 1], [1, 2, 3]])
    assert disagreeing.interval.low == -1
    assert disagreeing.interval.high == 1


def test_two_streams_have_an_agreement_but_no_interval() -> None:
    result = friedman([[1, 2, 3], [1, 3, 2]])
    assert result.agreement == pytest.approx(0.5)
    assert math.isnan(result.interval.low)
    assert math.isnan(result.interval.high)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, math.nan, "5%"])
def test_a_level_that_is_no_probability_is_refused(alpha: object) -> None:
    for test in (
        lambda: critical_difference(n_learners=3, n_streams=10, alpha=alpha),  # type: ignore[arg-type]
        lambda: nemenyi([1, 2, 3], n_streams=10, alpha=alpha),  # type: ignore[arg-type]
        lambda: friedman(TABLE, alpha=alpha),  # type: ignore[arg-type]
        lambda: ranking(TABLE, ["a", "b", "c"], alpha=alpha),  # type: ignore[arg-type]
    ):
        with pytest.raises(ParameterError, match="'alpha'"):
            test()


@pytest.mark.parametrize("n_learners", [1, 2.5, True])
def test_nemenyi_needs_two_learners(n_learners: object) -> None:
    with pytest.raises(ParameterError, match="'n_learners'"):
        critical_difference(n_learners=n_learners, n_streams=10)  # type: ignore[arg-type]


def test_nemenyi_needs_two_streams() -> None:
    with pytest.raises(ParameterError, match="'n_streams'"):
        nemenyi([1, 2], n_streams=1)


def test_holm_is_monotone_and_never_below_the_single_p_value() -> None:
    p = np.random.default_rng(1).random(40) ** 3
    corrected = holm(p)
    assert (corrected >= p).all()
    assert (corrected <= 1).all()
    assert (np.diff(corrected[np.argsort(p)]) >= 0).all()
    assert holm([0.02]).tolist() == [0.02]
    assert len(holm([])) == 0


@pytest.mark.parametrize("p", [[0.1, math.nan], [1.5], [[0.1]]])
def test_holm_refuses_invalid_p_values(p: object) -> None:
    with pytest.raises(ParameterError, match=r"numbers in \[0, 1\]"):
        holm(p)  # type: ignore[arg-type]


def test_pairwise_effects_are_positive_if_the_first_is_better() -> None:
    losses = np.random.default_rng(2).random((8, 2)) + np.arange(2)
    (pair,) = pairwise_wilcoxon(losses, better="lower")
    assert pair.test.effect == 1
    assert pair.test.estimate > 0


def test_with_too_few_streams_for_wilcoxon_there_is_friedman_and_a_reason() -> None:
    result = ranking(TABLE, ["a", "b", "c"])
    assert result.pairs == ()
    assert result.reason == "Wilcoxon's test needs at least 6 streams at α = 0.05; there are 4"
    assert result.friedman.p_value < 0.05


def test_names_must_fit_the_table_and_be_unique() -> None:
    with pytest.raises(InputError, match="2 names of learners for 3 learners"):
        ranking(TABLE, ["a", "b"])
    with pytest.raises(InputError, match="Two streams have the name 's'"):
        ranking(TABLE, ["a", "b", "c"], ["s", "t", "s", "u"])


def test_streams_that_rank_alike_with_ties_have_fewer_possible_rankings() -> None:
    """Two equal learners and a better one: a stream can put the better one in three places, so p = 3^(1-N)."""
    assert friedman([[3, 1, 1]] * 4).f_p_value == pytest.approx(3.0**-3)
    assert friedman([[3, 2, 1]] * 4).f_p_value == pytest.approx(6.0**-3)


def test_no_rank_depends_on_the_last_bit() -> None:
    assert ranks([[0.1 + 0.2, 0.3, 0.2]] * 2).tolist() == [[1.5, 1.5, 3.0]] * 2
    assert ranks([[1e-300, 2e-300], [1e300, 1e300 * (1 + 1e-15)]], better="lower").tolist() == [[1, 2], [1.5, 1.5]]


def test_the_direction_must_be_a_known_one() -> None:
    with pytest.raises(InputError, match="'higher' or 'lower'"):
        pairwise_wilcoxon([[1, 2]] * 6, better="highr")  # type: ignore[arg-type]
