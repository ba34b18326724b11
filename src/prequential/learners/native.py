"""The base class of the native learners: a thin wrapper around a compiled learner."""

from __future__ import annotations

import copy
import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import asdict
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError
from prequential.learners.contract import Clock, Learner
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels


class NativeLearner(Learner):
    """A learner whose work is done in C++. A subclass is a dataclass of its parameters that makes the compiled learner.

    Numbers and weights are clipped to ±1e40, so that sums of squares stay finite in every learner; infinite ones are
    rejected. NaN is a missing value.
    """

    _model: _native.Learner

    def __getattr__(self, name: str) -> object:
        kind = type(self).__name__
        if name in ("_model", "schema", "clock"):
            raise AttributeError(f"This {kind} holds parameters only; fresh(schema, seed) returns a learner.")
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")

    @abstractmethod
    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        """Return the compiled learner."""

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        if schema.classes is None:
            raise InputError(f"{type(self).__name__} is a classifier, but the stream has a regression target.")
        learner = copy.copy(self)
        learner.schema = schema
        learner.clock = Clock()
        learner._model = self._make(schema, seed)
        return learner

    def extend(self, schema: Schema) -> None:
        """Adapt to new classes and nominal values."""
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

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Score every record before learning it."""
        if not self.native:
            return super().test_then_train(X, y, w)
        tested = self._model.test_then_train(X, y, w)
        self._add_time(tested.seconds)
        return tested.scores

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
        """Return the same for one of several replicas: ``tests`` are flags, ``times`` multiply the weights."""

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

    def _description(self) -> str:
        return json.dumps(self.describe(), sort_keys=True, ensure_ascii=False, default=lambda value: value.item())

    def describe(self) -> dict[str, object]:
        """Return the name and parameters, for the manifest."""
        return {"learner": type(self).__name__, **asdict(self)}  # type: ignore[call-overload]  # every subclass is one
