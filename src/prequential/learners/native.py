"""The base class of the native learners: a thin wrapper around a compiled learner."""

from __future__ import annotations

import json
import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError, LearnerError, MissingExtraError
from prequential.learners.contract import Clock, Learner
from prequential.parameters import HasParameters
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels

if TYPE_CHECKING:
    from prequential.learners.river_classifier import RiverClassifier
    from prequential.learners.sklearn_classifier import SklearnClassifier


class NativeLearner(HasParameters, Learner):
    """A learner whose work is done in C++. A subclass is a dataclass of its parameters that makes the compiled learner.

    Numbers and weights are clipped to ±1e40, so that sums of squares stay finite in every learner; infinite ones are
    rejected. NaN is a missing value.
    """

    _model: _native.Learner

    if not TYPE_CHECKING:  # type checkers would take it for a promise that every name exists

        def __getattr__(self, name: str) -> object:
            if name in ("_model", "schema", "clock"):
                kind = type(self).__name__
                raise AttributeError(f"This {kind} holds parameters only; fresh(schema, seed) returns a learner.")
            return super().__getattr__(name)

    @abstractmethod
    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        """Return the compiled learner."""

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        if schema.classes is None:
            raise InputError(f"{type(self).__name__} is a classifier, but the stream has a regression target.")
        learner = self.with_params({})
        learner.schema = schema
        learner.clock = Clock()
        learner._model = self._make(schema, seed)
        return learner

    def extend(self, schema: Schema) -> None:
        """Adapt to new classes and nominal values, and to new features, which follow the known ones.

        A new feature counts as missing in all records so far.

        Raises
        ------
        LearnerError
            If there are new features and a part of the learner is written in Python.
        """
        if schema.n_features > self.schema.n_features:
            if not self.native:
                late = schema.features[self.schema.n_features].name
                raise LearnerError(
                    f"The feature {late!r} has appeared after the first record. {self!r} accepts no new features, "
                    "because a part of it is written in Python: give all features in the first record."
                )
            self._model.widen(schema.cardinalities)
        self.schema = schema
        if not self.native:
            self._model.announce(schema)
        self._model.grow(schema.n_classes)

    def scores(self, X: FloatArray) -> FloatArray:
        """Return one score per class for every record, without changing the learner."""
        return self._model.scores(X)

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn records in order, except those without a label or with weight 0."""
        self._model.learn(X, y, w)

    @property
    def learns_unlabelled(self) -> bool:
        """Whether the compiled learner learns from records without labels."""
        return self._model.learns_unlabelled

    def learn_unlabelled(self, X: FloatArray) -> None:
        """Learn records without labels, if it can."""
        self._model.learn_unlabelled(X)

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Score every record before learning it."""
        if not self.native:
            return super().test_then_train(X, y, w)
        tested = self._model.test_then_train(X, y, w)
        self._add_time(tested.seconds)
        return tested.scores

    def test_or_train(
        self,
        X: FloatArray,
        y: Labels,
        w: FloatArray | None,
        tests: npt.NDArray[np.uint8],
        times: npt.NDArray[np.uint8],
    ) -> FloatArray:
        """Score the records and learn each ``times`` times: from one record that is learned to the next at once."""
        if not self.native or self.learns_unlabelled:
            return super().test_or_train(X, y, w, tests, times)
        out = np.zeros((len(X), self.schema.n_classes))
        trains = np.flatnonzero((times > 0) & (y >= 0))
        weights = times.astype(np.float64) if w is None else w * times
        clock = time.perf_counter
        begin = 0
        for end in [*(trains + 1).tolist(), *([len(X)] if not len(trains) or trains[-1] + 1 < len(X) else [])]:
            start = clock()
            out[begin:end] = self._model.scores(X[begin:end])
            predicted = clock()
            last = slice(end - 1, end)
            if times[end - 1] and y[end - 1] >= 0:
                self._model.learn(X[last], y[last], weights[last])
            self.clock.predict_seconds += predicted - start
            self.clock.learn_seconds += clock() - predicted
            begin = end
        return out

    def counting(self, chunk: Chunk) -> Callable[[_native.Grid, slice, int], _native.Counted]:
        """Return a function that tests and trains on a part of a chunk and counts the scores, all in native code.

        ``Grid.counted`` calls it with the native grid, the part and the number of records between checkpoints.
        """

        def step(grid: _native.Grid, part: slice, every: int) -> _native.Counted:
            records = chunk[part]
            counted = self._model.test_and_count(grid, records.X, records.y, records.weight, records.time, every)
            self._add_time(counted.seconds)
            return counted

        return step

    def counting_fold(
        self, chunk: Chunk, tests: npt.NDArray[np.uint8], times: npt.NDArray[np.uint8]
    ) -> Callable[[_native.Grid, slice, int], _native.Counted]:
        """Return what ``counting`` does, for one fold.

        ``tests`` says of each record whether it tests the learner, and ``times`` how many times the learner learns it.
        """

        def step(grid: _native.Grid, part: slice, every: int) -> _native.Counted:
            records = chunk[part]
            data = (records.X, records.y, records.weight, records.time)
            counted = _native.fold_and_count(self._model, grid, *data, tests[part], times[part], every)
            self._add_time(counted.seconds)
            return counted

        return step

    def _add_time(self, seconds: _native.Seconds) -> None:
        self.clock.predict_seconds += seconds.predict
        self.clock.learn_seconds += seconds.learn

    @property
    def model(self) -> _native.Learner:
        """The compiled learner."""
        return self._model

    @property
    def nbytes(self) -> int:
        """Bytes the model holds."""
        return self._model.nbytes

    @property
    def facts(self) -> dict[str, int]:
        """Facts about the model, such as the number of leaves of a tree; often empty."""
        return self._model.facts

    @property
    def native(self) -> bool:
        """Whether no part of it is written in Python."""
        return True

    def to_bytes(self) -> bytes:
        """Return the learned state."""
        return self._model.to_bytes(self._description())

    def load_bytes(self, state: bytes) -> None:
        """Restore the state of a learner with the same parameters and schema."""
        self._model.load_bytes(state, self._description())

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; if one of them is invalid, nothing is changed.

        Raises
        ------
        InputError
            If a parameter is unknown or invalid, or if this learner is bound to a schema.
        """
        if self.bound:
            raise InputError(f"{self!r} is in use, so its parameters cannot change: set those of a new learner.")
        return super().set_params(**parameters)

    def to_river(self, seed: int | None = None) -> RiverClassifier:
        """Return this learner as a classifier of River.

        Parameters
        ----------
        seed
            Seed of the learner's draws; the same seed as in ``evaluate`` gives the same draws. None for different draws
            each time, as in River.

        Returns
        -------
        RiverClassifier
            With a copy of the parameters and, if this learner is bound to a schema, of what it has learned.

        Raises
        ------
        MissingExtraError
            If River is not installed.

        Examples
        --------
        >>> from prequential.learners import HoeffdingTree
        >>> from river import datasets, evaluate, metrics, preprocessing
        >>> model = preprocessing.StandardScaler() | HoeffdingTree().to_river()
        >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
        Accuracy: 87.59%
        """
        try:
            from prequential.learners.river_classifier import RiverClassifier
        except ImportError as error:
            raise MissingExtraError("to_river", "river") from error
        return RiverClassifier.of(self, seed)

    def to_sklearn(self, random_state: Any = None) -> SklearnClassifier:
        """Return this learner as a classifier of scikit-learn.

        Parameters
        ----------
        random_state
            Seed of the learner's draws: the same number as ``seed`` in ``evaluate`` gives the same draws. None, or a
            ``RandomState``, as in scikit-learn.

        Returns
        -------
        SklearnClassifier
            With a copy of the parameters. It is not fitted, whatever this learner has learned.

        Raises
        ------
        MissingExtraError
            If scikit-learn is not installed.

        Examples
        --------
        >>> from prequential.learners import NaiveBayes
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import cross_val_score
        >>> scores = cross_val_score(NaiveBayes().to_sklearn(), *load_iris(return_X_y=True))
        >>> print(scores.mean().round(3))
        0.953
        """
        try:
            from prequential.learners.sklearn_classifier import SklearnClassifier
        except ImportError as error:
            raise MissingExtraError("to_sklearn", "sklearn") from error
        return SklearnClassifier(self.with_params({}), random_state=random_state)

    def __getstate__(self) -> dict[str, Any]:
        if not self.bound:
            return vars(self)
        return {**vars(self), "clock": replace(self.clock), "_model": self.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if self.bound:
            self._model = self._make(self.schema, 0)
            self.load_bytes(state["_model"])

    @property
    def bound(self) -> bool:
        """Whether this learner is bound to a schema; otherwise it holds parameters only."""
        return "_model" in vars(self)

    def _description(self) -> str:
        return json.dumps(self.describe(), sort_keys=True, ensure_ascii=False, default=lambda value: value.item())

    def describe(self) -> dict[str, object]:
        """Return the name and parameters, for the manifest."""
        return {"learner": type(self).__name__, **asdict(self)}  # type: ignore[call-overload]  # every subclass is one
