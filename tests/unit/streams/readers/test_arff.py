"""ARFF files."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow.parquet as pq
import pytest

from prequential.errors import DataError, InputError
from prequential.streams.readers import ArffStream, ParquetStream
from prequential.streams.readers import arff as arff_reader
from prequential.streams.schema import Feature, Schema

HEADER = """% made by hand
@RELATION 'a test'

@attribute 'my x' REAL
@Attribute\tcol {a, 'b c', "d'e", 'f\\'g'}
@ATTRIBUTE class {no, yes}
@Data
"""

Write: TypeAlias = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(rows: str, header: str = HEADER) -> Path:
        path = tmp_path / "data.arff"
        path.write_bytes((header + rows).encode())
        return path

    return write


def test_the_header_declares_the_schema(write: Write) -> None:
    stream = ArffStream(write("1,a,no\n"))
    assert stream.schema == Schema(
        (Feature("my x"), Feature("col", ("a", "b c", "d'e", "f'g"))), ("no", "yes"), "class"
    )
    assert stream.describe()["format"] == "arff"


@pytest.mark.parametrize("careful", [False, True])
def test_rows_are_read_the_fast_and_the_careful_way_alike(write: Write, careful: bool) -> None:
    rows = "1,a,no\r\n 2.5 ,\tb c , yes\n\n?, ? ,?\n-1e-3,a,yes"
    chunk = next(ArffStream(write(("% comment\n" if careful else "") + rows)).chunks())
    np.testing.assert_array_equal(chunk.X, [[1, 0], [2.5, 1], [np.nan, np.nan], [-0.001, 0]])
    assert chunk.y.tolist() == [0, 1, -1, 1]


@pytest.mark.parametrize("careful", [False, True])
def test_a_comma_at_the_end_of_a_row_is_moas_way(write: Write, careful: bool) -> None:
    """As MOA's WriteStreamToARFFFile writes it."""
    rows = "1,a,no,\n2,b c,yes,\r\n3,a,no\n4,a,?,\n"
    chunk = next(ArffStream(write(("% comment\n" if careful else "") + rows)).chunks())
    assert chunk.X.tolist() == [[1, 0], [2, 1], [3, 0], [4, 0]]
    assert chunk.y.tolist() == [0, 1, 0, -1]
    with pytest.raises(DataError, match="5 values, but the header has 3 attributes"):
        list(ArffStream(write("1,a,no,,\n")).chunks())


def test_quotes_escapes_comments_tabs_and_sparse_rows_are_understood(write: Write) -> None:
    rows = "1,'b c',no\n% 1,2,3\n2,\"d'e\",yes\n3,'f\\'g',no\n4\ta\tyes\n{0 5, 2 yes}\n{}\n{1 'b c', 2 ?}\n"
    chunk = next(ArffStream(write(rows)).chunks())
    assert chunk.X.tolist() == [[1, 1], [2, 2], [3, 3], [4, 0], [5, 0], [0, 0], [0, 1]]
    assert chunk.y.tolist() == [0, 1, 0, 1, 1, 0, -1]


def test_a_quoted_question_mark_is_a_value(write: Write) -> None:
    header = "@relation r\n@attribute x {'?', a}\n@attribute y {u, v}\n@data\n"
    chunk = next(ArffStream(write("'?',u\n?,v\n", header)).chunks())
    np.testing.assert_array_equal(chunk.X, [[0], [np.nan]])


def test_values_with_spaces_around_them_are_distinguished(write: Write) -> None:
    header = "@relation r\n@attribute x {' a', a}\n@attribute y {u, v}\n@data\n"
    chunk = next(ArffStream(write(" a,u\n' a',v\n", header)).chunks())
    assert chunk.X.tolist() == [[1], [0]]


def test_strings_and_dates_are_read(write: Write) -> None:
    header = (
        "@relation r\n@attribute t date 'dd/MM/yyyy HH:mm'\n@attribute s string\n@attribute key string\n"
        "@attribute y numeric\n@data\n"
    )
    path = write("'01/02/2020 10:30',foo,'k 1',1\n'01/02/2020 10:31',bar,k2,2\n", header)
    stream = ArffStream(path, time="t", id="key")
    assert stream.schema == Schema((Feature("s", ("bar", "foo")),), (1, 2), "y")
    chunk = next(stream.chunks())
    assert chunk.time is not None
    assert chunk.time.tolist() == [1580553000.0, 1580553060.0]
    assert chunk.id is not None
    assert chunk.id.tolist() == ["k 1", "k2"]
    assert ArffStream(path, task="regression", ignore="key").schema.n_features == 2


def test_the_default_date_format_is_iso_8601(write: Write) -> None:
    header = "@relation r\n@attribute t date\n@attribute y {u, v}\n@data\n"
    assert next(ArffStream(write("1970-01-02T00:00:01,u\n", header)).chunks()).X.tolist() == [[86401.0]]
    with pytest.raises(DataError, match="line 5, column 't': not a date: 'noon'"):
        next(ArffStream(write("noon,u\n", header)).chunks())


def test_gzip_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.arff.gz"
    path.write_bytes(gzip.compress((HEADER + "1,a,no\n").encode()))
    stream = ArffStream(path)
    assert stream.name == "data"
    assert next(stream.chunks()).X.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ("1,a,no\n%\n\n1,q,no\n", "line 11, column 'col': an undeclared value: 'q'. Accepted: a, b c, d'e, f'g."),
        ("1,a,maybe\n", "line 8, column 'class': a label outside the classes: 'maybe'. Accepted: no, yes."),
        ("1,a,no\nx,a,no\n", "line 9, column 'my x': not a number: 'x'. Accepted: a number or ?."),
        ("%\n1,a\n", "line 9: 2 values, but the header has 3 attributes"),
        ("1,'a,no\n", "line 8: a quote that is not closed"),
        ("{0 1, 3 no}\n", "line 8: an item of a sparse row is not 'index value' with an index from 0 to 2"),
        ("{0 1, 2 no\n", "line 8: a sparse row that does not end with }"),
        ("inf,a,no\n", "line 8, column 'my x': an infinite value"),
    ],
)
def test_a_fault_is_named_with_its_line(write: Write, rows: str, place: str) -> None:
    with pytest.raises(DataError) as error:
        list(ArffStream(write(rows)).chunks())
    assert place in str(error.value)


@pytest.mark.parametrize(
    ("header", "place"),
    [
        ("hello\n", "line 1: not an ARFF header line: 'hello'"),
        ("@relation r\n@attribute x numeric\n", "line 2: no @data line"),
        ("@relation r\n@data\n", "line 2: no @attribute before @data"),
        ("@relation r\n@attribute x blob\n@data\n", "line 2: not an attribute (unknown type 'blob')"),
        ("@relation r\n@attribute x {a, b\n@data\n", "line 2: not an attribute (a list of values that does not end"),
        ("@relation r\n@attribute x {a, a}\n@data\n", "line 2: not an attribute (the value 'a' is declared twice)"),
        (
            "@relation r\n@attribute x date 'QQ'\n@data\n",
            "line 2: not an attribute (unknown field 'QQ' in the date format 'QQ'",
        ),
        ("@relation r\n@attribute x real\n@attribute x real\n@data\n", "line 3: an attribute declared twice: 'x'"),
    ],
)
def test_a_bad_header_is_named_with_its_line(write: Write, header: str, place: str) -> None:
    with pytest.raises(DataError) as error:
        _ = ArffStream(write("", header)).schema
    assert place in str(error.value)


def test_an_unknown_target_is_named(write: Write) -> None:
    with pytest.raises(InputError, match="Did you mean 'class'"):
        _ = ArffStream(write("1,a,no\n"), target="clas").schema


def test_lines_are_counted_over_blocks(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff_reader, "BLOCK_BYTES", 64)
    rows = ["1,a,no"] * 500
    rows[100] = "% a comment"
    rows[300] = "1,a"
    with pytest.raises(DataError, match="line 308: 2 values"):
        list(ArffStream(write("\n".join(rows))).chunks())


@pytest.mark.parametrize("name", ["electricity", "gmsc", "covtype", "pakdd2010"])
def test_an_export_equals_the_parquet_file(shared_data: Path, tmp_path: Path, name: str) -> None:
    original = ParquetStream(shared_data / f"{name}.parquet")
    schema, n = original.schema, 20_000
    table = pq.read_table(original.path).slice(0, n)

    def quoted(text: object) -> str:
        return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"

    path = tmp_path / "export.arff"
    with path.open("w") as file:
        file.write("@relation export\n")
        for feature in (*schema.features, Feature(schema.target, schema.classes)):
            kind = "numeric" if feature.values is None else "{" + ",".join(quoted(v) for v in feature.values) + "}"
            file.write(f"@attribute {quoted(feature.name)} {kind}\n")
        file.write("@data\n")
        names = [f.name for f in schema.features] + [schema.target]
        for row in zip(*(table.column(column).to_pylist() for column in names), strict=True):
            file.write(",".join("?" if v is None else str(v) for v in row) + "\n")
        file.write("%\n")
    stream = ArffStream(path)
    assert stream.schema == schema
    for ours, theirs in zip(stream.chunks(n), original.take(n).chunks(n), strict=True):
        np.testing.assert_array_equal(ours.X, theirs.X)
        np.testing.assert_array_equal(ours.y, theirs.y)
