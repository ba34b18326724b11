"""A native learner as a classifier of River. Imported only by ``to_river``: it needs River."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from river import base

from prequential.errors import LearnerError
from prequential.learners.catalogue import LEARNERS
from prequential.learners.naming import learner_seeds
from prequential.learners.record_coder import RecordCoder
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label

if TYPE_CHECKING:
    import pandas as pd

    from prequential.learners.native import NativeLearner


class RiverClassifier(base.MiniBatchClassifier):  # type: ignore[misc]  # River has no types
    """A native learner as a classifier of River: in pipelines, ensembles and ``progressive_val_score``.

    - The first value of a feature decides its kind: a number makes it numeric, text and booleans make it nominal.
      None, NaN and absent keys are missing values.
    - Features, nominal values and classes may appear at any time. A feature that appears late counts as missing in the
      records before it; one that was never learned is ignored by predictions.
    - Before the first label, ``predict_one`` returns None and ``predict_proba_one`` an empty dict. Later, a record on
      which the learner abstains gets the same probability for every class. Of tied classes, the one that was seen first
      is predicted.
    - ``clone`` returns an untrained classifier; ``copy.deepcopy`` and ``pickle`` keep what was learned.

    Parameters
    ----------
    learner
        The learner, untrained.
    seed
        Seed of the learner's draws: the results are those of ``evaluate`` with the same seed, if the features are in
        alphabetical order there. None for different draws each time.

    Examples
    --------
    >>> from prequential.learners import NaiveBayes
    >>> model = NaiveBayes().to_river()
    >>> model.learn_one({"x": 1.0, "sky": "blue"}, "dry")
    >>> model.learn_one({"x": 3.0, "sky": "grey"}, "rain")
    >>> model.predict_one({"sky": "grey"})
    'rain'
    """

    def __init__(self, learner: NativeLearner, seed: int | None = None) -> None:
        self.learner = learner
        self.seed = seed
        self._bound: NativeLearner | None = None
        self._coder = RecordCoder(Schema((), (), open=True), str(self))

    @classmethod
    def of(cls, learner: NativeLearner, seed: int | None) -> RiverClassifier:
        """Return a classifier with a copy of a learner's parameters and of what it has learned."""
        made = cls(learner.with_params({}), seed)
        if learner.bound:
            made._bound = copy.deepcopy(learner)
            made._coder = RecordCoder(learner.schema, str(made))
        return made

    def learn_one(self, x: dict[Any, Any], y: Label, w: float = 1.0) -> None:
        """Learn one record.

        Parameters
        ----------
        x
            The features by name.
        y
            The label.
        w
            The weight of the record.
        """
        try:
            row = self._coder.row(x, learn=True)
            code = self._coder.class_code(y)
            self._current().model.learn_record(row, code, w)
        except (TypeError, ValueError, AttributeError):
            self._coder.check(x)
            raise

    def predict_one(self, x: dict[Any, Any]) -> Label | None:
        """Return the class with the highest score; None before the first label."""
        if self._bound is None or not self._coder.labels:
            return None
        try:
            code = self._bound.model.predict_record(self._coder.row(x))
        except (TypeError, ValueError, AttributeError):
            self._coder.check(x)
            raise
        return self._coder.labels[max(code, 0)]

    def predict_proba_one(self, x: dict[Any, Any]) -> dict[Label, float]:
        """Return the probability of each class seen so far; an empty dict before the first label."""
        if self._bound is None:
            return {}
        try:
            scores = self._bound.model.scores_of_record(self._coder.row(x))
        except (TypeError, ValueError, AttributeError):
            self._coder.check(x)
            raise
        total = sum(scores)
        shares = [score / total for score in scores] if total > 0 else [1 / len(scores)] * len(scores)
        return dict(zip(self._coder.labels, shares, strict=True))

    def learn_many(self, X: pd.DataFrame, y: pd.Series, w: float | pd.Series = 1.0) -> None:
        """Learn the rows of a data frame, in order: the same as ``learn_one`` for each."""
        rows = self._coder.matrix(X, learn=True)
        codes = self._coder.class_codes(y)
        weights = np.broadcast_to(np.asarray(w, dtype=np.float64), len(rows))
        self._current().learn(rows, codes, np.ascontiguousarray(weights))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Return the class with the highest score for each row; None before the first label."""
        import pandas as pd

        labels = [self._coder.labels[row.argmax()] if row.size else None for row in self._scores(X)]
        return pd.Series(labels, index=X.index)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the probability of each class seen so far for each row; no columns before the first label."""
        import pandas as pd

        scores = self._scores(X)
        total = scores.sum(axis=1, keepdims=True)
        shares = np.where(total > 0, scores / np.where(total > 0, total, 1.0), 1 / max(scores.shape[1], 1))
        return pd.DataFrame(shares, columns=self._coder.labels[: scores.shape[1]], index=X.index)

    def _scores(self, X: pd.DataFrame) -> FloatArray:
        if self._bound is None:
            return np.zeros((len(X), 0))
        return self._bound.scores(self._coder.matrix(X))

    def _current(self) -> NativeLearner:
        """Return the learner, after telling it about new features, values and classes."""
        if self._bound is None:
            seed = random.SystemRandom().getrandbits(31) if self.seed is None else self.seed
            self._bound = self.learner.fresh(self._coder.schema, learner_seeds([self.learner], seed)[0])
        elif self._coder.grown:
            try:
                self._bound.extend(self._coder.schema)
            except LearnerError:  # it accepts no new features
                self._coder = RecordCoder(self._bound.schema, str(self))
                raise
        return self._bound

    def __str__(self) -> str:
        return type(self.learner).__name__

    @property
    def _multiclass(self) -> bool:
        return True

    @property
    def _raw_memory_usage(self) -> int:
        """Python's memory and that of the learner, which Python cannot see."""
        return int(super()._raw_memory_usage) + (0 if self._bound is None else self._bound.nbytes)

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"learner": LEARNERS.of_text("naive_bayes")}
