"""A native learner as a classifier of River: values, labels and weights of every kind."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.errors import DataError, InputError, LearnerError, MissingExtraError
from prequential.learners import KNN, HoeffdingTree, NaiveBayes, OnlineBagging


def trained(records: list[tuple[dict[Any, Any], Any]], learner: Any = None) -> Any:
    """Return a classifier that has learned some records."""
    model = (learner or NaiveBayes()).to_river(seed=1)
    for x, y in records:
        model.learn_one(x, y)
    return model


def test_before_the_first_label_nothing_is_predicted() -> None:
    pd = pytest.importorskip("pandas")
    model = NaiveBayes().to_river()
    assert model.predict_one({"x": 1}) is None
    assert model.predict_proba_one({"x": 1}) == {}
    frame = pd.DataFrame({"x": [1, 2]}, index=[5, 6])
    assert model.predict_many(frame).tolist() == [None, None]
    shares = model.predict_proba_many(frame)
    assert (shares.shape, shares.index.tolist()) == ((2, 0), [5, 6])


@pytest.mark.parametrize(
    "labels", [("no", "yes"), (0, 1), (False, True), (np.bool_(False), np.bool_(True)), (np.int64(4), np.int64(7))]
)
def test_labels_are_returned_as_they_were_given(labels: tuple[Any, Any]) -> None:
    model = trained([({"x": float(k * 10 + i)}, labels[k]) for i in range(5) for k in range(2)])
    assert model.predict_one({"x": 12}) == labels[1]
    assert set(model.predict_proba_one({"x": 2})) == set(labels)
    assert not isinstance(model.predict_one({"x": 12}), np.generic)


def test_text_and_truth_values_are_nominal() -> None:
    records: list[Any] = [({"sky": "acebdf"[i % 6], "wet": i % 2 == 0}, "uv"[i % 2]) for i in range(60)]
    for learner in (NaiveBayes(), HoeffdingTree(), KNN()):
        model = trained(records, learner)
        assert [model.predict_one(x) for x, _ in records[:6]] == ["u", "v"] * 3
        assert model.predict_one({"wet": True}) == "u"
        assert model.predict_one({"sky": "never seen"}) in ("u", "v")


def test_a_feature_that_appears_late_is_used() -> None:
    rng = np.random.default_rng(1)
    records: list[Any] = [({"x": rng.normal()}, bool(rng.integers(2))) for _ in range(50)]
    labels = rng.integers(2, size=300).tolist()
    records += [({"x": rng.normal(), "z": rng.normal(6 * y), "c": "ab"[y]}, bool(y)) for y in labels]
    model = trained(records)
    assert sum(model.predict_one(x) == y for x, y in records[-100:]) == 100
    assert model.predict_one({"z": 6.0, "unknown": 4}) is True


def test_a_class_that_appears_late_is_predicted() -> None:
    model = trained([({"x": float(i % 2)}, "ab"[i % 2]) for i in range(20)])
    assert list(model.predict_proba_one({"x": 9.0})) == ["a", "b"]
    for i in range(5):
        model.learn_one({"x": 9.0 + i / 10}, "c")
    assert model.predict_one({"x": 9.2}) == "c"
    assert list(model.predict_proba_one({"x": 9.2})) == ["a", "b", "c"]


def test_a_weight_counts() -> None:
    model = NaiveBayes().to_river()
    model.learn_one({"x": 1}, "a", w=1.0)
    model.learn_one({"x": 1}, "b", w=3.0)
    assert model.predict_proba_one({}) == pytest.approx({"a": 0.25, "b": 0.75})
    model.learn_one({"x": 1}, "c", w=0)
    assert model.predict_proba_one({}) == pytest.approx({"a": 0.25, "b": 0.75, "c": 0.0})
    with pytest.raises(ValueError, match="the weight is -1"):
        model.learn_one({"x": 1}, "a", w=-1)


def test_weights_of_a_mini_batch_count() -> None:
    pd = pytest.importorskip("pandas")
    model = NaiveBayes().to_river()
    model.learn_many(pd.DataFrame({"x": [1.0, 1.0]}), pd.Series(["a", "b"]), w=pd.Series([1.0, 3.0]))
    assert model.predict_proba_one({}) == pytest.approx({"a": 0.25, "b": 0.75})


def test_an_abstention_gives_every_class_the_same_probability() -> None:
    pd = pytest.importorskip("pandas")
    model = NaiveBayes().to_river()
    model.learn_one({"x": 1.0}, "a", w=0)
    model.learn_one({"x": 1.0}, "b", w=0)
    assert model.predict_proba_one({"x": 1}) == {"a": 0.5, "b": 0.5}
    assert model.predict_one({"x": 1}) == "a"
    frame = pd.DataFrame({"x": [1.0]})
    assert model.predict_proba_many(frame).to_dict("records") == [{"a": 0.5, "b": 0.5}]
    assert model.predict_many(frame).tolist() == ["a"]


@pytest.mark.parametrize("method", ["learn_one", "predict_one", "predict_proba_one"])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("abc", "NaiveBayes, column 'x': not a number: 'abc'"),
        (math.inf, "NaiveBayes, column 'x': an infinite value: inf"),
        ((1, 2), "NaiveBayes, column 'x': not a number"),
    ],
)
def test_a_bad_value_is_named_and_changes_nothing(method: str, value: object, message: str) -> None:
    model = trained([({"x": 1.0}, "a"), ({"x": 2.0}, "b")])
    before = model.predict_proba_one({"x": 1.4})
    given = ({"x": value}, "a") if method == "learn_one" else ({"x": value},)
    with pytest.raises(DataError, match=message):
        getattr(model, method)(*given)
    assert model.predict_proba_one({"x": 1.4}) == before


def test_a_record_without_a_label_cannot_be_learned() -> None:
    model = trained([({"x": 1.0}, "a")])
    for label in (None, math.nan):
        with pytest.raises(InputError, match="cannot learn a record with the label"):
            model.learn_one({"x": 1.0}, label)


def test_the_input_is_not_changed_by_a_default_of_its_own() -> None:
    from collections import defaultdict

    model = trained([({"x": 1.0, "y": 2.0}, "a"), ({"x": 3.0, "y": 1.0}, "b")])
    record: dict[str, float] = defaultdict(float, x=1.0)
    model.predict_one(record)
    model.learn_one(record, "a")
    assert dict(record) == {"x": 1.0}


def test_a_learner_that_was_trained_keeps_what_it_knows() -> None:
    stream = pq.streams.SEA(seed=1).take(2000)
    (chunk,) = stream.chunks(2000)
    learner = HoeffdingTree().fresh(stream.schema, 1)
    learner.learn(chunk.X, chunk.y)
    model = learner.to_river()
    names = [feature.name for feature in stream.schema.features]
    x = dict(zip(names, chunk.X[0].tolist(), strict=True))
    expected = dict(zip(stream.schema.classes or (), learner.scores(chunk.X[:1])[0].tolist(), strict=True))
    assert model.predict_proba_one(x) == pytest.approx(expected)
    model.learn_one({**x, "late": 3.0}, "third class")
    assert list(model.predict_proba_one(x)) == ["groupA", "groupB", "third class"]
    assert learner.schema is stream.schema, "the original is not touched"
    assert learner.scores(chunk.X[:1]).shape == (1, 2)
    assert model.clone().predict_one(x) is None


def test_the_parameters_are_a_copy() -> None:
    learner = KNN()
    model = learner.to_river()
    learner.set_params(n_neighbors=1)
    assert model.learner.get_params()["n_neighbors"] == 10


def test_no_seed_means_other_draws_each_time() -> None:
    records: list[Any] = [({"x": float(i % 9), "y": float(i % 5)}, i % 3 == 0) for i in range(300)]

    def shares(seed: int | None) -> list[float]:
        model = pq.learners.RandomForest(n_models=2, grace_period=10).to_river(seed=seed)
        found: list[float] = []
        for x, y in records:
            found += model.predict_proba_one(x).values()
            model.learn_one(x, y)
        return found

    assert shares(3) == shares(3)
    assert shares(3) != shares(4)
    assert shares(None) != shares(None)


def test_the_repr_shows_the_parameters() -> None:
    model = KNN(n_neighbors=3).to_river(seed=2)
    assert str(model) == "KNN"
    assert "learner=KNN(n_neighbors=3)" in repr(model)
    assert "seed=2" in repr(model)


def test_a_learner_with_a_base_of_river_learns_but_takes_no_late_feature() -> None:
    from river.naive_bayes import GaussianNB

    model = OnlineBagging(base=GaussianNB(), n_models=2).to_river(seed=1)
    for i in range(30):
        model.learn_one({"x": float(i % 2), "y": 1.0}, "uv"[i % 2])
    assert model.predict_one({"x": 1.0}) == "v"
    for _ in range(2):
        with pytest.raises(LearnerError, match=r"The feature 'z' has appeared .* written in Python"):
            model.learn_one({"x": 1.0, "z": 2.0}, "u")
        assert model.predict_one({"x": 1.0, "z": 2.0}) == "v"
    model.learn_one({"x": 1.0}, "w")


@pytest.mark.parametrize("extra", ["river", "sklearn"])
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == extra]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, extra, None)
    for name in ("learners.river_classifier", "learners.sklearn_classifier", "drift.river_detector"):
        monkeypatch.delitem(sys.modules, f"prequential.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"to_{extra} needs .* pip install 'prequential\[{extra}\]'"):
        getattr(NaiveBayes(), f"to_{extra}")()
    if extra == "river":
        with pytest.raises(MissingExtraError, match=r"pip install 'prequential\[river\]'"):
            pq.drift.ADWIN().to_river()
