"""The loop of all adapters whose model takes one record at a time."""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from prequential.learners.contract import Learner, failure, labelled
from prequential.stopping import learner_faults
from prequential.types import FloatArray, IntArray

Record = TypeVar("Record")


class RecordLearner(Learner, Generic[Record]):
    """A learner of single records, each converted to the model's own form once.

    A subclass implements ``fresh``, ``record``, ``score_record`` and ``learn_record``. ``test_then_train`` gives the
    same result as the loop in `Learner`, but converts each record (to a dict, a Java instance) once instead of twice.
    The conversion counts as time spent on predicting.

    Records without a label, and records of weight 0, are never passed to ``learn_record``.
    """

    @abstractmethod
    def record(self, row: FloatArray) -> Record:
        """Return one row of the feature matrix in the form the model takes."""

    @abstractmethod
    def score_record(self, record: Record, out: FloatArray) -> None:
        """Write the scores of a record into ``out``, which comes filled with an abstention (see `abstentions`)."""

    @abstractmethod
    def learn_record(self, record: Record, label: float, weight: float) -> None:
        """Learn one labelled record: its class code, or its target in a regression stream."""

    def learn_unlabelled_record(self, record: Record) -> None:
        """Learn one record without its label; called only if ``learns_unlabelled``."""

    def learn_unlabelled(self, X: FloatArray) -> None:
        """Learn records without labels in order, if the model can."""
        for row in X if self.learns_unlabelled else ():
            self.learn_unlabelled_record(self.record(row))

    def abstentions(self, n: int) -> FloatArray:
        """Return the scores of ``n`` abstentions: zeros, or NaN in a regression stream."""
        return np.full((n, 1), np.nan) if self.schema.classes is None else np.zeros((n, self.schema.n_classes))

    def learnable(self, y: IntArray | FloatArray, w: FloatArray | None) -> npt.NDArray[np.bool_]:
        """Return which records have a label and a weight other than 0."""
        known = labelled(y, self.schema)
        return known if w is None else known & (w != 0)

    def scores(self, X: FloatArray) -> FloatArray:
        """Score every record."""
        out = self.abstentions(len(X))
        for i in range(len(X)):
            self.score_record(self.record(X[i]), out[i])
        return out

    def learn(self, X: FloatArray, y: IntArray | FloatArray, w: FloatArray | None = None) -> None:
        """Learn the labelled records in order."""
        for i in np.flatnonzero(self.learnable(y, w)):
            self.learn_record(self.record(X[i]), y[i].item(), 1.0 if w is None else float(w[i]))

    def test_then_train(self, X: FloatArray, y: IntArray | FloatArray, w: FloatArray | None = None) -> FloatArray:
        """Score every record before learning it, as `Learner.test_then_train` does."""
        out = self.abstentions(len(X))
        learnable = self.learnable(y, w).tolist()
        known, unlabelled = labelled(y, self.schema), self.learns_unlabelled
        labels = y.tolist()
        weights = [1.0] * len(X) if w is None else w.tolist()
        clock = time.perf_counter
        for i in range(len(X)):
            try:
                start = clock()
                record = self.record(X[i])
                self.score_record(record, out[i])
                predicted = clock()
                if learnable[i]:
                    self.learn_record(record, labels[i], weights[i])
                elif unlabelled and not known[i] and weights[i]:
                    self.learn_unlabelled_record(record)
                self.clock.predict_seconds += predicted - start
                self.clock.learn_seconds += clock() - predicted
            except learner_faults() as error:
                raise failure(error, i, out) from error
        return out
