"""A native learner as a classifier of scikit-learn: pipelines, searches, data frames, sparse matrices, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import prequential as pq
from prequential.errors import DataError, InputError, ParameterError
from prequential.learners import KNN, AdaptiveRandomForest, HoeffdingTree, NaiveBayes, OnlineBagging

X, Y = load_iris(return_X_y=True)


def test_it_is_a_classifier_in_pipelines_and_cross_validation() -> None:
    model = make_pipeline(StandardScaler(), NaiveBayes().to_sklearn())
    assert is_classifier(model)
    assert cross_val_score(model, X, Y, cv=5).mean() > 0.9
    assert BaggingClassifier(NaiveBayes().to_sklearn(), 3, random_state=1).fit(X, Y).score(X, Y) > 0.9
    assert CalibratedClassifierCV(NaiveBayes().to_sklearn(), cv=3).fit(X, Y).score(X, Y) > 0.9


def test_a_grid_search_sets_the_parameters_of_the_learner_and_of_its_base() -> None:
    search = GridSearchCV(KNN().to_sklearn(), {"learner__n_neighbors": [1, 7, 1000]}, cv=3).fit(X, Y)
    assert search.best_params_["learner__n_neighbors"] < 1000
    assert search.best_estimator_.learner.n_neighbors < 1000
    bagging = OnlineBagging(base=KNN(), n_models=2).to_sklearn(random_state=1)
    search = GridSearchCV(bagging, {"learner__base__n_neighbors": [1, 7], "learner__n_models": [2, 3]}, cv=3).fit(X, Y)
    assert len(search.cv_results_["params"]) == 4


def test_parameters_are_set_without_touching_the_learner_it_was_made_of() -> None:
    learner = KNN()
    model = learner.to_sklearn().set_params(learner__n_neighbors=3)
    assert (model.learner.n_neighbors, learner.n_neighbors) == (3, 10)
    assert repr(model) == "SklearnClassifier(learner=KNN(n_neighbors=3))"
    assert clone(model).learner.n_neighbors == 3
    with pytest.raises(InputError, match=r"KNN has no parameter 'k'"):
        model.set_params(learner__k=3)


def test_attributes_follow_scikit_learn() -> None:
    pd = pytest.importorskip("pandas")
    model = NaiveBayes().to_sklearn().fit(X, Y)
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    assert model.classes_.tolist() == [0, 1, 2]
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = NaiveBayes().to_sklearn().fit(frame, Y)
    assert named.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(named.predict_proba(frame), model.predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        named.predict(frame[["b", "a", "c", "d"]])


def test_predicting_before_fitting_is_refused() -> None:
    for method in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError):
            getattr(NaiveBayes().to_sklearn(), method)(X)


@pytest.mark.parametrize("labels", [["c", "b", "a"], [7, 3, 5], [True, False, True]])
def test_labels_of_every_kind_are_returned(labels: list[Any]) -> None:
    y = np.array(labels)[Y]
    model = NaiveBayes().to_sklearn().fit(X, y)
    assert model.classes_.tolist() == sorted(set(labels))
    assert model.score(X, y) > 0.9
    assert model.predict(X).dtype == y.dtype
    by_list = NaiveBayes().to_sklearn().fit(X.tolist(), y.tolist())
    np.testing.assert_array_equal(by_list.predict(X), model.predict(X))


def test_fit_forgets_and_partial_fit_does_not() -> None:
    model = NaiveBayes().to_sklearn().fit(X, Y)
    model.fit(X[:100, :2], Y[:100])
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 2
    model.partial_fit(X[50:100, :2], Y[50:100])
    assert model.predict_proba([[np.nan, np.nan]])[0] == pytest.approx([1 / 3, 2 / 3])


def test_all_classes_are_needed_at_the_first_call_of_partial_fit() -> None:
    model = NaiveBayes().to_sklearn()
    with pytest.raises(ParameterError, match="'classes' parameter of partial_fit must be a list of all classes"):
        model.partial_fit(X, Y)
    model.partial_fit(X[:1], Y[:1], classes=[2, 1, 0])
    model.partial_fit(X[1:], Y[1:], classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    with pytest.raises(ParameterError, match="those of the first call, 0, 1, 2"):
        model.partial_fit(X, Y, classes=[0, 1])
    before = model.predict_proba(X)
    for unknown in (-1, 7):
        with pytest.raises(ParameterError, match=rf"labels among the classes 0, 1, 2. Got .*{unknown}"):
            model.partial_fit(X, np.where(Y == 0, unknown, Y))
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_weights_count_as_often_as_they_say() -> None:
    weights = np.random.default_rng(1).integers(3, size=len(Y))
    weighted = NaiveBayes().to_sklearn().fit(X, Y, sample_weight=weights)
    repeated = NaiveBayes().to_sklearn().fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))
    parts = NaiveBayes().to_sklearn()
    for i in range(len(X)):  # single records of weight 0 among them
        parts.partial_fit(X[i : i + 1], Y[i : i + 1], classes=[0, 1, 2], sample_weight=weights[i : i + 1])
    np.testing.assert_array_equal(parts.predict_proba(X), weighted.predict_proba(X))
    with pytest.raises(ValueError, match="not all zero"):
        NaiveBayes().to_sklearn().fit(X, Y, sample_weight=np.zeros(len(Y)))
    with pytest.raises(ValueError, match="weight"):
        NaiveBayes().to_sklearn().fit(X, Y, sample_weight=-np.ones(len(Y)))


def test_an_abstention_gives_every_class_the_same_probability() -> None:
    model = NaiveBayes().to_sklearn()
    model.partial_fit(X[:1], Y[:1], classes=[0, 1, 2, 3], sample_weight=[0.0])
    assert model.predict_proba(X[:1]).tolist() == [[0.25] * 4]
    assert model.predict(X[:1]).tolist() == [0]


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array])
def test_a_sparse_matrix_gives_the_same_model(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prequential.learners.sklearn_classifier._BLOCK", 40)
    rng = np.random.default_rng(1)
    dense = np.where(rng.random(X.shape) < 0.5, 0.0, X)
    weights = rng.random(len(Y))
    expected = HoeffdingTree().to_sklearn().fit(dense, Y, weights).predict_proba(dense)
    model = HoeffdingTree().to_sklearn().fit(kind(dense), Y, weights)
    np.testing.assert_array_equal(model.predict_proba(kind(dense)), expected)


def test_a_missing_value_is_ignored_and_an_infinite_one_refused() -> None:
    model = NaiveBayes().to_sklearn().fit(np.where(X > 6, np.nan, X), Y)
    assert model.predict([[np.nan] * 4]).shape == (1,)
    with pytest.raises(ValueError, match="infinity"):
        model.predict([[np.inf] * 4])


def test_random_state_decides_the_draws() -> None:
    def shares(random_state: Any) -> np.ndarray:
        forest = AdaptiveRandomForest(n_models=3, grace_period=10, max_features=1).to_sklearn(random_state=random_state)
        found: np.ndarray = forest.fit(X, Y).predict_proba(X)
        return found

    np.testing.assert_array_equal(shares(3), shares(np.int64(3)))
    np.testing.assert_array_equal(shares(np.random.RandomState(3)), shares(np.random.RandomState(3)))
    assert (shares(3) != shares(4)).any()
    assert (shares(None) != shares(None)).any()


def test_only_a_native_learner_is_accepted() -> None:
    for wrong in (None, "naive_bayes", clone):
        with pytest.raises(ParameterError, match=r"'learner' parameter .* a native learner"):
            NaiveBayes().to_sklearn().set_params(learner=wrong).fit(X, Y)


# --- nominal features -----------------------------------------------------------------------------------


def weather(n: int = 400) -> tuple[Any, Any]:
    """Return a data frame whose text tells the class, and the labels."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=n)
    sky = np.array(list("acebdf"))[y * 3 + rng.integers(3, size=n)].astype(object)
    sky[rng.random(n) < 0.1] = None
    return pd.DataFrame({"x": rng.normal(size=n), "sky": sky, "wet": rng.random(n) < 0.5}), np.array(["u", "v"])[y]


@pytest.mark.parametrize("learner", [NaiveBayes(), HoeffdingTree(), KNN()])
def test_text_and_truth_values_of_a_data_frame_are_nominal(learner: Any) -> None:
    frame, y = weather()
    model = learner.to_sklearn()
    for start in range(0, 300, 100):
        model.partial_fit(frame.iloc[start : start + 100], y[start : start + 100], classes=["u", "v"])
    assert model.feature_names_in_.tolist() == ["x", "sky", "wet"]
    known = frame["sky"].notna()[300:]
    assert (model.predict(frame[300:])[known] == y[300:][known]).mean() > 0.9
    unseen = frame[300:].assign(sky="never seen")
    assert model.predict_proba(unseen).shape == (100, 2)
    single = frame.iloc[[300]].assign(sky=None)
    assert model.predict(single).shape == (1,)


@pytest.mark.parametrize("learner", [NaiveBayes(), HoeffdingTree(grace_period=20), AdaptiveRandomForest(n_models=3)])
def test_categories_give_the_results_of_evaluate_record_by_record(learner: Any) -> None:
    """The type of a category declares its values in order; text gets codes as it appears."""
    frame, y = weather()
    frame = frame.assign(sky=frame["sky"].astype("category"), wet=frame["wet"].astype("category"))
    run = pq.evaluate(pq.from_table(frame.assign(label=y), "label"), {"a": learner}, predictions=True, seed=4)
    saved = run.predictions("a")
    scores = np.column_stack([saved["score_u"].to_numpy(), saved["score_v"].to_numpy()])
    model = learner.to_sklearn(random_state=4).partial_fit(frame[:1], y[:1], classes=["u", "v"])
    for i in range(1, len(frame)):
        found = model.predict_proba(frame[i : i + 1])[0]
        if scores[i].any():
            assert found.tolist() == (scores[i] / scores[i].sum()).tolist()
        model.partial_fit(frame[i : i + 1], y[i : i + 1])


def test_a_new_nominal_value_may_appear_later() -> None:
    frame, y = weather()
    model = NaiveBayes().to_sklearn().fit(frame, y)
    late = frame[:50].assign(sky="z")
    model.partial_fit(late, np.full(50, "v"))
    assert set(model.predict(late)) == {"v"}


def test_a_model_of_nominal_features_needs_a_data_frame_of_the_same_kinds() -> None:
    frame, y = weather()
    model = NaiveBayes().to_sklearn().fit(frame, y)
    cannot = pytest.raises(InputError, match="NaiveBayes cannot read a ndarray as a data frame")
    with cannot, pytest.warns(UserWarning, match="feature names"):
        model.predict(frame.to_numpy())
    with pytest.raises(DataError, match=r"column 'x': a column of type"):
        model.predict(frame.assign(x="text"))
    with pytest.raises(DataError, match=r"column 'sky': not a nominal value: 3"):
        model.predict(frame.assign(sky=3))
    numeric = NaiveBayes().to_sklearn().fit(frame[["x"]], y)
    with pytest.raises(ValueError, match="could not convert string to float"):
        numeric.predict(frame[["x"]].assign(x="text"))


def test_a_polars_data_frame_is_understood() -> None:
    pl = pytest.importorskip("polars")
    frame, y = weather()
    other = pl.from_pandas(frame)
    model = NaiveBayes().to_sklearn().fit(other, y)
    np.testing.assert_allclose(model.predict_proba(other), NaiveBayes().to_sklearn().fit(frame, y).predict_proba(frame))
