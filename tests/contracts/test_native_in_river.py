"""Every native learner is at home in River: its own checks, pipelines, evaluation and ensembles."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest
from river import base, checks, compose, datasets, drift, ensemble, evaluate, metrics, preprocessing, stream, utils
from support.native_learners import LEARNERS

import prequential as pq
from prequential.learners import NaiveBayes

every_learner = pytest.mark.parametrize("name", LEARNERS)

SKIPPED: dict[str, str] = {}
"""Checks of River that do not hold, with the reason: there is none."""


@every_learner
def test_the_checks_of_river_hold(name: str) -> None:
    random.seed(1)  # the checks shuffle features
    model = LEARNERS[name].to_river()
    assert model._unit_test_skips() == set()
    for check in checks.yield_checks(model):
        if check.__name__ not in SKIPPED:
            check(model.clone())


def pairs(source: pq.Stream) -> Iterator[tuple[dict[str, float], object]]:
    """Yield the records of a stream as River does."""
    names = [feature.name for feature in source.schema.features]
    for chunk in source.chunks():
        for row, code in zip(chunk.X.tolist(), chunk.y.tolist(), strict=True):
            yield dict(zip(names, row, strict=True)), (source.schema.classes or ())[code]


@every_learner
def test_predictions_are_those_of_evaluate_record_by_record(name: str) -> None:
    """With the same seed, features in alphabetical order, and classes in the order in which they appear."""
    records = list(pairs(pq.streams.SEA(seed=1, noise=0.1).take(1500)))
    run = pq.evaluate(pq.from_iterable(records), {"learner": LEARNERS[name]}, predictions=True, seed=7)
    model = LEARNERS[name].to_river(seed=7)
    for (x, y), row in zip(records, run.predictions("learner").to_pylist(), strict=True):
        found = model.predict_proba_one(x)
        scores = {label: row[f"score_{label}"] or 0.0 for label in found}
        if any(scores.values()):
            total = sum(scores.values())
            assert found == {label: score / total for label, score in scores.items()}
            assert model.predict_one(x) == row["prediction"]
        else:
            assert set(found.values()) <= {1.0, 0.5}, "an abstention"
            assert row["prediction"] is None
        model.learn_one(x, y)


@every_learner
def test_a_pickled_or_copied_classifier_continues_as_the_original(name: str) -> None:
    records = list(datasets.ImageSegments().take(300))
    model = LEARNERS[name].to_river(seed=1)
    for x, y in records[:150]:
        model.learn_one(x, y)
    others = [pickle.loads(pickle.dumps(model)), copy.deepcopy(model)]
    for x, y in records[150:]:
        expected = model.predict_proba_one(x)
        for other in others:
            assert other.predict_proba_one(x) == expected
        for one in (model, *others):
            one.learn_one(x, y)
    assert model.clone().predict_one(records[0][0]) is None


@every_learner
def test_mini_batches_give_the_same_results_as_single_records(name: str) -> None:
    pd = pytest.importorskip("pandas")
    records = list(datasets.ImageSegments().take(200))
    X, y = pd.DataFrame([x for x, _ in records]), pd.Series([label for _, label in records])
    X["kind"] = [("a", "b", None)[i % 3] for i in range(len(X))]
    X["flag"] = [i % 2 == 0 for i in range(len(X))]
    by_one, by_many = (LEARNERS[name].to_river(seed=1) for _ in range(2))
    for start in range(0, 150, 50):
        part = X.iloc[start : start + 50]
        by_many.learn_many(part, y.iloc[start : start + 50])
        for x, label in zip(part.to_dict(orient="records"), y.iloc[start : start + 50], strict=True):
            by_one.learn_one(x, label)
    rest = X.iloc[150:]
    shares = by_many.predict_proba_many(rest)
    assert shares.index.equals(rest.index)
    for x, row, label in zip(
        rest.to_dict("records"), shares.to_dict("records"), by_many.predict_many(rest), strict=True
    ):
        assert row == pytest.approx(by_one.predict_proba_one(x), abs=1e-12)
        assert label == by_one.predict_one(x)


# --- the rest of River ----------------------------------------------------------------------------------


def test_a_learner_ends_a_pipeline() -> None:
    model = preprocessing.StandardScaler() | NaiveBayes().to_river()
    assert isinstance(model, base.Classifier)
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert metric.get() > 0.85
    union = (compose.Select("is_popular") + compose.SelectType(float)) | NaiveBayes().to_river()
    assert evaluate.progressive_val_score(datasets.Phishing(), union, metrics.ROCAUC()).get() > 0.8


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: ensemble.BaggingClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.ADWINBaggingClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.LeveragingBaggingClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.AdaBoostClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.SRPClassifier(model, n_models=3, seed=1),
        lambda model: ensemble.VotingClassifier([model, model.clone()]),
        lambda model: drift.DriftRetrainingClassifier(model, pq.drift.DDM().to_river(), train_in_background=False),
    ],
)
def test_ensembles_of_river_take_native_members(wrap: Any) -> None:
    model = wrap(pq.learners.HoeffdingTree(grace_period=50).to_river(seed=1))
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert metric.get() > 0.8


def test_a_grid_of_parameters_is_a_list_of_learners() -> None:
    learners = [pq.learners.KNN(n_neighbors=k) for k in (1, 5)]
    models = utils.expand_param_grid(NaiveBayes().to_river(), {"learner": learners})
    assert [model.learner.n_neighbors for model in models] == [1, 5]


def test_late_labels_and_weights_of_progressive_validation_are_understood() -> None:
    records = [({"x": float(i % 7)}, i % 7 > 3) for i in range(200)]
    late = evaluate.progressive_val_score(records, NaiveBayes().to_river(), metrics.Accuracy(), delay=5)
    assert late.get() > 0.8
    weighted = [(x, y, {"w": 2.0}) for x, y in records]
    model, twice = NaiveBayes().to_river(), NaiveBayes().to_river()
    evaluate.progressive_val_score(weighted, model, metrics.Accuracy())
    for x, y in records:
        for _ in range(2):
            twice.learn_one(x, y)
    assert model.predict_proba_one({"x": 2.0}) == pytest.approx(twice.predict_proba_one({"x": 2.0}))


def test_the_memory_that_river_reports_includes_the_model() -> None:
    model = pq.learners.KNN().to_river()
    before = model._raw_memory_usage
    for x, y in datasets.Phishing():
        model.learn_one(x, y)
    assert model._raw_memory_usage - before > 1000 * 9 * 8


def test_a_learner_in_river_can_be_evaluated_here() -> None:
    source = pq.streams.SEA(seed=1).take(500)
    model = preprocessing.StandardScaler() | pq.learners.AdaptiveRandomForest(n_models=2).to_river()
    first, second = (pq.evaluate(source, model, metrics=["accuracy"], seed=3).to_pandas() for _ in range(2))
    assert first["value"].tolist() == second["value"].tolist(), "the seed of the run is used"
    assert first["value"].iloc[-1] > 0.7


def test_csv_text_is_nominal() -> None:
    """River reads CSV files without types as text."""
    model = NaiveBayes().to_river()
    records = stream.iter_array([["1", "a"], ["2", "b"]] * 20, [0, 1] * 20, feature_names=["n", "kind"])
    metric = evaluate.progressive_val_score(list(records), model, metrics.Accuracy())
    assert metric.get() > 0.9
