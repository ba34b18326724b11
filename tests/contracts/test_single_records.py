"""Every native learner takes single records without arrays, and features that appear late."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from support.native_learners import LEARNERS, MIXED, mixed

from prequential.errors import InputError, LearnerError, ParameterError, UnknownParameterError
from prequential.learners import KNN, HoeffdingTree, Learner, NoiseFilter, OnlineBagging
from prequential.learners.native import NativeLearner
from prequential.streams import Schema
from prequential.types import FloatArray, Labels

every_learner = pytest.mark.parametrize("name", LEARNERS)

FEWER = Schema(MIXED.features[:2], MIXED.classes)


def rows(X: FloatArray) -> list[list[float | None]]:
    """Return rows as a caller passes them, with None where a value is missing."""
    return [[None if value != value else value for value in row] for row in X.tolist()]


@every_learner
def test_single_records_give_the_same_results_as_arrays(name: str) -> None:
    X, y = mixed(600, unlabelled=0)
    w = np.random.default_rng(3).integers(3, size=len(X)).astype(np.float64)
    by_array, by_record = (LEARNERS[name].fresh(MIXED, 1) for _ in range(2))
    for i, row in enumerate(rows(X)):
        scores = by_array.scores(X[i : i + 1])[0]
        assert by_record.model.scores_of_record(row) == scores.tolist()
        assert by_record.model.predict_record(tuple(row)) == (scores.argmax() if scores.any() else -1)
        by_array.learn(X[i : i + 1], y[i : i + 1], w[i : i + 1])
        by_record.model.learn_record(row, int(y[i]), w[i])
    assert by_record.to_bytes() == by_array.to_bytes()


def test_a_record_that_cannot_be_used_is_refused() -> None:
    model = LEARNERS["naive_bayes"].fresh(MIXED, 1).model
    good: list[object] = [0.5, 1, 0.5, 2, 0.5]
    for bad, message in {
        (float("inf"), 1, 0.5, 2, 0.5): "feature 0 is infinite",
        (0.5, 1.5, 0.5, 2, 0.5): "nominal feature 1 holds 1.5",
        (0.5, -1, 0.5, 2, 0.5): "nominal feature 1 holds -1",
        (0.5, 1, 0.5, 2): "4 values where the schema has 5",
    }.items():
        with pytest.raises(ValueError, match=message):
            model.scores_of_record(bad)
        with pytest.raises(ValueError, match=message):
            model.learn_record(bad, 0)
    for wrong in (["a", 1, 0.5, 2, 0.5], {0.5}, "abcde"):
        with pytest.raises(TypeError):
            model.predict_record(wrong)
    for label, weight in ((-1, 1.0), (4096, 1.0), (0, -1.0), (0, float("nan")), (0, float("inf"))):
        with pytest.raises(ValueError, match=r"label|n_classes|weight"):
            model.learn_record(good, label, weight)


def test_a_huge_number_of_a_single_record_is_clipped_as_in_an_array() -> None:
    X = np.array([[1e60, 0, 1, 0, 1], [-1e60, 1, 2, 1, 2]])
    by_array, by_record = (LEARNERS["sgd"].fresh(MIXED, 1) for _ in range(2))
    by_array.learn(X, np.array([0, 1]))
    for row, label in zip(rows(X), (0, 1), strict=True):
        by_record.model.learn_record(row, label)
    assert by_record.to_bytes() == by_array.to_bytes()


# --- features that appear late --------------------------------------------------------------------------


def late_records() -> tuple[FloatArray, Labels]:
    """Return records whose last three features are missing in the first half."""
    X, y = mixed(1200, unlabelled=0)
    X[:600, 2:] = np.nan
    return X, y


@every_learner
def test_a_late_feature_counts_as_missing_before(name: str) -> None:
    if "forest" in name and "sgd" not in name:
        pytest.skip("a leaf draws from the features it knows: those drawn before differ")
    X, y = late_records()
    always, late = LEARNERS[name].fresh(MIXED, 1), LEARNERS[name].fresh(FEWER, 1)
    always.learn(X[:600], y[:600])
    late.learn(np.ascontiguousarray(X[:600, :2]), y[:600])
    late.extend(MIXED)
    np.testing.assert_array_equal(late.scores(X), always.scores(X))
    np.testing.assert_array_equal(late.test_then_train(X[600:], y[600:]), always.test_then_train(X[600:], y[600:]))
    assert late.nbytes == pytest.approx(always.nbytes, rel=0.1)


@every_learner
def test_a_learner_with_late_features_can_be_saved_and_restored(name: str) -> None:
    X, y = late_records()
    learner = LEARNERS[name].fresh(FEWER, 1)
    learner.learn(np.ascontiguousarray(X[:600, :2]), y[:600])
    learner.extend(MIXED)
    restored = LEARNERS[name].fresh(MIXED, 2)
    for _ in range(2):  # right after it was extended, and after it has learned more
        restored.load_bytes(learner.to_bytes())
        np.testing.assert_array_equal(restored.scores(X), learner.scores(X))
        assert restored.to_bytes() == learner.to_bytes()
        learner.learn(X[600:], y[600:])


def test_late_features_change_the_splits_of_a_forest() -> None:
    """The first two features tell nothing, the late one tells all."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(4000, 3)), rng.integers(2, size=4000)
    X[:, 2] = np.where(np.arange(4000) < 1000, np.nan, X[:, 2] + 6 * y)
    forest = LEARNERS["random_forest"].fresh(Schema.numeric(2, (0, 1)), 1)
    forest.learn(np.ascontiguousarray(X[:1000, :2]), y[:1000])
    forest.extend(Schema.numeric(3, (0, 1)))
    found = forest.test_then_train(X[1000:], y[1000:]).argmax(axis=1)
    assert np.mean(found[-1000:] == y[-1000:]) > 0.9


def test_the_number_of_drawn_features_follows_the_number_of_features() -> None:
    """Of 1 + 15 features, 4 + 1 are drawn for every leaf that is born after they are known."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(3000, 16)), rng.integers(2, size=3000)
    X[:, 0] += 8 * y
    tree = HoeffdingTree(max_features="sqrt", leaf_prediction="nb", grace_period=50)
    late, always = tree.fresh(Schema.numeric(1, (0, 1)), 1), tree.fresh(Schema.numeric(16, (0, 1)), 1)
    late.learn(X[:1, :1].copy(), y[:1])
    late.extend(Schema.numeric(16, (0, 1)))
    for one in (late, always):
        one.learn(X, y)
    assert late.facts["n_leaves"] >= 2
    assert late.nbytes / late.facts["n_leaves"] == pytest.approx(always.nbytes / always.facts["n_leaves"], rel=0.25)


def test_late_features_must_follow_the_known_ones() -> None:
    learner = LEARNERS["naive_bayes"].fresh(FEWER, 1)
    for cardinality in ((0,), (3, 0, 0)):
        with pytest.raises(ValueError, match="follow"):
            learner.model.widen(cardinality)


class Python(Learner):
    """A learner written in Python."""

    def fresh(self, schema: Schema, seed: int) -> Python:
        made = Python()
        made.schema = schema
        return made

    def scores(self, X: FloatArray) -> FloatArray:
        return np.ones((len(X), self.schema.n_classes))

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        pass


def test_a_learner_with_a_part_in_python_refuses_late_features() -> None:
    learner = OnlineBagging(base=Python()).fresh(FEWER, 1)
    with pytest.raises(LearnerError, match=r"The feature 'x2' has appeared after the first record"):
        learner.extend(MIXED)
    assert learner.schema is FEWER
    with pytest.raises(ValueError, match="written in Python"):
        learner.model.widen(MIXED.cardinalities)


# --- copies and parameters ------------------------------------------------------------------------------


@every_learner
@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_has_the_parameters_and_what_was_learned(name: str, copied: object) -> None:
    assert callable(copied)
    X, y = mixed(700)
    original = LEARNERS[name]
    assert repr(copied(original)) == repr(original)
    assert not copied(original).bound
    learner = original.fresh(MIXED, 1)
    learner.test_then_train(X[:300], y[:300])
    other = copied(learner)
    assert (other.bound, other.schema, other.describe()) == (True, MIXED, learner.describe())
    assert other.clock == learner.clock
    before = learner.to_bytes()
    other.learn(X[300:500], y[300:500])
    assert learner.to_bytes() == before, "the original is not touched"
    learner.learn(X[300:500], y[300:500])
    np.testing.assert_array_equal(other.test_then_train(X[500:], y[500:]), learner.test_then_train(X[500:], y[500:]))


@every_learner
def test_a_learner_can_be_made_from_its_parameters(name: str) -> None:
    original = LEARNERS[name]
    parameters = original.get_params(deep=False)
    assert set(parameters) <= set(original.get_params())
    assert repr(type(original)(**parameters)) == repr(original)
    assert repr(type(original)().set_params(**parameters)) == repr(original)


def test_fresh_copies_no_state() -> None:
    X, y = mixed(100)
    learner = KNN().fresh(MIXED, 1)
    learner.learn(X, y)
    assert not learner.fresh(MIXED, 1).scores(X).any()


def test_parameters_of_a_base_are_set_in_a_copy_of_it() -> None:
    base = KNN()
    bagging = OnlineBagging(base=NoiseFilter(base=base))
    assert bagging.get_params()["base__base__n_neighbors"] == 10
    assert repr(bagging.set_params(base__base__n_neighbors=3, base__p=0.5, n_models=2)) == (
        "OnlineBagging(base=NoiseFilter(base=KNN(n_neighbors=3), p=0.5), n_models=2)"
    )
    assert base.n_neighbors == 10
    assert repr(bagging.set_params(base=KNN(), base__window_size=70)) == (
        "OnlineBagging(base=KNN(window_size=70), n_models=2)"
    )


def test_wrong_parameters_change_nothing() -> None:
    tree = HoeffdingTree(tau=0.1)
    with pytest.raises(UnknownParameterError, match=r"no parameter 'graceperiod'. Did you mean 'grace_period'"):
        tree.set_params(graceperiod=5, tau=0.2)
    with pytest.raises(UnknownParameterError, match="HoeffdingTree has no parameter 'tau__x'"):
        tree.set_params(tau__x=5)
    with pytest.raises(ParameterError, match="'tau' parameter"):
        tree.set_params(delta=0.2, tau=-1)
    assert repr(tree) == "HoeffdingTree(tau=0.1)"


def test_the_parameters_of_a_learner_in_use_cannot_change() -> None:
    learner: NativeLearner = HoeffdingTree().fresh(MIXED, 1)
    with pytest.raises(InputError, match=r"HoeffdingTree\(\) is in use"):
        learner.set_params(tau=0.1)
