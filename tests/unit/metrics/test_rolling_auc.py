"""RollingAUC at its boundary: labels, scores, messages; and AUC through a whole evaluation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError
from prequential.metrics import REGISTRY, Counts, Grid, Metric
from prequential.metrics.auc import RANKS, ranks_of
from prequential.streams import Chunk, Schema


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"w": 0}, "'w' parameter of RollingAUC must be a whole number from 1 to 67,108,864. Got 0"),
        ({"w": 2.5}, "'w' parameter"),
        ({"w": 10**9}, "'w' parameter"),
        ({"classes": ["a"]}, "'classes' parameter of RollingAUC must be at least two different labels"),
        ({"classes": ["a", "a"]}, "different labels"),
        ({"classes": "ab"}, "different labels"),
        ({"ties": "third"}, "'ties' parameter of RollingAUC must be 'half' or 'paper'. Got 'third'"),
        ({"metric": "accuracy"}, "must be one of auc, auc_hand_till, average_precision, scored_auc. Got 'accuracy'"),
    ],
)
def test_parameters_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.ParameterError, match=message):
        pq.RollingAUC(**{"w": 5, **options})


@pytest.mark.parametrize(
    ("y", "scores", "w", "message"),
    [
        ([0, 2], [0.1, 0.2], None, r"record 1: a label outside the classes: 2\. Accepted: 0, 1"),
        (["0", "1"], [0.1, 0.2], None, "record 0: a label outside the classes: '0'"),
        ([0, 1], [0.1], None, "scores has 1 records where 2 are expected"),
        ([0, 1], [[0.1], [0.2, 0.3]], None, "scores and weights must be numbers"),
        ([0, 1], ["high", "low"], None, "scores and weights must be numbers"),
        ([0, 1], [[0.1, 0.2, 0.7]] * 2, None, "scores has 3 columns for 2 classes"),
        ([0, 1], [[0.5, 0.5], [-0.5, 1.5]], None, "the score of record 1 of this call for class code 0 is -0.5"),
        ([0, 1], [0.1, 0.2], [1, -1], "the weight of record 1 of this call"),
        ([[0, 1]], [0.1, 0.2], None, "one label per record"),
    ],
)
def test_records_that_cannot_be_are_refused_and_leave_no_trace(y: Any, scores: Any, w: Any, message: str) -> None:
    rolling = pq.RollingAUC(5)
    rolling.update([0, 1], [0.3, 0.6])
    with pytest.raises(InputError, match=message):
        rolling.update(y, scores, w)
    assert (rolling.value, rolling.n_records) == (1.0, 2)


def test_records_without_a_label_or_a_weight_are_passed_over() -> None:
    rolling = pq.RollingAUC(2, classes=["no", "yes"])
    found = rolling.update(["no", "yes", None, math.nan, "yes"], [0.2, 0.6, 0.9, 0.9, 0.1], [1, 1, 1, 1, 0])
    assert found.tolist()[1:] == [1.0, 1.0, 1.0, 1.0]
    assert rolling.n_records == 2


def test_a_curve_needs_a_class_that_is_ranked() -> None:
    with pytest.raises(pq.ParameterError, match="one of a, b, c"):
        pq.RollingAUC(5, classes=["a", "b", "c"]).roc()
    with pytest.raises(pq.ParameterError, match="one of b"):
        pq.RollingAUC(5, classes=["a", "b"]).roc("a")


def test_scores_of_any_size_are_ranked_and_columns_relative_to_their_sum() -> None:
    y = [0, 1, 0, 1]
    assert pq.RollingAUC(4).update(y, [-1e300, 2.0, -3.0, 1e300])[-1] == 1.0
    votes = np.array([[3.0, 1.0], [1.0, 1.0], [30.0, 10.0], [1e308, 1.5e308]])
    assert pq.RollingAUC(4).update(y, votes)[-1] == 1.0
    assert pq.RollingAUC(4).update([0, 1], [[3.0, 1.0], [30.0, 10.0]])[-1] == 0.5


def test_auc_of_a_run_is_that_of_its_saved_predictions() -> None:
    """Native learners are counted on the way, without their scores ever leaving the cache; the numbers are the same."""
    stream = pq.streams.SEA(seed=3).take(4000)
    options: dict[str, Any] = {"metrics": list(RANKS), "forgetting": ["sliding:300", "cumulative"], "every": 250}
    quick = pq.evaluate(stream, "naive_bayes", **options).to_arrow()["value"].to_numpy()
    slow = pq.evaluate(stream, "naive_bayes", predictions=True, **options).to_arrow()["value"].to_numpy()
    np.testing.assert_array_equal(quick, slow)
    assert np.isnan(quick).mean() == 0.5, "half of the values are cumulative, which keeps no records"
    assert np.nanmin(quick) > 0.3


def test_hard_labels_rank_by_zero_and_one() -> None:
    y, said = np.array([0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1, 0])
    stream = pq.from_arrays(said[:, np.newaxis].astype(float), y)
    run = pq.evaluate(stream, _Echo(), metrics=["auc", "balanced_accuracy"], forgetting="sliding:100", every=7)
    found = dict(zip(*(run.to_arrow()[k].to_pylist() for k in ("metric", "value")), strict=True))
    assert found["auc"] == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert found["auc"] == pytest.approx(found["balanced_accuracy"])


class _Echo:
    """Predicts its feature."""

    def predict_one(self, x: dict[str, float]) -> int:
        return int(x["x0"])

    def learn_one(self, x: dict[str, float], y: int) -> None:
        pass


def test_a_bare_prediction_cannot_be_ranked_and_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="auc needs one score per class: scores="):
        pq.score([0, 1], [0, 1], metrics=["auc"], forgetting=["sliding:5"])


def test_what_is_not_ours_and_needs_scores_may_look_at_all_ranks() -> None:
    mine = Metric("gini", lambda counts: 2 * counts.ranks[..., 0] - 1, needs="scores")
    assert ranks_of([mine]) == RANKS
    assert ranks_of([REGISTRY["scored_auc"], REGISTRY["accuracy"]]) == ("scored_auc",)
    y, s = [0, 1, 0, 1], [0.1, 0.9, 0.6, 0.4]
    run = pq.score(y, y_score=np.column_stack([np.subtract(1, s), s]), metrics=[mine], forgetting=["sliding:4"])
    assert run.to_arrow()["value"].to_pylist() == [0.5]


def test_a_matrix_has_no_order_of_scores() -> None:
    assert math.isnan(REGISTRY["auc"](Counts.of_matrix([[3, 1], [1, 3]])))


def test_a_grid_that_looks_at_every_record_gives_the_value_at_every_record() -> None:
    """So that a detector can follow the AUC."""
    rng = np.random.default_rng(1)
    y, s = rng.integers(2, size=500), rng.random(500)
    schema = Schema.numeric(0, (0, 1))
    grid = Grid(schema, [pq.Sliding(100)], probabilities=False, skip_abstained=False, ranks=["auc"])
    (passed,) = grid.update(Chunk(schema, 0, np.empty((500, 0)), y), np.column_stack([1 - s, s]), every=1)
    np.testing.assert_array_equal(REGISTRY["auc"](passed.counts)[:, 0], pq.RollingAUC(100).update(y, s))
