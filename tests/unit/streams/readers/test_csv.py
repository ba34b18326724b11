"""CSV files."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.readers import CsvStream, ParquetStream
from prequential.streams.readers import csv as csv_reader
from prequential.streams.schema import Feature, Schema

Write: TypeAlias = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def only(stream: CsvStream) -> Chunk:
    (chunk,) = stream.chunks()
    return chunk


def test_columns_are_numeric_or_nominal_and_the_last_is_the_target(write: Write) -> None:
    stream = CsvStream(write("a,b,c\n1,red,up\n2.5,blue,down\n,?,\n"))
    assert stream.schema == Schema((Feature("a"), Feature("b", ("blue", "red"))), ("down", "up"), "c")
    chunk = only(stream)
    np.testing.assert_array_equal(chunk.X, [[1, 1], [2.5, 0], [np.nan, np.nan]])
    assert chunk.y.tolist() == [1, 0, -1]
    assert stream.name == "data"
    assert stream.n_records is None
    described = stream.describe()
    assert described["format"] == "csv"
    json.dumps(described)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(write: Write, separator: str) -> None:
    text = 'a,b,c\n1,"x,y;z",u\n2,v,w\n'.replace(",", separator).replace(f'"x{separator}y;z"', '"x,y"')
    stream = CsvStream(write(text))
    assert stream.layout.separator == separator
    assert stream.schema.n_features == 2


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffa,b\r\n1,u\r\n2,v\r\n",
        "a,b\n1,u\n2,v",
        "\n\na,b\n\n1,u\n\n\n2,v\n\n",
        '"a","b"\n"1","u"\n"2","v"\n',
        "a, b\n 1, u\n 2, v \n",
        "a,b\r1,u\r2,v\r",
    ],
)
def test_marks_line_ends_quotes_and_spaces_do_not_matter(write: Write, text: str) -> None:
    stream = CsvStream(write(text))
    assert stream.schema == Schema((Feature("a"),), ("u", "v"), "b")
    chunk = only(stream)
    assert chunk.X.tolist() == [[1], [2]]
    assert chunk.y.tolist() == [0, 1]


def test_missing_values_with_spaces_around_are_missing(write: Write) -> None:
    chunk = only(CsvStream(write("a,b,c\n1, ?,u\n2, x,v\n ?,NA , NA\n")))
    np.testing.assert_array_equal(chunk.X, [[1, np.nan], [2, 0], [np.nan, np.nan]])
    assert chunk.y.tolist() == [0, 1, -1]


def test_a_file_without_header_gets_names(write: Write) -> None:
    stream = CsvStream(write("1,x,up\n2,y,down\n"))
    assert stream.layout.header is False
    assert stream.schema.target == "x2"
    assert len(only(stream)) == 2
    text = CsvStream(write("p,q\nr,s\n"), header=False)
    assert len(only(text)) == 2
    schema = Schema((Feature("size"), Feature("kind", ("x", "y"))), ("up", "down"), "trend")
    assert only(CsvStream(write("1,x,up\n2,y,down\n"), schema=schema)).y.tolist() == [0, 1]


def test_a_header_of_names_above_numbers_is_found_although_one_name_is_a_number(write: Write) -> None:
    assert CsvStream(write("a,2,c\n1,1,1\n")).layout.header is True


def test_a_numeric_target_has_classes_as_they_are_spelt(write: Write) -> None:
    stream = CsvStream(write("a,y\n" + "".join(f"{i},{i % 11}.0\n" for i in range(33))))
    assert stream.schema.classes == tuple(f"{i}.0" for i in range(11))
    assert CsvStream(stream.path, task="regression").schema.classes is None
    many = write("a,y\n" + "".join(f"{i},{i}\n" for i in range(101)), "many.csv")
    assert CsvStream(many).schema.task == "regression"
    assert CsvStream(many, task="classification").schema.n_classes == 101
    assert CsvStream(write("a,y\n1,0.5\n2,1\n", "half.csv")).schema.task == "regression"


def test_two_spellings_of_a_label_are_refused(write: Write) -> None:
    with pytest.raises(DataError, match=r"column 'y': the labels '1' and '1\.0' are the same number"):
        _ = CsvStream(write("a,y\n1,1\n2,1.0\n")).schema


def test_columns_can_be_forced_ignored_and_given_parts(write: Write) -> None:
    path = write("t,n,drop,w,key,y\n2024-01-01,1,a,0.5,k1,u\n2024-01-02,2,b,1,k2,v\n2024-01-02,10,b,1,k3,v\n")
    stream = CsvStream(path, nominal="n", ignore=["drop"], time="t", weight="w", id="key")
    assert stream.schema.features == (Feature("n", ("1", "2", "10")),)
    chunk = only(stream)
    assert chunk.time is not None
    assert np.diff(chunk.time).tolist() == [86400.0, 0.0]
    assert chunk.weight is not None
    assert chunk.weight.tolist() == [0.5, 1, 1]
    assert chunk.id is not None
    assert chunk.id.tolist() == ["k1", "k2", "k3"]


@pytest.mark.filterwarnings("ignore::prequential.DataWarning")  # a has almost as many values as records
def test_a_column_that_turns_to_text_late_has_all_its_values(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_reader, "BLOCK_BYTES", 256)
    path = write("a,b,y\n" + "".join(f"{i},{i},{i}.5\n" for i in range(200)) + "x,1,1\n1,1,z\n" * 5)
    schema = CsvStream(path).schema
    assert schema.features[0].values is not None
    assert len(schema.features[0].values) == 201
    assert schema.features[1].values is None
    assert schema.classes is not None
    assert len(schema.classes) == 202


def test_quoted_fields_hold_separators_quotes_and_line_breaks(write: Write) -> None:
    stream = CsvStream(write('a,b,y\n1,"x, ""1""\nnext",u\n2,z,v\n'))
    assert stream.schema.features[1].values == ('x, "1"\nnext', "z")


def test_gzip_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,u\n2,v\n"))
    stream = CsvStream(path)
    assert stream.name == "data"
    assert len(only(stream)) == 2
    path.write_bytes(gzip.compress(b"a,b\n1,u\n2,v\n")[:-12])
    with pytest.raises(DataError, match="can be read"):
        _ = CsvStream(path).schema
    rows = b"".join(b"%d.%d,u\n" % (i, i * i) for i in range(100_000))
    path.write_bytes(gzip.compress(b"a,b\n" + rows)[:300_000])
    with pytest.raises(DataError, match="nothing can be read after this line"):
        _ = CsvStream(path).schema
    path.write_bytes(b"not gzip at all")
    with pytest.raises(DataError, match="cannot be read"):
        _ = CsvStream(path).schema


def test_rows_may_be_very_long(write: Write) -> None:
    names = ",".join(f"x{j}" for j in range(40_000))
    row = ",".join(["0.1234567890123456789"] * 40_000)
    chunk = only(
        CsvStream(write(f"{names},y\n{row},u\n{row},v\n"), schema=Schema((Feature("x39999"),), ("u", "v"), "y"))
    )
    assert chunk.X.shape == (2, 1)


def test_a_declared_schema_needs_no_pass(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_reader, "TextSurvey", None)
    schema = Schema((Feature("b", ("q", "p")),), ("v", "u"), "y")
    chunk = only(CsvStream(write("a,b,y\n1,p,u\n2,q,v\n"), schema=schema))
    assert chunk.X.tolist() == [[1], [0]]
    assert chunk.y.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "a,b,y\n1,2,u\n3,4\n",
            "data.csv, line 3: 2 fields, but the header has 3. Accepted: 3 fields separated by ','",
        ),
        ('a,b,y\n1,"2\n",u\n\n3,4,v,5\n', "data.csv, line 5: 4 fields, but the header has 3"),
        ("1,2\n3\n", "data.csv, line 2: 1 field, but the first line has 2"),
        ('a,y\n1,u\n2,"v\n3,u\n', "data.csv, line 3: a quoted field that never ends. Accepted: quotes in pairs."),
        ("a,y\n1,u\ninf,v\n", "data.csv, line 3, column 'a': an infinite value: inf"),
        ("a,a\n1,u\n", "data.csv, line 1: a column name that occurs twice: 'a'"),
        ("a,y\n1,\n2,\n", "data.csv, column 'y': no labels"),
        ("a,y\n", "data.csv has no records"),
        ("\n\n", "data.csv is empty"),
    ],
)
def test_a_fault_is_named_with_its_line(write: Write, text: str, place: str) -> None:
    with pytest.raises(InputError) as error:
        list(CsvStream(write(text)).chunks())
    assert place in str(error.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('n,c,y\n1,"p\np",u\n\nabc,p,u\n', "line 5, column 'n': not a number: 'abc'. Accepted: a number such as -1.5"),
        ('n,c,y\n1,"p\np",u\n\n2,z,u\n', "line 5, column 'c': an undeclared value: 'z'"),
        ("n,c,y\n1,p,u\n2,p,maybe\n", "line 3, column 'y': a label outside the classes: 'maybe'. Accepted: u, v."),
    ],
)
def test_a_value_outside_the_declared_schema_is_named(write: Write, text: str, place: str) -> None:
    schema = Schema((Feature("n"), Feature("c", ("p", "p\np"))), ("u", "v"), "y")
    with pytest.raises(DataError) as error:
        list(CsvStream(write(text), schema=schema).chunks())
    assert place in str(error.value)


def test_a_fault_far_in_the_file_is_named_by_its_line(write: Write) -> None:
    rows = [f"{i},{i % 7},{'uv'[i % 2]}" for i in range(100_000)]
    rows[77_776] = "1,2,3,4"
    with pytest.raises(DataError, match="line 77778: 4 fields, but the header has 3"):
        _ = CsvStream(write("a,b,y\n" + "\n".join(rows))).schema


def test_bytes_that_are_not_utf8_are_named(write: Write) -> None:
    with pytest.raises(DataError, match=r"line 3, column 'y': not UTF-8: b'caf\\xe9'"):
        _ = CsvStream(write(b"a,y\n1,tea\n2,caf\xe9\n")).schema


def test_a_nominal_column_of_too_many_values_is_refused(write: Write) -> None:
    text = "a,y\n" + "".join(f"k{i},{i % 2}\n" for i in range(100_001))
    with pytest.raises(DataError, match=r"column 'a': more than 100,000 distinct values.*ignore='a'"):
        _ = CsvStream(write(text)).schema


def test_unknown_columns_and_bad_options_are_named(write: Write, tmp_path: Path) -> None:
    path = write("alpha,beta,y\n1,2,u\n")
    with pytest.raises(
        InputError, match=r"no column 'betta' \(target=\). Did you mean 'beta'\? The columns are: alpha"
    ):
        _ = CsvStream(path, target="betta").schema
    with pytest.raises(ParameterError, match="one character"):
        _ = CsvStream(path, separator="::").schema
    with pytest.raises(ParameterError, match="task"):
        CsvStream(path, task="clustering")
    with pytest.raises(InputError, match="does not exist"):
        CsvStream(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a directory"):
        CsvStream(tmp_path)
    with pytest.raises(InputError, match="is empty"):
        CsvStream(write("", "empty.csv"))


@pytest.mark.parametrize("name", ["electricity", "gmsc", "airlines"])
def test_an_export_equals_the_parquet_file(shared_data: Path, tmp_path: Path, name: str) -> None:
    original = ParquetStream(shared_data / f"{name}.parquet")
    table = pq.read_table(original.path).slice(0, 100_000)
    plain = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    pacsv.write_csv(pa.table(plain, table.column_names), tmp_path / "export.csv")
    stream = CsvStream(tmp_path / "export.csv", schema=original.schema)
    for ours, theirs in zip(stream.chunks(), original.take(100_000).chunks(), strict=False):
        np.testing.assert_array_equal(ours.X, theirs.X[: len(ours)])
        np.testing.assert_array_equal(ours.y, theirs.y[: len(ours)])
    inferred = CsvStream(tmp_path / "export.csv", nominal=[f.name for f in original.schema.features if f.nominal])
    assert set(inferred.schema.classes or ()) == set(original.schema.classes or ())
    assert sum(len(chunk) for chunk in inferred.chunks()) == table.num_rows


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_header_that_is_not_utf_8_is_named(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "f.csv").write_bytes("größe,class\n1,x\n2,y\n".encode(encoding))
    with pytest.raises(DataError, match="line 1: a column name that is not UTF-8"):
        CsvStream(tmp_path / "f.csv").schema  # noqa: B018
