"""JSON Lines files have the records that Python's json module finds in them."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

import prequential as pq

ROWS = [
    {"id": 7, "at": "2024-05-01T12:00:00.123456789Z", "price": 1, "wet": True, "class": "b"},
    {"id": 8, "at": "2024-05-01T12:00:01Z", "price": None, "class": "a", "wet": False},
    {"class": "a", "price": 2.5, "at": "2024-05-01T12:00:01Z", "id": 9},
    {"id": 10, "at": "2024-05-02T00:00:00Z", "price": -3e2, "wet": True, "class": None},
]


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    text = "\n\n".join(json.dumps(row) for row in rows)  # empty lines between them
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz"])
def test_records_are_those_of_the_json_module(tmp_path: Path, name: str) -> None:
    stream = pq.read(written(tmp_path / name, ROWS), id="id", time="at", target="class")
    assert [(f.name, f.values) for f in stream.schema.features] == [("price", None), ("wet", (False, True))]
    assert stream.schema.classes == ("a", "b")
    (chunk,) = stream.chunks()
    np.testing.assert_array_equal(chunk.X[:, 0], [1, np.nan, 2.5, -300])
    np.testing.assert_array_equal(chunk.X[:, 1], [1, 0, np.nan, 1])
    assert chunk.y.tolist() == [1, 0, 0, -1]
    assert chunk.id is not None
    assert chunk.id.tolist() == [7, 8, 9, 10]
    assert chunk.time is not None
    np.testing.assert_allclose(chunk.time - 1714564800, [0.123456789, 1, 1, 43200], atol=1e-6)
    assert stream.n_records == 4


def test_a_jsonl_file_gives_the_run_of_the_same_csv_file(tmp_path: Path) -> None:
    source = pq.streams.SEA(seed=1).take(300)
    csv = tmp_path / "sea.csv"
    pq.write(source, csv)
    names = csv.read_text().splitlines()[0].split(",")
    rows = [line.split(",") for line in csv.read_text().splitlines()[1:]]
    as_json = [dict(zip(names, [*map(float, row[:-1]), row[-1]], strict=True)) for row in rows]
    other = written(tmp_path / "sea.jsonl", as_json)
    runs = [pq.evaluate(path, "naive_bayes", every=50) for path in (csv, other)]
    assert runs[0].to_arrow()["value"].to_pylist() == runs[1].to_arrow()["value"].to_pylist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"a": 1, "c": [1]}', ["line 1", "column 'c'", "nested", "fields of their own"]),
        (b'{"a": 1\n', ["line 1", "not JSON"]),
        (b'{"a": 1}\n\n{"a": "u"}\n', ["line 3", "column 'a'", "not a number", "'u'"]),
        (b"[1]", ["line 1", "not an object"]),
        (b"[" * 100_000, ["not JSON", "nested too deeply"]),
        (b'{"a": "\xff"}', ["not JSON", "not UTF-8"]),
        (b"\n\n", ["has no records"]),
        (b'{"a": "\\ud800"}', ["column 'a'", "UTF-8"]),
        (b'{"a": 1e999, "c": "x"}', ["an infinite value"]),
        (b'{"a": 1' + b"0" * 400 + b"}", ["column 'a'"]),
    ],
)
def test_a_bad_line_is_refused_with_its_place(tmp_path: Path, text: bytes, words: list[str]) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(text)
    with pytest.raises(pq.InputError) as caught:
        list(pq.read(path).chunks())
    for word in words:
        assert word in str(caught.value)


def test_a_broken_gzip_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl.gz", ROWS * 200)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(pq.DataError, match="nothing can be read from here on"):
        list(pq.read(path, time="at", id="id").chunks())


def test_options_of_csv_files_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(pq.InputError, match=re.escape("decimal= does not fit JSON Lines files")):
        pq.read(path, decimal=",")
