"""Every test is itself tested: if the learners are equally good, it rejects as often as it says, in 10,000 simulations.

The p-value of a rank test depends on a rank sum alone, and many samples share one; it is computed once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from prequential.comparisons import (
    confidence_sequence,
    error_difference,
    friedman,
    holm,
    mcnemar,
    nemenyi,
    sign_test,
    wilcoxon,
)
from prequential.comparisons.confidence_sequence import predictable_variance
from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.comparisons.mcnemar import fading_scale, mcnemar_p_value, signed_mcnemar
from prequential.comparisons.nemenyi import critical_difference

N = 10_000
ALPHA = 0.05


def assert_rate(rate: float | np.floating[Any], *, at_most: float, at_least: float = 0.0) -> None:
    """The rate lies within the bounds that a binomial with 10,000 draws leaves in all but one of 1,000 tests."""
    assert rate * N <= stats.binom.isf(0.0005, N, at_most), rate
    assert rate * N >= stats.binom.ppf(0.0005, N, at_least), rate


def p_values(
    keys: Iterable[Hashable], samples: Iterable[np.ndarray], test: Callable[[np.ndarray], float]
) -> np.ndarray:
    known: dict[Hashable, float] = {}
    found = []
    for key, sample in zip(keys, samples, strict=True):
        if key not in known:
            known[key] = test(sample)
        found.append(known[key])
    return np.array(found)


def test_the_sign_test_rejects_as_often_as_its_binomial_says() -> None:
    """With ten folds the exact level is P(X ≤ 1 or X ≥ 9) = 22/1024."""
    d = np.random.default_rng(1).normal(size=(N, 10))
    p = p_values((d > 0).sum(axis=1), d, lambda x: sign_test(x, np.zeros(10)).p_value)
    assert_rate(np.mean(p <= ALPHA), at_most=22 / 1024, at_least=22 / 1024)


def test_wilcoxons_exact_test_rejects_as_often_as_its_distribution_says() -> None:
    """With ten folds the exact level is 50/1024: the two-sided rejection region is a rank sum of at most 8."""
    d = np.random.default_rng(2).normal(size=(N, 10))
    sums = (stats.rankdata(np.abs(d), axis=1) * (d > 0)).sum(axis=1)
    p = p_values(sums, d, lambda x: wilcoxon(x, np.zeros(10)).p_value)
    assert_rate(np.mean(p <= ALPHA), at_most=50 / 1024, at_least=50 / 1024)


def test_wilcoxons_test_keeps_its_level_with_ties_and_equal_pairs() -> None:
    d = np.random.default_rng(3).integers(-3, 4, size=(N, 9)).astype(float)
    keys = [tuple(sorted(row)) for row in d.astype(int).tolist()]
    p = p_values(keys, d, lambda x: wilcoxon(x, np.zeros(9)).p_value)
    assert_rate(np.mean(p <= ALPHA), at_most=ALPHA, at_least=0.015)


def test_wilcoxons_normal_test_rejects_at_its_level() -> None:
    d = np.random.default_rng(4).normal(size=(N, 60))
    sums = (stats.rankdata(np.abs(d), axis=1) * (d > 0)).sum(axis=1)
    p = p_values(sums, d, lambda x: wilcoxon(x, np.zeros(60)).p_value)
    assert_rate(np.mean(p <= ALPHA), at_most=ALPHA, at_least=0.045)


def test_the_interval_of_wilcoxons_test_holds_the_difference_as_often_as_it_says() -> None:
    """It inverts the exact test, so it holds 0 if and only if the test does not reject."""
    d = np.random.default_rng(5).normal(size=(400, 10))
    for x in d:
        result = wilcoxon(x, np.zeros(10))
        assert (0.0 in result.interval) == (result.p_value > ALPHA)


@pytest.mark.parametrize(("n", "k"), [(10, 3), (15, 4)])
def test_friedmans_tests_and_nemenyi_reject_about_as_often_as_they_say(n: int, k: int) -> None:
    """χ², F and the studentized range are approximations of a discrete distribution: near α, not at it."""
    r = np.random.default_rng(n).random((N, n, k)).argsort(axis=2).argsort(axis=2) + 1.0
    sums = np.sort(r.sum(axis=1), axis=1)
    keys = [tuple(row) for row in sums.tolist()]
    chi2 = p_values(keys, r, lambda x: friedman(x, better="lower").p_value)
    f = p_values(keys, r, lambda x: friedman(x, better="lower").f_p_value)
    # Where all streams rank alike F has the exact p-value of that; elsewhere F and χ² order the samples alike.
    assert_rate(np.mean(chi2 <= ALPHA), at_most=ALPHA, at_least=0.038)
    assert_rate(np.mean(f <= ALPHA), at_most=ALPHA, at_least=0.038)
    cd = critical_difference(n_learners=k, n_streams=n)
    assert_rate(np.mean(np.ptp(sums / n, axis=1) >= cd), at_most=ALPHA, at_least=0.035)
    some = sums[:: N // 50] / n
    for means in some:
        assert (nemenyi(means, n_streams=n).p_values.min() <= ALPHA) == (np.ptp(means) >= cd)


def test_holms_correction_keeps_the_chance_of_any_false_alarm_below_alpha() -> None:
    """Three learners, nine streams, three pairs."""
    x = np.random.default_rng(7).normal(size=(N, 9, 3))
    single = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        d = x[..., i] - x[..., j]
        sums = (stats.rankdata(np.abs(d), axis=1) * (d > 0)).sum(axis=1)
        single.append(p_values(sums, d, lambda s: wilcoxon(s, np.zeros(9)).p_value))
    corrected = np.array([holm(p) for p in np.stack(single, axis=1)])
    assert np.mean(np.min(single, axis=0) <= ALPHA) > 0.08  # without it: many times too often
    assert_rate(np.mean(corrected.min(axis=1) <= ALPHA), at_most=ALPHA, at_least=0.02)


@pytest.mark.parametrize(("method", "at_least"), [("chi2", 0.045), ("exact", 0.025), ("mid-p", 0.04)])
def test_mcnemars_test_read_once_rejects_at_its_level(method: str, at_least: float) -> None:
    counts = np.random.default_rng(8).multinomial(1000, [0.1, 0.1, 0.1, 0.7], size=N).reshape(N, 2, 2)
    keys = [(int(c[0, 1]), int(c[1, 0])) for c in counts]
    p = p_values(keys, counts, lambda c: mcnemar(c, method=method).p_value)  # type: ignore[arg-type]
    assert_rate(np.mean(p <= ALPHA), at_most=ALPHA, at_least=at_least)


def test_a_faded_mcnemar_statistic_rejects_at_its_level_with_its_own_scale_and_hardly_ever_without() -> None:
    n, alpha = 3000, 0.99
    weight = alpha ** np.arange(n - 1, -1, -1)
    rng = np.random.default_rng(9)
    d = np.concatenate([rng.integers(0, 5, size=(1000, n)) for _ in range(10)])
    m = signed_mcnemar((d == 0) @ weight, (d == 1) @ weight)
    p = mcnemar_p_value(m, fading_scale(alpha, weight.sum()))
    assert_rate(np.mean(p <= ALPHA), at_most=ALPHA, at_least=0.0475)
    assert np.mean(mcnemar_p_value(m) <= 0.01) < 0.002


@pytest.mark.parametrize("shift", [0.0, 0.03])
def test_newcombes_interval_holds_the_difference_as_often_as_it_says(shift: float) -> None:
    chances = [0.1, 0.1 + shift, 0.1 - shift, 0.7]
    counts = np.random.default_rng(10).multinomial(400, chances, size=N).reshape(N, 2, 2)
    _, low, high = error_difference(counts)
    missed = np.mean((low > 2 * shift) | (high < 2 * shift))
    assert_rate(missed, at_most=ALPHA, at_least=0.045)


def test_mcnemar_looked_at_continuously_rejects_many_times_too_often_and_what_is_anytime_valid_does_not() -> None:
    """Two equally good learners, 2,000 records, a look after every record from the hundredth on.

    At the confidence sequence the look is after every tenth record, from the first on.

    McNemar at 1 % (the paper's 6.635) ends up rejecting in more than one run of ten, at 5 % in more than one of three;
    the confidence sequence and the e-process, made for 5 %, in fewer than 5 %.
    """
    rng = np.random.default_rng(11)
    n = np.arange(1, 2001)
    ever = {"mcnemar 1 %": 0, "mcnemar 5 %": 0, "sequence": 0, "e-process": 0}
    for _ in range(20):
        drawn = rng.integers(0, 5, size=(N // 20, len(n)), dtype=np.int8)  # two of five records tell them apart
        n01, n10 = np.cumsum(drawn == 0, axis=1), np.cumsum(drawn == 1, axis=1)
        m = np.abs(signed_mcnemar(n01, n10))[:, 99:].max(axis=1)
        ever["mcnemar 1 %"] += int((m >= 6.635).sum())
        ever["mcnemar 5 %"] += int((m >= 3.841).sum())
        variance = predictable_variance((drawn == 0).astype(float) - (drawn == 1))
        looks = slice(None, None, 10)  # every tenth record: its boundary is a root for each value
        sequence = confidence_sequence(n[looks], (n01 - n10)[:, looks], variance[:, looks])
        ever["sequence"] += int(sequence.excludes_zero.any(axis=1).sum())
        ever["e-process"] += int((anytime_p_value(log_e_value(n01, n10))[:, -1] <= ALPHA).sum())
    assert ever["mcnemar 1 %"] / N > 0.10
    assert ever["mcnemar 5 %"] / N > 0.35
    for name in ("sequence", "e-process"):
        assert_rate(ever[name] / N, at_most=ALPHA)
    assert ever["e-process"] > 0.01 * N  # and it is not idle


def test_the_confidence_sequence_follows_a_difference_that_changes_and_depends_on_the_past() -> None:
    """μ_t is the mean of the conditional means; here each follows the sign of the sum so far, and jumps half-way."""
    rng = np.random.default_rng(12)
    n_runs, n_records = 2000, 1000
    total, mean, v = np.zeros(n_runs), np.zeros(n_runs), np.zeros(n_runs)
    missed = np.zeros(n_runs, bool)
    for t in range(1, n_records + 1):
        chance = 0.25 + 0.1 * np.sign(total) + (0.1 if t > n_records // 2 else 0.0)
        u = rng.random(n_runs)
        d = np.where(u < chance, 1.0, np.where(u < 0.5, -1.0, 0.0))
        v += (d - (total / (t - 1) if t > 1 else 0.0)) ** 2
        total += d
        mean += 2 * chance - 0.5
        sequence = confidence_sequence(np.full(n_runs, t), total, v)
        missed |= (sequence.low > mean / t) | (sequence.high < mean / t)
    assert missed.sum() <= stats.binom.isf(0.0005, n_runs, ALPHA)
