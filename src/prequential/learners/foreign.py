"""Learners written in Python as bases of native ones."""

from __future__ import annotations

import numpy as np

from prequential.errors import LearnerError
from prequential.learners.contract import Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray

MOST_TIMES = 1000
"""A record of more weight is not repeated for a learner that takes no weights: it is refused."""


class Foreign:
    """A learner written in Python, in the form in which native code calls it: a record at a time.

    Parameters
    ----------
    original
        The learner as it was given, from which fresh ones are made, each with a seed of its own.
    learner
        The same, bound to a schema.
    """

    def __init__(self, original: Learner, learner: Learner) -> None:
        self._original, self._learner = original, learner

    def scores(self, x: FloatArray) -> FloatArray:
        """Return the scores of a record; zeros where it abstains."""
        row: FloatArray = self.scores_of(x)[0]
        return row

    def scores_of(self, X: FloatArray) -> FloatArray:
        """Return the scores of several records; zeros where it abstains."""
        rows = np.asarray(self._learner.scores(X), dtype=np.float64)
        if (rows < 0).any():
            raise LearnerError(f"{self._name} gave the score {rows.min():g}: scores must not be negative.")
        return np.ascontiguousarray(np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0))

    def learn(self, x: FloatArray, y: int, w: float) -> None:
        """Learn a record; one of weight 3 three times, where the learner takes no weights."""
        whole = w == int(w) and w <= MOST_TIMES
        again = int(w) if whole and not self._learner.takes_weight() else 1
        for _ in range(again):
            self._learner.learn(x, np.array([y]), None if w == again else np.array([w]))

    def fresh(self, seed: int) -> Foreign:
        """Return an untrained one; its seed has 31 bits, which every library takes."""
        return Foreign(self._original, self._original.fresh(self._learner.schema, seed >> 33))

    def extend(self, schema: Schema) -> None:
        """Take note that classes or nominal values have appeared."""
        self._learner.extend(schema)

    @property
    def nbytes(self) -> int:
        """Bytes the model holds."""
        return self._learner.nbytes

    def to_bytes(self) -> bytes:
        """Return what was learned."""
        return self._learner.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Take over what another has learned."""
        self._learner.load_bytes(state)

    @property
    def _name(self) -> str:
        return str(self._learner.describe()["learner"])
