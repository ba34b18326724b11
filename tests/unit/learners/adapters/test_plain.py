from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prequential.errors import InputError, LearnerError
from prequential.learners.adapters.plain import DuckLearner, OneByOneLearner, plain_learner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray

SCHEMA = Schema.numeric(1, ("a", "b"))
X = np.zeros((4, 1))
Y = np.array([1, 0, 0, 1])


class LastLabel:
    def __init__(self, start: Any = None) -> None:
        self.label = start

    def predict_one(self, x: Any) -> Any:
        return self.label

    def learn_one(self, x: Any, y: Any) -> None:
        self.label = y


class Memoriser:
    """Remembers every record it has learned, and predicts the first class for others."""

    def __init__(self) -> None:
        self.known: dict[float, str] = {}

    def predict_one(self, x: Any) -> Any:
        return self.known.get(x["x0"], "a")

    def learn_one(self, x: Any, y: Any) -> None:
        self.known[x["x0"]] = y


class Duck:
    """The methods of the contract without its base class."""

    def __init__(self, n_classes: int = 0) -> None:
        self.counts = np.zeros(n_classes)

    def fresh(self, schema: Schema, seed: int) -> Any:
        return Duck(schema.n_classes)

    def scores(self, X: FloatArray) -> FloatArray:
        return np.tile(self.counts, (len(X), 1))

    def learn(self, X: FloatArray, y: IntArray, w: FloatArray | None = None) -> None:
        np.add.at(self.counts, y, 1.0 if w is None else w)


class Batches:
    """partial_fit and predict, without scikit-learn."""

    last = 0

    def partial_fit(self, X: FloatArray, y: Any) -> None:
        self.last = y[-1]

    def predict(self, X: FloatArray) -> Any:
        return np.full(len(X), self.last)


@pytest.mark.parametrize(
    ("obj", "kind"), [(LastLabel(), OneByOneLearner), (Duck(), DuckLearner), (Batches(), SklearnLearner)]
)
def test_the_adapter_is_chosen_by_the_methods(obj: Any, kind: Any) -> None:
    assert type(plain_learner(obj)) is kind


@pytest.mark.parametrize("obj", [object(), 3, None, [LastLabel()]])
def test_other_objects_are_refused_with_the_needed_methods(obj: Any) -> None:
    with pytest.raises(InputError, match=r"(?s)is not a learner.*learn_one and predict_one.*class LastLabel:"):
        plain_learner(obj)


def test_one_by_one_scores_the_label_and_abstains_on_none() -> None:
    scores = plain_learner(LastLabel()).fresh(SCHEMA, 1).test_then_train(X, Y)
    assert scores.tolist() == [[0, 0], [0, 1], [1, 0], [1, 0]]


def test_the_object_is_copied_when_the_learner_is_created() -> None:
    model = LastLabel()
    learner = plain_learner(model)
    model.label = "b"
    assert learner.fresh(SCHEMA, 1).scores(X[:1]).tolist() == [[0, 0]]
    first = learner.fresh(SCHEMA, 1)
    first.learn(X, Y)
    assert first.fresh(SCHEMA, 1).scores(X[:1]).tolist() == [[0, 0]]
    assert model.label == "b"


def test_a_memoriser_on_random_labels_scores_about_chance() -> None:
    # A protocol that tests on records already learned gives it .90 (stream-learn).
    rng = np.random.default_rng(5)
    rows, labels = rng.random((2000, 1)), rng.integers(2, size=2000)
    scores = plain_learner(Memoriser()).fresh(SCHEMA, 1).test_then_train(rows, labels)
    assert abs((scores.argmax(axis=1) == labels).mean() - 0.5) < 3 * np.sqrt(0.25 / 2000)


def test_weights_are_refused_if_learn_one_takes_none() -> None:
    with pytest.raises(LearnerError, match="LastLabel has no weight parameter"):
        plain_learner(LastLabel()).fresh(SCHEMA, 1).learn(X, Y, np.full(4, 2.0))


def test_ducks_learn_with_weights() -> None:
    learner = plain_learner(Duck()).fresh(SCHEMA, 1)
    scores = learner.test_then_train(X, Y, np.array([2.0, 1.0, 1.0, 1.0]))
    assert scores.tolist() == [[0, 0], [0, 2], [1, 2], [2, 2]]


def test_ducks_with_extend_get_the_new_schema() -> None:
    class Growing(Duck):
        def fresh(self, schema: Schema, seed: int) -> Any:
            return Growing(schema.n_classes)

        def extend(self, schema: Schema) -> None:
            self.counts = np.append(self.counts, np.zeros(schema.n_classes - len(self.counts)))

    learner = plain_learner(Growing()).fresh(SCHEMA, 1)
    learner.extend(Schema.numeric(1, ("a", "b", "c")))
    learner.learn(X[:1], np.array([2]))
    assert learner.scores(X[:1]).tolist() == [[0, 0, 1]]


def test_partial_fit_of_a_plain_object_gets_no_classes_and_works() -> None:
    scores = plain_learner(Batches()).fresh(SCHEMA, 1).test_then_train(X, Y)
    assert scores.tolist() == [[0, 0], [0, 1], [1, 0], [1, 0]]


def test_plain_objects_describe_themselves() -> None:
    assert plain_learner(LastLabel("a")).describe() == {"learner": "LastLabel", "parameters": {"label": "a"}}
    assert plain_learner(Duck()).describe() == {"learner": "Duck"}
