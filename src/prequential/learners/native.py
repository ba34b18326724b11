"""What the native learners share: a thin shell around a compiled learner."""

from __future__ import annotations

import copy
import json
from abc import abstractmethod
from dataclasses import asdict
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels


class NativeLearner(Learner):
    """A learner whose work is done in C++; a subclass is a dataclass of its parameters and says how it is made.

    Numbers beyond ±1e40 count as ±1e40, and so do weights, so that sums of squares stay finite in every learner;
    infinite ones are refused. NaN is a missing value.
    """

    _model: _native.Learner

    def __getattr__(self, name: str) -> object:
        what = type(self).__name__
        if name in ("_model", "schema", "clock"):
            raise AttributeError(f"This {what} holds parameters only: fresh(schema, seed) makes a learner of it.")
        raise AttributeError(f"{what!r} object has no attribute {name!r}")

    @abstractmethod
    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        """Make the compiled learner."""

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        if schema.classes is None:
            raise InputError(f"{type(self).__name__} learns classes, and this is a regression stream.")
        learner = copy.copy(self)
        learner.schema = schema
        learner.clock = Clock()
        learner._model = self._make(schema, seed)
        return learner

    def extend(self, schema: Schema) -> None:
        """Take note that classes or nominal values have appeared."""
        self.schema = schema
        if not self.native:
            self._model.announce(schema)
        self._model.grow(schema.n_classes)

    def scores(self, X: FloatArray) -> FloatArray:
        """Return one score a class for every record, without changing the learner."""
        return self._model.scores(X)

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn records in order; those without a label or of weight 0 are passed over."""
        self._model.learn(X, y, w)

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Score every record before learning it."""
        if not self.native:
            return super().test_then_train(X, y, w)
        scores, predict_seconds, learn_seconds = self._model.test_then_train(X, y, w)
        self.clock.predict_seconds += predict_seconds
        self.clock.learn_seconds += learn_seconds
        return scores

    def test_and_count(
        self, grid: _native.Grid, X: FloatArray, y: Labels, w: FloatArray | None, t: FloatArray | None, every: int
    ) -> tuple[FloatArray, FloatArray, float]:
        """Do the same, and count the scores at once: see ``Grid.test``, which calls this."""
        head, counts, predict_seconds, learn_seconds, count_seconds = self._model.test_and_count(
            grid, X, y, w, t, every
        )
        self.clock.predict_seconds += predict_seconds
        self.clock.learn_seconds += learn_seconds
        return head, counts, count_seconds

    def fold_and_count(
        self,
        grid: _native.Grid,
        X: FloatArray,
        y: Labels,
        w: FloatArray | None,
        t: FloatArray | None,
        tests: npt.NDArray[np.uint8],
        times: npt.NDArray[np.uint8],
        every: int,
    ) -> tuple[FloatArray, FloatArray, float]:
        """Do the same as one of several replicas: see ``Grid.test_fold``, which calls this."""
        head, counts, predict_seconds, learn_seconds, count_seconds = _native.fold_and_count(
            self._model, grid, X, y, w, t, tests, times, every
        )
        self.clock.predict_seconds += predict_seconds
        self.clock.learn_seconds += learn_seconds
        return head, counts, count_seconds

    @property
    def model(self) -> _native.Learner:
        """The compiled learner itself."""
        return self._model

    @property
    def nbytes(self) -> int:
        """Bytes the model holds."""
        return self._model.nbytes

    @property
    def facts(self) -> dict[str, int]:
        """What can be told of the model in numbers, such as the leaves of a tree; empty where there is nothing."""
        return self._model.facts

    @property
    def native(self) -> bool:
        """True, unless it is made of a learner written in Python."""
        return True

    def to_bytes(self) -> bytes:
        """Return what was learned."""
        return self._model.to_bytes(self._said())

    def load_bytes(self, state: bytes) -> None:
        """Take over what a learner with the same parameters and schema has learned."""
        self._model.load_bytes(state, self._said())

    def _said(self) -> str:
        return json.dumps(self.describe(), sort_keys=True, ensure_ascii=False, default=lambda value: value.item())

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this learner: its name and parameters."""
        return {"learner": type(self).__name__, **asdict(self)}  # type: ignore[call-overload]  # every subclass is one
