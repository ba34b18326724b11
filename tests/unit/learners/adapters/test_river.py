from __future__ import annotations

import numbers
import pickle
from typing import Any

import numpy as np
import pytest
from river import (
    base,
    compose,
    dummy,
    ensemble,
    feature_extraction,
    forest,
    linear_model,
    naive_bayes,
    preprocessing,
    tree,
)
from river.naive_bayes import GaussianNB
from river.preprocessing import OneHotEncoder, StandardScaler

import prequential as pq
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners.adapters.river import RiverLearner
from prequential.learners.contract import Learner
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray

SCHEMA = Schema((Feature("x"), Feature("z"), Feature("day", ("mon", "tue"))), classes=("down", "up", "flat"))


def records(n: int = 200, n_classes: int = 3, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(2, size=n)])
    X[rng.random((n, 3)) < 0.1] = np.nan
    return X, rng.integers(n_classes, size=n)


def as_dicts(X: FloatArray, schema: Schema) -> Any:
    for row in X:
        yield {
            feature.name: value if feature.values is None else feature.values[int(value)]
            for feature, value in zip(schema.features, row.tolist(), strict=True)
            if not np.isnan(value)
        }


class Recorder(base.Classifier):  # type: ignore[misc]  # River has no types here
    """Records its arguments; predicts given labels."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.seen: list[tuple[dict[str, object], object]] = []

    def learn_one(self, x: Any, y: Any) -> None:
        self.seen.append((x, y))

    def predict_one(self, x: Any, **kwargs: Any) -> Any:
        return self.answer

    @property
    def _multiclass(self) -> Any:
        return True


@pytest.mark.parametrize(
    "model",
    [naive_bayes.GaussianNB(), tree.HoeffdingTreeClassifier(grace_period=20), forest.ARFClassifier(n_models=3, seed=7)],
    ids=str,
)
def test_scores_are_those_of_a_loop_written_by_hand(model: Any) -> None:
    schema = Schema.numeric(4, ("down", "up", "flat"))
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(400, 4)), rng.integers(3, size=400)
    y[X[:, 0] > 0] = 1
    by_hand = model.clone()
    expected = np.zeros((len(X), 3))
    for i, x in enumerate(as_dicts(X, schema)):
        for label, share in by_hand.predict_proba_one(x).items():
            expected[i, ("down", "up", "flat").index(label)] = share
        by_hand.learn_one(x, ("down", "up", "flat")[y[i]])
    np.testing.assert_array_equal(RiverLearner(model).fresh(schema, seed=1).test_then_train(X, y), expected)


def test_predictions_of_a_regressor_are_those_of_a_loop_written_by_hand() -> None:
    schema = Schema.numeric(3, None)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    y = X @ [1.0, 2.0, -1.0]
    model = preprocessing.StandardScaler() | linear_model.LinearRegression()
    by_hand = model.clone()
    expected = []
    for x, target in zip(as_dicts(X, schema), y.tolist(), strict=True):
        expected.append([by_hand.predict_one(x)])
        by_hand.learn_one(x, target)
    np.testing.assert_array_equal(RiverLearner(model).fresh(schema, seed=1).test_then_train(X, y), expected)


def test_the_shared_loop_gives_the_result_of_the_loop_of_the_contract() -> None:
    X, y = records()
    y[::5] = UNLABELLED
    w = np.where(np.arange(len(X)) % 4, 1.0, 3.0)
    learner = RiverLearner(tree.HoeffdingTreeClassifier(grace_period=20, nominal_attributes=["day"]))
    ours = learner.fresh(SCHEMA, 1).test_then_train(X, y, w)
    np.testing.assert_array_equal(ours, Learner.test_then_train(learner.fresh(SCHEMA, 1), X, y, w))


def test_records_come_with_names_values_and_without_missing_features() -> None:
    learner = RiverLearner(Recorder()).fresh(SCHEMA, 1)
    learner.learn(np.array([[0.5, np.nan, 1.0], [np.nan, 2.0, np.nan]]), np.array([1, 2]))
    assert learner.model.seen == [({"x": 0.5, "day": "tue"}, "up"), ({"z": 2.0}, "flat")]


@pytest.mark.parametrize("classes", [("a", "b"), (True, False), (3, 7), ((1, 2), (3, 4))], ids=str)
def test_labels_of_any_type_are_learned_and_predicted(classes: Any) -> None:
    schema = Schema.numeric(1, classes)
    X = np.array([[-1.0], [1.0]] * 20) + np.random.default_rng(0).normal(scale=0.1, size=(40, 1))
    y = np.array([0, 1] * 20)
    scores = RiverLearner(naive_bayes.GaussianNB()).fresh(schema, 1).test_then_train(X, y)
    np.testing.assert_array_equal(scores[10:].argmax(axis=1), y[10:])


@pytest.mark.parametrize("classes", [("down", "up"), (0, 1), (1, 0), (5, 6)], ids=str)
def test_models_that_know_only_false_and_true_learn_any_two_labels(classes: Any) -> None:
    schema = Schema.numeric(1, classes)
    X = np.array([[-1.0], [1.0]] * 50)
    y = np.array([0, 1] * 50)
    scores = RiverLearner(linear_model.LogisticRegression()).fresh(schema, 1).test_then_train(X, y)
    np.testing.assert_array_equal(scores[10:].argmax(axis=1), y[10:])


def test_binary_models_refuse_a_third_class_at_the_start_and_later() -> None:
    learner = RiverLearner(linear_model.LogisticRegression())
    with pytest.raises(InputError, match=r"binary classifier, and the stream has 3.*OneVsRest"):
        learner.fresh(SCHEMA, 1)
    bound = learner.fresh(Schema.numeric(1, ("a", "b")), 1)
    with pytest.raises(LearnerError, match="binary classifier"):
        bound.extend(Schema.numeric(1, ("a", "b", "c")))


@pytest.mark.parametrize("model", [naive_bayes.GaussianNB(), Recorder(None)], ids=str)
def test_no_prediction_is_an_abstention_and_not_class_0(model: Any) -> None:
    scores = RiverLearner(model).fresh(SCHEMA, 1).scores(records(3)[0])
    np.testing.assert_array_equal(scores, np.zeros((3, 3)))


def test_no_number_is_an_abstention_and_not_0() -> None:
    class Silent(base.Regressor):  # type: ignore[misc]
        def learn_one(self, x: Any, y: Any) -> None:
            pass

        def predict_one(self, x: Any) -> Any:
            return None

    scores = RiverLearner(Silent()).fresh(Schema.numeric(1, None), 1).scores(np.zeros((2, 1)))
    assert np.isnan(scores).all()


def test_a_model_without_probabilities_scores_1_for_its_label() -> None:
    voters = ensemble.VotingClassifier([naive_bayes.GaussianNB(), dummy.NoChangeClassifier()])
    X, y = records(20)
    scores = RiverLearner(voters).fresh(Schema.numeric(3, SCHEMA.classes), 1).test_then_train(np.nan_to_num(X), y)
    np.testing.assert_array_equal(scores[1:].sum(axis=1), 1)
    assert set(np.unique(scores)) <= {0.0, 1.0}


def test_a_label_outside_the_classes_is_named() -> None:
    learner = RiverLearner(Recorder("sideways")).fresh(SCHEMA, 1)
    with pytest.raises(LearnerError, match=r"Recorder predicted the label 'sideways'.*'down', 'up', 'flat'"):
        learner.scores(np.zeros((1, 3)))


def test_a_failure_keeps_the_scores_before_it() -> None:
    class Fragile(Recorder):
        def learn_one(self, x: Any, y: Any) -> None:
            super().learn_one(x, y)
            if len(self.seen) == 3:
                raise ZeroDivisionError("three is too many")

    learner = RiverLearner(Fragile("up")).fresh(SCHEMA, 1)
    with pytest.raises(LearnerError, match="ZeroDivisionError: three is too many") as caught:
        learner.test_then_train(np.zeros((5, 3)), np.zeros(5, dtype=np.int64))
    assert caught.value.offset == 2
    np.testing.assert_array_equal(caught.value.scores, [[0, 1, 0], [0, 1, 0]])


def test_the_users_model_is_never_changed() -> None:
    model = Recorder()
    learner = RiverLearner(model)
    learner.fresh(SCHEMA, 1).learn(*records(10))
    assert model.seen == []
    model.learn_one({"x": 1.0}, "up")
    assert learner.fresh(SCHEMA, 1).model.seen == []


def test_weights_reach_a_model_that_accepts_them() -> None:
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    schema = Schema.numeric(1, ("a", "b"))
    learner = RiverLearner(tree.HoeffdingTreeClassifier(leaf_prediction="mc")).fresh(schema, 1)
    learner.learn(X, y, np.array([3.0, 1.0]))
    np.testing.assert_allclose(learner.scores(X[:1]), [[0.75, 0.25]])


@pytest.mark.parametrize(
    "model",
    [
        naive_bayes.GaussianNB(),
        preprocessing.StandardScaler() | naive_bayes.GaussianNB(),  # the pipeline itself would drop the weight
        forest.ARFClassifier(seed=1),  # takes **kwargs and drops the weight
    ],
    ids=str,
)
def test_weights_are_refused_by_a_model_that_would_drop_them(model: Any) -> None:
    learner = RiverLearner(model).fresh(Schema.numeric(1, ("a", "b")), 1)
    with pytest.raises(LearnerError, match=r"has no weight parameter .* has weight 2"):
        learner.learn(np.zeros((1, 1)), np.array([0]), np.array([2.0]))
    learner.learn(np.zeros((1, 1)), np.array([0]), np.array([1.0]))


def test_the_seed_reaches_every_model_without_a_seed() -> None:
    inner = preprocessing.StandardScaler() | forest.ARFClassifier(n_models=2)
    fresh = RiverLearner(ensemble.BaggingClassifier(inner, n_models=2)).fresh(Schema.numeric(1, ("a", "b")), 9)
    assert fresh.model.seed == 9
    assert fresh.model.model["ARFClassifier"].seed == 9


def test_a_seed_set_by_the_user_is_kept() -> None:
    fresh = RiverLearner(forest.ARFClassifier(seed=3)).fresh(Schema.numeric(1, ("a", "b")), 9)
    assert fresh.model.seed == 3


def mixed(n: int = 300) -> Any:
    """Return records with numbers and words, for River's way and for ours."""
    rng = np.random.default_rng(5)
    a, b, c, y = rng.normal(size=n), rng.choice(["x", "y"], n), rng.integers(9, size=n), rng.integers(2, size=n)
    return [({"a": float(a[i]), "b": str(b[i]), "c": float(c[i])}, int(y[i])) for i in range(n)]


def doubled(x: dict[str, Any]) -> dict[str, Any]:
    return {"twice": 2 * x["a"]}


@pytest.mark.parametrize(
    "model",
    [
        compose.SelectType(float) | StandardScaler() | GaussianNB(),
        compose.SelectType(numbers.Number) | GaussianNB(),
        compose.SelectType(int, float) | GaussianNB(),
        (compose.SelectType(str) | OneHotEncoder()) + (compose.SelectType(float) | StandardScaler()) | GaussianNB(),
        compose.Select("a", "c") | StandardScaler() | GaussianNB(),
        compose.Discard("b") | StandardScaler() | GaussianNB(),
        compose.TransformerUnion(compose.Select("a"), compose.Select("b") | OneHotEncoder()) | GaussianNB(),
        compose.FuncTransformer(doubled) | GaussianNB(),
        compose.Pipeline(doubled, GaussianNB()),
        compose.Select("a") | compose.Prefixer("z_") | GaussianNB(),
    ],
    ids=str,
)
def test_pipelines_that_select_features_give_the_result_of_river(model: Any) -> None:
    records = mixed()
    run = pq.evaluate(records, {"model": model}, metrics="accuracy", forgetting="cumulative", predictions=True)
    assert run.status == "complete"
    by_hand, expected = model.clone(), []
    for x, y in records:
        shares = by_hand.predict_proba_one(x)
        expected.append([shares.get(label, 0.0) for label in (0, 1)] if shares else [0.0, 0.0])
        by_hand.learn_one(x, y)
    columns = run.predictions("model").to_pydict()
    found = np.column_stack([columns["score_0"], columns["score_1"]])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert "_POSITIONAL_ARGS" not in str(run.manifest.learners["model"].description)


def test_selecting_integers_is_refused_because_numbers_arrive_as_floats() -> None:
    model = compose.SelectType(int) | GaussianNB()
    with pytest.raises(InputError, match=r"SelectType\(int\) selects no feature .*x0.* SelectType\(numbers\.Number\)"):
        RiverLearner(model).fresh(Schema.numeric(2, ("a", "b")), seed=1)
    words = Schema((Feature("x"), Feature("k", (1, 2))), classes=("a", "b"))
    RiverLearner(model).fresh(words, seed=1)


def test_the_seed_reaches_models_within_a_union() -> None:
    union = compose.TransformerUnion(compose.Select("a"), feature_extraction.RBFSampler(n_components=3))
    learner = RiverLearner(union | GaussianNB()).fresh(Schema.numeric(2, ("a", "b")), seed=7)
    assert learner.model["TransformerUnion"]["RBFSampler"].seed == 7


def test_late_classes_are_learned() -> None:
    learner = RiverLearner(naive_bayes.GaussianNB()).fresh(Schema.numeric(1, ("a",)), 1)
    learner.learn(np.array([[0.0]]), np.array([0]))
    learner.extend(Schema.numeric(1, ("a", "b")))
    learner.learn(np.array([[5.0], [5.1]]), np.array([1, 1]))
    assert learner.scores(np.array([[5.0]])).argmax() == 1


@pytest.mark.parametrize(
    ("model", "schema"),
    [(naive_bayes.GaussianNB(), Schema.numeric(1, None)), (linear_model.LinearRegression(), SCHEMA)],
)
def test_the_wrong_task_is_refused(model: Any, schema: Schema) -> None:
    with pytest.raises(InputError, match="but the stream is for"):
        RiverLearner(model).fresh(schema, 1)


def test_other_river_objects_are_refused() -> None:
    with pytest.raises(ParameterError, match="a River classifier or regressor"):
        RiverLearner(preprocessing.StandardScaler())


def test_the_manifest_names_library_and_parameters() -> None:
    description: Any = RiverLearner(preprocessing.StandardScaler() | forest.ARFClassifier(n_models=2)).describe()
    assert description["learner"] == "StandardScaler | ARFClassifier"
    assert str(description["library"]).startswith("river ")
    assert description["parameters"]["ARFClassifier"]["n_models"] == 2


def test_a_learner_in_the_middle_of_a_stream_survives_pickling() -> None:
    X, y = records()
    learner = RiverLearner(compose.Select("x", "z") | tree.HoeffdingTreeClassifier()).fresh(SCHEMA, 1)
    X = np.nan_to_num(X)
    learner.learn(X[:100], y[:100])
    twin = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(learner.test_then_train(X, y), twin.test_then_train(X, y))


def test_predicting_and_learning_are_timed_separately_and_memory_grows() -> None:
    learner = RiverLearner(naive_bayes.GaussianNB()).fresh(Schema.numeric(3, SCHEMA.classes), 1)
    before = learner.nbytes
    X, y = records()
    learner.test_then_train(np.nan_to_num(X), y)
    assert learner.clock.predict_seconds > 0
    assert learner.clock.learn_seconds > 0
    assert learner.nbytes > before
