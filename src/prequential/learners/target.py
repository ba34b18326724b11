"""Baselines of a regression stream: the mean of the targets so far, and the previous target."""

from __future__ import annotations

import copy
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from prequential.errors import InputError
from prequential.learners.catalogue import register
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels


class _Baseline(Learner):
    """A prediction from the targets alone, without the features."""

    _current: float
    """The current prediction; NaN (an abstention) until the first target."""

    def fresh(self, schema: Schema, seed: int) -> Self:  # noqa: ARG002  # part of the interface
        """Return an untrained learner for records of this schema."""
        if schema.classes is not None:
            raise InputError(f"{type(self).__name__} predicts numbers, but the labels of this stream are classes.")
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
        """Predict every record, then learn its target."""
        start = time.perf_counter()
        out = np.full((len(X), 1), self._current)
        at = np.flatnonzero(~np.isnan(y) if w is None else ~np.isnan(y) & (w > 0))
        after = self._after(y[at], None if w is None else w[at])
        if len(at):
            filled = np.concatenate([[self._current], after])
            out[:, 0] = filled[np.searchsorted(at, np.arange(len(X)), side="left")]
            self._current = float(after[-1])
        self.clock.predict_seconds += time.perf_counter() - start
        return out

    @abstractmethod
    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:
        """Return the prediction after each target."""

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes."""
        return 24


@register("mean_target")
@dataclass(eq=False, kw_only=True, repr=False)
class MeanTarget(_Baseline):
    """Predicts the mean of the targets so far; abstains until the first target.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> X, y = np.zeros((4, 1)), np.array([1.5, 2.5, 3.5, 2.5])
    >>> stream = pq.from_arrays(X, y, task="regression")
    >>> run = pq.evaluate(stream, pq.learners.MeanTarget(), metrics="mae", forgetting="cumulative")
    >>> run.table().to_dicts()[0]["value"]
    0.8333333333333334
    """

    _sum = 0.0
    _weight = 0.0

    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:
        if not len(y):
            return y
        weight = np.ones(len(y)) if w is None else w
        # Sequential sums, so that the result does not depend on the chunk size.
        sums = np.cumsum(np.concatenate([[self._sum], y * weight]))[1:]
        weights = np.cumsum(np.concatenate([[self._weight], weight]))[1:]
        self._sum, self._weight = float(sums[-1]), float(weights[-1])
        means: FloatArray = sums / weights
        return means


@register("last_target")
@dataclass(eq=False, kw_only=True, repr=False)
class LastTarget(_Baseline):
    """Predicts the previous target; abstains until the first target.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> X, y = np.zeros((4, 1)), np.array([1.5, 2.5, 3.5, 2.5])
    >>> stream = pq.from_arrays(X, y, task="regression")
    >>> run = pq.evaluate(stream, pq.learners.LastTarget(), metrics="mae", forgetting="cumulative")
    >>> run.table().to_dicts()[0]["value"]
    1.0
    """

    def _after(self, y: FloatArray, w: FloatArray | None) -> FloatArray:  # noqa: ARG002  # part of the interface
        return y
