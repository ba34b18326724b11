"""The optimal classifier of a stream whose posterior is known."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from prequential.arguments import checked_call
from prequential.errors import InputError, ParameterError
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.toml import nine, unknown_stream
from prequential.types import FloatArray, Labels


@checked_call
@dataclass(eq=False, repr=False)
class Optimal(Learner):
    """The Bayes-optimal classifier: it predicts with the true class probabilities, and no learner can do better.

    The regret of a learner is its error minus that of this classifier, which does not learn. ``evaluate`` binds it to
    the stream; a stream without a known posterior is refused. The posterior is known for the streams of the testbed,
    for most generators, for parts of these, and for abrupt drifts between them.

    Parameters
    ----------
    truth
        A mixture, or the name of a testbed stream, whose posterior is used; by default that of the evaluated stream.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.testbed.stream("NSGR"), pq.testbed.Optimal(), metrics="accuracy")
    >>> run.table().to_dicts()[0]["value"]
    1.0
    """

    truth: Mixture | str | None = None
    _stream: Stream | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.truth, str):
            if self.truth not in nine():
                raise unknown_stream(self.truth)
            self._stream = MixtureStream(nine()[self.truth])
        elif isinstance(self.truth, Mixture):
            self._stream = MixtureStream(self.truth)
        elif self.truth is not None:
            raise ParameterError("truth", "Optimal", "a Mixture, the name of a testbed stream, or None", self.truth)

    def bound_to(self, stream: Stream) -> Learner:
        """Return a copy that uses the posterior of this stream."""
        if stream.events:
            raise InputError(
                f"Optimal: the labels of {stream.name} come late, so records of different times are predicted "
                "together. Accepted: a stream whose labels come with its records."
            )
        if self.truth is not None:
            return self
        first = np.zeros((1, stream.schema.n_features))
        if stream.schema.classes is None or stream.posterior(first, 0) is None:
            raise InputError(
                f"Optimal: the true class probabilities of {stream.name} are not known. Accepted: the streams of "
                "pq.testbed, most of pq.streams, their parts, and abrupt drifts between them."
            )
        bound = copy.copy(self)
        bound._stream = stream
        return bound

    def fresh(self, schema: Schema, seed: int) -> Self:  # noqa: ARG002  # no random draws
        """Return the classifier at the first record."""
        if self._stream is None:
            raise InputError("Optimal: no stream is given. Give it one: Optimal().bound_to(stream).")
        known = self._stream.schema
        if (known.n_features, known.classes) != (schema.n_features, schema.classes):
            raise InputError(
                f"Optimal: {self._stream.name} has {known.n_features} features and the classes {known.classes}; the "
                f"stream has {schema.n_features} and {schema.classes}."
            )
        replica = copy.copy(self)
        replica.schema, replica.clock, replica.now = schema, Clock(), 0
        return replica

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the class probabilities, all at the current record."""
        return self._posterior(X, np.full(len(X), self.now))

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Do nothing: the posterior is known."""

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:  # noqa: ARG002  # see learn
        """Return the class probabilities, each at its own record."""
        begun = time.perf_counter()
        scores = self._posterior(X, np.arange(self.now, self.now + len(X)))
        self.now += len(X)
        self.clock.predict_seconds += time.perf_counter() - begun
        return scores

    def to_bytes(self) -> bytes:
        """Return no bytes: it has no state."""
        return b""

    def load_bytes(self, state: bytes) -> None:
        """Do nothing: it has no state."""

    def describe(self) -> dict[str, object]:
        """Return the description of this learner for a manifest."""
        truth = self.truth.name if isinstance(self.truth, Mixture) else self.truth
        return {"learner": "Optimal", "truth": truth}

    def _posterior(self, X: FloatArray, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray:
        truth = None if self._stream is None else self._stream.posterior(X, at)
        if truth is None:
            raise InputError("Optimal: the true class probabilities are not known.")
        return truth
