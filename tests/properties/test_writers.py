"""Written streams are read back the same, for all formats and all kinds of values."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential.streams import Chunk, Drift, Feature, Schema, Stream
from prequential.streams.chunk import UNLABELLED, rechunk

ODD = (
    "",
    " ",
    "?",
    "NA",
    "nan",
    "null",
    "true",
    "1",
    "1.0",
    "-0",
    "a,b",
    'say "x"',
    "it's",
    "a'b,c",
    " a",
    "a ",
    "ü ñ",
)
ODDER = (
    "a\nb",
    "\n",
    "\r",
    "\t",
    "\\",
    "\\n",
    "%",
    "{",
    "}",
    "@data",
    ";",
    "|",
    '"',
    "'",
    "\ufeff",
    "\x00",
    "x\u2028y",
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(ODD + ODDER)
NUMBER = st.floats(allow_nan=True, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 5e-324, 1.7e308, 0.1, 1e22, 2**53]
)
VALUES = st.lists(TEXT, min_size=1, max_size=4, unique=True).map(tuple) | st.sampled_from(
    [(1, 2), (3, -1, 0), (False, True), (0.5, 1.5), (10**20, 1), ("b", 7, 2.5), (True, "no")]
)


class Made(Stream):
    """A stream of one chunk."""

    def __init__(self, chunk: Chunk, drifts: tuple[Drift, ...] = ()) -> None:
        self._chunk, self.drifts, self.n_records, self.name = chunk, drifts, len(chunk), "made"

    @property
    def schema(self) -> Schema:
        return self._chunk.schema

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[Chunk]:
        return rechunk([self._chunk], size, start)

    def __repr__(self) -> str:
        return f"Made({self._chunk!r})"


@st.composite
def streams(draw: st.DrawFn) -> Made:
    names = draw(st.lists(TEXT, min_size=1, max_size=4, unique=True))
    features = tuple(Feature(name, draw(st.none() | VALUES)) for name in names[1:])
    schema = Schema(features, draw(st.none() | VALUES), names[0])
    n = draw(st.integers(0, 6))

    def column(values: tuple[Any, ...] | None) -> list[float]:
        cell = NUMBER if values is None else st.integers(0, len(values) - 1) | st.just(np.nan)
        return draw(st.lists(cell, min_size=n, max_size=n))

    X = np.array([column(f.values) for f in features], dtype=float).reshape(len(features), n).T.copy()
    labels = np.array(column(schema.classes), dtype=float)
    y = labels if schema.classes is None else np.where(np.isnan(labels), UNLABELLED, labels).astype(np.int64)
    finite = st.floats(0, 1e12)
    time = np.sort(draw(st.lists(finite, min_size=n, max_size=n))) if draw(st.booleans()) else None
    weight = np.array(draw(st.lists(finite, min_size=n, max_size=n)), dtype=float) if draw(st.booleans()) else None
    ids: Any = None
    if n and draw(st.booleans()):
        kind = draw(st.sampled_from([st.integers(-(2**63), 2**63 - 1), TEXT.filter(lambda t: bool(t.strip()))]))
        drawn = draw(st.lists(kind, min_size=n, max_size=n))
        ids = np.array(drawn, dtype=object if isinstance(drawn[0], str) else np.int64)
    at = st.integers(0, max(0, n - 1))
    drifts = tuple(
        Drift(draw(at), draw(st.integers(1, 9)), draw(st.booleans()), draw(st.booleans()))
        for _ in range(draw(st.integers(0, 2)) if n else 0)
    )
    return Made(Chunk(schema, 0, X, y, time, weight, ids), drifts)


def assert_same(found: np.ndarray[Any, Any] | None, wanted: np.ndarray[Any, Any] | None) -> None:
    """Bit for bit, but all NaN are equal."""
    assert (found is None) == (wanted is None)
    if found is None or wanted is None:
        return
    if wanted.dtype != np.float64:
        assert found.tolist() == wanted.tolist()
        return
    assert np.isnan(found).tolist() == np.isnan(wanted).tolist()
    known = ~np.isnan(wanted)
    assert found[known].view(np.int64).tolist() == wanted[known].view(np.int64).tolist()


def made(values: tuple[Any, ...], *codes: float) -> Made:
    """A stream of labels without features."""
    y = np.where(np.isnan(codes), UNLABELLED, codes).astype(np.int64)
    return Made(Chunk(Schema((), values, "y"), 0, np.empty((len(codes), 0)), y))


@pytest.mark.parametrize("suffix", ["csv", "arff", "parquet", "csv.gz", "arff.gz"])
@settings(max_examples=150, deadline=None)
@given(stream=streams())
@example(stream=made(("", "?", "NA", "missing", "missing1"), 0, np.nan, 1, 2, 3, 4))
@example(stream=made((" ", "a", " a", "a "), np.nan, 0, 1, 2, 3))
@example(stream=made(("x\n", "y"), 0, 1, 0))
def test_a_stream_that_was_written_is_read_back_the_same(suffix: str, stream: Made) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, refused = Path(folder) / f"data.{suffix}", ""
        try:
            written = pq.write(stream, path)
        except pq.InputError as error:  # what a text file cannot represent is refused
            refused = str(error)
        if refused:
            reasons = ("would be read as a missing value", "equal as text", "contains a NUL character")
            assert any(reason in refused for reason in reasons)
            assert list(Path(folder).iterdir()) == []
            return
        again = pq.read(path)
        assert again.schema == stream.schema
        assert [type(v) for v in again.schema.classes or ()] == [type(v) for v in stream.schema.classes or ()]
        assert again.drifts == written.drifts == stream.drifts_before(len(stream._chunk))
        assert again.n_records == written.n_records == stream.n_records
        wanted = stream._chunk
        chunks = list(again.chunks(4))
        assert sum(map(len, chunks)) == len(wanted)
        for found in chunks:
            expected = wanted[found.start : found.start + len(found)]
            for name in ("X", "y", "time", "weight", "id"):
                one, other = getattr(found, name), getattr(expected, name)
                assert_same(None if one is None else one.ravel(), None if other is None else np.asarray(other).ravel())
