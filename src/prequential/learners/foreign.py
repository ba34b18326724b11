"""A learner written in Python as the base of a native one."""

from __future__ import annotations

import numpy as np

from prequential.errors import LearnerError
from prequential.learners.contract import Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray

MOST_TIMES = 1000
"""Largest weight for which a record is repeated if the learner takes no weights; a larger one is refused."""


class Foreign:
    """A learner written in Python, with the methods that native code calls, one record at a time.

    Parameters
    ----------
    original
        The learner with its parameters, from which fresh ones are created, each with its own seed.
    learner
        A fresh one, bound to a schema.
    """

    def __init__(self, original: Learner, learner: Learner) -> None:
        self._original, self._learner = original, learner

    def scores(self, x: FloatArray) -> FloatArray:
        """Return the scores of a record; zeros for an abstention."""
        row: FloatArray = self.scores_of(x)[0]
        return row

    def scores_of(self, X: FloatArray) -> FloatArray:
        """Return the scores of several records; zeros for an abstention."""
        rows = np.asarray(self._learner.scores(X), dtype=np.float64)
        if (rows < 0).any():
            raise LearnerError(f"{self._name} gave the score {rows.min():g}: scores must not be negative.")
        return np.ascontiguousarray(np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0))

    def learn(self, x: FloatArray, y: int, w: float) -> None:
        """Learn a record; without support for weights, a record of weight 3 is learned three times."""
        whole = w == int(w) and w <= MOST_TIMES
        times = int(w) if whole and not self._learner.takes_weight() else 1
        for _ in range(times):
            self._learner.learn(x, np.array([y]), None if w == times else np.array([w]))

    @property
    def learns_unlabelled(self) -> bool:
        """Whether it learns from records without labels."""
        return self._learner.learns_unlabelled

    def learn_unlabelled(self, x: FloatArray) -> None:
        """Learn a record without its label."""
        self._learner.learn_unlabelled(x)

    def fresh(self, seed: int) -> Foreign:
        """Return an untrained one; its seed has 31 bits, which every library accepts."""
        return Foreign(self._original, self._original.fresh(self._learner.schema, seed >> 33))

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values."""
        self._learner.extend(schema)

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes."""
        return self._learner.nbytes

    def to_bytes(self) -> bytes:
        """Return the learned state."""
        return self._learner.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Restore the state from ``to_bytes``."""
        self._learner.load_bytes(state)

    @property
    def _name(self) -> str:
        return str(self._learner.describe()["learner"])
