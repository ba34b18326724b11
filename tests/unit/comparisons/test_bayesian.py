"""The Bayesian signed-rank test equals exact probabilities where there are some, and a plain double sum elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy

from prequential.comparisons import bayesian_signed_rank
from prequential.errors import InputError, ParameterError


def of_double_sums(difference: np.ndarray, rope: float, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities and mean shares of a, rope and b, from every pair of every sample, by SciPy's draws."""
    z = np.concatenate([[0.0], difference])
    draws = scipy.stats.dirichlet.rvs([0.5, *np.ones(len(difference))], size=samples, random_state=7)
    kind = np.full((len(z), len(z), 3), 0.0)
    for i in range(len(z)):
        for j in range(len(z)):
            mean = (z[i] + z[j]) / 2
            above, below = (1.0 if m > rope else 0.5 if m == rope else 0.0 for m in (mean, -mean))
            kind[i, j] = above, 1 - above - below, below
    theta = np.array([np.einsum("i,j,ijk->k", w, w, kind) for w in draws])
    return np.bincount(theta.argmax(axis=1), minlength=3) / samples, theta.mean(axis=0)


@pytest.mark.parametrize("prior", [0.5, 2.0])
@pytest.mark.parametrize("n", [2, 5])
def test_equal_differences_have_an_exact_posterior(n: int, prior: float) -> None:
    """All pairs but (z₀, z₀) are above the region: A is ahead if w₀² < ½, and w₀ ~ Beta(prior, n)."""
    found = bayesian_signed_rank(np.full(n, 3.0), np.zeros(n), rope=1, prior=prior)
    w0 = scipy.stats.beta(prior, n)
    exact = w0.cdf(np.sqrt(0.5))
    assert found.p_a == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / found.samples))
    assert found.p_b == 0
    assert found.p_a + found.p_rope == pytest.approx(1)
    assert found.share_rope == pytest.approx(w0.moment(2), abs=0.005)


@pytest.mark.parametrize("rope", [0.0, 0.125, 0.25, 1.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_equals_plain_double_sums_over_the_pairs(seed: int, rope: float) -> None:
    difference = np.random.default_rng(seed).integers(-4, 7, size=8) / 8  # with ties, and pairs on the limits
    samples = 4000
    p, shares = of_double_sums(difference, rope, samples)
    found = bayesian_signed_rank(difference, np.zeros(8), rope=rope)
    within = 5 * np.sqrt(0.25 / samples) + 1e-9
    np.testing.assert_allclose([found.p_a, found.p_rope, found.p_b], p, atol=within)
    np.testing.assert_allclose([found.share_a, found.share_rope, found.share_b], shares, atol=0.02)


def test_swapping_the_learners_swaps_the_probabilities_and_a_seed_repeats_them() -> None:
    a, b = np.random.default_rng(5).normal(0, 1, size=(2, 12)) + np.array([[0.5], [0.0]])
    found, swapped = (bayesian_signed_rank(*pair, rope=0.2, seed=3) for pair in ((a, b), (b, a)))
    assert found.p_a == pytest.approx(swapped.p_b, abs=5 * (found.error + swapped.error))
    assert found == bayesian_signed_rank(a, b, rope=0.2, seed=3)
    assert found != bayesian_signed_rank(a, b, rope=0.2, seed=4)


def test_equal_results_are_undecided_without_a_region_and_equivalent_with_one() -> None:
    same = [0.5, 0.6, 0.7]
    without, within = bayesian_signed_rank(same, same), bayesian_signed_rank(same, same, rope=0.01)
    assert (without.p_a, without.p_rope, without.p_b) == (0.5, 0.0, 0.5)
    assert (within.p_a, within.p_rope, within.p_b) == (0.0, 1.0, 0.0)
    assert "all 3 pairs are equal" in without.reason


def test_a_margin_is_compared_with_differences_and_not_with_what_rounding_leaves() -> None:
    found = bayesian_signed_rank([0.81, 0.81, 0.81], [0.80, 0.80, 0.80], rope=0.01)  # 0.81 − 0.80 is not 0.01
    w0 = scipy.stats.beta(0.5, 3)
    both = 1 - 2 * w0.moment(1) + w0.moment(2)  # pairs without z₀, all of them on the limit: half count above it
    assert found.share_a == pytest.approx(both / 2, abs=0.005)
    assert found.share_b == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rope": -0.1}, "'rope' parameter of bayesian_signed_rank"),
        ({"prior": 0}, "'prior' parameter of bayesian_signed_rank"),
        ({"samples": 10}, "'samples' parameter of bayesian_signed_rank"),
        ({"seed": -1}, "'seed' parameter of bayesian_signed_rank"),
    ],
)
def test_wrong_parameters_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        bayesian_signed_rank([1, 2, 3], [3, 2, 1], **given)


def test_too_few_or_unequal_results_are_refused() -> None:
    with pytest.raises(InputError, match=r"needs at least 2 folds\. Got 1"):
        bayesian_signed_rank([1], [2])
    with pytest.raises(InputError, match="the first learner has 3, the second 2"):
        bayesian_signed_rank([1, 2, 3], [2, 1])
