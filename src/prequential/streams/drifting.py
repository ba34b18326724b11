"""A stream that changes into another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError, ParameterError, checked_whole
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Drift, Stream, rechunk
from prequential.types import FloatArray

_PURPOSE = 0x4452494654  # "DRIFT": which draws of the seed these are


class Drifting(Stream):
    """Records of one stream, then of another, abruptly or mixed along a sigmoid.

    Record i comes from the second stream with probability 1/(1 + exp(−4(i − at)/width)), or, if ``width`` is 1, for
    certain from record ``at`` on. Either stream goes on where it was left: no record of it is lost or repeated.
    Times and identifiers are left out, because those of two streams do not fit together. Classes and values that only
    appear as a stream goes on (an open schema) are refused: the two streams would give them different codes.

    Parameters
    ----------
    before, after
        The two streams; they must have the same schema.
    at, width
        Middle and length of the change, in records.
    seed
        For the mixing.
    """

    def __init__(self, before: Stream, after: Stream, *, at: int, width: int = 1, seed: int = 1) -> None:
        at, width = checked_whole(at, "at", "drift_to"), checked_whole(width, "width", "drift_to", least=1)
        if not isinstance(after, Stream):
            raise ParameterError("other", "drift_to", "a stream", after)
        if before.schema != after.schema:
            raise InputError("drift_to: the two streams must have the same features, target and classes.")
        self.before, self.after, self.at, self.width, self.seed = before, after, at, width, seed
        self.name = before.name
        self.endless = after.endless
        self.restartable = before.restartable and after.restartable
        earlier = tuple(d for d in before.drifts if d.at < at)
        later = tuple(replace(d, at=d.at + at) for d in after.drifts)
        self.drifts = (*earlier, Drift(at, width), *later)

    @property
    def schema(self) -> Schema:
        """The schema both streams share."""
        return self.before.schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on; it ends when the stream whose turn it is has ended."""
        return rechunk(self._pieces(size), size, start)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:
        """Return the truth of the stream whose turn it is; not known where the two are mixed."""
        at = np.broadcast_to(np.asarray(at), len(X))
        later = at >= self.at
        before = self.before.posterior(X[~later], at[~later])
        after = self.after.posterior(X[later], at[later] - self.at)
        if self.width > 1 or before is None or after is None:
            return None
        truth = np.empty((len(X), self.schema.n_classes))
        truth[~later], truth[later] = before, after
        return truth

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {
            **super().describe(),
            "before": self.before.describe(),
            "after": self.after.describe(),
            "at": self.at,
            "width": self.width,
            "seed": self.seed,
        }

    def _pieces(self, size: int) -> Iterator[Chunk]:
        start = 0
        sources = [_Source(self.before, size), _Source(self.after, size)]
        while True:
            drawn = second = _native.uniforms(self.seed, _PURPOSE, start, size) < self._share(start, size)
            wanted = [int(size - second.sum()), int(second.sum())]
            parts = [source.read(n) for source, n in zip(sources, wanted, strict=True)]
            if any(part is None or len(part) < n for part, n in zip(parts, wanted, strict=True) if n):
                second = second[: _whole(second, [0 if part is None else len(part) for part in parts])]
            if len(second):
                yield _mixed(parts, second, start)
            if len(second) < size:
                ended = sources[int(drawn[len(second)])]
                if ended.fault is not None:
                    raise ended.fault
                return
            start += size

    def _share(self, start: int, n: int) -> FloatArray:
        """Return the probability of the second stream for each of some records."""
        i = np.arange(start, start + n, dtype=np.float64)
        if self.width == 1:
            return (i >= self.at).astype(np.float64)
        share: FloatArray = 1 / (1 + np.exp(np.clip(-4 * (i - self.at) / self.width, -700, 700)))
        return share


class _Source:
    """Reads a stream piecemeal, as many records as are asked for; opens it only when it is needed."""

    def __init__(self, stream: Stream, size: int) -> None:
        self._chunks: Iterator[Chunk] | None = None
        self._stream, self._size = stream, size
        self._left: list[Chunk] = []
        self.fault: Exception | None = None
        """What the stream raised where it ended."""

    def read(self, n: int) -> Chunk | None:
        if n == 0:
            return None
        if self._chunks is None:
            self._chunks = self._stream.chunks(self._size)
        got = sum(len(c) for c in self._left)
        while got < n:
            chunk = self._next(self._chunks)
            if chunk is None:
                break
            self._left.append(chunk)
            got += len(chunk)
        if not self._left:
            return None
        joined = concatenate(self._left)
        self._left = [joined[n:]] if len(joined) > n else []
        return joined[:n]

    def _next(self, chunks: Iterator[Chunk]) -> Chunk | None:
        try:
            chunk = None if self.fault is not None else next(chunks, None)
            if chunk is not None and chunk.schema != self._stream.schema:
                raise InputError(
                    f"drift_to: record {chunk.start} of {self._stream.name} brings a class or value that its schema "
                    "does not have. Accepted: streams whose classes and values are declared."
                )
        except Exception as fault:  # to be raised after the records before it
            self.fault = fault
            return None
        return chunk


def _whole(second: npt.NDArray[np.bool_], have: list[int]) -> int:
    """Return how many records come before the first that cannot be had."""
    missing = (np.cumsum(second) > have[1]) | (np.cumsum(~second) > have[0])
    return int(np.argmax(missing)) if missing.any() else len(second)


def _mixed(parts: list[Chunk | None], second: npt.NDArray[np.bool_], start: int) -> Chunk:
    one, two = parts
    if one is None or two is None:
        only = [part for part in parts if part is not None]
        return replace(only[0][: len(second)], start=start, time=None, id=None)
    n = len(second)
    X = np.empty((n, one.X.shape[1]))
    y = np.empty(n, dtype=one.y.dtype)
    for part, here in ((one, ~second), (two, second)):
        k = int(here.sum())
        X[here], y[here] = part.X[:k], part.y[:k]
    weight = None
    if one.weight is not None and two.weight is not None:
        weight = np.empty(n)
        weight[~second], weight[second] = one.weight[: n - second.sum()], two.weight[: second.sum()]
    return Chunk(one.schema, start, X, y, weight=weight)
