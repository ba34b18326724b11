"""Written values are read back, for any values and any chunk size."""

import csv
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.readers import ArffStream, CsvStream, ParquetStream, from_arrays, from_iterable, from_table
from prequential.streams.readers import arff as arff_reader
from prequential.streams.readers import csv as csv_reader
from prequential.streams.readers.csv import MISSING
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream

pytestmark = pytest.mark.filterwarnings("error")

NASTY = st.text(st.sampled_from("ab1é%?{}'\"\\,;|\t \n-+.@"), min_size=1, max_size=6).map(str.strip)
TEXT = NASTY.filter(lambda text: text not in MISSING)
NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**40), 2**40).map(float)
FORMATS = ("csv", "arff", "parquet", "table")


@st.composite
def tables(draw: st.DrawFn) -> tuple[Schema, list[list[object]]]:
    """Draw a schema and rows; the target is the last column."""
    names = draw(st.lists(TEXT, min_size=2, max_size=5, unique=True))
    values = [draw(st.none() | st.lists(TEXT, min_size=1, max_size=4, unique=True).map(tuple)) for _ in names[:-1]]
    classes = draw(st.lists(TEXT, min_size=1, max_size=4, unique=True).map(tuple))
    schema = Schema(tuple(Feature(n, v) for n, v in zip(names[:-1], values, strict=True)), classes, names[-1])
    cells = [NUMBER if v is None else st.none() | st.sampled_from(v) for v in (*values, classes)]
    return schema, draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=30))


def write(folder: Path, schema: Schema, rows: list[list[object]], how: str) -> Stream:
    names = [feature.name for feature in schema.features] + [schema.target]
    if how == "csv":
        with (folder / "data.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows([["" if v is None else v for v in row] for row in rows])
        return CsvStream(folder / "data.csv", schema=schema, separator=",", header=True)
    if how == "arff":
        return _write_arff(folder / "data.arff", schema, rows)
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    table = pa.table([c.cast(pa.string()) if pa.types.is_null(c.type) else c for c in columns], names)
    if how == "table":
        return from_table(table, schema=schema)
    pq.write_table(table, folder / "data.parquet", row_group_size=7)
    return ParquetStream(folder / "data.parquet", schema=schema)


def _write_arff(path: Path, schema: Schema, rows: list[list[object]]) -> Stream:
    def quoted(text: object) -> str:
        escaped = str(text).replace("\\", "\\\\").replace("'", "\\'")
        return "'" + escaped.replace("\n", "\\n").replace("\t", "\\t") + "'"

    lines = ["@relation r"]
    for feature in (*schema.features, Feature(schema.target, schema.classes)):
        kind = "numeric" if feature.values is None else "{" + ", ".join(quoted(v) for v in feature.values) + "}"
        lines.append(f"@attribute {quoted(feature.name)} {kind}")
    lines.append("@data")
    for row in rows:
        lines.append(", ".join("?" if v is None else repr(v) if isinstance(v, float) else quoted(v) for v in row))
    path.write_text("\n".join(lines), encoding="utf-8")
    return ArffStream(path)


def expected(schema: Schema, rows: list[list[object]]) -> tuple[np.ndarray, np.ndarray]:
    def cell(value: object, values: tuple[object, ...] | None) -> object:
        return np.nan if value is None else value if values is None else values.index(value)

    X = [[cell(v, f.values) for v, f in zip(row, schema.features, strict=False)] for row in rows]
    y = [-1 if row[-1] is None else (schema.classes or ()).index(row[-1]) for row in rows]
    return np.array(X, dtype=float), np.array(y)


def joined(chunks: list[Chunk]) -> Chunk:
    """Join chunks of different schemas: codes never change."""
    return concatenate([replace(chunk, schema=chunks[-1].schema) for chunk in chunks])


def same(ours: Chunk, theirs: Chunk) -> None:
    assert ours.start == theirs.start
    np.testing.assert_array_equal(ours.X, theirs.X)
    np.testing.assert_array_equal(ours.y, theirs.y)


@pytest.mark.parametrize("how", FORMATS)
@settings(max_examples=120, deadline=None, derandomize=True)
@given(table=tables())
def test_what_is_written_is_read_back(how: str, table: tuple[Schema, list[list[object]]]) -> None:
    schema, rows = table
    X, y = expected(schema, rows)
    with TemporaryDirectory() as folder:
        stream = write(Path(folder), schema, rows, how)
        assert stream.schema == schema
        chunk = concatenate(list(stream.chunks()))
    np.testing.assert_array_equal(chunk.X, X)
    np.testing.assert_array_equal(chunk.y, y)
    assert chunk.X.flags.c_contiguous


@pytest.mark.parametrize("how", FORMATS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(table=tables(), size=st.integers(1, 12), start=st.integers(0, 32), block=st.integers(300, 2000))
def test_neither_chunk_size_nor_start_nor_block_matters(
    how: str, table: tuple[Schema, list[list[object]]], size: int, start: int, block: int
) -> None:
    schema, rows = table
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        stream = write(Path(folder), schema, rows, how)
        whole = concatenate(list(stream.chunks()))
        patch.setattr(csv_reader, "BLOCK_BYTES", block)
        patch.setattr(arff_reader, "BLOCK_BYTES", block)
        chunks = list(stream.chunks(size, start))
    assert [len(c) for c in chunks[:-1]] == [size] * max(0, len(chunks) - 1)
    if start >= len(rows):
        assert chunks == []
    else:
        same(concatenate(chunks), whole[start:])


@settings(max_examples=80, deadline=None, derandomize=True)
@given(table=tables())
def test_an_inferred_csv_schema_has_the_values_that_appear(table: tuple[Schema, list[list[object]]]) -> None:
    schema, rows = table
    assume(any(row[-1] is not None for row in rows))
    nominal = [f.name for f in schema.features if f.nominal]
    with TemporaryDirectory() as folder:
        path = write(Path(folder), schema, rows, "csv").path  # type: ignore[attr-defined]
        stream = CsvStream(path, nominal=nominal, task="classification", separator=",", header=True)
        chunk = concatenate(list(stream.chunks()))
    for j, feature in enumerate((*stream.schema.features, Feature(schema.target, stream.schema.classes))):
        column = chunk.y if j == len(schema.features) else chunk.X[:, j]
        for code, row in zip(column, rows, strict=True):
            if row[j] is None:
                assert np.isnan(code) or code == -1
            else:
                assert row[j] == (code if feature.values is None else feature.values[int(code)])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(table=tables(), size=st.integers(1, 12), start=st.integers(0, 32))
def test_pairs_give_the_same_values_however_they_are_cut(
    table: tuple[Schema, list[list[object]]], size: int, start: int
) -> None:
    schema, rows = table
    names = [f.name for f in schema.features]
    stream = from_iterable([(dict(zip(names, row, strict=False)), row[-1]) for row in rows])
    pieces = list(stream.chunks())
    chunks = list(stream.chunks(size, start))
    if chunks:
        same(joined(chunks), joined(pieces)[start:])
        known = [piece.schema for piece in pieces for _ in range(len(piece))]
        assert [chunk.schema for chunk in chunks for _ in range(len(chunk))] == known[start:]
    else:
        assert start >= len(rows)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(n=st.integers(1, 40), size=st.integers(1, 12), start=st.integers(0, 45))
def test_arrays_give_the_same_values_however_they_are_cut(n: int, size: int, start: int) -> None:
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(n, 2)), rng.integers(0, 3, n)
    chunks = list(from_arrays(X, y, classes=[0, 1, 2]).chunks(size, start))
    np.testing.assert_array_equal(np.concatenate([np.empty((0, 2)), *(c.X for c in chunks)]), X[start:])
    assert [c.start for c in chunks] == list(range(start, n, size))
