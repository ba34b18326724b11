"""A column of numbers never becomes nominal without a word."""

from pathlib import Path

import numpy as np
import pytest

import prequential as pq
from prequential.errors import DataError, InputError
from prequential.streams.readers import CsvStream, read
from prequential.streams.readers import csv as csv_reader


def table(path: Path, n: int = 300, **changes: dict[int, str]) -> Path:
    """Write n rows with a number, a word and a class; ``changes`` replace cells, by column and row."""
    columns = {
        "x": [f"{i * 0.25:g}" for i in range(n)],
        "word": ["abc"[i % 3] for i in range(n)],
        "class": ["no", "yes"] * (n // 2),
    }
    for name, cells in changes.items():
        for row, cell in cells.items():
            columns[name.rstrip("_")][row] = cell
    rows = [",".join(cells) for cells in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(columns), *rows]) + "\n")
    return path


@pytest.mark.parametrize(("n", "row"), [(300, 0), (300, 299), (120_000, 50_001), (120_000, 119_999)])
def test_a_text_in_a_column_of_numbers_is_refused_with_its_place(tmp_path: Path, n: int, row: int) -> None:
    stream = CsvStream(table(tmp_path / "d.csv", n, x={row: "oops"}))
    with pytest.raises(
        DataError,
        match=rf"d\.csv, line {row + 2}, column 'x': not a number, in a column that is numeric: 'oops'\. "
        r"Accepted: a number; or missing='oops' \(--missing-value oops\) .*nominal='x' \(--nominal x\)",
    ):
        stream.schema  # noqa: B018  # finds the fault


def test_the_options_that_the_message_names_accept_the_file(tmp_path: Path) -> None:
    path = table(tmp_path / "d.csv", x={77: "oops"})
    assert read(path, nominal="x").schema.features[0].nominal
    stream = read(path, missing=["", "oops"])
    assert not stream.schema.features[0].nominal
    assert np.flatnonzero(np.isnan(next(stream.chunks()).X[:, 0])).tolist() == [77]


def test_a_column_with_more_than_a_hundredth_of_texts_is_nominal(tmp_path: Path) -> None:
    path = table(tmp_path / "d.csv", x={i: "s" if i % 50 == 0 else str(i % 5) for i in range(300)})
    assert CsvStream(path).schema.features[0].values == ("0", "1", "2", "3", "4", "s")


def test_the_first_thousand_values_decide_and_not_the_blocks_of_the_reader(tmp_path: Path) -> None:
    late = dict.fromkeys(range(1000, 3000), "late")
    with pytest.raises(DataError, match="line 1002, column 'x': not a number"):
        CsvStream(table(tmp_path / "d.csv", 3000, x=late)).schema  # noqa: B018  # finds the fault


def test_small_blocks_do_not_change_what_a_column_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path / "d.csv", 600, x=dict.fromkeys(range(400, 600), "late"))
    whole = CsvStream(path).schema
    monkeypatch.setattr(csv_reader, "BLOCK_BYTES", 256)
    assert CsvStream(path).schema == whole
    assert len(whole.features[0].values or ()) == 401


def test_a_text_among_numeric_labels_is_refused(tmp_path: Path) -> None:
    labels = {i: str(i % 3) for i in range(300)} | {250: "oops"}
    path = table(tmp_path / "d.csv", class_=labels)
    with pytest.raises(DataError, match=r"line 252, column 'class': .*task='classification' \(--task"):
        CsvStream(path).schema  # noqa: B018  # finds the fault
    assert CsvStream(path, task="classification").schema.classes == ("0", "1", "2", "oops")


def commas(path: Path) -> Path:
    rows = [f"{i},{i % 10};{i % 4};{'ab'[i % 2]}" for i in range(200)]
    path.write_text("\n".join(["x;k;class", *rows]) + "\n")
    return path


def test_decimal_commas_are_refused_or_read(tmp_path: Path) -> None:
    path = commas(tmp_path / "d.csv")
    with pytest.raises(DataError, match=r"numeric with decimal commas: '0,0'.*decimal=',' \(--decimal ,\)"):
        read(path).schema  # noqa: B018  # finds the fault
    stream = read(path, decimal=",")
    assert [f.nominal for f in stream.schema.features] == [False, False]
    X = next(stream.chunks()).X
    np.testing.assert_allclose(X[:, 0], [i + i % 10 / 10 for i in range(200)])
    assert stream.describe()["options"]["decimal"] == ","  # type: ignore[index]  # a dictionary


def test_decimal_commas_are_read_up_to_a_fault_in_times_and_in_the_target(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("0,5;1,5;2,25\n1,5;2,5;3,75\n2,5;1.5;4\n")
    stream = read(path, decimal=",", time="x0", task="regression", header=False, schema=None)
    chunks = stream.chunks()
    with pytest.raises(DataError, match=r"line 3, column 'x1': not a number: '1\.5'"):
        [
            np.testing.assert_array_equal([c.time, c.X[:, 0], c.y], [[0.5, 1.5], [1.5, 2.5], [2.25, 3.75]])
            for c in chunks
        ]


def test_another_decimal_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'decimal' parameter"):
        read(commas(tmp_path / "d.csv"), decimal="'")
    with pytest.raises(InputError, match="decimal= does not fit ARFF files"):
        read(tmp_path / "d.arff", decimal=",")


def test_nul_bytes_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(table(tmp_path / "sound.csv", word={40: "a\0b"}).read_bytes())
    with pytest.raises(DataError, match=r"line 42, column 'word': a NUL byte: 'a\\x00b'"):
        CsvStream(path).schema  # noqa: B018  # finds the fault
    path.write_bytes("x,y\n1,a\n2,b\n".encode("utf-16-le"))
    with pytest.raises(DataError, match="a column name with a NUL byte"):
        pq.read(path).schema  # noqa: B018  # finds the fault
