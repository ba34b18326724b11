"""Some consecutive records of a stream, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels

UNLABELLED = -1
"""The label code of a record whose label is unknown (NaN in a regression stream)."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive records, column by column.

    Parameters
    ----------
    schema
        The schema as known after the first record of the chunk, and after every other: a record that brings a new
        class or nominal value starts a new chunk.
    start
        Index of the first record in its stream, from 0.
    X
        Features, C-contiguous, one row a record; codes where a feature is nominal; NaN where a value is missing.
    y
        Label codes (int64, ``UNLABELLED`` where unknown) or, for a regression stream, targets (float64, NaN where
        unknown).
    time
        Seconds, never decreasing, if the stream has a clock.
    weight
        Non-negative weights, if the records have any.
    id
        Identifiers, if the records have any.
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
        """Return some consecutive records as views of the same arrays."""
        first, last, step = index.indices(len(self))
        if step != 1:
            raise IndexError("a chunk can only be cut into consecutive records")
        cut = slice(first, max(first, last))
        return replace(
            self,
            start=self.start + first,
            X=self.X[cut],
            y=self.y[cut],
            time=None if self.time is None else self.time[cut],
            weight=None if self.weight is None else self.weight[cut],
            id=None if self.id is None else self.id[cut],
        )

    @property
    def labelled(self) -> npt.NDArray[np.bool_]:
        """Which records have a label."""
        return ~np.isnan(self.y) if self.schema.classes is None else self.y != UNLABELLED


def concatenate(chunks: Sequence[Chunk]) -> Chunk:
    """Join consecutive chunks of one schema into one; where only some have weights, those of the others are 1."""
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
