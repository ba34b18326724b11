"""The contract of a learner."""

from __future__ import annotations

import pickle
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, is_dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential.errors import LearnerError
from prequential.namespace import Suggesting
from prequential.parameters import call_of
from prequential.saved import pickled
from prequential.stopping import learner_faults
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import FloatArray, Labels


@dataclass(slots=True)
class Clock:
    """Seconds that a learner spent on predicting and on learning, measured separately (convention 8)."""

    predict_seconds: float = 0.0
    learn_seconds: float = 0.0


class Learner(Suggesting, ABC):
    """A model that learns from a stream.

    The constructor sets parameters only. ``fresh`` creates an untrained learner with these parameters, bound to a
    schema; the original is never changed (convention 7). A subclass implements ``fresh``, ``scores`` and ``learn``.

    Labels are codes: positions in ``schema.classes``, or ``UNLABELLED``. In a regression stream labels are numbers
    (NaN if unlabelled), and the "scores" of a record are its single predicted number.

    Examples
    --------
    >>> import prequential as pq
    >>> isinstance(pq.as_learner("naive_bayes"), pq.Learner)
    True
    """

    schema: Schema
    """The schema this learner is bound to; set by ``fresh``."""
    clock: Clock
    """Time spent so far; set by ``fresh``."""
    batch: int = 1
    """Labelled records collected before each learning step; the run reports a value above 1 with the protocol."""
    now: int = 0
    """Index in the stream of the record that is tested. A protocol sets it to the index of the first record it passes;
    a learner that tests record by record increments it."""

    def bound_to(self, stream: Stream) -> Learner:  # noqa: ARG002  # for subclasses
        """Return a learner with the same parameters that knows its stream; called before ``fresh``.

        Only a learner that must know the true concept, such as ``Optimal``, overrides this.
        """
        return self

    @abstractmethod
    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""

    @abstractmethod
    def scores(self, X: FloatArray) -> FloatArray:
        """Return one score per class for every record, without changing the learner.

        Scores are non-negative and need not sum to 1. A row that is all zero, or has a value that is not finite, is
        an abstention (convention 3). With fewer columns than classes, the remaining classes score zero.
        """

    @abstractmethod
    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn labelled records in order, with weights ``w`` (None: all 1)."""

    @property
    def learns_unlabelled(self) -> bool:
        """Whether ``learn_unlabelled`` learns anything: False, unless a subclass does."""
        return False

    def learn_unlabelled(self, X: FloatArray) -> None:
        """Learn records whose label is not known, or not yet; optional.

        A protocol calls it after such a record has been predicted: under ``Prequential`` and ``KFold`` for records
        without a label, under ``Delayed`` when a record arrives, or a new version of it.
        """

    def extend(self, schema: Schema) -> None:
        """Adopt a schema with new classes or nominal values; existing codes do not change."""
        self.schema = schema

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Score every record, then learn it; records without a label are only scored.

        Raises
        ------
        LearnerError
            If the learner fails; the error carries the scores of the preceding records.
        """
        out = np.zeros((len(X), 1 if self.schema.classes is None else self.schema.n_classes))
        known, unlabelled = labelled(y, self.schema), self.learns_unlabelled
        clock = time.perf_counter
        for i in range(len(X)):
            record = X[i : i + 1]
            try:
                start = clock()
                row = self.scores(record)
                predicted = clock()
                if known[i]:
                    self.learn(record, y[i : i + 1], None if w is None else w[i : i + 1])
                elif unlabelled and (w is None or w[i] != 0):
                    self.learn_unlabelled(record)
                self.clock.predict_seconds += predicted - start
                self.clock.learn_seconds += clock() - predicted
                out[i, : row.shape[1]] = row[0]
                self.now += 1
            except learner_faults() as error:
                raise failure(error, i, out) from error
        return out

    def test_or_train(
        self,
        X: FloatArray,
        y: Labels,
        w: FloatArray | None,
        tests: npt.NDArray[np.uint8],
        times: npt.NDArray[np.uint8],
    ) -> FloatArray:
        """Score each record marked in ``tests``, then learn it ``times`` times, record by record.

        A learner that accepts weights learns a record once, with its weight multiplied. The scores of records that are
        not tested are meaningless.

        Raises
        ------
        LearnerError
            If the learner fails; the error carries the scores of the preceding records.
        """
        out = np.zeros((len(X), 1 if self.schema.classes is None else self.schema.n_classes))
        weighted = self.takes_weight()
        known = labelled(y, self.schema)
        trains = np.where(known, times, 0).tolist()
        unlabelled = (~known & (times > 0) & self.learns_unlabelled).tolist()
        tested = tests.tolist()
        clock = time.perf_counter
        for i in range(len(X)):
            record = X[i : i + 1]
            try:
                start = clock()
                if tested[i]:
                    row = self.scores(record)
                    out[i, : row.shape[1]] = row[0]
                    self.clock.predict_seconds += clock() - start
                    start = clock()
                if trains[i]:
                    weight = None if w is None else w[i : i + 1]
                    if weighted and trains[i] > 1:
                        weight = np.array([1.0 if w is None else w[i]]) * trains[i]
                    for _ in range(1 if weighted else trains[i]):
                        self.learn(record, y[i : i + 1], weight)
                    self.clock.learn_seconds += clock() - start
                elif unlabelled[i] and (w is None or w[i] != 0):
                    self.learn_unlabelled(record)
                    self.clock.learn_seconds += clock() - start
                self.now += 1
            except learner_faults() as error:
                raise failure(error, i, out) from error
        return out

    def takes_weight(self) -> bool:
        """Return whether a record can be learned with any weight; otherwise an ensemble repeats the record."""
        return True

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes."""
        return 0

    @property
    def native(self) -> bool:
        """Whether the learner runs outside Python, so that threads run in parallel."""
        return False

    def to_bytes(self) -> bytes:
        """Return the learned state; a learner written in Python is pickled.

        Raises
        ------
        UnsavableError
            If it cannot be pickled.
        """
        return pickled(vars(self), str(self.describe()["learner"]))

    def load_bytes(self, state: bytes) -> None:
        """Restore the state from ``to_bytes`` of a learner with the same parameters and schema.

        Load only bytes from a source you trust: reading a pickle runs code.
        """
        vars(self).update(pickle.loads(state))

    def describe(self) -> dict[str, object]:
        """Return the name and parameters of the learner, for the manifest."""
        return {"learner": type(self).__name__}

    def __repr__(self) -> str:
        """Return the class and the parameters that are not at their defaults: ``KNN(n_neighbors=5)``."""
        if not is_dataclass(self):
            return f"<{type(self).__name__} {self.describe()['learner']}>"
        return call_of(self)


def labelled(y: Labels, schema: Schema) -> npt.NDArray[np.bool_]:
    """Return which records have a label."""
    known: npt.NDArray[np.bool_] = ~np.isnan(y) if schema.classes is None else y != UNLABELLED
    return known


def failure(error: BaseException, offset: int, scores: FloatArray) -> LearnerError:
    """Return the error of a learner that failed at record ``offset`` of a chunk, with the scores before it."""
    message = str(error) if isinstance(error, LearnerError) else f"{type(error).__name__}: {error}"
    return LearnerError(message, offset=offset, scores=scores[:offset])
