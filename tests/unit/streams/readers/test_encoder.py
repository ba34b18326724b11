"""Conversion of record batches to chunks."""

import numpy as np
import pyarrow as pa
import pytest

from prequential.errors import DataError
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.encoder import Encoder
from prequential.streams.schema import Feature, Schema

SCHEMA = Schema((Feature("x"), Feature("day", ("mon", "tue"))), ("no", "yes"), "rain")


def batch(**changes: pa.Array | list[object]) -> pa.RecordBatch:
    columns = {
        "x": [1.0, None, 3.0],
        "day": ["tue", None, "mon"],
        "rain": ["yes", None, "no"],
        "t": [1, 1, 2],
        "w": [1.0, 0.0, 2.0],
        "key": ["a", "b", "c"],
    }
    columns.update(changes)
    return pa.record_batch({name: v if isinstance(v, pa.Array) else pa.array(v) for name, v in columns.items()})


def encode(data: pa.RecordBatch, schema: Schema = SCHEMA, start: int = 0) -> Chunk:
    return Encoder(schema, source="here", time="t", weight="w", id="key").encode(data, start)


def test_values_become_numbers_codes_and_missing_ones_nan() -> None:
    chunk = encode(batch(), start=5)
    np.testing.assert_array_equal(chunk.X, [[1, 1], [np.nan, np.nan], [3, 0]])
    assert chunk.X.flags.c_contiguous
    assert chunk.X.dtype == np.float64
    assert chunk.y.tolist() == [1, UNLABELLED, 0]
    assert chunk.y.dtype == np.int64
    assert chunk.time is not None
    assert chunk.time.tolist() == [1, 1, 2]
    assert chunk.weight is not None
    assert chunk.weight.tolist() == [1, 0, 2]
    assert chunk.id is not None
    assert chunk.id.tolist() == ["a", "b", "c"]
    assert chunk.start == 5


def test_a_regression_target_is_float_with_nan_where_unknown() -> None:
    schema = Schema((Feature("x"),), None, "rain")
    chunk = encode(batch(rain=[1, None, 2]), schema)
    np.testing.assert_array_equal(chunk.y, [1.0, np.nan, 2.0])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"day": ["tue", "sun", "mon"]},
            "here, record 11, column 'day': an undeclared value: 'sun'. Accepted: mon, tue.",
        ),
        ({"rain": ["yes", "no", "maybe"]}, "record 12, column 'rain': a label outside the classes: 'maybe'"),
        ({"x": ["1", "two", "3"]}, "record 11, column 'x': not a number: 'two'"),
        ({"x": [1.0, float("inf"), 2.0]}, "record 11, column 'x': an infinite value: inf"),
        ({"x": [float("inf"), float("-inf"), 2.0]}, "record 10, column 'x': an infinite value: inf"),
        ({"w": [1.0, -1.0, 1.0]}, "record 11, column 'w': not a weight: -1.0. Accepted: a number of at least 0."),
        ({"w": [1.0, None, 1.0]}, "record 11, column 'w': not a weight"),
        ({"t": [3, 4, 2]}, "record 12, column 't': time runs backwards: 2. Accepted: at least 4 seconds."),
        ({"t": [3, None, 4]}, "record 11, column 't': no time. Accepted: a time for every record."),
        ({"t": ["3", "noon", "4"]}, "record 11, column 't': not a time: 'noon'"),
        ({"t": ["2024-01-01", "2024-01-02", "3"]}, "record 12, column 't': not a time: '3'"),
        ({"key": ["a", None, "c"]}, "record 11, column 'key': no identifier"),
        ({"x": [[1], [2], [3]]}, "record 10, column 'x': not a number"),
    ],
)
def test_a_bad_value_is_named_with_its_place(changes: dict[str, list[object]], words: str) -> None:
    with pytest.raises(DataError) as error:
        encode(batch(**changes), start=10)
    assert words in str(error.value)


def test_time_may_not_run_backwards_from_one_batch_to_the_next() -> None:
    encoder = Encoder(SCHEMA, source="here", time="t")
    encoder.encode(batch(t=[5, 6, 7]), 0)
    with pytest.raises(DataError, match="record 3, column 't': time runs backwards: 6"):
        encoder.encode(batch(t=[6, 7, 8]), 3)


@pytest.mark.parametrize(
    "times",
    [
        pa.array(["2024-01-01 00:00:00", "2024-01-01 00:00:01.5", "2024-01-01T00:00:02"]),
        pa.array(["2024-01-01T00:00:00Z", "2024-01-01T00:00:01.5Z", "2024-01-01T01:00:02+01:00"]),
        pa.array([1704067200000, 1704067201500, 1704067202000]).cast(pa.timestamp("ms")),
        pa.array([1704067200.0, 1704067201.5, 1704067202.0]),
        pa.array(["1704067200", " 1704067201.5", "1704067202"]),
    ],
)
def test_clocks_of_every_kind_are_seconds(times: pa.Array) -> None:
    chunk = encode(batch(t=times))
    assert chunk.time is not None
    assert chunk.time.tolist() == [1704067200.0, 1704067201.5, 1704067202.0]


def test_dates_are_seconds() -> None:
    chunk = encode(batch(t=pa.array([0, 1, 2], pa.date32())))
    assert chunk.time is not None
    assert chunk.time.tolist() == [0.0, 86400.0, 172800.0]


def test_features_of_every_number_type_are_read() -> None:
    for values in (
        pa.array([1, None, 3], pa.int8()),
        pa.array([1, None, 3], pa.uint64()),
        pa.array([1, None, 3], pa.float32()),
        pa.array(["1", None, " 3 "]),
        pa.array(["1", None, "3"]).dictionary_encode(),
        pa.array([1, None, 3]).cast(pa.decimal128(21, 2)),
    ):
        np.testing.assert_array_equal(encode(batch(x=values)).X[:, 0], [1, np.nan, 3])
    np.testing.assert_array_equal(encode(batch(x=[True, None, False])).X[:, 0], [1, np.nan, 0])
    assert np.isnan(encode(batch(x=pa.nulls(3))).X[:, 0]).all()


def test_nominal_values_are_found_by_their_text_too() -> None:
    schema = Schema((Feature("x", ("0", "1")),), (0, 1), "rain")
    for zeros in (pa.array([0, 1, None], pa.int8()), pa.array([0.0, 1.0, float("nan")])):
        chunk = encode(batch(x=zeros, rain=["0", "1", "0"]), schema)
        np.testing.assert_array_equal(chunk.X[:, 0], [0, 1, np.nan])
        assert chunk.y.tolist() == [0, 1, 0]


def test_large_but_finite_numbers_are_taken() -> None:
    chunk = encode(batch(x=[1.7e308, 1.7e308, 1.7e308]))
    assert chunk.X[:, 0].tolist() == [1.7e308] * 3


def test_the_records_before_the_first_bad_one_of_any_column_are_given() -> None:
    encoder = Encoder(SCHEMA, source="here", time="t", weight="w", id="key")
    data = batch(x=[1.0, 2.0, float("inf")], w=[1.0, -1.0, 1.0])  # features are checked before weights
    pieces = encoder.pieces(data, 10)
    chunk = next(pieces)
    assert (chunk.start, chunk.X.tolist()) == (10, [[1.0, 1.0]])
    with pytest.raises(DataError, match="record 11, column 'w': not a weight"):
        next(pieces)


def test_a_bad_first_record_gives_only_its_error() -> None:
    pieces = Encoder(SCHEMA, source="here").pieces(batch(x=[[1], [2], [3]]), 0)
    with pytest.raises(DataError, match="record 0, column 'x': not a number"):
        next(pieces)


def test_an_empty_batch_is_an_empty_chunk() -> None:
    assert len(encode(batch().slice(0, 0))) == 0
