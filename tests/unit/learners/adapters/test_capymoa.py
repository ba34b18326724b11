from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

from prequential.errors import InputError, LearnerError, MissingExtraError, ParameterError
from prequential.learners.adapters import as_learner
from prequential.learners.adapters.capymoa import CapymoaLearner, moa_schema
from prequential.streams.schema import Feature, Schema

INSTALLED = importlib.util.find_spec("capymoa") is not None
needs_capymoa = pytest.mark.skipif(
    not INSTALLED,
    reason="CapyMOA IS NOT INSTALLED, ITS ADAPTER IS NOT TESTED: pip install 'prequential[capymoa]' and Java 17",
)
SCHEMA = Schema((Feature("x"), Feature("z"), Feature("day", ("mon", "tue"))), classes=("down", "up", "flat"))


def records(n: int = 300, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(2, size=n)])
    y = np.where(X[:, 0] > 0.5, 1, rng.integers(3, size=n))
    X[rng.random((n, 3)) < 0.1] = np.nan
    return X, y


@pytest.mark.skipif(INSTALLED, reason="CapyMOA is installed")
def test_without_capymoa_the_extra_is_named() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'prequential\[capymoa\]'"):
        CapymoaLearner(object())


@needs_capymoa
@pytest.mark.parametrize("name", ["NaiveBayes", "HoeffdingTree"])
def test_scores_are_those_of_a_loop_written_by_hand(name: str) -> None:
    import capymoa.classifier
    from capymoa.core import LabeledInstance

    X, y = records()
    schema = moa_schema(SCHEMA)
    by_hand = getattr(capymoa.classifier, name)(schema=schema, random_seed=1)
    expected = np.zeros((len(X), 3))
    for i in range(len(X)):
        instance = LabeledInstance.from_array(schema, X[i], y[i])
        shares = by_hand.predict_proba(instance)
        if shares is not None:
            expected[i] = shares
        by_hand.train(instance)
    found = as_learner(getattr(capymoa.classifier, name)).fresh(SCHEMA, seed=1).test_then_train(X, y)
    np.testing.assert_array_equal(found, expected)


@needs_capymoa
def test_no_prediction_is_an_abstention_and_not_class_0() -> None:
    from capymoa.classifier import NaiveBayes, SGDClassifier

    for model in (NaiveBayes, SGDClassifier):
        scores = as_learner(model).fresh(SCHEMA, 1).scores(np.zeros((2, 3)))
        np.testing.assert_array_equal(scores, np.zeros((2, 3)))


@needs_capymoa
def test_no_number_is_an_abstention_and_not_0() -> None:
    from capymoa.regressor import KNNRegressor, SGDRegressor

    for model in (KNNRegressor, SGDRegressor):
        assert np.isnan(as_learner(model).fresh(Schema.numeric(1, None), 1).scores(np.zeros((1, 1)))).all()


@needs_capymoa
def test_the_label_cannot_be_seen_while_predicting() -> None:
    from capymoa.base import Classifier

    class Peeper(Classifier):  # type: ignore[misc]  # CapyMOA has no types here
        def train(self, instance: Any) -> None:
            pass

        def predict_proba(self, instance: Any) -> Any:
            shares = np.zeros(3)
            shares[instance.y_index] = 1.0
            return shares

    with pytest.raises(LearnerError, match="y_index"):
        as_learner(Peeper).fresh(SCHEMA, 1).test_then_train(*records(1))


@needs_capymoa
def test_the_users_object_is_never_trained() -> None:
    from capymoa.classifier import HoeffdingTree, SGDClassifier

    X, y = records()
    schema = moa_schema(SCHEMA)
    tree, sgd = HoeffdingTree(schema=schema, grace_period=50), SGDClassifier(schema=schema)
    X = np.nan_to_num(X)
    for model in (tree, sgd):
        learner = as_learner(model)
        first = learner.fresh(SCHEMA, 1).test_then_train(X, y)
        np.testing.assert_array_equal(first, learner.fresh(SCHEMA, 1).test_then_train(X, y))
    description: Any = as_learner(tree).describe()
    assert description["parameters"]["grace_period"] == 50
    assert not tree.moa_learner.trainingHasStarted()
    assert not hasattr(sgd.sklearner, "coef_")


@needs_capymoa
def test_live_objects_among_the_parameters_are_copied() -> None:
    from capymoa.base import MOAClassifier, SKClassifier
    from jpype import JClass
    from sklearn.linear_model import SGDClassifier

    X, y = records()
    X = np.nan_to_num(X)
    given = {
        MOAClassifier: {"moa_learner": JClass("moa.classifiers.bayes.NaiveBayes")()},
        SKClassifier: {"sklearner": SGDClassifier(random_state=1)},
    }
    for cls, params in given.items():
        learner = CapymoaLearner(cls, **params)
        first, second = learner.fresh(SCHEMA, 1), learner.fresh(SCHEMA, 1)
        first.learn(X, y)
        np.testing.assert_array_equal(second.scores(X[:5]), np.zeros((5, 3)))


@needs_capymoa
def test_the_seed_is_that_of_the_run_unless_given() -> None:
    from capymoa.classifier import HoeffdingTree, MajorityClass

    assert CapymoaLearner(HoeffdingTree).fresh(SCHEMA, 9).model.random_seed == 9
    assert CapymoaLearner(HoeffdingTree, random_seed=4).fresh(SCHEMA, 9).model.random_seed == 4
    schema = moa_schema(SCHEMA)
    assert CapymoaLearner(HoeffdingTree(schema=schema)).fresh(SCHEMA, 9).model.random_seed == 9
    assert CapymoaLearner(HoeffdingTree(schema=schema, random_seed=4)).fresh(SCHEMA, 9).model.random_seed == 4
    as_learner(MajorityClass).fresh(SCHEMA, 9)


@needs_capymoa
def test_weights_reach_moa() -> None:
    from capymoa.classifier import MajorityClass

    learner = as_learner(MajorityClass).fresh(SCHEMA, 1)
    learner.learn(np.zeros((2, 3)), np.array([0, 1]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(learner.scores(np.zeros((1, 3))), [[0.25, 0.75, 0]])


@needs_capymoa
def test_weights_are_refused_by_learners_that_are_not_moas() -> None:
    from capymoa.classifier import SGDClassifier

    learner = as_learner(SGDClassifier).fresh(SCHEMA, 1)
    with pytest.raises(LearnerError, match="takes no weight"):
        learner.learn(np.zeros((1, 3)), np.array([0]), np.array([2.0]))


@needs_capymoa
def test_a_new_class_is_accepted_before_the_first_record_and_refused_after_it() -> None:
    from capymoa.classifier import NaiveBayes

    learner = as_learner(NaiveBayes).fresh(SCHEMA, 1)
    learner.extend(SCHEMA.with_classes(("down", "up", "flat", "crash")))
    learner.learn(np.zeros((1, 3)), np.array([3]))
    with pytest.raises(LearnerError, match="appeared after 1 records"):
        learner.extend(SCHEMA.with_classes(("down", "up", "flat", "crash", "boom")))


@needs_capymoa
def test_the_wrong_task_and_other_classes_are_refused() -> None:
    from capymoa.anomaly import HalfSpaceTrees
    from capymoa.classifier import NaiveBayes

    with pytest.raises(InputError, match="NaiveBayes is a classifier, but the stream is for regression"):
        as_learner(NaiveBayes).fresh(Schema.numeric(1, None), 1)
    with pytest.raises(ParameterError, match="a CapyMOA classifier or regressor"):
        as_learner(HalfSpaceTrees)


@needs_capymoa
def test_a_target_may_have_the_name_of_a_feature() -> None:
    schema = moa_schema(Schema.numeric(2, ("a", "b"), target="x1"))
    assert schema.get_num_attributes() == 2
    assert schema.get_num_classes() == 2


@needs_capymoa
def test_memory_grows_with_the_model() -> None:
    from capymoa.classifier import KNN

    learner = as_learner(KNN).fresh(SCHEMA, 1)
    before = learner.nbytes
    learner.learn(*records())
    assert learner.nbytes > before + 300 * 3 * 8
