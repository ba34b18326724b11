"""Parquet files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prequential.errors import DataError, InputError
from prequential.streams.readers import ParquetStream
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream


def labels(stream: Stream) -> np.ndarray:
    return np.concatenate([chunk.y for chunk in stream.chunks()])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    table = pa.table(
        {
            "x": pa.array(range(10), pa.int16()),
            "sky": pa.array(list("bgbgbgbgbz")),
            "wet": pa.array([True, None] * 5),
            "y": pa.array([0, 1] * 5),
            "t": pa.array(range(10)),
        }
    )
    path = tmp_path / "small.parquet"
    pq.write_table(table, path, row_group_size=3)
    return path


def test_types_decide_where_nothing_is_declared(small: Path) -> None:
    stream = ParquetStream(small, time="t")
    assert stream.schema == Schema(
        (Feature("x"), Feature("sky", ("b", "g", "z")), Feature("wet", (False, True))), (0, 1), "y"
    )
    assert stream.n_records == 10
    (chunk,) = stream.chunks()
    np.testing.assert_array_equal(chunk.X[:3], [[0, 0, 1], [1, 1, np.nan], [2, 0, 1]])
    assert stream.describe()["options"] == {"target": "y", "task": "auto", "time": "t", "schema": "inferred"}
    json.dumps(stream.describe())


def test_options_override_the_types(small: Path) -> None:
    stream = ParquetStream(small, target="t", task="regression", nominal="x", numeric=["wet"], ignore="sky")
    assert [(f.name, f.nominal) for f in stream.schema.features] == [("x", True), ("wet", False), ("y", False)]
    assert stream.schema.features[0].values == tuple(range(10))
    assert stream.schema.classes is None


def test_later_records_are_read_without_the_earlier_row_groups(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = ParquetStream(small)
    whole = next(stream.chunks())
    seen: list[list[int]] = []
    original = pq.ParquetFile.iter_batches

    def spy(self: pq.ParquetFile, *args: Any, row_groups: Any = None, **kwargs: Any) -> Any:
        seen.append(row_groups)
        return original(self, *args, row_groups=row_groups, **kwargs)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", spy)
    (part,) = stream.chunks(start=7)
    assert seen == [[2], [3]]  # row group by row group
    assert part.start == 7
    np.testing.assert_array_equal(part.X, whole.X[7:])
    assert list(stream.chunks(start=10)) == []


def test_dictionaries_are_united_over_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    parts = [pa.array(values).dictionary_encode() for values in (["c", "a"], ["b", "c"])]
    with pq.ParquetWriter(path, pa.schema([("x", parts[0].type), ("class", pa.string())])) as writer:
        for part in parts:
            writer.write_table(pa.table({"x": part, "class": ["u", "v"]}))
    stream = ParquetStream(path)
    assert stream.schema.features[0].values == ("c", "a", "b")
    assert next(stream.chunks()).X[:, 0].tolist() == [0, 1, 2, 0]


def test_an_unused_category_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([2, 0], pa.int8()), pa.array(["a", "b", "c"]))
    pq.write_table(pa.table({"x": [1, 2], "class": column}), path)
    assert ParquetStream(path).schema.classes == ("a", "b", "c")


def test_a_declared_schema_is_taken_as_it_is(small: Path) -> None:
    schema = Schema((Feature("x"), Feature("sky", ("z", "g", "b"))), (1, 0), "y")
    chunk = next(ParquetStream(small, schema=schema).chunks())
    assert chunk.schema is schema
    assert chunk.X[0].tolist() == [0, 2]
    assert chunk.y[:2].tolist() == [1, 0]
    with pytest.raises(InputError, match="declares the feature 'u'"):
        _ = ParquetStream(small, schema=Schema((Feature("u"),), (0, 1), "y")).schema


def test_a_numeric_target_of_many_values_is_regression(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"x": range(200), "y": range(200)}), path)
    assert ParquetStream(path).schema.classes is None
    assert ParquetStream(path, task="classification").schema.n_classes == 200
    pq.write_table(pa.table({"x": [1.0, 2.0], "y": [0.5, 1.0]}), path)
    assert ParquetStream(path).schema.task == "regression"


def test_bad_files_and_columns_are_named(tmp_path: Path, small: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        ParquetStream(tmp_path / "none.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        ParquetStream(tmp_path / "empty")
    bad = tmp_path / "bad.parquet"
    bad.write_text("hello, this is no Parquet file")
    with pytest.raises(DataError, match="not a Parquet file"):
        ParquetStream(bad)
    with pytest.raises(InputError, match=r"no column 'skyy' \(target=\). Did you mean 'sky'\? The columns are: x, sky"):
        _ = ParquetStream(small, target="skyy").schema
    with pytest.raises(InputError, match="has two roles"):
        _ = ParquetStream(small, target="t", time="t").schema
    nested = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"x": [[1], [2]], "y": [0, 1]}), nested)
    with pytest.raises(DataError, match="column 'x': a column of type list"):
        _ = ParquetStream(nested).schema


def test_electricity_is_read_in_its_order(shared_data: Path) -> None:
    stream = ParquetStream(shared_data / "electricity.parquet")
    y = labels(stream)
    assert stream.schema.classes == ("UP", "DOWN")
    assert np.bincount(y).tolist() == [19237, 26075]
    assert (np.sum(y[1:] == y[:-1]) + (y[0] == 0)) / len(y) == pytest.approx(0.8533, abs=5e-5)


def test_covtype_keeps_the_nominal_columns_its_metadata_declare(shared_data: Path) -> None:
    stream = ParquetStream(shared_data / "covtype.parquet")
    assert sum(feature.nominal for feature in stream.schema.features) == 44
    assert np.bincount(labels(stream)).tolist() == [211840, 283301, 35754, 2747, 9493, 17367, 20510]


def test_missing_cells_of_gmsc_are_all_found(shared_data: Path) -> None:
    stream = ParquetStream(shared_data / "gmsc.parquet")
    assert sum(int(np.isnan(chunk.X).sum()) for chunk in stream.chunks()) == 33_654


def test_delayed_streams_have_a_clock_identifiers_and_unlabelled_records(shared_data: Path) -> None:
    stream = ParquetStream(shared_data / "delayed_airlines.parquet", time="timeStamp", id="instanceId")
    assert stream.schema.target == "ValueToPredict"
    assert "timeStamp" not in [feature.name for feature in stream.schema.features]
    chunk = next(stream.chunks(size=20_000))
    assert chunk.labelled.sum() == 7541
    assert chunk.id is not None
    assert len(set(chunk.id.tolist())) == 7541


def test_a_directory_of_parts_reads_like_one_file(tmp_path: Path) -> None:
    table = pa.table({"x": np.arange(1000.0), "class": np.where(np.arange(1000) % 3 == 0, "a", "b")})
    pq.write_table(table, tmp_path / "whole.parquet")
    (tmp_path / "parts").mkdir()
    for k, (first, last) in enumerate([(0, 300), (300, 301), (301, 1000)]):
        part = table.slice(first, last - first)
        pq.write_table(part, tmp_path / "parts" / f"{k:05}.parquet", row_group_size=128)
    whole, parts = ParquetStream(tmp_path / "whole.parquet"), ParquetStream(tmp_path / "parts")
    assert parts.n_records == 1000
    assert parts.schema == whole.schema
    for start in (0, 299, 300, 301, 700):
        one = [(c.start, c.X.tolist(), c.y.tolist()) for c in whole.chunks(64, start)]
        two = [(c.start, c.X.tolist(), c.y.tolist()) for c in parts.chunks(64, start)]
        assert one == two
