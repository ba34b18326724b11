"""Records of any kind become rows of numbers; nothing is guessed in silence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from prequential.errors import DataError, InputError
from prequential.learners.record_coder import RecordCoder
from prequential.streams import Feature, Schema

EMPTY = Schema((), (), open=True)


def coder_of(*records: dict[Any, Any]) -> RecordCoder:
    """Return a coder that has learned some records."""
    coder = RecordCoder(EMPTY, "KNN")
    for record in records:
        coder.row(record, learn=True)
    return coder


def test_the_first_value_decides_the_kind() -> None:
    coder = coder_of({"a": 1, "b": 0.5, "c": "x", "d": True, "e": np.float32(2), "f": np.bool_(False), "g": np.int8(1)})
    assert coder.schema.values == {
        "a": None,
        "b": None,
        "c": ("x",),
        "d": (False, True),
        "e": None,
        "f": (False, True),
        "g": None,
        "class": (),
    }


def test_missing_values_do_not_decide_the_kind() -> None:
    pd = pytest.importorskip("pandas")
    coder = coder_of({"a": None, "b": math.nan, "c": pd.NA, "d": 1.0})
    assert [feature.name for feature in coder.schema.features] == ["d"]
    coder.row({"a": "x", "b": "y", "c": 3}, learn=True)
    assert coder.schema.features == (
        Feature("d"),
        Feature("a", ("x",)),
        Feature("b", ("y",)),
        Feature("c"),
    )
    assert coder.row({"a": None, "b": math.nan, "c": None, "d": None}) == [None] * 4
    assert coder.row({"a": pd.NA}) == [None] * 4


def test_the_order_of_a_dict_does_not_matter() -> None:
    assert coder_of({"b": 1, "a": 2}).schema == coder_of({"a": 2, "b": 1}).schema
    kept = RecordCoder(EMPTY, "KNN", sort=False)
    kept.row({"b": 1, "a": 2}, learn=True)
    assert [feature.name for feature in kept.schema.features] == ["b", "a"]


def test_names_need_not_be_text() -> None:
    coder = coder_of({0: 1.5, ("t", 1): "x"})
    assert [feature.name for feature in coder.schema.features] == ["('t', 1)", "0"]
    assert coder.row({("t", 1): "x", 0: 7}) == [0, 7]


def test_what_is_predicted_adds_nothing() -> None:
    coder = coder_of({"x": 1.0, "c": "red"})
    before = coder.schema
    assert coder.row({"x": 2.0, "c": "blue", "new": 5}) == [1, 2.0]
    assert coder.row({"c": "green"}) == [1, None], "the first free code, as for blue"
    assert not coder.grown
    assert coder.schema is before
    assert coder.row({"c": "green", "new": 5}, learn=True) == [1, None, 5]
    assert coder.grown


def test_a_known_schema_is_continued() -> None:
    coder = RecordCoder(Schema((Feature("x"), Feature("c", (3, 5))), ("no",)), "KNN")
    assert coder.row({"c": 5, "x": 0}) == [0, 1]
    assert coder.row({"c": 7}, learn=True) == [None, 2]
    assert (coder.class_code("no"), coder.class_code("yes")) == (0, 1)
    assert coder.schema.values == {"x": None, "c": (3, 5, 7), "class": ("no", "yes")}


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        ({"x": 1.0}, {"x": "a"}, r"KNN, column 'x': not a number: 'a'. Accepted: a number, as the first value was"),
        ({"x": 1.0}, {"x": [1]}, r"KNN, column 'x': not a number: \[1\]"),
        ({"x": 1.0}, {"x": -math.inf}, r"KNN, column 'x': an infinite value: -inf. Accepted: a finite number"),
        ({"x": "a"}, {"x": [1]}, r"KNN, column 'x': not a nominal value: \[1\]"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(first: dict[str, Any], then: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        coder_of(first).check(then)


@pytest.mark.parametrize("learn", [False, True])
def test_a_number_in_a_nominal_feature_is_refused(learn: bool) -> None:
    """A question mark for a missing first value would otherwise turn all numbers into nominal values."""
    coder = coder_of({"x": "?"})
    with pytest.raises(DataError, match=r"not a nominal value: 3.5. Accepted: text .* the first value was '\?'"):
        coder.row({"x": 3.5}, learn=learn)


def test_a_first_value_of_another_type_is_refused_and_adds_nothing() -> None:
    coder = coder_of({"x": 1})
    with pytest.raises(DataError, match="column 'z': neither a number nor nominal"):
        coder.row({"x": 1, "z": {"nested": 1}}, learn=True)
    assert [feature.name for feature in coder.schema.features] == ["x"]


def test_good_values_pass_the_check() -> None:
    coder_of({"x": 1.0, "c": "a"}).check({"x": True, "c": "b", "other": [1]})
    coder_of({"x": 1.0, "c": "a"}).check({"x": None, "c": None})


@pytest.mark.parametrize("label", [None, math.nan])
def test_a_missing_label_is_not_a_class(label: Any) -> None:
    coder = coder_of({"x": 1})
    with pytest.raises(InputError, match="KNN cannot learn a record with the label"):
        coder.class_code(label)
    assert coder.labels == []


def test_labels_of_numpy_are_plain() -> None:
    coder = coder_of({"x": 1})
    codes = coder.class_codes(np.array(["a", "b", "a"]))
    assert codes.tolist() == [0, 1, 0]
    assert [type(label) for label in coder.labels] == [str, str]


# --- data frames ----------------------------------------------------------------------------------------


def test_a_data_frame_gives_the_same_codes_as_its_rows() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": [1, 2, 3], "c": ["a", None, "b"], "f": [True, False, True]}, index=[7, 8, 9])
    by_frame, by_row = RecordCoder(EMPTY, "KNN"), RecordCoder(EMPTY, "KNN")
    rows = [by_row.row(record, learn=True) for record in frame.to_dict(orient="records")]
    X = by_frame.matrix(frame, learn=True)
    np.testing.assert_array_equal(X, np.array(rows, dtype=np.float64))
    assert by_frame.schema == by_row.schema


def test_a_category_is_nominal_with_its_own_order() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"c": pd.Categorical([5, 3], categories=[3, 5, 9])})
    coder = RecordCoder(EMPTY, "KNN")
    assert coder.matrix(frame, learn=True).tolist() == [[1.0], [0.0]]
    assert coder.schema.features == (Feature("c", (3, 5, 9)),)
    assert coder.row({"c": 9}) == [2]


def test_columns_without_values_wait_for_one() -> None:
    pd = pytest.importorskip("pandas")
    coder = RecordCoder(EMPTY, "KNN")
    assert coder.matrix(pd.DataFrame({"x": [1.0], "c": [None]}), learn=True).shape == (1, 1)
    assert coder.matrix(pd.DataFrame({"x": [1.0], "c": ["a"]}), learn=True).tolist() == [[1.0, 0.0]]
    assert np.isnan(coder.matrix(pd.DataFrame({"c": [None, "z"]}))).tolist() == [[True, True], [True, False]]


def test_a_polars_data_frame_is_read_too() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": [1.5, None], "c": ["a", "b"]})
    X = RecordCoder(EMPTY, "KNN").matrix(frame, learn=True)
    np.testing.assert_array_equal(X, [[0, 1.5], [1, np.nan]])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1], [2]], "column 'x': a column of type list"),
        (["1", "2"], "column 'x': a column of type"),
        ([1, "b"], "column 'x': values of several types"),
    ],
)
def test_a_column_that_cannot_be_used_is_named(values: list[Any], message: str) -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(InputError, match=message):
        coder_of({"x": 1.0}).matrix(pd.DataFrame({"x": values}))


def test_a_new_column_of_another_type_is_refused_and_adds_nothing() -> None:
    pd = pytest.importorskip("pandas")
    coder = coder_of({"x": 1.0})
    with pytest.raises(DataError, match=r"column 'z': a column of type list.* Accepted: numbers, text, booleans"):
        coder.matrix(pd.DataFrame({"a": [1.0], "x": [1.0], "z": [[1]]}), learn=True)
    assert [feature.name for feature in coder.schema.features] == ["x"]


def test_a_matrix_is_not_a_data_frame() -> None:
    with pytest.raises(InputError, match="KNN cannot read a ndarray as a data frame"):
        coder_of({"x": 1.0}).matrix(np.zeros((2, 1)))
