"""Trees on any stream: when they split, their memory, and when they are replaced."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

from prequential.learners import AdaptiveRandomForest, HoeffdingAdaptiveTree, HoeffdingTree, Learner, RandomForest
from prequential.learners.native import NativeLearner
from prequential.streams import Feature, Schema


def right(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    hit: np.ndarray = (scores.argmax(axis=1) == y) & (scores.max(axis=1) > 0)
    return hit


# --- splits ---------------------------------------------------------------------------------------------


def entropy(*weights: float) -> float:
    shares = np.array([w for w in weights if w > 0]) / sum(weights)
    return float(-(shares * np.log2(shares)).sum())


def best_gain(x: np.ndarray, y: np.ndarray) -> float:
    """The best of ten thresholds between the extreme values; two classes, each a truncated normal distribution."""
    classes = [x[y == c] for c in (0, 1)]
    gains = []
    for threshold in np.linspace(x.min(), x.max(), 12)[1:-1]:
        below = []
        for values in classes:
            share = stats.norm.cdf(threshold, values.mean(), values.std(ddof=1))
            share = 0 if threshold < values.min() else 1 if threshold >= values.max() else share
            below.append(len(values) * share)
        above = [len(values) - b for values, b in zip(classes, below, strict=True)]
        after = (sum(below) * entropy(*below) + sum(above) * entropy(*above)) / len(x)
        gains.append(entropy(*map(len, classes)) - after)
    return max(gains)


@pytest.mark.parametrize(("grace", "distance", "tau"), [(100, 0.75, 0), (200, 1.0, 0), (50, 0.5, 0.1), (30, 3, 0)])
def test_the_first_split_comes_exactly_at_the_record_of_hoeffdings_bound(
    grace: int, distance: float, tau: float
) -> None:
    """Computed with SciPy's normal distribution. The only alternative is not to split, with a gain of 0."""
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=5000)
    x = rng.normal(distance * y)
    for n in range(grace, 5000, grace):
        bound = math.sqrt(math.log(1 / 1e-7) / (2 * n))
        if best_gain(x[:n], y[:n]) > bound or bound < tau:
            break
    tree = HoeffdingTree(grace_period=grace, tau=tau).fresh(Schema.numeric(1, (0, 1)), 1)
    tree.learn(x[: n - 1, np.newaxis], y[: n - 1])
    assert tree.facts["n_leaves"] == 1
    tree.learn(x[n - 1 : n, np.newaxis], y[n - 1 : n])
    assert tree.facts["n_leaves"] == 2
    assert n > grace or distance == 3


@pytest.mark.parametrize("what", ["one class", "constant", "missing"])
def test_a_leaf_without_a_possible_split_continues_to_learn(what: str) -> None:
    """Thirty thousand records are far beyond a tie; a leaf whose search failed is searched again."""
    rng = np.random.default_rng(2)
    y = rng.integers(2, size=30_000)
    X = rng.normal(size=(30_000, 3))
    if what == "one class":
        y[:] = 1
    else:
        X[:] = np.nan if what == "missing" else 0.5
    tree = HoeffdingTree().fresh(Schema.numeric(3, (0, 1)), 1)
    tree.learn(X, y)
    assert tree.facts == {"n_leaves": 1, "n_active_leaves": 1, "depth": 0}
    y = rng.integers(2, size=60_000)
    X = rng.normal(4 * y[:, np.newaxis], size=(60_000, 3))
    tree.learn(X, y)
    assert tree.facts["n_leaves"] > 1


def test_labels_independent_of_the_features_are_split_only_by_a_tie() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50_000, 5)), rng.integers(2, size=50_000)
    n_leaves = {}
    for tau in (0.0, 0.05):
        tree = HoeffdingTree(tau=tau).fresh(Schema.numeric(5, (0, 1)), 1)
        tree.learn(X, y)
        n_leaves[tau] = tree.facts["n_leaves"]
    assert n_leaves[0.0] == 1
    assert n_leaves[0.05] > 1


# --- memory ---------------------------------------------------------------------------------------------

MIXED = Schema(tuple(Feature(f"x{j}", None if j < 4 else tuple(range(5))) for j in range(8)), (0, 1, 2, 3))


def mixed(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four numeric and four nominal features that all matter, with noise: a tree never stops growing."""
    rng = np.random.default_rng(4)
    X = rng.random((n, 8))
    X[:, 4:] = rng.integers(5, size=(n, 4))
    sums = X[:, :4].sum(axis=1) + X[:, 4:].sum(axis=1) / 4 + rng.normal(0, 0.3, size=n)
    return X, np.searchsorted([3.2, 4.0, 4.8], sums)


@pytest.mark.parametrize("leaf", ["mc", "nba"])
@pytest.mark.parametrize("max_bytes", [20_000, 100 * 1024, 1024 * 1024])
def test_the_tree_stays_below_its_memory_limit_and_still_learns(max_bytes: int, leaf: str) -> None:
    X, y = mixed(150_000)
    parameters: dict[str, Any] = {"leaf_prediction": leaf, "grace_period": 50, "delta": 0.05, "tau": 0.3}
    free = HoeffdingTree(max_bytes=0, **parameters).fresh(MIXED, 1)
    free.learn(X, y)
    assert free.facts["n_leaves"] > 1500
    assert free.nbytes > 2 * 1024 * 1024
    bound = HoeffdingTree(max_bytes=max_bytes, **parameters).fresh(MIXED, 1)
    n_right = 0
    for i in range(0, len(X), 500):
        n_right += right(bound.test_then_train(X[i : i + 500], y[i : i + 500]), y[i : i + 500]).sum()
        assert bound.nbytes <= max_bytes, i
        assert bound.facts["n_active_leaves"] > 0, i
    assert bound.nbytes > 0.5 * max_bytes
    assert bound.facts["n_active_leaves"] < bound.facts["n_leaves"] < free.facts["n_leaves"]
    assert n_right / len(y) > np.bincount(y).max() / len(y) + 0.1


@pytest.mark.parametrize("max_bytes", [200 * 1024, 1024 * 1024])
def test_the_adaptive_tree_stays_below_its_memory_limit_through_drifts(max_bytes: int) -> None:
    X, y = mixed(100_000)
    y = (y + np.arange(len(y)) // 25_000) % 4
    tree = HoeffdingAdaptiveTree(max_bytes=max_bytes, grace_period=50, delta=0.05, tau=0.3).fresh(MIXED, 1)
    n_right = 0
    for i in range(0, len(X), 500):
        n_right += right(tree.test_then_train(X[i : i + 500], y[i : i + 500]), y[i : i + 500]).sum()
        assert tree.nbytes <= max_bytes, i
    assert tree.facts["n_switches"] > 0
    assert n_right / len(y) > np.bincount(y).max() / len(y) + 0.1


def test_the_most_promising_leaves_continue_to_learn() -> None:
    """The first feature splits two hundred regions at once; in twenty of them the labels are mixed, and stay mixed.

    A deactivated leaf scores all its records the same; an active one is recognised by its naive Bayes scores.
    """
    rng = np.random.default_rng(5)
    region = rng.integers(200, size=200_000)
    y = np.where(region < 20, rng.integers(2, size=200_000), (region % 2) ^ (rng.random(200_000) < 0.01))
    X = np.column_stack([region.astype(float), rng.normal(size=(200_000, 10))])
    schema = Schema((Feature("region", tuple(range(200))), *Schema.numeric(10, (0, 1)).features), (0, 1))
    tree = HoeffdingTree(leaf_prediction="nb", densities="moa", tau=0.0, max_bytes=200_000).fresh(schema, 1)
    tree.learn(X, y)
    assert 20 < tree.facts["n_active_leaves"] < tree.facts["n_leaves"] == 200
    probes = np.repeat(np.arange(200.0), 2)
    records = np.column_stack([probes, np.tile([[-1.0], [1.0]], (200, 10))])
    scores = tree.scores(records)[:, 0].reshape(200, 2)
    active = set(np.flatnonzero(scores[:, 0] != scores[:, 1]))
    assert set(range(20)) <= active


@pytest.mark.parametrize("tree", [HoeffdingTree, HoeffdingAdaptiveTree])
def test_a_tree_at_its_memory_limit_continues_unchanged_after_it_was_saved(tree: type[HoeffdingTree]) -> None:
    X, y = mixed(40_000)
    learner = tree(max_bytes=200 * 1024, grace_period=50, delta=0.05, tau=0.3)
    first, second = learner.fresh(MIXED, 1), learner.fresh(MIXED, 1)
    first.learn(X[:20_000], y[:20_000])
    second.load_bytes(first.to_bytes())
    assert second.nbytes <= 200 * 1024
    again, expected = (one.test_then_train(X[20_000:], y[20_000:]) for one in (second, first))
    np.testing.assert_array_equal(again, expected)
    assert second.facts == first.facts


# --- unknown values -------------------------------------------------------------------------------------


def test_a_value_that_was_not_seen_is_scored_where_most_records_went() -> None:
    rng = np.random.default_rng(8)
    X = rng.choice([0.0, 0.0, 1.0, 3.0], size=(2000, 1))
    label = np.array([0, 1, -1, 2])[X[:, 0].astype(int)]
    tree = HoeffdingTree(densities="moa").fresh(Schema((Feature("a", tuple(range(6))),), (0, 1, 2)), 1)
    tree.learn(X, label)
    assert tree.facts["n_leaves"] == 4  # of 0, 1, 2, which was not seen, and 3
    scores = tree.scores(np.array([[0.0], [1.0], [3.0], [2.0], [5.0], [np.nan]]))
    np.testing.assert_array_equal(scores.argmax(axis=1), [0, 1, 2, 0, 0, 0])
    assert (scores.max(axis=1) > 0.99).all()
    tree.learn(np.array([[2.0]]), np.array([1]))
    assert tree.scores(np.array([[2.0]]))[0].tolist() == [0, 1, 0]


# --- drift ----------------------------------------------------------------------------------------------


def flipped(seed: int, n: int, at: int | None) -> tuple[np.ndarray, np.ndarray]:
    """A corner of the square with ten percent noise; all labels flip at one record."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5))
    y = ((X[:, 0] > 0.5) & (X[:, 1] > 0.3)).astype(np.int64)
    y ^= rng.random(n) < 0.1
    if at is not None:
        y[at:] ^= 1
    return X, y


def hits(learner: NativeLearner, X: np.ndarray, y: np.ndarray, seed: int) -> tuple[NativeLearner, np.ndarray]:
    fresh = learner.fresh(Schema.numeric(X.shape[1], (0, 1)), seed)
    return fresh, right(fresh.test_then_train(X, y), y)


@pytest.mark.parametrize("seed", range(5))
def test_an_adaptive_tree_starts_an_alternate_at_a_drift_and_switches_to_it(seed: int) -> None:
    X, y = flipped(seed, 20_000, 10_000)
    adaptive, found = hits(HoeffdingAdaptiveTree(), X, y, seed)
    _, plain = hits(HoeffdingTree(), X, y, seed)
    assert adaptive.facts["n_alternates"] >= adaptive.facts["n_switches"] >= 1
    assert found[12_000:14_000].mean() > 0.8
    assert found[10_000:14_000].mean() > plain[10_000:14_000].mean() + 0.1


def test_an_adaptive_tree_without_a_drift_has_hardly_any_alternates() -> None:
    """ADWIN bounds the probability of a false alarm at each node by δ = 0.002; a tree has about ten nodes."""
    alternates = [hits(HoeffdingAdaptiveTree(), *flipped(seed, 20_000, None), seed)[0].facts for seed in range(20)]
    assert min(facts["n_leaves"] for facts in alternates) > 2
    assert sum(facts["n_alternates"] for facts in alternates) <= 2
    assert sum(facts["n_switches"] for facts in alternates) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_forest_counts_warnings_and_drifts_and_recovers(seed: int) -> None:
    X, y = flipped(seed, 10_000, 5_000)
    forest, found = hits(AdaptiveRandomForest(n_models=5), X, y, seed)
    assert forest.facts["n_members"] == 5
    assert forest.facts["n_warnings"] >= 5
    assert forest.facts["n_drifts"] >= 5
    assert found[6_000:].mean() > 0.8


def test_a_forest_without_a_drift_replaces_hardly_any_members() -> None:
    found = [hits(AdaptiveRandomForest(n_models=5), *flipped(seed, 5_000, None), seed)[0].facts for seed in range(10)]
    assert sum(facts["n_drifts"] for facts in found) <= 2
    assert sum(facts["n_warnings"] for facts in found) <= 10


def test_a_member_is_replaced_by_its_background_tree() -> None:
    """A forest of one member: it predicts right after the drift, whereas a new tree would abstain."""
    X, y = flipped(1, 10_000, 5_000)
    learner = AdaptiveRandomForest(n_models=1, weighted=False, warning_delta=0.05, drift_delta=1e-9)
    forest = learner.fresh(Schema.numeric(5, (0, 1)), 1)
    forest.learn(X[:5_000], y[:5_000])
    assert forest.facts["n_drifts"] == 0
    for i in range(5_000, 10_000):
        before = forest.facts
        forest.learn(X[i : i + 1], y[i : i + 1])
        if forest.facts["n_drifts"] > before["n_drifts"]:
            break
    assert before["n_background"] == 1
    assert before["n_warnings"] >= 1
    assert forest.facts["n_background"] == 0
    assert forest.scores(X[i + 1 : i + 2]).sum() == pytest.approx(1)
    expected = right(forest.scores(X[i + 1 : i + 1001]), y[i + 1 : i + 1001]).mean()
    assert expected > 0.6  # of the new concept


@pytest.mark.parametrize("size", [1, 3])
def test_a_forest_abstains_only_if_all_its_members_are_new(size: int) -> None:
    """A member that was never right has almost no weight, but it decides when it is alone."""
    X, y = flipped(1, 10_000, 5_000)
    forest = AdaptiveRandomForest(n_models=size).fresh(Schema.numeric(5, (0, 1)), 1)
    silent = np.flatnonzero(forest.test_then_train(X, y).max(axis=1) == 0)
    assert forest.facts["n_drifts"] >= 1
    assert silent[0] == 0
    assert len(silent) <= 1 + forest.facts["n_drifts"] / size


# --- chance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [RandomForest(), AdaptiveRandomForest(n_models=3), HoeffdingAdaptiveTree()])
def test_the_same_seed_gives_the_same_scores_and_another_seed_different_ones(learner: Learner) -> None:
    X, y = flipped(1, 5_000, 2_500)
    schema = Schema.numeric(5, (0, 1))
    first, again, other = (learner.fresh(schema, seed).test_then_train(X, y) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("subspace", [1, 3, 0.6, "sqrt"])
def test_a_leaf_draws_its_features_uniformly_and_without_repetition(subspace: int | float | Literal["sqrt"]) -> None:
    """A record with one known value shows whether that feature was drawn: if not, its scores are those of no value."""
    n_features, n_seeds = 10, 1500
    rng = np.random.default_rng(6)
    y = np.arange(20) % 2
    X = rng.normal(y[:, np.newaxis], size=(20, n_features))
    records = np.full((n_features + 1, n_features), np.nan)
    np.fill_diagonal(records, 3.0)
    drawn = np.zeros((n_seeds, n_features), dtype=bool)
    for seed in range(n_seeds):
        tree = HoeffdingTree(leaf_prediction="nb", max_features=subspace).fresh(
            Schema.numeric(n_features, (0, 1)), seed
        )
        tree.learn(X, y)
        scores = tree.scores(records)[:, 0]
        drawn[seed] = scores[:-1] != scores[-1]
    size = {1: 1, 3: 3, 0.6: 6, "sqrt": 4}[subspace]
    assert (drawn.sum(axis=1) == size).all()
    # Draws without repetition: the variance of a count is that of independent ones times (n − 1) / (n − size).
    counts = drawn.sum(axis=0)
    statistic = ((counts - n_seeds * size / n_features) ** 2).sum() / (n_seeds * size / n_features)
    assert stats.chi2.sf(statistic * (n_features - 1) / (n_features - size), n_features - 1) > 0.001
