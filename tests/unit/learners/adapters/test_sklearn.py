from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, StandardScaler

import prequential as pq
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray, IntArray

SCHEMA = Schema.numeric(3, ("down", "up", "flat"))


def records(n: int = 120, n_classes: int = 3, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 3)), rng.integers(n_classes, size=n)
    y[X[:, 0] > 0] = 1
    return X, y


class Recorder(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Records the shape and content of every fit."""

    def __init__(self) -> None:
        self.fits: list[tuple[object, object, object]] = []

    def partial_fit(self, X: FloatArray, y: IntArray, classes: Any = None) -> Any:
        self.fits.append((X.tolist(), y.tolist(), None if classes is None else classes.tolist()))
        return self

    def predict(self, X: FloatArray) -> Any:
        return np.zeros(len(X), dtype=int)


@pytest.mark.parametrize(
    "estimator",
    [GaussianNB(), SGDClassifier(loss="log_loss", random_state=4), MLPClassifier((4,), random_state=4)],
    ids=lambda e: type(e).__name__,
)
def test_scores_are_those_of_a_loop_written_by_hand(estimator: Any) -> None:
    X, y = records()
    by_hand = clone(estimator)
    expected = [np.zeros((1, 3))]
    by_hand.partial_fit(X[:1], y[:1], classes=[0, 1, 2])
    with np.errstate(all="ignore"):  # naive Bayes without any variance yet
        for i in range(1, len(X)):
            expected.append(by_hand.predict_proba(X[i : i + 1]))
            by_hand.partial_fit(X[i : i + 1], y[i : i + 1])
    found = SklearnLearner(estimator).fresh(SCHEMA, seed=1).test_then_train(X, y)
    np.testing.assert_array_equal(found, np.concatenate(expected))


def test_predictions_of_a_regressor_are_those_of_a_loop_written_by_hand() -> None:
    X = records()[0]
    y = X @ [1.0, -2.0, 0.5]
    by_hand = SGDRegressor(random_state=4).partial_fit(X[:1], y[:1])
    expected = [np.nan]
    for i in range(1, len(X)):
        expected.append(by_hand.predict(X[i : i + 1])[0])
        by_hand.partial_fit(X[i : i + 1], y[i : i + 1])
    found = SklearnLearner(SGDRegressor(random_state=4)).fresh(Schema.numeric(3, None), 1).test_then_train(X, y)
    np.testing.assert_array_equal(found[:, 0], expected)


def test_a_learner_that_has_not_been_fitted_abstains() -> None:
    scores = SklearnLearner(GaussianNB(), batch=10).fresh(SCHEMA, 1).test_then_train(*records(12))
    np.testing.assert_array_equal(scores[:10], np.zeros((10, 3)))
    assert (
        SklearnLearner(SGDRegressor()).fresh(Schema.numeric(1, None), 1).scores(np.zeros((2, 1))).tolist()
        == [[pytest.approx(np.nan, nan_ok=True)]] * 2
    )


def test_naive_bayes_without_variance_abstains_without_a_warning_of_numpy() -> None:
    learner = SklearnLearner(GaussianNB()).fresh(SCHEMA, 1)
    learner.learn(np.zeros((1, 3)), np.array([0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not np.isfinite(learner.scores(np.ones((1, 3)))).all()


def test_an_estimator_without_probabilities_scores_1_for_its_label() -> None:
    X, y = records()
    scores = SklearnLearner(SGDClassifier(loss="hinge")).fresh(SCHEMA, 1).test_then_train(X, y)
    np.testing.assert_array_equal(scores[1:].sum(axis=1), 1)
    assert set(np.unique(scores)) == {0.0, 1.0}


@pytest.mark.parametrize("size", [1, 7, 120])
def test_batches_do_not_depend_on_chunks(size: int) -> None:
    X, y = records()
    y[::5] = UNLABELLED
    learner = SklearnLearner(SGDClassifier(loss="log_loss", random_state=1), batch=10).fresh(SCHEMA, 1)
    found = np.concatenate([learner.test_then_train(X[i : i + size], y[i : i + size]) for i in range(0, len(X), size)])
    by_hand = SGDClassifier(loss="log_loss", random_state=1)
    expected = np.zeros((len(X), 3))
    waiting: list[int] = []
    for i in range(len(X)):
        if hasattr(by_hand, "coef_"):
            expected[i] = by_hand.predict_proba(X[i : i + 1])[0]
        if y[i] != UNLABELLED:
            waiting.append(i)
        if len(waiting) == 10:
            by_hand.partial_fit(X[waiting], y[waiting], classes=[0, 1, 2])
            waiting = []
    np.testing.assert_array_equal(found, expected)


def test_all_classes_are_declared_at_the_first_fit_only() -> None:
    learner = SklearnLearner(Recorder(), batch=2).fresh(SCHEMA, 1)
    learner.learn(np.zeros((5, 3)), np.array([0, 0, 1, 1, 2]))
    assert [(y, classes) for _, y, classes in learner.estimator.fits] == [([0, 0], [0, 1, 2]), ([1, 1], None)]


def test_a_new_class_is_accepted_before_the_first_fit_and_refused_after_it() -> None:
    open_schema = Schema(SCHEMA.features, ("down", "up"), open=True)
    learner = SklearnLearner(GaussianNB()).fresh(open_schema, 1)
    learner.extend(open_schema.with_classes(("down", "up", "flat")))
    learner.learn(*records(20))
    with pytest.raises(LearnerError, match=r"'crash' has appeared after the first partial_fit .*'down', 'up', 'flat'"):
        learner.extend(open_schema.with_classes(("down", "up", "flat", "crash")))


def test_nominal_features_become_columns_of_0_and_1() -> None:
    schema = Schema((Feature("x"), Feature("day", ("mon", "tue"))), classes=("a", "b"))
    rows = np.array([[0.5, 1.0], [0.7, np.nan], [0.9, 2.0]])
    learner = SklearnLearner(Recorder(), batch=3).fresh(schema, 1)
    learner.learn(rows, np.array([0, 1, 0]))
    # Recorder is scikit-learn's kind, so the missing day is the most frequent one; the third value is newer
    assert learner.estimator.fits[0][0] == [[0.5, 0.0, 1.0], [0.7, 0.0, 1.0], [0.9, 0.0, 0.0]]


def test_nominal_features_stay_codes_with_nominal_codes() -> None:
    schema = Schema((Feature("x"), Feature("day", ("mon", "tue"))), classes=("a", "b"))
    learner = SklearnLearner(Recorder(), nominal="codes").fresh(schema, 1)
    learner.learn(np.array([[0.5, 1.0]]), np.array([0]))
    assert learner.estimator.fits[0][0] == [[0.5, 1.0]]


def test_a_missing_number_is_passed_to_the_estimator_if_asked() -> None:
    X, y = records(20)
    X[7, 1] = np.nan
    with pytest.raises(LearnerError, match="ValueError: Input X contains NaN") as caught:
        SklearnLearner(GaussianNB(), missing="pass").fresh(SCHEMA, 1).test_then_train(X, y)
    assert caught.value.offset == 7


@pytest.mark.parametrize("batch", [1, 4])
def test_a_missing_number_is_the_mean_of_the_records_learned_before(batch: int) -> None:
    X, y = records(60)
    X[np.random.default_rng(3).random(X.shape) < 0.2] = np.nan
    learner = SklearnLearner(SGDClassifier(loss="log_loss", random_state=1), batch=batch).fresh(SCHEMA, 1)
    found = learner.test_then_train(X, y)
    by_hand, expected = SGDClassifier(loss="log_loss", random_state=1), np.zeros((60, 3))
    for i in range(60):
        known = X[:i]
        if i >= batch:
            means = np.array(
                [column[~np.isnan(column)].mean() if (~np.isnan(column)).any() else 0 for column in known.T]
            )
            expected[i] = by_hand.predict_proba(np.where(np.isnan(X[i]), means, X[i])[None])
        if (i + 1) % batch == 0:
            seen = X[: i + 1]
            means = np.array(
                [column[~np.isnan(column)].mean() if (~np.isnan(column)).any() else 0 for column in seen.T]
            )
            rows = seen[-batch:]
            by_hand.partial_fit(np.where(np.isnan(rows), means, rows), y[i + 1 - batch : i + 1], classes=[0, 1, 2])
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    assert learner.describe()["missing"] == "mean"


def test_imputation_does_not_depend_on_chunks_and_is_saved() -> None:
    X, y = records(60)
    X[::3, 0] = np.nan
    whole = SklearnLearner(GaussianNB()).fresh(SCHEMA, 1)
    parts = SklearnLearner(GaussianNB()).fresh(SCHEMA, 1)
    expected = whole.test_then_train(X, y)
    first = parts.test_then_train(X[:25], y[:25])
    restored = SklearnLearner(GaussianNB()).fresh(SCHEMA, 1)
    restored.load_bytes(parts.to_bytes())
    np.testing.assert_array_equal(np.vstack([first, restored.test_then_train(X[25:], y[25:])]), expected)


def test_a_plain_object_gets_missing_values_unchanged() -> None:
    class Plain:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def partial_fit(self, X: Any, y: Any) -> None:
            self.seen.append(X.tolist())

        def predict(self, X: Any) -> Any:
            return np.zeros(len(X))

    learner = SklearnLearner(Plain()).fresh(SCHEMA, 1)
    learner.learn(np.array([[1.0, np.nan, 2.0]]), np.array([0]))
    assert np.isnan(learner.estimator.seen[0][0][1])
    assert learner.describe()["missing"] == "pass"


def test_weights_reach_an_estimator_that_accepts_them() -> None:
    X, y = records()
    w = np.random.default_rng(0).uniform(0.5, 2, size=len(X))
    learner = SklearnLearner(GaussianNB(), batch=len(X)).fresh(SCHEMA, 1)
    learner.learn(X, y, w)
    by_hand = GaussianNB().partial_fit(X, y, classes=[0, 1, 2], sample_weight=w)
    np.testing.assert_array_equal(learner.scores(X), by_hand.predict_proba(X))


def test_weights_are_refused_by_an_estimator_that_takes_none() -> None:
    learner = SklearnLearner(Recorder()).fresh(SCHEMA, 1)
    with pytest.raises(LearnerError, match="takes no sample_weight, and a record has weight 2"):
        learner.learn(np.zeros((1, 3)), np.array([0]), np.array([2.0]))


def test_records_of_weight_0_are_not_collected() -> None:
    learner = SklearnLearner(Recorder(), batch=2).fresh(SCHEMA, 1)
    learner.learn(np.arange(9.0).reshape(3, 3), np.array([0, 1, 2]), np.array([1.0, 0.0, 1.0]))
    assert learner.estimator.fits[0][1] == [0, 2]


def test_the_users_estimator_is_never_trained() -> None:
    estimator = SGDClassifier()
    SklearnLearner(estimator).fresh(SCHEMA, 1).learn(*records())
    assert not hasattr(estimator, "coef_")


def test_random_states_of_none_get_the_seed() -> None:
    assert SklearnLearner(SGDClassifier()).fresh(SCHEMA, 9).estimator.random_state == 9
    assert SklearnLearner(SGDClassifier(random_state=2)).fresh(SCHEMA, 9).estimator.random_state == 2


def test_estimators_without_partial_fit_are_refused() -> None:
    with pytest.raises(ParameterError, match="an object with partial_fit and predict"):
        SklearnLearner(RandomForestClassifier())


@pytest.mark.parametrize("batch", [1, 10])
def test_a_pipeline_learns_step_by_step(batch: int) -> None:
    X, y = records()
    double = FunctionTransformer(np.exp)
    pipeline = make_pipeline(
        double, StandardScaler(), PolynomialFeatures(2), "passthrough", SGDClassifier(loss="log_loss")
    )
    found = SklearnLearner(pipeline, batch=batch).fresh(SCHEMA, seed=4).test_then_train(X, y)
    scaler, powers, last = StandardScaler(), PolynomialFeatures(2), SGDClassifier(loss="log_loss", random_state=4)
    powers.fit(X[:1])
    expected = np.zeros((len(X), 3))
    for i in range(len(X)):
        if i >= batch:
            expected[i] = last.predict_proba(powers.transform(scaler.transform(np.exp(X[i : i + 1]))))
        if (i + 1) % batch == 0:
            part = np.exp(X[i + 1 - batch : i + 1])
            rows = powers.transform(scaler.partial_fit(part).transform(part))
            last.partial_fit(rows, y[i + 1 - batch : i + 1], classes=[0, 1, 2])
    np.testing.assert_array_equal(found, expected)
    assert not hasattr(pipeline.steps[1][1], "mean_"), "the user's pipeline is not trained"


def test_a_pipeline_is_described_by_its_steps_and_saved() -> None:
    X, y = records()
    learner = SklearnLearner(make_pipeline(StandardScaler(), SGDClassifier(loss="log_loss"))).fresh(SCHEMA, 4)
    assert learner.describe()["learner"] == "StandardScaler | SGDClassifier"
    learner.test_then_train(X[:50], y[:50])
    other = SklearnLearner(make_pipeline(StandardScaler(), SGDClassifier(loss="log_loss"))).fresh(SCHEMA, 4)
    other.load_bytes(learner.to_bytes())
    np.testing.assert_array_equal(other.test_then_train(X[50:], y[50:]), learner.test_then_train(X[50:], y[50:]))


@pytest.mark.parametrize(
    ("pipeline", "step"),
    [
        (make_pipeline(PCA(2), SGDClassifier()), r"the step 'pca' \(PCA\) must have partial_fit, or need no fit"),
        (make_pipeline(StandardScaler(), SimpleImputer(), SGDClassifier()), r"'simpleimputer' \(SimpleImputer\)"),
        (
            make_pipeline(StandardScaler(), RandomForestClassifier()),
            r"'randomforestclassifier' .*partial_fit and predict",
        ),
        (make_pipeline(StandardScaler()), "'standardscaler'"),
    ],
    ids=["pca", "imputer", "forest", "no model"],
)
def test_a_pipeline_with_a_step_that_needs_all_data_is_refused_by_name(pipeline: Any, step: str) -> None:
    with pytest.raises(ParameterError, match=step):
        SklearnLearner(pipeline)


def test_a_pipeline_is_evaluated_on_a_stream_with_missing_values() -> None:
    pipeline = make_pipeline(StandardScaler(), SGDClassifier(loss="log_loss"))
    stream = pq.streams.SEA(seed=1).missing(0.1, seed=2).take(1000)
    run = pq.evaluate(stream, {"pipeline": pipeline}, metrics="accuracy", forgetting="cumulative")
    assert run.status == "complete"
    assert run.manifest.learners["pipeline"].description["missing"] == "mean"
    assert run.table().to_dicts()[0]["value"] > 0.7


@pytest.mark.parametrize(
    ("estimator", "schema"), [(GaussianNB(), Schema.numeric(3, None)), (SGDRegressor(), SCHEMA)], ids=str
)
def test_the_wrong_task_is_refused(estimator: Any, schema: Schema) -> None:
    with pytest.raises(InputError, match="but the stream is for"):
        SklearnLearner(estimator).fresh(schema, 1)


@pytest.mark.parametrize("batch", [0, -1, 1.5, True])
def test_batch_must_be_a_whole_number(batch: Any) -> None:
    with pytest.raises(ParameterError, match="'batch'"):
        SklearnLearner(BernoulliNB(), batch=batch)


def test_nominal_must_be_known() -> None:
    with pytest.raises(ParameterError, match="'one_hot' or 'codes'"):
        SklearnLearner(BernoulliNB(), nominal="onehot")


def test_the_manifest_has_the_options_of_the_adapter() -> None:
    description: Any = SklearnLearner(SGDClassifier(alpha=0.5), batch=50).describe()
    assert description["learner"] == "SGDClassifier"
    assert str(description["library"]).startswith("scikit-learn ")
    assert (description["batch"], description["nominal"], description["parameters"]["alpha"]) == (50, "one_hot", 0.5)


def test_memory_includes_the_collected_records() -> None:
    learner = SklearnLearner(GaussianNB(), batch=1000).fresh(SCHEMA, 1)
    before = learner.nbytes
    learner.learn(*records())
    assert learner.nbytes > before + 120 * 3 * 8


def test_no_records_give_no_scores() -> None:
    learner = SklearnLearner(GaussianNB()).fresh(SCHEMA, 1)
    learner.learn(*records())
    assert learner.scores(np.empty((0, 3))).shape == (0, 3)
