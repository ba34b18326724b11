"""Every native learner is at home in scikit-learn: its own checks, and the same results as a run."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from support.native_learners import LEARNERS, mixed

import prequential as pq
from prequential.learners.sklearn_classifier import SklearnClassifier

every_learner = pytest.mark.parametrize("name", LEARNERS)

ESTIMATORS = {name: learner.to_sklearn() for name, learner in LEARNERS.items()}

BLIND = "a baseline: without the features it cannot reach the accuracy that the check expects"
STEPS = "one step of gradient descent with weight 2 is not two steps, and the order of the records matters"
DRAWS = "the random draws are per record: two records get two draws, one record with weight 2 gets one"
JUDGED = "members, or the two ways in which a leaf predicts, are judged in the order of the records"
EXCEPTIONS: dict[str, dict[str, str]] = {
    "majority_class": {"train": BLIND},
    "majority_class:window_size=50": {"train": BLIND},
    "no_change": {"train": BLIND},
    "sgd": {"weights": STEPS},
    "sgd:loss=hinge,l2=0.1": {"weights": STEPS},
    "sgd:standardise=false": {"weights": STEPS},
    "knn": {"weights": "a record with weight 2 is one of the k nearest neighbours, two records are two of them"},
    "hoeffding_tree": {"weights": JUDGED},
    "hoeffding_adaptive_tree": {"weights": DRAWS},
    "online_bagging": {"weights": DRAWS},
    "online_bagging of sgd": {"weights": DRAWS},
    "random_forest": {"weights": DRAWS},
    "random_forest of sgd": {"weights": DRAWS},
    "adaptive_random_forest": {"weights": DRAWS},
    "adaptive_random_forest of sgd": {"weights": DRAWS},
    "adwin_bagging": {"weights": DRAWS},
    "adwin_bagging of sgd": {"weights": DRAWS},
    "leveraging_bagging": {"weights": DRAWS},
    "leveraging_bagging of sgd": {"weights": DRAWS},
    "dynamic_weighted_majority of sgd": {"weights": STEPS},
    "accuracy_updated_ensemble": {"weights": JUDGED},
    "accuracy_updated_ensemble of sgd": {"weights": JUDGED},
    "noise_filter": {"weights": DRAWS},
    "noise_filter of sgd": {"weights": DRAWS},
    "drift_reset of sgd": {"weights": STEPS},
    "self_training of sgd": {"weights": STEPS},
    "drift_reset with ratio:threshold=2,short=sliding:5,long=sliding:50": {
        "train": "two errors among five records are an alarm: the learner has just been reset when it is scored"
    },
}
"""The checks of scikit-learn that do not hold, each with its reason."""
CHECKS = {
    "train": ["check_classifiers_train"],
    "weights": [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
}


def expected_failures(estimator: SklearnClassifier) -> dict[str, str]:
    """Return the checks that do not hold for an estimator, with the reasons. One that holds nevertheless fails."""
    name = next(name for name, one in ESTIMATORS.items() if repr(one.learner) == repr(estimator.learner))
    return {check: reason for kind, reason in EXCEPTIONS.get(name, {}).items() for check in CHECKS[kind]}


@parametrize_with_checks(list(ESTIMATORS.values()), expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_the_checks_of_scikit_learn_hold(estimator: SklearnClassifier, check: Any) -> None:
    check(estimator)


def matrix(source: pq.Stream) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and the labels of a stream."""
    (chunk,) = source.chunks(10_000)
    return chunk.X, np.array(source.schema.classes)[chunk.y]


@every_learner
def test_probabilities_are_those_of_evaluate_record_by_record(name: str) -> None:
    """``random_state`` is the seed of the run: both derive the learner's seed from it in the same way."""
    source = pq.streams.SEA(seed=1, noise=0.1).take(1000)
    X, y = matrix(source)
    run = pq.evaluate(source, {"learner": LEARNERS[name]}, predictions=True, seed=7)
    saved = run.predictions("learner")
    scores = np.column_stack([saved[f"score_{label}"].to_numpy() for label in source.schema.classes or ()])
    model = LEARNERS[name].to_sklearn(random_state=7)
    model.partial_fit(X[:1], y[:1], classes=source.schema.classes)
    for i in range(1, len(X)):
        shares, predicted = model.predict_proba(X[i : i + 1])[0], saved["prediction"][i].as_py()
        if predicted is None:
            assert shares.tolist() == [0.5, 0.5], "an abstention"
        else:
            assert shares.tolist() == (scores[i] / scores[i].sum()).tolist()
            assert model.predict(X[i : i + 1])[0] == predicted
        model.partial_fit(X[i : i + 1], y[i : i + 1])


@every_learner
def test_parts_of_the_rows_give_the_same_model_as_all_rows(name: str) -> None:
    X, y = mixed(500, unlabelled=0)
    whole = LEARNERS[name].to_sklearn(random_state=1).fit(X, y)
    parts = LEARNERS[name].to_sklearn(random_state=1)
    for start in range(0, 500, 130):
        parts.partial_fit(X[start : start + 130], y[start : start + 130], classes=[0, 1, 2])
    np.testing.assert_array_equal(parts.predict_proba(X), whole.predict_proba(X))


@every_learner
def test_a_pickled_or_copied_estimator_continues_as_the_original(name: str) -> None:
    X, y = mixed(300, unlabelled=0)
    model = LEARNERS[name].to_sklearn(random_state=1).fit(X[:200], y[:200])
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        before = model.predict_proba(X)
        np.testing.assert_array_equal(other.predict_proba(X), before)
        other.partial_fit(X[200:], y[200:])
        np.testing.assert_array_equal(model.predict_proba(X), before)
    assert not hasattr(clone(model), "classes_")
