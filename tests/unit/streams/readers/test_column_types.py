"""A column of numbers never becomes nominal without a word."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
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


@pytest.mark.filterwarnings("ignore:.*are read as categories")
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
    stream = read(path, decimal=",", time="x0", task="regression", header=False)
    seen: list[pq.Chunk] = []
    with pytest.raises(DataError, match=r"line 3, column 'x1': not a number: '1\.5'"):
        seen.extend(stream.chunks())
    (chunk,) = seen
    assert chunk.time is not None
    np.testing.assert_array_equal([chunk.time, chunk.X[:, 0], chunk.y], [[0.5, 1.5], [1.5, 2.5], [2.25, 3.75]])


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


WARNINGS = {
    "ids": ([f"u{i}" for i in range(200)], None, r"column 'x': 200 distinct values in 200 records.*ignore='x' \(--ig"),
    "dates": (
        [f"2024-05-{i % 28 + 1:02}" for i in range(200)],
        None,
        r"column 'x': dates such as 2024-05-01.*time='x'",
    ),
    "constant": (None, ["a"] * 200, r"column 'class': the target has one value, 'a'"),
    "unique": (None, [f"c{i}" for i in range(200)], r"the target has 200 classes in 200 records.*task='regression'"),
    "whole": (None, [str(i % 150) for i in range(200)], r"0, 1, 2, 3, 4, … \(150 in all\).*task='classification'"),
}


@pytest.mark.parametrize("kind", WARNINGS)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_data_that_are_probably_not_meant_so_are_warned_of(tmp_path: Path, kind: str, suffix: str) -> None:
    x, labels, message = WARNINGS[kind]
    frame = {"x": x or ["a", "b"] * 100, "class": labels or ["no", "yes"] * 100}
    path = tmp_path / f"d.{suffix}"
    if suffix == "csv":
        path.write_text("\n".join(["x,class", *map(",".join, zip(*frame.values(), strict=True))]))
    else:
        numbers = {name: [int(v) for v in cells] if cells[0].isdigit() else cells for name, cells in frame.items()}
        pa.parquet.write_table(pa.table(numbers), path)
    with pytest.warns(pq.DataWarning, match=message) as caught:
        read(path).schema  # noqa: B018  # finds the types
    assert caught[0].filename == __file__
    assert len(caught) == 1


def test_what_was_chosen_is_not_warned_of(tmp_path: Path) -> None:
    path = table(tmp_path / "d.csv", x={i: f"u{i}" for i in range(300)})
    assert read(path, nominal="x").schema.features[0].nominal
    assert read(path, ignore="x").schema.n_features == 1
    path = table(tmp_path / "e.csv", class_={i: str(i % 150) for i in range(300)})
    assert read(path, task="regression").schema.classes is None
    assert read(path, task="classification").schema.n_classes == 150


def test_decimals_are_the_nearest_floats(tmp_path: Path) -> None:
    cents = [Decimal(i) / 100 for i in range(1000)]
    pyarrow.parquet.write_table(pa.table({"x": cents, "class": ["a", "b"] * 500}), tmp_path / "d.parquet")
    (chunk,) = read(tmp_path / "d.parquet").chunks(1000)
    assert chunk.X[:, 0].tolist() == [float(one) for one in cents]


def test_a_file_with_one_column_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a:b\n1:2\n3:4\n")
    with pytest.warns(pq.DataWarning, match=r"column 'a:b': the file has only this column.*separator= \(--separator\)"):
        read(path).schema  # noqa: B018  # finds the columns


@pytest.mark.filterwarnings("default::prequential.DataWarning")
def test_commands_read_decimal_commas_and_print_warnings_as_remarks(tmp_path: Path) -> None:
    path = commas(tmp_path / "d.csv")
    words = ["run", str(path), "-l", "no_change", "-o", str(tmp_path / "run"), "--no-report"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2
    assert "--decimal ," in refused.stderr
    done = CliRunner().invoke(app, [*words, "--decimal", ","])
    assert done.exit_code == 0, done.stderr
    assert pq.load(tmp_path / "run").manifest.stream["options"]["decimal"] == ","
    ids = table(tmp_path / "ids.csv", x={i: f"u{i}" for i in range(300)})
    warned = CliRunner().invoke(app, ["run", str(ids), "-l", "no_change", "-o", str(tmp_path / "r2"), "--no-report"])
    assert "300 distinct values in 300 records" in warned.stderr.replace("\n", " ")
    assert "DataWarning" not in warned.stderr


@pytest.mark.parametrize("pretrain", [300, 5000])
def test_pretraining_on_the_whole_stream_is_refused_or_warned_of(tmp_path: Path, pretrain: int) -> None:
    protocol = pq.Prequential(pretrain=pretrain)
    with pytest.raises(pq.ParameterError, match="must be less than the 300 records of SEA"):
        pq.evaluate(pq.streams.SEA(seed=1).take(300), "no_change", protocol=protocol)
    path = table(tmp_path / "d.csv")  # its length is known only at its end
    with pytest.warns(pq.DataWarning, match=r"No record was tested: pretrain=.* \(--pretrain\) records only train"):
        pq.evaluate(path, "no_change", protocol=protocol, progress=False)


@pytest.mark.parametrize(
    ("times", "labels"),
    [
        (["2026-05-01 10:00:00", "2026-05-01 10:00:05"], ["1777629610000", "1777629620000"]),
        (["1777629600", "1777629605"], ["1777629610000", "1777629620000"]),
        (["1777629600000", "1777629605000"], ["2026-05-01 10:00:00", "2026-05-01 10:00:05"]),
        (["0", "5"], ["2026-05-01 10:00:00", "2026-05-01 10:00:05"]),
        (["2026-05-01 10:00:00", "2026-05-01 10:00:05"], ["7", "9"]),
    ],
)
def test_logs_with_times_on_two_scales_are_refused(times: list[str], labels: list[str]) -> None:
    predictions = pa.table({"id": ["a", "b"], "time": times, "prediction": ["x", "y"]})
    truth = pa.table({"id": ["a", "b"], "time": labels, "label": ["x", "y"]})
    with pytest.raises(DataError, match=r"column 'time': a time on another scale: .*times in one unit in both logs"):
        pq.score_delayed(predictions, truth, progress=False)


def test_learners_of_one_name_are_refused() -> None:
    learners = [{"type": "no_change", "name": "a"}, {"type": "majority_class", "name": "a"}]
    plan = pq.Plan({"stream": {"type": "SEA", "n": 50}, "learner": learners})
    with pytest.raises(pq.PlanError, match="another learner is named 'a' already"):
        plan.check()
