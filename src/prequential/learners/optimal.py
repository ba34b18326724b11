"""The optimal classifier of a stream whose truth is known."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from prequential.errors import InputError, ParameterError, listing, suggestion
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.streams.testbed import Mixture, MixtureStream, nine
from prequential.types import FloatArray, Labels


@dataclass(eq=False)
class Optimal(Learner):
    """Predicts with the true probabilities of the classes at the record it is asked for; no learner can do better.

    Its error is the floor of a stream, and what others have above it is their regret. It learns nothing. ``evaluate``
    tells it which stream it is for; one whose truth is not known is refused. Known are the streams of the testbed and
    most generators, parts of them, and abrupt changes between them.

    Parameters
    ----------
    truth
        A mixture, or the name of a stream of the testbed, if it is not the stream itself that knows; None else.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.testbed.stream("NSGR"), pq.learners.Optimal(), measures="accuracy")
    >>> run.table().to_dicts()[0]["value"]
    1.0
    """

    truth: Mixture | str | None = None
    _stream: Stream | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.truth, str):
            if self.truth not in nine():
                raise InputError(
                    f"Optimal: unknown stream {self.truth!r}.{suggestion(self.truth, nine())} "
                    f"Streams of the testbed: {listing(nine())}."
                )
            self._stream = MixtureStream(nine()[self.truth])
        elif isinstance(self.truth, Mixture):
            self._stream = MixtureStream(self.truth)
        elif self.truth is not None:
            raise ParameterError(
                "truth", "Optimal", "a Mixture, the name of a stream of the testbed, or None", self.truth
            )

    def bound_to(self, stream: Stream) -> Learner:
        """Return a copy that knows the truth of this stream."""
        if stream.events:
            raise InputError(
                f"Optimal: the labels of {stream.name} come late, and it is asked about records of different times at "
                "once. Accepted: a stream whose labels come with its records."
            )
        if self.truth is not None:
            return self
        first = np.zeros((1, stream.schema.n_features))
        if stream.schema.classes is None or stream.posterior(first, 0) is None:
            raise InputError(
                f"Optimal: the truth about {stream.name} is not known, so neither is its optimal classifier. Known are "
                "the streams of pq.testbed and most of pq.streams, their parts, and abrupt changes between them."
            )
        bound = copy.copy(self)
        bound._stream = stream
        return bound

    def fresh(self, schema: Schema, seed: int) -> Self:  # noqa: ARG002  # it draws nothing
        """Return the classifier at the first record."""
        if self._stream is None:
            raise InputError("Optimal: it is not said of which stream. Give it one: Optimal().bound_to(stream).")
        known = self._stream.schema
        if (known.n_features, known.classes) != (schema.n_features, schema.classes):
            raise InputError(
                f"Optimal: {self._stream.name} has {known.n_features} features and the classes {known.classes}; the "
                f"stream has {schema.n_features} and {schema.classes}."
            )
        made = copy.copy(self)
        made.schema, made.clock, made.now = schema, Clock(), 0
        return made

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the probabilities of the classes, all at the record that is tested now."""
        return self._posterior(X, np.full(len(X), self.now))

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn nothing: all is known."""

    def test_then_train(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> FloatArray:  # noqa: ARG002  # see learn
        """Return the probabilities of the classes, each at its own record."""
        begun = time.perf_counter()
        scores = self._posterior(X, np.arange(self.now, self.now + len(X)))
        self.now += len(X)
        self.clock.predict_seconds += time.perf_counter() - begun
        return scores

    def to_bytes(self) -> bytes:
        """Return nothing: it has learned nothing."""
        return b""

    def load_bytes(self, state: bytes) -> None:
        """Take over nothing."""

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this learner."""
        truth = self.truth.name if isinstance(self.truth, Mixture) else self.truth
        return {"learner": "Optimal", "truth": truth}

    def _posterior(self, X: FloatArray, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray:
        truth = None if self._stream is None else self._stream.posterior(X, at)
        if truth is None:
            raise InputError("Optimal: the truth is not known.")
        return truth
