"""The tests of comparisons against SciPy, and against figures that papers and other programs print."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats

from prequential.comparisons import (
    error_difference,
    friedman,
    mcnemar,
    nemenyi,
    pairwise_wilcoxon,
    ranking,
    sign_test,
    wilcoxon,
)
from prequential.comparisons.boundary import mixture_boundary, stitched_boundary
from prequential.comparisons.e_process import log_e_value
from prequential.comparisons.interval import clopper_pearson
from prequential.comparisons.nemenyi import critical_difference
from prequential.comparisons.wilcoxon import signed_rank_distribution

BIFET_A = [77.98, 72.26, 76.95, 77.94, 72.23, 76.90, 77.93, 72.37, 76.93, 77.97]
BIFET_B = [77.91, 72.27, 76.97, 76.57, 71.63, 75.48, 75.75, 71.33, 74.54, 77.94]
"""Bifet et al. 2015, Table 1."""


@pytest.fixture
def garcia_herrera(shared_data: Path) -> tuple[list[str], list[str], np.ndarray]:
    with (shared_data / "reference" / "garcia_herrera_2008_accuracy.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0][1:], [row[0] for row in rows[1:]], np.array([[float(x) for x in row[1:]] for row in rows[1:]])


def test_bifet_table_1_wilcoxon() -> None:
    """The paper prints the rank sums 53 and 3; 52 and 3 is what its ranks add up to."""
    result = wilcoxon(BIFET_A, BIFET_B)
    assert (result.rank_sum_a, result.rank_sum_b, result.statistic) == (52, 3, 3)
    assert round(result.p_value, 4) == 0.0098
    assert result.method == "exact"
    assert result.effect == pytest.approx(49 / 55)


def test_bifet_table_1_sign_test_does_not_reject() -> None:
    """Eight of ten: the paper calls it significant at .05, its exact two-sided p-value is .109."""
    result = sign_test(BIFET_A, BIFET_B)
    assert (result.statistic, result.n, result.n_ties) == (8, 10, 0)
    assert round(result.p_value, 3) == 0.109


def test_garcia_and_herrera_ranks_chi2_and_f(garcia_herrera: tuple[list[str], list[str], np.ndarray]) -> None:
    """García and Herrera 2008: published without correction for ties."""
    result = friedman(garcia_herrera[2])
    assert [round(r, 3) for r in result.mean_ranks] == [2.1, 3.25, 2.2, 4.333, 3.117]
    assert round(result.statistic_uncorrected, 3) == 39.647
    assert round(result.f_uncorrected, 3) == 14.309


def test_friedman_with_ties_is_scipys(garcia_herrera: tuple[list[str], list[str], np.ndarray]) -> None:
    values = garcia_herrera[2]
    expected = stats.friedmanchisquare(*values.T)
    result = friedman(values)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert round(result.statistic, 3) == 39.913
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_friedman_is_scipys_on_random_results_with_many_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, size=(rng.integers(3, 12), rng.integers(3, 7))).astype(float)
    expected = stats.friedmanchisquare(*values.T)
    result = friedman(values, better="lower")
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_without_ties_the_mean_rank_correlation_is_that_of_kendalls_w() -> None:
    values = np.random.default_rng(1).random((7, 4))
    result = friedman(values)
    assert result.agreement == pytest.approx((7 * result.kendall_w - 1) / 6)
    pairs = [stats.spearmanr(values[i], values[j]).statistic for i, j in itertools.combinations(range(7), 2)]
    assert result.agreement == pytest.approx(np.mean(pairs))


def test_brzezinski_critical_difference() -> None:
    """Brzezinski and Stefanowski 2014: k = 5, N = 14."""
    assert round(critical_difference(n_learners=5, n_streams=14), 3) == 1.630


@pytest.mark.parametrize(
    ("k", "q"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949), (8, 3.031), (9, 3.102), (10, 3.164)],
)
def test_demsar_table_5_critical_values(k: int, q: float) -> None:
    """Demšar 2006, Table 5(a), α = 0.05."""
    found = critical_difference(n_learners=k, n_streams=10) / math.sqrt(k * (k + 1) / 60)
    assert found == pytest.approx(q, abs=1.1e-3)


def test_nemenyi_p_value_at_the_critical_difference_is_alpha() -> None:
    cd = critical_difference(n_learners=5, n_streams=14, alpha=0.1)
    p = nemenyi([1, 1 + cd, 3, 3, 3], n_streams=14).p_values
    assert p[0, 1] == pytest.approx(0.1, rel=1e-6)
    assert p[1, 0] == p[0, 1]


@pytest.mark.parametrize("n", [6, 10, 25, 50])
def test_wilcoxon_without_ties_is_scipys_exact_test(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(10):
        a, b = rng.normal(0.2, 1, n), rng.normal(size=n)
        assert wilcoxon(a, b).p_value == pytest.approx(stats.wilcoxon(a, b, method="exact").pvalue, rel=1e-12)


@pytest.mark.parametrize("n", [51, 200])
def test_wilcoxon_of_many_pairs_is_scipys_normal_test(n: int) -> None:
    rng = np.random.default_rng(n)
    for a in (rng.normal(0.2, 1, n), np.round(rng.normal(0.2, 1, n) * 3)):
        result = wilcoxon(a, np.zeros(n))
        expected = stats.wilcoxon(a, method="approx", zero_method="wilcox", correction=False)
        assert result.method == ("normal" if (a != 0).sum() > 50 else "exact")
        if result.method == "normal":
            assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_wilcoxon_with_ties_is_the_share_of_all_signs_that_are_as_extreme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = rng.integers(-4, 6, size=8).astype(float)
    kept = d[d != 0]
    if not len(kept):
        pytest.skip("nothing differs")
    rank = stats.rankdata(np.abs(kept))
    sums = np.array([sum(r for r, s in zip(rank, signs, strict=True) if s) for signs in _signs(len(kept))])
    seen = min(rank[kept > 0].sum(), rank[kept < 0].sum())
    assert wilcoxon(d, np.zeros(8)).p_value == pytest.approx(min(1.0, 2 * np.mean(sums <= seen)), rel=1e-12)


def _signs(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=n))


def test_the_distribution_of_signed_ranks_is_scipys() -> None:
    chance = signed_rank_distribution(np.arange(1, 13))[::2]
    for total in range(0, 79, 7):
        signs = next(s for s in _signs(12) if sum(r for r, up in enumerate(s, 1) if up) == total)
        d = np.array([r if up else -r for r, up in enumerate(signs, 1)], float)
        expected = stats.wilcoxon(d, method="exact", alternative="less").pvalue
        assert chance[: total + 1].sum() == pytest.approx(expected, rel=1e-12)


def test_the_hodges_lehmann_interval_is_the_one_of_r() -> None:
    """R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE) on Hollander and Wolfe's depression data (?wilcox.test).

    The example in R's manual; V = 40, p = 0.03906. The differences have 45 means of two; the 95 % interval leaves out
    five at each end.
    """
    x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = wilcoxon(x, y)
    d = np.array(x) - np.array(y)
    means = np.sort([(d[i] + d[j]) / 2 for i in range(9) for j in range(i, 9)])
    assert result.rank_sum_a == 40
    assert round(result.p_value, 5) == 0.03906
    assert result.estimate == pytest.approx(np.median(means))
    assert (result.interval.low, result.interval.high) == pytest.approx((means[5], means[-6]))


@pytest.mark.parametrize(("wins", "losses"), [(8, 2), (0, 7), (5, 5), (30, 12)])
def test_the_sign_test_is_scipys_binomial_test(wins: int, losses: int) -> None:
    expected = stats.binomtest(wins, wins + losses)
    result = sign_test([1] * wins + [0] * losses + [3], [0] * wins + [1] * losses + [3])
    share = expected.proportion_ci(0.95, "exact")
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert (result.interval.low, result.interval.high) == pytest.approx((share.low, share.high), rel=1e-9)
    assert result.n_ties == 1


def test_the_exact_interval_of_a_share_is_scipys() -> None:
    for k, n in ((0, 5), (5, 5), (3, 11), (200, 1000)):
        expected = stats.binomtest(k, n).proportion_ci(0.99, "exact")
        found = clopper_pearson(k, n, confidence=0.99)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_mcnemar_is_scipys_binomial_and_chi_square() -> None:
    counts = [[59, 6], [16, 80]]
    assert mcnemar(counts).statistic == pytest.approx(-100 / 22)
    assert mcnemar(counts).p_value == pytest.approx(stats.chi2.sf(100 / 22, 1))
    exact = stats.binomtest(6, 22).pvalue
    assert mcnemar(counts, method="exact").p_value == pytest.approx(exact)
    assert mcnemar(counts, method="mid-p").p_value == pytest.approx(exact - stats.binom.pmf(6, 22, 0.5))


def test_mcnemar_of_fagerlands_example() -> None:
    """Fagerland, Lydersen, Laake 2013, "The McNemar test for binary matched-pairs data", Bentur et al.: p-values .034
    (asymptotic), .070 (exact), .039 (mid-p)."""
    counts = [[1, 1], [7, 12]]
    found = [round(mcnemar(counts, method=m).p_value, 3) for m in ("chi2", "exact", "mid-p")]
    assert found == [0.034, 0.070, 0.039]


def test_newcombes_interval_of_two_published_tables() -> None:
    """Fagerland, Lydersen, Laake, "Statistical Analysis of Contingency Tables", chapter 8 (Cavo et al. 2012), as the
    R package contingencytables tests it."""
    found = error_difference([[59, 6], [16, 80]])
    assert [round(float(x), 4) for x in found] == [-0.0621, -0.1186, -0.0046]


def test_the_stitched_boundary_is_the_authors_own() -> None:
    """Howard's confseq: poly_stitching_bound(100, 0.05, 10, 3) in uniform_boundaries_unittest.cpp, from R."""
    assert float(stitched_boundary(100, alpha=0.05, scale=3, start=10)) == pytest.approx(64.48755, abs=1e-5)


def test_the_mixture_boundary_is_the_authors_own() -> None:
    """Howard's confseq: gamma_exponential_mixture_bound(100, 0.05, 100, 2) in uniform_boundaries_unittest.cpp."""
    assert float(mixture_boundary(100, alpha=0.05, scale=2, start=100)) == pytest.approx(33.02017, abs=1e-5)


@pytest.mark.parametrize("v", [0.0, 3.0, 100.0, 20_000.0])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_mixture_boundary_is_where_the_mixture_reaches_its_threshold(v: float, scale: float) -> None:
    """The mixture by numerical integration over u = 1 − cλ, whose density is that of a gamma, cut off at 1."""
    alpha, start = 0.025, 100.0
    odds = 2 * math.log(1 / (2 * alpha))
    r = start / (odds + math.log(1 + odds)) / scale**2
    s = float(mixture_boundary(v, alpha=alpha, scale=scale, start=start))

    def exponent(u: float) -> float:  # of the density, and of exp(λs − ψ(λ)v)
        return (r - 1 + v / scale**2) * math.log(u) - r * u + (1 - u) * (s / scale + v / scale**2)

    top = max(exponent(u) for u in np.linspace(1e-4, 1, 20_000))
    area, _ = integrate.quad(lambda u: math.exp(exponent(u) - top), 1e-12, 1, limit=500, points=[0.5, 0.9, 0.99])
    whole, _ = integrate.quad(lambda u: math.exp((r - 1) * math.log(u) - r * u), 1e-12, 1, limit=500)
    assert math.log(area / whole) + top == pytest.approx(math.log(1 / alpha), abs=1e-5)


def test_the_stitched_boundary_is_just_below_the_papers_rounded_one() -> None:
    """Howard et al. 2021, (24): 1.7√(v(ln ln 2v + 3.8)) + 3.4 ln ln 2v + 13, for a range of 1, α = 5 % and m = 1."""
    v = np.array([10.0, 100.0, 1e3, 1e4, 1e5, 1e6])
    loglog = np.log(np.log(2 * v))
    printed = 1.7 * np.sqrt(v * (loglog + 3.8)) + 3.4 * loglog + 13
    found = stitched_boundary(v, alpha=0.025, scale=1, start=1)
    assert (found < printed).all()
    assert (found > 0.79 * printed).all()
    assert found[-1] > 0.99 * printed[-1]


def test_the_e_value_is_the_wealth_of_a_gambler() -> None:
    """Bet by bet: the odds are even, and the gambler's belief is (a + wins) / (2a + all)."""
    rng = np.random.default_rng(1)
    wealth, counts = 1.0, [0, 0]
    for _ in range(300):
        side = int(rng.random() < 0.6)
        wealth *= 2 * (10 + counts[side]) / (20 + sum(counts))
        counts[side] += 1
        assert float(log_e_value(counts[1], counts[0])) == pytest.approx(math.log(wealth), abs=1e-9)


def test_pairwise_wilcoxon_is_scipys_with_holm_by_hand(garcia_herrera: tuple[list[str], list[str], np.ndarray]) -> None:
    learners, streams, values = garcia_herrera
    pairs = pairwise_wilcoxon(values)
    single = [pair.test.p_value for pair in pairs]
    for pair in pairs:
        order = sorted(single)
        steps = [(len(order) - i) * p for i, p in enumerate(order) if p <= pair.test.p_value]
        assert pair.p_value == pytest.approx(min(1.0, max(steps)))
    assert len(ranking(values, learners, streams).pairs) == 10
