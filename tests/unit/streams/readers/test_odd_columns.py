"""Data that can be read, but probably not as they are meant, are refused or warned of: never a word too few."""

from __future__ import annotations

import datetime as dt
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import prequential as pq
from prequential.errors import DataError, InputError

N = 300
CLASSES = ["no", "yes"] * (N // 2)
TEXTS = [f"{i * 0.25:g}" for i in range(N)]


def written(path: Path, **columns: Sequence[object]) -> Path:
    """Write columns as CSV; an underscore is a column without a name."""
    names = [name.strip("_") for name in columns]
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["parquet", "pandas objects", "pandas strings", "arrow"])
@pytest.mark.parametrize(("n", "row"), [(N, 0), (N, N - 1), (60_000, 50_001)])
def test_a_text_in_a_text_column_of_numbers_is_refused(form: str, n: int, row: int, tmp_path: Path) -> None:
    cells = [f"{i * 0.25:g}" for i in range(n)]
    cells[row] = "oops"
    labels = ["no", "yes"] * (n // 2)
    table = pa.table({"x": cells, "class": labels})
    pa.parquet.write_table(table, tmp_path / "d.parquet", row_group_size=7000)
    frames: dict[str, Any] = {
        "parquet": tmp_path / "d.parquet",
        "pandas objects": pd.DataFrame({"x": pd.Series(cells, dtype=object), "class": labels}),
        "pandas strings": pd.DataFrame({"x": pd.Series(cells, dtype="string"), "class": labels}),
        "arrow": table,
    }
    message = (
        rf"record {row}, column 'x': not a number, in a text column that otherwise holds numbers: 'oops'.*nominal='x'"
    )
    with pytest.raises(DataError, match=message):
        pq.as_stream(frames[form], target="class").schema  # noqa: B018  # finds the fault


def test_a_text_column_of_numbers_can_be_declared(tmp_path: Path) -> None:
    table = pa.table({"x": [*TEXTS[:-1], "oops"], "class": CLASSES})
    assert pq.from_table(table, nominal="x").schema.features[0].nominal
    assert pq.from_table(table, ignore="x").schema.n_features == 0
    with pytest.raises(DataError, match=f"record {N - 1}, column 'x': not a number: 'oops'"):
        list(pq.from_table(table, numeric="x").chunks())
    categories = pa.table({"x": pa.array([*map(str, [1, 2, 3] * 99), "A", "B", "C"]), "class": CLASSES})
    with pytest.raises(DataError, match="column 'x': not a number"):
        pq.from_table(categories).schema  # noqa: B018  # finds the fault
    declared = categories.set_column(0, "x", categories["x"].combine_chunks().dictionary_encode())
    assert pq.from_table(declared).schema.features[0].nominal


def test_a_text_among_numeric_labels_of_a_table_is_refused() -> None:
    table = pa.table({"x": np.arange(N), "y": [*[str(i % 2) for i in range(N - 1)], "unknown"]})
    with pytest.raises(DataError, match=r"record 299, column 'y'.*'unknown'.*task='classification'"):
        pq.from_table(table).schema  # noqa: B018  # finds the fault
    assert pq.from_table(table, task="classification").schema.classes == ("0", "1", "unknown")


WARNED: dict[str, tuple[dict[str, Sequence[object]], str]] = {
    "a mark of missing values": (
        {"x": ["N/A" if i % 9 == 4 else i % 50 for i in range(N)]},
        r"column 'x': 50 distinct numbers and 'N/A' are read as categories.*missing=.*--missing-value",
    ),
    "a mark of missing labels": ({"class": ["None", *CLASSES[1:]]}, "'None' is read as a class.*missing='None'"),
    "capitals": ({"class": ["No", *CLASSES[1:]]}, "classes 'No' and 'no' are different only in case"),
    "long numbers": (
        {"x": [10**17 + i for i in range(N)]},
        r"column 'x': whole numbers such as 100000000000000000 have more digits.*ignore='x'",
    ),
    "days as numbers": ({"x": [20240101 + i % 28 for i in range(N)]}, r"column 'x': dates or times are.*time='x'"),
    "the index of a data frame": ({"_": range(N), "x": [1] * N}, "column '': a column without a name counts"),
    "the class in another column": (
        {"class": CLASSES, "x": [f"{i % 3}" for i in range(N)]},
        r"the target is the last column, 'x', but there is a column 'class'\. Use target='class'",
    ),
}


@pytest.mark.parametrize("what", WARNED)
def test_odd_columns_of_a_file_are_warned_of(what: str, tmp_path: Path) -> None:
    columns, message = WARNED[what]
    columns = {"z": [i % 7 for i in range(N)], **columns}
    if "class" not in columns:
        columns["class"] = CLASSES
    with pytest.warns(pq.DataWarning, match=message) as caught:
        pq.read(written(tmp_path / "d.csv", **columns)).schema  # noqa: B018  # finds the types
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_dates_of_a_table_are_warned_of_unless_they_are_declared(tmp_path: Path) -> None:
    days = [dt.datetime(2024, 5, 1) + dt.timedelta(hours=i) for i in range(N)]
    table = pa.table({"day": days, "class": CLASSES})
    pa.parquet.write_table(table, tmp_path / "d.parquet")
    for source in (tmp_path / "d.parquet", table, table.to_pandas()):
        with pytest.warns(pq.DataWarning, match=r"column 'day': dates or times are read as a numeric.*time='day'"):
            pq.as_stream(source, target="class").schema  # noqa: B018  # finds the types
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pq.from_table(table, "class", numeric="day").schema.n_features == 1
        assert pq.from_table(table, "class", time="day").schema.n_features == 0


def test_many_numbers_that_are_text_are_warned_of() -> None:
    with pytest.warns(pq.DataWarning, match=r"column 'x': 150 distinct numbers that are stored as text.*numeric='x'"):
        pq.from_table(pa.table({"x": [str(i % 150) for i in range(N)], "class": CLASSES})).schema  # noqa: B018


LABELS: dict[str, tuple[object, str]] = {
    "300 whole numbers": (np.arange(3000) % 300, "few distinct ones, all of them whole.*task='classification'"),
    "one value": (np.zeros(3000), "the target has one value, 0"),
    "as many as records": ([f"c{i}" for i in range(3000)], "the target has 3,000 classes in 3,000 records"),
    "spaces": (["a", "a "] * 1500, "classes 'a' and 'a ' are different only in case, spaces"),
}


@pytest.mark.parametrize("what", LABELS)
def test_odd_labels_in_arrays_are_warned_of(what: str) -> None:
    labels, message = LABELS[what]
    with pytest.warns(pq.DataWarning, match=message):
        pq.from_arrays(np.zeros((3000, 1)), labels)  # type: ignore[arg-type]  # labels


def test_masked_values_are_missing() -> None:
    X = np.ma.array([[1.0], [2.0], [3.0]], mask=[[True], [False], [False]])
    y = np.ma.array([7, 8, 8], mask=[False, False, True])
    (chunk,) = pq.from_arrays(X, y).chunks()
    np.testing.assert_array_equal(chunk.X[:, 0], [np.nan, 2.0, 3.0])
    assert chunk.y.tolist() == [0, 1, -1]


@pytest.mark.parametrize("X", [np.ones((2, 1)) + 1j, np.array([["2024-05-01"], ["2024-05-02"]], dtype="M8[s]")])
def test_complex_numbers_and_dates_are_no_features_of_a_matrix(X: Any) -> None:
    with pytest.raises(InputError, match="X must be a matrix of numbers"):
        pq.from_arrays(X, [0, 1])


@pytest.mark.parametrize("labels", [[True, 2, 0], [0, True, 1], [1, False, True]])
def test_truth_values_among_numeric_labels_are_refused(labels: list[Any]) -> None:
    with pytest.raises(DataError, match=r"labels of several types: .* bool"):
        pq.from_arrays([[1.0]] * 3, labels)


def test_nul_bytes_in_a_column_of_numbers_have_their_own_message(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", x=[*TEXTS[:-1], "1.5\0"], **{"class": CLASSES})
    with pytest.raises(DataError, match=re.escape(f"line {N + 1}, column 'x': a NUL byte: '1.5\\x00'")):
        pq.read(path).schema  # noqa: B018  # finds the fault


SHIFTED = Path(__file__).parent / "one_value_too_many.parquet"
"""Found by the fuzzer (seed 102, input 87,969): the first row group of column x has 11 values for 10 records."""


@pytest.mark.parametrize(("encoding", "named"), [("utf-16", "utf16"), ("latin1", "latin1")])
def test_a_header_in_another_encoding_is_refused_with_the_way_to_convert_it(
    encoding: str, named: str, tmp_path: Path
) -> None:
    (tmp_path / "d.csv").write_text("größe,class\n1,a\n2,b\n", encoding=encoding)
    with pytest.raises(DataError, match=f"line 1: a column name that is not UTF-8.*iconv -f {named} -t utf8"):
        pq.read(tmp_path / "d.csv").schema  # noqa: B018  # finds the fault


def test_commas_that_may_separate_thousands_are_not_called_decimal_marks_alone(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("x;class\n" + "".join(f"{i:,};{'ab'[i % 2]}\n" for i in range(1000, 1300)))
    with pytest.raises(DataError, match=r"'1,000'.*decimal=','.*if they separate thousands, remove them"):
        pq.read(path).schema  # noqa: B018  # finds the fault


def test_rows_of_different_indices_are_warned_of() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    y = pd.Series(["a", "b", "a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pq.from_arrays(X, y)
        pq.from_arrays(X, y.iloc[::-1].to_numpy())
        pq.score(y, y.copy(), metrics="accuracy", progress=False)
    with pytest.warns(pq.DataWarning, match="X and y have different indices.*by position"):
        pq.from_arrays(X, y.iloc[[1, 0, 2]])
    with pytest.warns(pq.DataWarning, match="labels and predictions have different indices") as caught:
        pq.score(y, {"a": y, "b": y.iloc[[1, 0, 2]]}, metrics="accuracy", progress=False)
    assert len(caught) == 1


def test_two_names_that_are_one_text_are_refused() -> None:
    with pytest.raises(
        pq.ParameterError, match="'learners' parameter of evaluate must be learners with different names"
    ):
        pq.evaluate(pq.streams.SEA().take(50), {1: "no_change", "1": "naive_bayes"})  # type: ignore[arg-type]  # not text


def test_a_value_too_many_in_a_row_group_does_not_shift_the_column() -> None:
    rows = pa.parquet.read_table(SHIFTED).to_pylist()
    found = np.concatenate([chunk.X[:, 0] for chunk in pq.read(SHIFTED, ignore="day").chunks()])
    np.testing.assert_array_equal(found, [np.nan if row["x"] is None else row["x"] for row in rows])
