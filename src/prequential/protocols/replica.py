"""The replica of a learner for one fold: the learner and the counts of its predictions."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.errors import LearnerError
from prequential.learners.contract import Learner, labelled
from prequential.protocols.setting import Setting
from prequential.protocols.tally import Tally
from prequential.saved import UnsavableError
from prequential.stopping import learner_faults
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema


class Replica(Tally):
    """A tally with a learner.

    Parameters
    ----------
    learner
        A fresh learner, bound to the schema of the stream.
    setting
        What all replicas of the run share.
    """

    def __init__(self, learner: Learner, setting: Setting) -> None:
        super().__init__(setting)
        self.learner = learner
        self.clock = learner.clock

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes."""
        return self.learner.nbytes

    def train(self, chunk: Chunk, which: npt.NDArray[np.bool_]) -> None:
        """Train on some labelled records of a chunk, and on those without a label if the learner can.

        A Python learner gets them one by one, so that a failure has its record index.
        """
        if self.learner.learns_unlabelled:
            which = which | ~chunk.labelled
        X, y, w = chunk.X[which], chunk.y[which], None if chunk.weight is None else chunk.weight[which]
        one_by_one = not self.learner.native or self.learner.learns_unlabelled
        step = 1 if one_by_one else max(1, len(X))
        known = labelled(y, chunk.schema)
        begun = time.perf_counter()
        for i in range(0, len(X), step):
            try:
                if one_by_one and not known[i]:
                    self.learner.learn_unlabelled(X[i : i + 1])
                else:
                    self.learner.learn(X[i : i + step], y[i : i + step], None if w is None else w[i : i + step])
            except learner_faults() as error:
                self.n_records += int(np.flatnonzero(which)[i])
                raise LearnerError(f"{type(error).__name__}: {error}") from error
        self.clock.learn_seconds += time.perf_counter() - begun

    def adapt(self, chunk: Chunk) -> None:
        """Pass the index of the next record, and new classes and nominal values, to the learner."""
        self.learner.now = chunk.start
        if chunk.schema is self.learner.schema or chunk.schema == self.learner.schema:
            return
        try:
            self.learner.extend(chunk.schema)
        except LearnerError:
            raise
        except learner_faults() as error:
            raise LearnerError(f"{type(error).__name__}: {error}") from error

    def state(self) -> dict[str, Any]:
        """Return the whole state, including that of the learner."""
        schema = self.learner.schema
        return {
            **super().state(),
            "schema": _known_values(schema) if schema.open else None,
            "learner": self.learner.to_bytes(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        learner = self.learner
        if state["schema"] is not None:
            learner.extend(_with_values(learner.schema, state["schema"]))
        learner.load_bytes(state["learner"])
        self.clock = learner.clock
        super().restore(state)


def _known_values(schema: Schema) -> dict[str, Any]:
    """Return the classes and nominal values of an open schema."""
    values = [feature.values for feature in schema.features]
    for one in chain(schema.classes or (), *(known or () for known in values)):
        if isinstance(one, tuple | frozenset):  # it would be restored as a list
            raise UnsavableError(f"the class or nominal value {one!r} cannot be saved; text and numbers can")
    return {"classes": schema.classes, "values": values}


def _with_values(schema: Schema, known: dict[str, Any]) -> Schema:
    """Return a schema with the saved classes and nominal values."""
    classes = known["classes"]
    features = tuple(
        replace(feature, values=None if values is None else tuple(values))
        for feature, values in zip(schema.features, known["values"], strict=True)
    )
    return replace(schema, features=features, classes=None if classes is None else tuple(classes))
