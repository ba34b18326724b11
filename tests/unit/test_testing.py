"""Every clause of ``check_learner`` can fail: one broken learner for each."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from prequential.errors import InputError
from prequential.learners.contract import Clock, Learner
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Feature, Schema
from prequential.testing import CLAUSES, check_learner
from prequential.types import FloatArray


class Centroids(Learner):
    """A small correct learner: the score of a class is the nearness of its mean."""

    sums: FloatArray
    weights: FloatArray

    def fresh(self, schema: Schema, seed: int) -> Any:
        if schema.classes is None:
            raise InputError("Centroids learns classes only.")
        learner = copy.copy(self)
        learner.schema, learner.clock = schema, Clock()
        learner.sums, learner.weights = np.zeros((schema.n_classes, schema.n_features)), np.zeros(schema.n_classes)
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        out = np.zeros((len(X), len(self.weights)))
        for i, row in enumerate(np.nan_to_num(X)):
            for c in np.flatnonzero(self.weights):
                out[i, c] = 1 / (1 + np.abs(row - self.sums[c] / self.weights[c]).sum())
        return out

    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        for i, (row, label) in enumerate(zip(np.nan_to_num(X), y, strict=True)):
            weight = 1.0 if w is None else w[i]
            self.sums[label] += weight * row
            self.weights[label] += weight

    def extend(self, schema: Schema) -> None:
        new = schema.n_classes - self.schema.n_classes
        self.sums = np.vstack([self.sums, np.zeros((new, schema.n_features))])
        self.weights = np.append(self.weights, np.zeros(new))
        self.schema = schema


class SharesItsState(Centroids):
    sums = np.zeros((2, 3))
    weights = np.zeros(2)

    def fresh(self, schema: Schema, seed: int) -> Any:
        learner = super().fresh(schema, seed)
        del learner.sums, learner.weights
        return learner


class FreshIsTrained(Centroids):
    def fresh(self, schema: Schema, seed: int) -> Any:
        learner = super().fresh(schema, seed)
        if hasattr(self, "sums"):
            learner.sums, learner.weights = self.sums.copy(), self.weights.copy()
        return learner


class FreshIsItself(Centroids):
    def fresh(self, schema: Schema, seed: int) -> Any:
        vars(self).update(vars(super().fresh(schema, seed)))
        return self


class ForgetsItsClock(Centroids):
    def fresh(self, schema: Schema, seed: int) -> Any:
        learner = super().fresh(schema, seed)
        learner.clock = None
        return learner


class OneDimension(Centroids):
    def scores(self, X: FloatArray) -> FloatArray:
        return super().scores(X)[:, 0]


class SinglePrecision(Centroids):
    def scores(self, X: FloatArray) -> FloatArray:
        return super().scores(X).astype(np.float32)


class Negative(Centroids):
    def scores(self, X: FloatArray) -> FloatArray:
        return super().scores(X) - 0.5


class TooManyColumns(Centroids):
    def scores(self, X: FloatArray) -> FloatArray:
        return np.hstack([super().scores(X), np.zeros((len(X), 5))])


class LearnsWhileScoring(Centroids):
    def scores(self, X: FloatArray) -> FloatArray:
        out = super().scores(X)
        self.sums += 0.01
        return out


class CountsItsPredictions(Centroids):
    """Scoring changes what is learned afterwards, but not the scores."""

    n_scored = 0

    def scores(self, X: FloatArray) -> FloatArray:
        self.n_scored += len(X)
        return super().scores(X)

    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        super().learn(X + self.n_scored * 1e-3, y, w)


class LearnsBeforeScoring(Centroids):
    def test_then_train(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> FloatArray:
        known = y != UNLABELLED
        self.learn(X[known], y[known], None if w is None else w[known])
        return self.scores(X)


class LearnsAtTheEndOfTheChunk(Centroids):
    def test_then_train(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> FloatArray:
        out = self.scores(X)
        known = y != UNLABELLED
        self.learn(X[known], y[known], None if w is None else w[known])
        return out


class DrawsFreely(Centroids):
    rng = np.random.default_rng(0)
    noise = 0.0

    def fresh(self, schema: Schema, seed: int) -> Any:
        learner = super().fresh(schema, seed)
        learner.noise = self.rng.random()
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        return super().scores(X) + self.noise


class LearnsWithoutLabel(Centroids):
    def test_then_train(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> FloatArray:
        out = super().test_then_train(X, y, w)
        unknown = y == UNLABELLED
        self.learn(X[unknown], np.zeros(unknown.sum(), dtype=int))
        return out


class TrainsItselfBeforeScoring(Centroids):
    """Learns a record without a label as the first class, and before it is scored."""

    @property
    def learns_unlabelled(self) -> bool:
        return True

    def learn_unlabelled(self, X: FloatArray) -> None:
        self.learn(X, np.zeros(len(X), np.int64))

    def test_then_train(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> FloatArray:
        self.learn_unlabelled(X[y < 0])
        return super().test_then_train(X, y, w)


class MinusOneIsTheLastClass(Centroids):
    """Indexes with the code -1 of an unlabelled record, as numpy allows."""

    def test_then_train(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> FloatArray:
        out = []
        for i in range(len(X)):
            out.append(self.scores(X[i : i + 1]))
            self.learn(X[i : i + 1], y[i : i + 1], None if w is None else w[i : i + 1])
        return np.concatenate(out)


class HalvesWeights(Centroids):
    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        super().learn(X, y, None if w is None else (w + w[0]) / 2 + 0.5)


class RefusesWeightsWithoutMessage(Centroids):
    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        if w is not None:
            raise ValueError
        super().learn(X, y)


class TakesZeroForOne(Centroids):
    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        super().learn(X, y, None if w is None else np.maximum(w, 1))


class IgnoresNewClasses(Centroids):
    def extend(self, schema: Schema) -> None:
        pass

    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        super().learn(X, np.minimum(y, len(self.weights) - 1), w)


class RefusesClassesWithoutMessage(Centroids):
    def extend(self, schema: Schema) -> None:
        raise NotImplementedError


class PoisonedByMissingValues(Centroids):
    poison = 0.0

    def scores(self, X: FloatArray) -> FloatArray:
        return super().scores(X) + self.poison

    def fresh(self, schema: Schema, seed: int) -> Any:
        learner = super().fresh(schema, seed)
        learner.poison = 0.0
        return learner

    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        self.poison += X.sum() * 0
        super().learn(X, y, w)


class PoisonedByNominalFeatures(PoisonedByMissingValues):
    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        if any(self.schema.cardinalities):
            self.poison = np.nan
        Centroids.learn(self, X, y, w)


class NegativeSize(Centroids):
    nbytes = -1


class SizeIsAFloat(Centroids):
    nbytes = float("inf")  # type: ignore[assignment]


class DescribesWithArrays(Centroids):
    def describe(self) -> Any:
        return {"learner": "x", "start": np.zeros(3)}


class ForgetsWhenSaved(Centroids):
    def to_bytes(self) -> bytes:
        return Centroids.to_bytes(self.fresh(self.schema, 1))


class CrashesAlways(Centroids):
    def learn(self, X: FloatArray, y: Any, w: FloatArray | None = None) -> None:
        raise RuntimeError("out of order")


def clause(name: str) -> Any:
    names = [c.__name__.strip("_").replace("_", " ") for c in CLAUSES]
    assert name in names, names
    return name


def test_a_sound_learner_passes() -> None:
    check_learner(Centroids())


def test_a_sound_learner_passes_with_a_given_schema() -> None:
    features = (Feature("x"), Feature("colour", ("red", "green")))
    check_learner(Centroids(), schema=Schema(features, ("a", "b", "c")), seed=5)


@pytest.mark.parametrize(
    ("broken", "name", "why"),
    [
        (SharesItsState, "fresh copies are independent", "changed another"),
        (FreshIsTrained, "fresh is untrained and does not change the original", "returns a trained one"),
        (FreshIsItself, "fresh is untrained and does not change the original", "the same object"),
        (ForgetsItsClock, "fresh is untrained and does not change the original", "a clock"),
        (OneDimension, "scores are a matrix of non negative numbers", "two dimensions"),
        (SinglePrecision, "scores are a matrix of non negative numbers", "float64"),
        (Negative, "scores are a matrix of non negative numbers", "must not be negative"),
        (TooManyColumns, "scores are a matrix of non negative numbers", "must have 2 columns"),
        (LearnsWhileScoring, "scoring changes nothing", "scored twice in a row"),
        (CountsItsPredictions, "scoring changes nothing", "learns differently after scoring"),
        (LearnsBeforeScoring, "every record is scored before it is learned", "differs from scores, then learn"),
        (LearnsAtTheEndOfTheChunk, "chunks do not matter", "chunks of 1 give different scores"),
        (DrawsFreely, "same seed same results", "two learners with the same seed differ"),
        (LearnsWithoutLabel, "unlabelled records are not learned", "changed the learner"),
        (MinusOneIsTheLastClass, "unlabelled records are not learned", "changed the learner"),
        (TrainsItselfBeforeScoring, "what is learned without a label does not see it", "learn or learn_unlabelled"),
        (HalvesWeights, "weights are accepted or refused", "weights of 1 are not the same as no weights"),
        (RefusesWeightsWithoutMessage, "weights are accepted or refused", "ValueError without a message"),
        (TakesZeroForOne, "weight zero changes nothing", "records of weight 0"),
        (IgnoresNewClasses, "late classes are accepted or refused", "scores have 1 columns instead of 2"),
        (
            RefusesClassesWithoutMessage,
            "late classes are accepted or refused",
            "NotImplementedError without a message",
        ),
        (PoisonedByMissingValues, "missing values are accepted or refused", "every score is NaN"),
        (PoisonedByNominalFeatures, "nominal features are accepted or refused", "every score is NaN"),
        (ForgetsWhenSaved, "a saved learner continues unchanged", "differs from the original"),
        (NegativeSize, "nbytes is a whole number", "must not be negative"),
        (SizeIsAFloat, "nbytes is a whole number", "must be an int"),
        (DescribesWithArrays, "describe fits into json", "values that JSON can hold"),
        (CrashesAlways, "chunks do not matter", "out of order"),
    ],
)
def test_a_broken_clause_is_named(broken: Any, name: str, why: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_learner(broken())
    lines = [line for line in str(caught.value).splitlines() if line.startswith(f"  - {clause(name)}: ")]
    assert len(lines) == 1, caught.value
    assert why in lines[0]


def test_every_clause_has_a_learner_that_breaks_it() -> None:
    mark = next(m for m in test_a_broken_clause_is_named.pytestmark if m.name == "parametrize")
    assert {row[1] for row in mark.args[1]} == {clause(c.__name__.strip("_").replace("_", " ")) for c in CLAUSES}


def test_all_broken_clauses_are_reported_together() -> None:
    class TwiceBroken(Negative):
        nbytes = -1

    with pytest.raises(AssertionError, match=r"TwiceBroken breaks 2 clauses") as caught:
        check_learner(TwiceBroken())
    assert len(str(caught.value).splitlines()) == 3


def test_faults_in_regression_are_found_too() -> None:
    class BadNumbers:
        """Correct with classes; in regression it changes when it predicts."""

        total = 0.0

        def predict_one(self, x: Any) -> Any:
            self.total += 1.0 if isinstance(self.last, float) else 0.0
            return self.last if self.last is None or isinstance(self.last, str) else self.last + self.total

        last = None

        def learn_one(self, x: Any, y: Any) -> None:
            self.last = y

    with pytest.raises(AssertionError, match=r"\[regression\]"):
        check_learner(BadNumbers())


def test_an_object_that_is_not_a_learner_is_refused() -> None:
    with pytest.raises(InputError, match="is not a learner"):
        check_learner(object())  # type: ignore[arg-type]  # the mistake


def test_state_that_all_copies_share_is_found() -> None:
    class Shared:
        seen: list[tuple[float, object]] = []  # noqa: RUF012

        def learn_one(self, x: dict[str, float], y: object) -> None:
            self.seen.append((x["x0"], y))

        def predict_one(self, x: dict[str, float]) -> object:
            return min(self.seen, key=lambda item: abs(item[0] - x["x0"]))[1] if self.seen else None

    with pytest.raises(AssertionError, match="training one fresh copy changed another"):
        check_learner(Shared())
