"""The hot loops in every set of instructions: the same scores, states and leaves as in the plain one, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from prequential import _native
from prequential.learners import as_learner
from prequential.streams import Feature, Schema

OTHERS = [name for name in _native.instruction_sets() if name != "plain"]
LEARNERS = [
    "naive_bayes",
    "hoeffding_tree:grace_period=20,delta=0.05,tau=0.2",
    "hoeffding_tree:grace_period=20,delta=0.05,tau=0.2,split_criterion=gini",
    "hoeffding_adaptive_tree:grace_period=20,delta=0.05,tau=0.2",
    "adaptive_random_forest:n_models=2",
]


@contextmanager
def instructions(name: str) -> Iterator[None]:
    """Run the loops in a set of instructions."""
    before = _native.use_instructions(name)
    try:
        yield
    finally:
        _native.use_instructions(before)


def records(n: int, n_features: int, n_classes: int, *, missing: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of very different units, some discrete, one constant and one of two values; weights of all sizes."""
    rng = np.random.default_rng(n_features)
    X = rng.normal(size=(n, n_features)) * 10.0 ** rng.integers(-6, 7, n_features)
    y = (np.abs(X[:, 0]) / np.abs(X[:, 0]).mean() * n_classes / 2).astype(np.int64) % n_classes
    X[:, 0] += y
    if n_features > 4:
        X[:, 2] = np.round(X[:, 2] / X[:, 2].std())
        X[:, 3] = rng.integers(2, size=n) if missing else X[:, 3]
        X[:, 4] = 7 if missing else X[:, 4]
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
        y[rng.random(n) < 0.05] = -1
    return X, y, rng.choice([0.0, 0.25, 1.0, 1.0, 2.0, 3.5], size=n)


def run(name: str, n_features: int, n_classes: int, *, missing: bool) -> tuple[np.ndarray, bytes]:
    """Return the scores and the state of a learner."""
    schema = Schema(tuple(Feature(f"x{j}") for j in range(n_features)), tuple(range(n_classes)))
    X, y, w = records(700, n_features, n_classes, missing=missing)
    learner = as_learner(name).fresh(schema, 1)
    scores = [learner.test_then_train(X[i : i + 137], y[i : i + 137], w[i : i + 137]) for i in range(0, len(y), 137)]
    return np.concatenate(scores), learner.to_bytes()


@pytest.mark.skipif(not OTHERS, reason="this processor runs the plain loops only")
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(("n_features", "n_classes"), [(1, 2), (3, 3), (8, 2), (10, 4), (17, 2), (300, 10)])
@pytest.mark.parametrize("name", LEARNERS)
def test_all_instructions_give_the_same_bits(name: str, n_features: int, n_classes: int, missing: bool) -> None:
    with instructions("plain"):
        plain = run(name, n_features, n_classes, missing=missing)
    for other in OTHERS:
        with instructions(other):
            found = run(name, n_features, n_classes, missing=missing)
        np.testing.assert_array_equal(found[0], plain[0])
        assert found[1] == plain[1]


@pytest.mark.parametrize("missing", [False, True])
def test_records_together_score_as_records_alone(missing: bool) -> None:
    """Naive Bayes takes many records at a time where it can."""
    schema = Schema(tuple(Feature(f"x{j}") for j in range(6)), (0, 1, 2))
    X, y, w = records(900, 6, 3, missing=missing)
    together, alone = (as_learner("naive_bayes").fresh(schema, 1) for _ in range(2))
    scores = together.test_then_train(X, y, w)
    one_by_one = [alone.test_then_train(X[i : i + 1], y[i : i + 1], w[i : i + 1])[0] for i in range(len(y))]
    np.testing.assert_array_equal(scores, one_by_one)
    assert together.to_bytes() == alone.to_bytes()


def test_unknown_instructions_are_refused() -> None:
    with pytest.raises(ValueError, match="no loops in the instructions mmx"):
        _native.use_instructions("mmx")
