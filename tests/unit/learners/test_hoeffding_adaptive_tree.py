"""The Hoeffding adaptive tree: alternates of leaves."""

from __future__ import annotations

import numpy as np

from prequential.learners import HoeffdingAdaptiveTree
from prequential.streams import Schema

SCHEMA = Schema.numeric(1, (0, 1))
N = 20_000


def flipped(n: int = N) -> tuple[np.ndarray, np.ndarray]:
    """A constant feature; class 0 has nine of ten records, and class 1 after half of them."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) < 0.1).astype(np.int64)
    y[n // 2 :] = 1 - y[n // 2 :]
    return np.ones((n, 1)), y


def test_a_tree_that_is_one_leaf_adapts() -> None:
    """Without alternates of leaves it is right in half of all records; nine of ten is the most there is."""
    X, y = flipped()
    tree = HoeffdingAdaptiveTree().fresh(SCHEMA, 1)
    right = tree.test_then_train(X, y).argmax(axis=1) == y
    assert right.mean() > 0.85
    assert right[-N // 4 :].mean() > 0.88
    assert tree.facts["n_leaves"] == 1
    assert tree.facts["n_switches"] >= 1


def test_a_leaf_with_an_alternate_is_restored() -> None:
    X, y = flipped()
    tree = HoeffdingAdaptiveTree().fresh(SCHEMA, 1)
    at = 0
    while tree.facts["n_leaves"] == 1:  # the alternate is a second one
        tree.learn(X[at : at + 10], y[at : at + 10])
        at += 10
    assert tree.facts["n_alternates"] == 1
    restored = HoeffdingAdaptiveTree().fresh(SCHEMA, 7)
    restored.load_bytes(tree.to_bytes())
    np.testing.assert_array_equal(restored.test_then_train(X[at:], y[at:]), tree.test_then_train(X[at:], y[at:]))
    assert restored.to_bytes() == tree.to_bytes()
    assert restored.facts == tree.facts
    assert restored.facts["n_switches"] >= 1


def test_a_tree_with_alternates_of_leaves_stays_within_its_bound() -> None:
    """Every 2,000 records the classes change places. Without a bound the tree takes more than twice as much."""
    rng = np.random.default_rng(2)
    n, bound = 20_000, 40_000
    X = rng.integers(0, 6, size=(n, 6)).astype(np.float64)
    y = ((X[:, 0] + X[:, 1] > 5) ^ (np.arange(n) // 2000 % 2 == 1)).astype(np.int64)
    most = {}
    for max_bytes in (bound, 0):
        tree = HoeffdingAdaptiveTree(max_bytes=max_bytes, grace_period=50, delta=0.01, drift_window_threshold=50)
        model = tree.fresh(Schema.numeric(6, (0, 1)), 1)
        most[max_bytes] = 0
        for i in range(0, n, 100):
            model.learn(X[i : i + 100], y[i : i + 100])
            most[max_bytes] = max(most[max_bytes], model.nbytes)
        assert model.facts["n_switches"] > 4
    assert most[bound] <= bound
    assert most[0] > 2 * bound
