"""What a learner must be able to do."""

from __future__ import annotations

import pickle
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential.errors import LearnerError
from prequential.saved import pickled
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import FloatArray, Labels


@dataclass(slots=True)
class Clock:
    """Seconds a learner spent, predicting and learning apart (convention 8)."""

    predict_seconds: float = 0.0
    learn_seconds: float = 0.0


class Learner(ABC):
    """A model that learns from a stream.

    An object made by its constructor holds parameters only. ``fresh`` makes an untrained learner from them, bound to
    a schema; the original is never changed (convention 7). A subclass implements ``fresh``, ``scores`` and ``learn``.

    Labels are codes: positions in ``schema.classes``, or ``UNLABELLED``. In a regression stream they are numbers
    (NaN: unlabelled), and the "scores" of a record are its single predicted number.
    """

    schema: Schema
    """The schema this learner is bound to; set by ``fresh``."""
    clock: Clock
    """The time spent so far; set by ``fresh``."""
    batch: int = 1
    """Labelled records that are gathered before each step of learning; more than 1 is said with the protocol."""
    now: int = 0
    """The index in the stream of the record that is tested. Protocols set it to the first of the records they give;
    where the learner tests them one by one, it counts on."""

    def bound_to(self, stream: Stream) -> Learner:  # noqa: ARG002  # hardly any learner asks about its stream
        """Return a learner with the same parameters that knows which stream it is for; ``fresh`` follows.

        Only a learner that must know the truth, such as ``Optimal``, has a use for this.
        """
        return self

    @abstractmethod
    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""

    @abstractmethod
    def scores(self, X: FloatArray) -> FloatArray:
        """Return one score a class for every record, without changing the learner.

        Scores are non-negative and need not sum to 1. A row that is all zero, or has a value that is not finite,
        says that the learner abstains (convention 3). There may be fewer columns than classes: those left out score
        zero.
        """

    @abstractmethod
    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn labelled records in order, with weights (1 for each where ``w`` is None)."""

    def extend(self, schema: Schema) -> None:
        """Take note that classes or nominal values have appeared; codes already given stay the same."""
        self.schema = schema

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:
        """Score every record before learning it; records without a label are scored only.

        Raises
        ------
        LearnerError
            When the learner fails; it carries the scores of the records before.
        """
        regression = self.schema.classes is None
        out = np.zeros((len(X), 1 if regression else self.schema.n_classes))
        labelled = ~np.isnan(y) if regression else y != UNLABELLED
        clock = time.perf_counter
        for i in range(len(X)):
            record = X[i : i + 1]
            try:
                begun = clock()
                row = self.scores(record)
                asked = clock()
                if labelled[i]:
                    self.learn(record, y[i : i + 1], None if w is None else w[i : i + 1])
                self.clock.predict_seconds += asked - begun
                self.clock.learn_seconds += clock() - asked
                out[i, : row.shape[1]] = row[0]
                self.now += 1
            except Exception as error:
                raise LearnerError(f"{type(error).__name__}: {error}", offset=i, scores=out[:i]) from error
        return out

    def test_or_train(
        self,
        X: FloatArray,
        y: Labels,
        w: FloatArray | None,
        tests: npt.NDArray[np.uint8],
        times: npt.NDArray[np.uint8],
    ) -> FloatArray:
        """Score the records that test, then learn each as often as ``times`` says, record after record.

        A learner that takes weights learns a record once, its weight multiplied. The rows of records that do not test
        say nothing.

        Raises
        ------
        LearnerError
            When the learner fails; it carries the scores of the records before.
        """
        regression = self.schema.classes is None
        out = np.zeros((len(X), 1 if regression else self.schema.n_classes))
        labelled = ~np.isnan(y) if regression else y != UNLABELLED
        weighted = self.takes_weight()
        trains = np.where(labelled, times, 0).tolist()
        asked = tests.tolist()
        clock = time.perf_counter
        for i in range(len(X)):
            record = X[i : i + 1]
            try:
                begun = clock()
                if asked[i]:
                    row = self.scores(record)
                    out[i, : row.shape[1]] = row[0]
                    self.clock.predict_seconds += clock() - begun
                    begun = clock()
                if trains[i]:
                    weight = None if w is None else w[i : i + 1]
                    if weighted and trains[i] > 1:
                        weight = np.array([1.0 if w is None else w[i]]) * trains[i]
                    for _ in range(1 if weighted else trains[i]):
                        self.learn(record, y[i : i + 1], weight)
                    self.clock.learn_seconds += clock() - begun
                self.now += 1
            except Exception as error:
                said = str(error) if isinstance(error, LearnerError) else f"{type(error).__name__}: {error}"
                raise LearnerError(said, offset=i, scores=out[:i]) from error
        return out

    def takes_weight(self) -> bool:
        """Return whether a record can be learned with any weight; if not, an ensemble repeats it instead."""
        return True

    @property
    def nbytes(self) -> int:
        """Bytes the model holds."""
        return 0

    @property
    def native(self) -> bool:
        """Whether the work is done outside Python, so that threads run beside each other."""
        return False

    def to_bytes(self) -> bytes:
        """Return what was learned: a learner written in Python is pickled.

        Raises
        ------
        UnsavableError
            If it cannot be.
        """
        return pickled(vars(self), str(self.describe()["learner"]))

    def load_bytes(self, state: bytes) -> None:
        """Take over what a learner with the same parameters and schema has learned.

        Give only bytes that come from ``to_bytes`` of your own: reading a pickle runs code.
        """
        vars(self).update(pickle.loads(state))

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this learner: its name and parameters."""
        return {"learner": type(self).__name__}
