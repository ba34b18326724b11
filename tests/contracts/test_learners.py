"""The learner contract, for models of every library that has an adapter."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest
from river import forest, linear_model, naive_bayes, neighbors, preprocessing, tree
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.naive_bayes import GaussianNB

from prequential.learners.adapters import as_learner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.streams.schema import Feature, Schema
from prequential.testing import check_learner


class LastLabel:
    """Predicts the last label."""

    label = None

    def predict_one(self, x: Any) -> Any:
        return self.label

    def learn_one(self, x: Any, y: Any) -> None:
        self.label = y


MODELS = {
    "river GaussianNB": naive_bayes.GaussianNB(),
    "river HoeffdingTreeClassifier": tree.HoeffdingTreeClassifier(grace_period=10),
    "river LogisticRegression": preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    "river ARFClassifier": forest.ARFClassifier(n_models=2),
    "river KNNClassifier": neighbors.KNNClassifier(),
    "river LinearRegression": preprocessing.StandardScaler() | linear_model.LinearRegression(),
    "river HoeffdingTreeRegressor": tree.HoeffdingTreeRegressor(grace_period=10),
    "sklearn GaussianNB": GaussianNB(),
    "sklearn SGDClassifier, log loss": SGDClassifier(loss="log_loss"),
    "sklearn SGDClassifier, hinge": SGDClassifier(loss="hinge"),
    "sklearn SGDClassifier in batches": SklearnLearner(SGDClassifier(loss="log_loss"), batch=8),
    "sklearn SGDRegressor": SGDRegressor(),
    "plain": LastLabel(),
}
REGRESSORS = {"river LinearRegression", "river HoeffdingTreeRegressor", "sklearn SGDRegressor"}
NUMBERS_ONLY = {"river GaussianNB", "river LogisticRegression", "river KNNClassifier"}


@pytest.mark.parametrize("name", MODELS)
def test_the_contract_holds(name: str) -> None:
    check_learner(MODELS[name])


@pytest.mark.parametrize("name", [name for name in MODELS if name not in REGRESSORS | NUMBERS_ONLY])
def test_the_contract_holds_with_nominal_features_and_string_labels(name: str) -> None:
    schema = Schema((Feature("x"), Feature("colour", ("red", "green"))), ("no", "yes"))
    check_learner(MODELS[name], schema=schema)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in REGRESSORS | {"plain"}])
def test_a_simple_concept_is_learned(name: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3))
    y = (X[:, 0] > 0).astype(np.int64)
    scores = as_learner(MODELS[name]).fresh(Schema.numeric(3, ("no", "yes")), seed=1).test_then_train(X, y)
    assert (scores[200:].argmax(axis=1) == y[200:]).mean() > 0.8


@pytest.mark.skipif(
    importlib.util.find_spec("capymoa") is None,
    reason="CapyMOA IS NOT INSTALLED, ITS ADAPTER IS NOT TESTED: pip install 'prequential[capymoa]' and Java 17",
)
@pytest.mark.parametrize("name", ["NaiveBayes", "HoeffdingTree", "OnlineBagging", "SGDClassifier", "FIMTDD"])
def test_the_contract_holds_for_capymoa(name: str) -> None:
    import capymoa.classifier
    import capymoa.regressor

    check_learner(getattr(capymoa.classifier, name, None) or getattr(capymoa.regressor, name))
