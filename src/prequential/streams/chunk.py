"""Consecutive records of a stream, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call, checked_whole
from prequential.namespace import Suggesting
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels

UNLABELLED = -1
"""The label code of a record whose label is unknown (NaN in a regression stream)."""


@checked_call
@dataclass(frozen=True, slots=True)
class Chunk(Suggesting):
    """Consecutive records.

    Parameters
    ----------
    schema
        The schema known after the first record of the chunk. It is valid for all its records: a record with a new
        class or nominal value starts a new chunk.
    start
        Index of the first record in its stream, from 0.
    X
        Features, C-contiguous, one row per record; codes where a feature is nominal; NaN where a value is missing.
    y
        Label codes (int64, ``UNLABELLED`` where unknown) or, for a regression stream, targets (float64, NaN where
        unknown).
    time
        Seconds, never decreasing, if the stream has a time column.
    weight
        Non-negative weights, if the records have weights.
    id
        Identifiers, if the records have identifiers.

    Examples
    --------
    >>> import prequential as pq
    >>> (chunk,) = pq.streams.SEA(seed=1).take(100).chunks()
    >>> chunk.X.shape, chunk.y.shape, len(chunk[:10])
    ((100, 3), (100,), 10)
    """

    schema: Schema
    start: int
    X: FloatArray
    y: Labels
    time: FloatArray | None = None
    weight: FloatArray | None = None
    id: npt.NDArray[Any] | None = None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def __getitem__(self, index: slice) -> Chunk:
        """Return consecutive records as views of the same arrays."""
        first, last, step = index.indices(len(self))
        if step != 1:
            raise IndexError("a chunk can only be cut into consecutive records")
        return replace(self.select(slice(first, max(first, last))), start=self.start + first)

    def select(self, rows: slice | npt.NDArray[Any]) -> Chunk:
        """Return the records at these positions, or where a mask is true, in that order; ``start`` stays the same."""
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            time=None if self.time is None else self.time[rows],
            weight=None if self.weight is None else self.weight[rows],
            id=None if self.id is None else self.id[rows],
        )

    @property
    def labelled(self) -> npt.NDArray[np.bool_]:
        """Which records have a label."""
        return ~np.isnan(self.y) if self.schema.classes is None else self.y != UNLABELLED


def concatenate(chunks: Sequence[Chunk]) -> Chunk:
    """Join consecutive chunks of one schema; if only some have weights, the weights of the others are 1."""
    if len(chunks) == 1:
        return chunks[0]
    if any(chunk.schema is not chunks[0].schema and chunk.schema != chunks[0].schema for chunk in chunks):
        raise ValueError("chunks of different schemas cannot be joined: the schema would be known too early")

    def join(arrays: list[npt.NDArray[Any] | None]) -> npt.NDArray[Any] | None:
        present = [a for a in arrays if a is not None]
        return np.concatenate(present) if present else None

    weighted = any(chunk.weight is not None for chunk in chunks)
    return Chunk(
        chunks[0].schema,
        chunks[0].start,
        np.concatenate([c.X for c in chunks]),
        np.concatenate([c.y for c in chunks]),
        join([c.time for c in chunks]),
        join([np.ones(len(c)) if c.weight is None else c.weight for c in chunks]) if weighted else None,
        join([c.id for c in chunks]),
    )


def rechunk(pieces: Iterable[Chunk], size: int, start: int = 0) -> Iterator[Chunk]:
    """Cut pieces of any length into chunks of ``size`` records, without those before record ``start``.

    Pieces of different schemas are not joined. If the source raises an error, the records before it are yielded first.
    """
    size = checked_whole(size, "size", "chunks", least=1)
    waiting: list[Chunk] = []
    n_waiting = 0
    try:
        for piece in pieces:
            if piece.start + len(piece) <= start:
                continue
            if waiting and piece.schema is not waiting[0].schema and piece.schema != waiting[0].schema:
                yield concatenate(waiting)
                waiting, n_waiting = [], 0
            at = max(0, start - piece.start)
            while at < len(piece):
                part = piece[at : at + size - n_waiting]
                waiting.append(part)
                n_waiting += len(part)
                at += len(part)
                if n_waiting == size:
                    yield concatenate(waiting)
                    waiting, n_waiting = [], 0
    except Exception:
        if waiting:
            yield concatenate(waiting)
        raise
    if waiting:
        yield concatenate(waiting)
