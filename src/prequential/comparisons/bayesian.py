"""Bayesian signed-rank test: how probable it is that a learner is better, or that the two are practically the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_number, check_whole, checked_call
from prequential.comparisons.sample import paired_differences
from prequential.sheets.summary import Summary
from prequential.types import FloatArray

_MOST_NUMBERS = 1 << 20
"""Largest number of weights drawn at a time."""


@dataclass(frozen=True, slots=True, repr=False)
class BayesianSignedRank(Summary):
    """The result of the Bayesian signed-rank test.

    Parameters
    ----------
    p_a, p_rope, p_b
        Posterior probabilities that A's results are higher by more than ``rope``, that the learners are practically
        equivalent, and that B's are higher by more than ``rope``. They sum to 1.
    share_a, share_rope, share_b
        Posterior means of the shares of pairs of differences whose mean is above, within and below the region.
    rope
        Half the width of the region of practical equivalence, in the unit of the results.
    n
        Number of pairs.
    samples, error
        Number of samples of the posterior, and the largest standard error of the three probabilities.
    reason
        Why a value is degenerate; empty otherwise.

    Examples
    --------
    >>> import prequential as pq
    >>> a, b = [0.81, 0.84, 0.79, 0.88, 0.90, 0.83], [0.78, 0.80, 0.80, 0.85, 0.86, 0.80]
    >>> found = pq.comparisons.bayesian_signed_rank(a, b, rope=0.01)
    >>> round(found.p_a, 2), round(found.p_rope, 2), round(found.p_b, 2)
    (0.96, 0.04, 0.0)
    """

    p_a: float
    p_rope: float
    p_b: float
    share_a: float
    share_rope: float
    share_b: float
    rope: float
    n: int
    samples: int
    error: float
    reason: str = ""


@checked_call
def bayesian_signed_rank(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 1,
) -> BayesianSignedRank:
    """Compare two learners by the Bayesian counterpart of Wilcoxon's test, with a region of practical equivalence.

    The differences z₁ … zₙ and a pseudo-difference z₀ = 0 have weights w ~ Dirichlet(prior, 1, …, 1). The share of the
    pairs above the region is θ_a = Σᵢⱼ wᵢ wⱼ [zᵢ + zⱼ > 2·rope], that below it θ_b = Σᵢⱼ wᵢ wⱼ [zᵢ + zⱼ < −2·rope], and
    θ_rope is the rest; a pair on a limit counts one half there. ``p_a`` is the probability that θ_a is the largest of
    the three, by Monte Carlo with a seed. Without a region (``rope=0``), ``p_a + p_b = 1``. O(samples · n).

    Parameters
    ----------
    a, b
        Results of the two learners, of the same folds (or runs, or streams) in the same order; at least 2.
    rope
        Differences from −rope to rope have no practical importance; 0.01 is usual for accuracies.
    prior
        Weight of the pseudo-difference.
    samples
        Number of samples of the posterior.
    seed
        Seed of the samples.

    References
    ----------
    Benavoli, Corani, Demšar and Zaffalon, "Time for a change: a tutorial for comparing multiple classifiers through
    Bayesian analysis", JMLR 18, 2017.

    Examples
    --------
    Table 1 of Bifet et al. 2015, whose Wilcoxon test has p = 0.0098:

    >>> a = [77.98, 72.26, 76.95, 77.94, 72.23, 76.90, 77.93, 72.37, 76.93, 77.97]
    >>> b = [77.91, 72.27, 76.97, 76.57, 71.63, 75.48, 75.75, 71.33, 74.54, 77.94]
    >>> round(bayesian_signed_rank(a, b).p_a, 2), round(bayesian_signed_rank(a, b, rope=1).p_a, 2)
    (1.0, 0.38)
    """
    caller = "bayesian_signed_rank"
    check_number(rope, "rope", caller, least=0)
    check_number(prior, "prior", caller, above=0)
    check_whole(samples, "samples", caller, least=1000, most=10_000_000)
    check_whole(seed, "seed", caller, least=0)
    differences = paired_differences(a, b, least=2, test="The Bayesian signed-rank test")
    z = np.concatenate([[0.0], differences])
    concentration = np.concatenate([[float(prior)], np.ones(len(differences))])
    order = np.argsort(z, kind="stable")
    lower, upper = (_partners(z[order], limit) for limit in (-2 * float(rope), 2 * float(rope)))
    wins, shares = np.zeros(3), np.zeros(3)
    for weights in _dirichlet(concentration[order], int(samples), int(seed)):
        theta_b, not_a = _below(weights, lower), _below(weights, upper)
        theta = np.stack([1 - not_a, not_a - theta_b, theta_b], axis=1)
        best = theta >= theta.max(axis=1, keepdims=True) - 1e-12  # tied shares divide the sample
        wins += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
        shares += theta.sum(axis=0)
    p_a, p_rope, p_b = (wins / samples).tolist()
    share_a, share_rope, share_b = (shares / samples).tolist()
    return BayesianSignedRank(
        p_a=p_a,
        p_rope=p_rope,
        p_b=p_b,
        share_a=share_a,
        share_rope=share_rope,
        share_b=share_b,
        rope=float(rope),
        n=len(differences),
        samples=int(samples),
        error=max(math.sqrt(max(0.0, p * (1 - p)) / samples) for p in (p_a, p_rope, p_b)),
        reason="" if differences.any() else f"all {len(differences)} pairs are equal",
    )


def _dirichlet(concentration: FloatArray, samples: int, seed: int) -> Iterator[FloatArray]:
    """Yield samples of a Dirichlet distribution, some at a time, one per row."""
    rng = np.random.default_rng(seed)
    step = max(1, _MOST_NUMBERS // len(concentration))
    for first in range(0, samples, step):
        drawn = rng.standard_gamma(concentration, size=(min(step, samples - first), len(concentration)))
        yield drawn / drawn.sum(axis=1, keepdims=True)


def _partners(z: FloatArray, limit: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return for each of ascending differences how many partners give a sum below a limit, and how many up to it."""
    pairs = [z + one for one in z]  # compared as sums, so that equal differences are on the same side
    less, most = ([np.searchsorted(sums, limit, side=side) for sums in pairs] for side in ("left", "right"))
    return np.array(less), np.array(most)


def _below(weights: FloatArray, partners: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]) -> FloatArray:
    """Return the weight of the pairs with a sum below a limit, and half of that of those on it, row by row."""
    before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
    less, most = partners
    found: FloatArray = (weights * (before[:, less] + before[:, most])).sum(axis=1) / 2
    return found
