"""The rows of the trace: metrics at checkpoints, and their mean over folds."""

from __future__ import annotations

import math

import numpy as np

from prequential.metrics.binned import Binned
from prequential.metrics.metric import REGISTRY
from prequential.runs.summary import averaged
from prequential.runs.trace import Measured, bin_rows, reported, rows

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


def binned() -> Measured:
    """Return an accuracy at two checkpoints, in bins 0 to 3, under two forgettings."""
    values = np.arange(16, dtype=np.float64).reshape(2, 4, 2, 1) / 16
    values[1, 2, 0, 0] = nan
    return Measured(np.array([10, 20]), np.array([1.0, nan]), ("accuracy",), (True,), values)


def test_metrics_by_bin_have_a_row_per_checkpoint_bin_and_forgetting_where_they_are_defined() -> None:
    found = bin_rows(binned(), learner="tree", fold=0, forgetting=["cumulative", "sliding:10"]).to_pylist()
    assert len(found) == 15
    rows = {(row["n"], row["bin"], row["forgetting"]): row["value"] for row in found}
    assert [rows[10, b, "cumulative"] for b in range(4)] == [0.0, 2 / 16, 4 / 16, 6 / 16]
    assert [rows[20, b, "sliding:10"] for b in range(4)] == [9 / 16, 11 / 16, 13 / 16, 15 / 16]
    assert (20, 2, "cumulative") not in rows
    assert {(row["learner"], row["fold"], row["metric"]) for row in found} == {("tree", 0, "accuracy")}
    assert {row["n"]: row["time"] for row in found} == {10: 1.0, 20: None}


def test_stages_are_the_first_bin_the_weighted_mean_of_all_but_the_last_and_the_last() -> None:
    found = reported(binned(), Binned(2, (1.0, 4.0)), [REGISTRY["accuracy"]])
    assert found.names == ("accuracy_initial", "accuracy_psi_1", "accuracy_psi_4", "accuracy_final")
    assert found.declared == (True,) * 4
    bins = np.array([1, 3, 5]) / 16  # at record 10 under sliding:10
    psi_4 = (bins * [1, 1 / 2, 1 / 4]).sum() / 1.75
    np.testing.assert_allclose(found.values[0, 1], [1 / 16, 3 / 16, psi_4, 7 / 16])
    assert found.values.shape == (2, 2, 4)
