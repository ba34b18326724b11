"""Chunks cut, selected and joined."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.streams import Chunk, Schema
from prequential.streams.chunk import concatenate, rechunk


def chunk(n: int = 5, start: int = 10, *, weight: bool = False) -> Chunk:
    at = np.arange(start, start + n)
    X, y = at[:, np.newaxis].astype(float), at % 2
    return Chunk(
        Schema.numeric(1, ["a", "b"]), start, X, y, (at * 2).astype(float), np.full(n, 3.0) if weight else None, at
    )


def test_a_slice_moves_the_start_and_a_selection_does_not() -> None:
    some = chunk()
    assert (some[2:4].start, some[2:4].id.tolist()) == (12, [12, 13])  # type: ignore[union-attr]
    picked = some.select(np.array([4, 0]))
    assert (picked.start, picked.id.tolist(), picked.time.tolist()) == (10, [14, 10], [28.0, 20.0])  # type: ignore[union-attr]
    assert some.select(some.y == 1).X.ravel().tolist() == [11.0, 13.0]
    assert some.select(slice(1, 3)).weight is None
    with pytest.raises(IndexError, match="consecutive"):
        some[::2]


def test_weights_are_1_where_a_chunk_has_none() -> None:
    whole = concatenate([chunk(2), chunk(1, 12, weight=True)])
    assert whole.weight is not None
    assert whole.weight.tolist() == [1.0, 1.0, 3.0]


def test_pieces_are_cut_to_one_size_from_a_record_on() -> None:
    pieces = [chunk(3, 0), chunk(4, 3), chunk(1, 7)]
    assert [(one.start, len(one)) for one in rechunk(pieces, 3, 2)] == [(2, 3), (5, 3)]
