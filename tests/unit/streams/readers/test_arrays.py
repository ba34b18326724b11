"""Arrays in memory."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.readers import from_arrays
from prequential.streams.schema import Feature

X = np.arange(12.0).reshape(6, 2)


def test_chunks_are_views_of_the_matrix() -> None:
    stream = from_arrays(X, [0, 1, 0, 1, 0, 1])
    pieces = list(stream.chunks(size=4, start=1))
    assert [(c.start, len(c)) for c in pieces] == [(1, 4), (5, 1)]
    assert all(np.shares_memory(c.X, X) for c in pieces)
    assert stream.schema.classes == (0, 1)
    assert stream.n_records == 6


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (np.array([3, 1, 3, 1, 1, 1]), (1, 3), [1, 0, 1, 0, 0, 0]),
        (np.array([3, 1, np.nan, 1, 1, 1]), (1, 3), [1, 0, -1, 0, 0, 0]),
        (["b", "a", None, "a", "a", "a"], ("a", "b"), [1, 0, -1, 0, 0, 0]),
        (np.array(["b", "a", "b", "a", "a", "a"]), ("a", "b"), [1, 0, 1, 0, 0, 0]),
        (np.array([True, False, True, True, True, True]), (False, True), [1, 0, 1, 1, 1, 1]),
        ([True, None, False, True, True, True], (False, True), [1, -1, 0, 1, 1, 1]),
    ],
)
def test_labels_of_any_kind_get_codes(y: object, classes: tuple[object, ...], codes: list[int]) -> None:
    stream = from_arrays(X, y)  # type: ignore[arg-type]
    assert stream.schema.classes == classes
    assert next(stream.chunks()).y.tolist() == codes


def test_measurements_are_regression() -> None:
    chunk = next(from_arrays(X, [0.5, 1, None, 2, 3, 4]).chunks())
    np.testing.assert_array_equal(chunk.y, [0.5, 1, np.nan, 2, 3, 4])
    assert from_arrays(X, [1, 2, 3, 4, 5, 6], task="regression").schema.classes is None
    assert from_arrays(np.zeros((101, 1)), np.arange(101)).schema.task == "regression"


def test_declared_classes_give_the_codes() -> None:
    chunk = next(from_arrays(X, ["b", "a"] * 3, classes=["b", "a", "c"]).chunks())
    assert chunk.y[:2].tolist() == [0, 1]
    with pytest.raises(DataError, match="arrays, record 1, column 'class': a label outside the classes: 'a'"):
        from_arrays(X, ["b", "a"] * 3, classes=["b"])


def test_nominal_features_are_given_by_index_or_name() -> None:
    codes = np.array([[0.0, 5.0], [2.0, 6.0], [np.nan, 7.0]])
    schema = from_arrays(codes, [0, 1, 0], nominal=[0]).schema
    assert schema.features[0].values == (0, 1, 2)
    schema = from_arrays(codes, [0, 1, 0], feature_names=["c", "d"], nominal={"c": ("r", "g", "b")}).schema
    assert schema.features[0].values == ("r", "g", "b")
    with pytest.raises(DataError, match=r"record 1, column 'x0': not the code of a nominal value: 2.0"):
        from_arrays(codes, [0, 1, 0], nominal={0: ("r", "g")})
    with pytest.raises(InputError, match="unknown feature 'dd'"):
        from_arrays(codes, [0, 1, 0], feature_names=["c", "d"], nominal=["dd"])


def test_time_weight_and_identifiers_travel_along() -> None:
    times = np.array(["2024-01-01", "2024-01-02"] * 1, dtype="datetime64[D]")
    chunk = next(from_arrays(X[:2], [0, 1], time=times, weight=[1, 2], id=["a", "b"]).chunks())
    assert chunk.time is not None
    assert np.diff(chunk.time).tolist() == [86400.0]
    assert chunk.weight is not None
    assert chunk.weight.tolist() == [1.0, 2.0]
    assert chunk.id is not None
    assert chunk.id.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"time": [2, 1]}, "record 1, column 'time': time runs backwards"),
        ({"weight": [1, -1]}, "record 1, column 'weight': not a weight"),
        ({"weight": [1, 1, 1]}, "one value for each of the 2 records"),
        ({"task": "guess"}, "The 'task' parameter of from_arrays must be one of auto"),
        ({"feature_names": ["a"]}, "2 names, one per column of X"),
        ({"nominal": [7]}, "columns from 0 to 1"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as error:
        from_arrays(X[:2], [0, 1], **options)  # type: ignore[arg-type]
    assert words in str(error.value)


def test_bad_arrays_are_named() -> None:
    with pytest.raises(DataError, match="record 1, column 'x0': an infinite value"):
        from_arrays([[1.0], [np.inf]], [0, 1])
    with pytest.raises(InputError, match="from_table"):
        from_arrays([["a"], ["b"]], [0, 1])
    with pytest.raises(ParameterError, match="a matrix"):
        from_arrays([1.0, 2.0], [0, 1])
    with pytest.raises(DataError, match="no labels"):
        from_arrays([[1.0]], [None])
    with pytest.raises(ParameterError, match="size"):
        from_arrays(X, [0, 1] * 3).chunks(size=0)
    with pytest.raises(ParameterError, match="start"):
        from_arrays(X, [0, 1] * 3).chunks(start=-1)


def test_missing_features_are_no_fault() -> None:
    stream = from_arrays([[np.nan], [1.0]], [0, 1])
    assert np.isnan(next(stream.chunks()).X[0, 0])


COLUMNS = {
    "temperature": [21.0, 12.5, None],
    "sky": ["grey", "blue", "grey"],
    "wet": [False, True, True],
}
WEATHER = pd.DataFrame(COLUMNS).astype({"sky": pd.CategoricalDtype(["grey", "blue", "red"])})
IN_POLARS = pl.DataFrame(COLUMNS, schema_overrides={"sky": pl.Enum(["grey", "blue", "red"])})


@pytest.mark.parametrize(
    "frame", [WEATHER, IN_POLARS, pa.Table.from_pandas(WEATHER)], ids=["pandas", "polars", "arrow"]
)
def test_a_data_frame_keeps_its_names_and_categories(frame: Any) -> None:
    stream = from_arrays(frame, ["no", "yes", "no"])
    assert stream.schema.features == (
        Feature("temperature"),
        Feature("sky", ("grey", "blue", "red")),
        Feature("wet", (False, True)),
    )
    np.testing.assert_array_equal(next(stream.chunks()).X, [[21.0, 0, 0], [12.5, 1, 1], [np.nan, 0, 1]])


def test_a_data_frame_of_numbers_keeps_its_names_and_its_order() -> None:
    matrix = np.arange(40_000.0).reshape(20_000, 2)
    for frame in (pd.DataFrame(matrix, columns=["b", "a"]), pl.DataFrame(matrix, schema=["b", "a"])):
        stream = from_arrays(frame, np.arange(20_000) % 2)
        assert [feature.name for feature in stream.schema.features] == ["b", "a"]
        np.testing.assert_array_equal(np.concatenate([chunk.X for chunk in stream.chunks()]), matrix)
    assert from_arrays(pd.DataFrame(matrix), np.arange(20_000) % 2).schema.features[0].name == "0"


def test_names_and_nominal_values_can_be_declared_for_a_data_frame() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0], "day": [0, 1]})
    stream = from_arrays(frame, ["a", "b"], nominal={"day": ["mon", "tue"]})
    assert stream.schema.features == (Feature("x"), Feature("day", ("mon", "tue")))
    stream = from_arrays(frame, ["a", "b"], feature_names=["first", "second"])
    assert stream.schema.features == (Feature("first"), Feature("second"))
    with pytest.raises(InputError, match=r"column 'sky' of the data frame is nominal already, .*grey, blue, red"):
        from_arrays(WEATHER, ["a", "b", "a"], nominal=["sky"])


def test_a_data_frame_with_two_columns_of_one_name_is_refused() -> None:
    with pytest.raises(InputError, match="a column name that occurs twice: 'x'"):
        from_arrays(pd.DataFrame([[1.0, 2.0]], columns=["x", "x"]), ["a"])
    with pytest.raises(InputError, match="X has two columns 'x'"):
        from_arrays(pa.table([pa.array([1.0]), pa.array([2.0])], ["x", "x"]), ["a"])


def test_a_data_frame_without_records_keeps_its_names() -> None:
    stream = from_arrays(pd.DataFrame({"x": np.empty(0)}), [], classes=["a"])
    assert stream.schema.features == (Feature("x"),)
    assert stream.n_records == 0


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(["b", "a", None], dtype=pd.CategoricalDtype(["c", "b", "a"])),
        pl.Series(["b", "a", None], dtype=pl.Enum(["c", "b", "a"])),
    ],
    ids=["pandas", "polars"],
)
def test_the_categories_of_labels_are_the_classes(y: Any) -> None:
    stream = from_arrays(np.eye(3), y)
    assert stream.schema.classes == ("c", "b", "a")
    assert next(stream.chunks()).y.tolist() == [1, 2, -1]
    assert from_arrays(np.eye(3), y, classes=["a", "b"]).schema.classes == ("a", "b")
