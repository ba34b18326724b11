"""The rows of the trace: metrics at checkpoints, and their mean over folds."""

from __future__ import annotations

import math

import numpy as np

from prequential.runs.summary import averaged
from prequential.runs.trace import Measured, rows

nan = math.nan


def fold(n: list[int], names: tuple[str, ...], values: list[list[float]]) -> Measured:
    """Return the values of one fold under one forgetting: one list per checkpoint."""
    array = np.array(values, dtype=np.float64)[:, None, :]
    return Measured(np.array(n), np.array(n) / 10, names, (True,) * len(names), array)


def test_the_mean_of_folds_is_at_the_checkpoints_that_all_of_them_have() -> None:
    found, _ = averaged(
        [fold([10, 20, 30], ("a",), [[1.0], [2.0], [3.0]]), fold([20, 30, 40], ("a",), [[4], [7], [9]])]
    )
    assert found.n.tolist() == [20, 30]
    assert found.time.tolist() == [2.0, 3.0]
    assert found.values[:, 0, 0].tolist() == [3.0, 5.0]


def test_a_class_that_a_fold_has_not_seen_has_no_mean() -> None:
    names = ("accuracy", "recall[UP]", "recall[DOWN]")
    whole = fold([10], names, [[0.5, 0.8, 0.4]])
    lacking = fold([10], ("accuracy", "recall[DOWN]"), [[0.7, 0.6]])
    for folds in ([whole, lacking], [lacking, whole]):
        found, _ = averaged(folds)
        assert found.names == names
        np.testing.assert_allclose(found.values[0, 0], [0.6, nan, 0.5])


def test_an_undefined_fold_makes_the_mean_undefined() -> None:
    found, _ = averaged([fold([10], ("kappa",), [[nan]]), fold([10], ("kappa",), [[0.5]])])
    assert np.isnan(found.values).all()


def test_a_class_that_was_not_declared_has_rows_only_where_it_is_defined() -> None:
    values = np.array([[[0.5, nan]], [[0.6, 0.9]]])
    found = Measured(np.array([10, 20]), np.array([nan, nan]), ("recall[UP]", "recall[NEW]"), (True, False), values)
    table = rows(found, learner="tree", fold=0, forgetting=["cumulative"]).to_pylist()
    assert [(row["n"], row["metric"], row["value"]) for row in table] == [
        (10, "recall[UP]", 0.5),
        (20, "recall[UP]", 0.6),
        (20, "recall[NEW]", 0.9),
    ]
    assert table[0]["time"] is None


def test_a_fold_with_one_class_only_lacks_all_others() -> None:
    whole = fold([10], ("recall[UP]", "recall[DOWN]"), [[0.8, 0.4]])
    found, _ = averaged([fold([10], ("recall[DOWN]",), [[0.6]]), whole])
    np.testing.assert_allclose(found.values[0, 0], [nan, 0.5])
