"""AUC and its relatives through a whole evaluation, and in a grid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as sklearn_metrics
from support.rolling_auc import RollingAUC

import prequential as pq
from prequential.errors import InputError
from prequential.metrics import Counts, Metric
from prequential.metrics.auc import RANKS, ranks_of
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams import Chunk, Schema


def test_auc_of_a_run_is_that_of_its_saved_predictions() -> None:
    """Native learners are counted on the way, without their scores ever leaving the cache; the numbers are the same."""
    stream = pq.streams.SEA(seed=3).take(4000)
    options: dict[str, Any] = {"metrics": list(RANKS), "forgetting": ["sliding:300", "cumulative"], "every": 250}
    quick = pq.evaluate(stream, "naive_bayes", **options).to_arrow()["value"].to_numpy()
    slow = pq.evaluate(stream, "naive_bayes", predictions=True, **options).to_arrow()["value"].to_numpy()
    np.testing.assert_array_equal(quick, slow)
    assert np.isfinite(quick).all()


def test_a_trace_has_the_bound_on_the_error_unless_all_windows_keep_their_records() -> None:
    stream = pq.streams.SEA(seed=3).take(2000)
    for forgetting, bounds in (
        (["sliding:300"], set()),
        (["sliding:inf"], {"auc_error"}),
        (["fading:0.99"], {"auc_error"}),
    ):
        run = pq.evaluate(stream, "naive_bayes", metrics="auc", forgetting=forgetting)
        assert set(run.to_arrow()["metric"].to_pylist()) == {"auc"} | bounds


def test_holdout_ranks_the_whole_test_set_exactly() -> None:
    test = pq.streams.SEA(seed=4).take(6000)
    stream = pq.streams.SEA(seed=3).take(1000)
    run = pq.evaluate(stream, "naive_bayes", protocol=pq.Holdout(test=test), metrics=list(RANKS), every=1000)
    learner = pq.learners.NaiveBayes().fresh(stream.schema, seed=1)
    for chunk in stream.chunks(1000):
        learner.learn(chunk.X, chunk.y, None)
    (tested,) = test.chunks(6000)
    scores = learner.scores(tested.X)
    found = dict(zip(*(run.to_arrow()[k].to_pylist() for k in ("metric", "value")), strict=True))
    s = scores[:, 1] / scores.sum(axis=1)
    assert found["auc"] == pytest.approx(sklearn_metrics.roc_auc_score(tested.y, s), abs=1e-12)
    assert found["average_precision"] == pytest.approx(sklearn_metrics.average_precision_score(tested.y, s), abs=1e-12)
    assert set(found) == set(RANKS), "it is exact: no bound is needed"


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
    with pytest.raises(InputError, match="auc needs one score per class: y_score="):
        pq.score([0, 1], [0, 1], metrics=["auc"], forgetting=["sliding:5"])


def test_what_is_not_ours_and_needs_scores_may_look_at_all_ranks() -> None:
    mine = Metric("gini", lambda counts: 2 * counts.ranks[..., 0] - 1, needs="scores")
    assert ranks_of([mine]) == RANKS
    assert ranks_of([REGISTRY["scored_auc"], REGISTRY["accuracy"]]) == ("scored_auc",)
    y, s = [0, 1, 0, 1], [0.1, 0.9, 0.6, 0.4]
    both = np.column_stack([np.subtract(1, s), s])
    run = pq.score(y, y_score=both, metrics=[mine], forgetting=["sliding:4"], every=4)
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
    np.testing.assert_array_equal(REGISTRY["auc"](passed.counts)[:, 0], RollingAUC(100).after_each(y, s))
