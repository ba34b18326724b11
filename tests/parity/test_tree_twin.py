"""The native Hoeffding tree against its Python twin, record by record."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from twins import tree as tree_twin

from prequential.learners import HoeffdingTree
from prequential.streams import Feature, Schema

N_CLASSES = 4
CARDINALITY = (0, 3, 0, 6, 0)
SCHEMA = Schema(
    tuple(Feature(f"x{j}", tuple(range(k)) if k else None) for j, k in enumerate(CARDINALITY)), tuple(range(N_CLASSES))
)
CASES = list(itertools.product(("mc", "nb", "nba"), ("bounded",), ("info_gain", "gini"), (False, True)))
CASES += [(leaf, "moa", "info_gain", False) for leaf in ("nb", "nba")]


def records(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels by a sum of all features, with noise; most of its signs turn after two thirds.

    A tenth of the values is missing, some labels too; classes 2 and 3 and two nominal values appear late; weights are
    of all sizes, 0 among them.
    """
    rng = np.random.default_rng(seed)
    i = np.arange(n)
    X = np.empty((n, len(CARDINALITY)))
    for j, k in enumerate(CARDINALITY):
        X[:, j] = rng.integers(np.where(i < n // 4, max(2, k - 2), k)) if k else rng.normal(0, 1 + j, size=n)
    turn = np.where(i < 2 * n // 3, 1, -1)
    sums = turn * X[:, 0] + X[:, 2] / 3 + turn * X[:, 4] / 5 + X[:, 1] + turn * X[:, 3] / 2
    y = np.searchsorted([-0.5, 1.5, 3.5], sums)
    y = np.minimum(y, np.array([1, 2, 3, 3])[4 * i // n])
    y = np.where(rng.random(n) < 0.05, rng.integers(2, size=n), y)
    X[rng.random(X.shape) < 0.1] = np.nan
    y[rng.random(n) < 0.05] = -1
    return X, y, rng.choice([0.0, 0.25, 1.0, 1.0, 1.0, 2.0, 3.5], size=n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("leaf", "densities", "criterion", "binary"), CASES)
def test_scores_and_leaves_are_those_of_the_twin_at_every_record(
    leaf: str, densities: str, criterion: str, binary: bool, weighted: bool
) -> None:
    parameters: dict[str, Any] = {
        "leaf_prediction": leaf,
        "densities": densities,
        "split_criterion": criterion,
        "binary_split": binary,
    }
    parameters |= {"grace_period": 20, "delta": 0.05, "tau": 0.2}
    X, y, w = records(1, 3000)
    if not weighted:
        w[:] = 1
    found = HoeffdingTree(max_bytes=0, **parameters).fresh(SCHEMA, 1)
    expected = tree_twin.HoeffdingTree(N_CLASSES, CARDINALITY, tree_twin.Rules(**parameters))
    for i, x in enumerate(X.tolist()):
        one = slice(i, i + 1)
        scores = found.test_then_train(X[one], y[one], w[one])
        np.testing.assert_allclose(scores[0], expected.scores(x), rtol=0, atol=1e-8, err_msg=f"record {i}")
        if y[i] >= 0 and w[i] > 0:
            expected.learn(x, int(y[i]), float(w[i]))
        assert found.facts["n_leaves"] == expected.n_leaves, f"record {i}"
    assert expected.n_splits >= 24


@pytest.mark.parametrize(
    ("parameter", "value"), [("n_points", 3), ("min_branch_fraction", 0.3), ("tau", 0.0), ("grace_period", 1)]
)
def test_a_tree_with_another_parameter_is_that_of_the_twin(parameter: str, value: float) -> None:
    parameters: dict[str, Any] = {"grace_period": 20, "delta": 0.05, "tau": 0.2, parameter: value}
    X, y, w = records(2, 1000)
    found = HoeffdingTree(max_bytes=0, **parameters).fresh(SCHEMA, 1)
    expected = tree_twin.HoeffdingTree(N_CLASSES, CARDINALITY, tree_twin.Rules(**parameters))
    scores = found.test_then_train(X, y, w)
    for i, x in enumerate(X.tolist()):
        np.testing.assert_allclose(scores[i], expected.scores(x), rtol=0, atol=1e-8, err_msg=f"record {i}")
        if y[i] >= 0 and w[i] > 0:
            expected.learn(x, int(y[i]), float(w[i]))
    assert found.facts["n_leaves"] == expected.n_leaves > 1


def test_a_nominal_split_has_as_many_branches_whatever_the_order_of_the_values() -> None:
    """Room for values grows in steps, and one that is there only in reserve has no branch."""
    schema = Schema((Feature("a", tuple(range(20))),), (0, 1))
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 1, 3]):
        X = np.tile(np.array(order, dtype=float), 100)[:, np.newaxis]
        tree = HoeffdingTree(leaf_prediction="mc", grace_period=100, tau=0.0, delta=1e-60).fresh(schema, 1)
        tree.learn(X, X[:, 0].astype(np.int64) % 2)
        assert tree.facts["n_leaves"] == 5, order


@pytest.mark.parametrize(("n_values", "n_leaves"), [(5, 5), (6, 1)])
def test_a_leaf_has_one_branch_per_value_only_with_a_grace_period_of_records_for_each(
    n_values: int, n_leaves: int
) -> None:
    """At the 500th record: 5 values have had 100 each, 6 have not."""
    schema = Schema((Feature("a", tuple(range(20))),), (0, 1))
    X = (np.arange(500.0) % n_values)[:, np.newaxis]
    tree = HoeffdingTree(leaf_prediction="mc", grace_period=100, tau=0.0, delta=1e-60).fresh(schema, 1)
    tree.learn(X, X[:, 0].astype(np.int64) % 2)
    assert tree.facts["n_leaves"] == n_leaves
