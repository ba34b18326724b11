"""The baselines of a regression stream: the mean of the targets so far, and the target before."""

from __future__ import annotations

import copy
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from prequential.errors import InputError
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels


class _Baseline(Learner):
    """A prediction that rests on the targets alone, whatever the features."""

    _current: float
    """What is predicted now; NaN (abstain) until the first target."""

    def fresh(self, schema: Schema, seed: int) -> Self:  # noqa: ARG002  # the role asks for it
        """Return an untrained learner for records of this schema."""
        if schema.classes is not None:
            raise InputError(f"{type(self).__name__} predicts numbers, and the labels of this stream are classes.")
        learner = copy.copy(self)
        learner.schema = schema
        learner.clock = Clock()
        learner._current = float("nan")
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the same number for every record."""
        return np.full((len(X), 1), self._current)

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn the targets."""
        self.test_then_train(X, y, w)

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Predict every record before learning its target."""
        begun = time.perf_counter()
        out = np.full((len(X), 1), self._current)
        learned = ~np.isnan(y) if w is None else ~np.isnan(y) & (w > 0)
        at = np.flatnonzero(learned)
        after = self._after(y[at], None if w is None else w[at])
        if len(at):
            filled = np.concatenate([[self._current], after])
            out[:, 0] = filled[np.searchsorted(at, np.arange(len(X)), side="left")]
            self._current = float(after[-1])
        self.clock.predict_seconds += time.perf_counter() - begun
        return out

    @abstractmethod
    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:
        """Return the prediction after each of some targets."""

    @property
    def nbytes(self) -> int:
        """A few numbers."""
        return 24


@dataclass(eq=False, kw_only=True)
class LastTarget(_Baseline):
    """Predicts the target before; it abstains until the first."""

    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:  # noqa: ARG002  # the role asks for it
        return y


@dataclass(eq=False, kw_only=True)
class MeanTarget(_Baseline):
    """Predicts the mean of the targets so far; it abstains until the first."""

    _sum = 0.0
    _weight = 0.0

    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:
        if not len(y):
            return y
        weight = np.ones(len(y)) if w is None else w
        # One addition after the other, so that the cut into chunks does not matter.
        sums = np.cumsum(np.concatenate([[self._sum], y * weight]))[1:]
        weights = np.cumsum(np.concatenate([[self._weight], weight]))[1:]
        self._sum, self._weight = float(sums[-1]), float(weights[-1])
        means: FloatArray = sums / weights
        return means
