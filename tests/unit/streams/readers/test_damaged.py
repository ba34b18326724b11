"""Damaged files and odd tables end in one error of our tree, which names the place and what is accepted."""

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.as_stream import as_stream
from prequential.streams.declaration import Declaration
from prequential.streams.readers import ArffStream, ParquetStream, from_table, read

N_ROWS, GROUP_ROWS = 400, 100


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    table = pa.table(
        {
            "x": np.arange(N_ROWS) * 0.1,
            "word": [f"word {i % 7}" for i in range(N_ROWS)],
            "class": ["no", "yes"] * (N_ROWS // 2),
        }
    )
    path = tmp_path / "data.parquet"
    pq.write_table(table, path, row_group_size=GROUP_ROWS, compression="none", use_dictionary=False)
    return path


def overwrite(path: Path, at: int, content: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(data)


def column_start(path: Path, group: int, column: int) -> int:
    return int(pq.read_metadata(path).row_group(group).column(column).data_page_offset)


def test_a_damaged_row_group_is_named_and_the_records_before_it_are_read(sound: Path) -> None:
    overwrite(sound, column_start(sound, 2, 0), b"\xff" * 12)
    stream = ParquetStream(sound, ignore="word")
    seen: list[np.ndarray] = []
    with pytest.raises(DataError, match=r"row group 2: damaged \(.*Accepted: an intact Parquet file") as caught:
        seen.extend(chunk.X[:, 0] for chunk in stream.chunks(64))
    np.testing.assert_allclose(np.concatenate(seen), np.arange(2 * GROUP_ROWS) * 0.1)
    assert caught.value.row == 2


def test_text_that_is_not_utf_8_is_refused(sound: Path) -> None:
    at = sound.read_bytes().index(b"word 3")
    overwrite(sound, at, b"\xff\xfe")
    with pytest.raises(DataError, match=r"row group 0: damaged \(.*UTF8"):
        ParquetStream(sound).schema  # noqa: B018  # finds the fault


@pytest.mark.parametrize("keep", [3, 8, 200, -1, -40, -300])
def test_a_file_that_is_cut_is_refused(sound: Path, keep: int) -> None:
    sound.write_bytes(sound.read_bytes()[:keep])
    with pytest.raises(DataError, match=r"data\.parquet: not a Parquet file \(.*Accepted: an intact Parquet file"):
        ParquetStream(sound)


def test_two_columns_of_one_name_in_a_file_or_table_are_refused(tmp_path: Path) -> None:
    table = pa.table([[1.0, 2.0], [3.0, 4.0], ["a", "b"]], names=["x", "x", "class"])
    pq.write_table(table, tmp_path / "d.parquet")
    problem = "a column name that occurs twice: 'x'"
    with pytest.raises(DataError, match=problem):
        ParquetStream(tmp_path / "d.parquet")
    with pytest.raises(DataError, match=problem):
        from_table(table)


@pytest.mark.parametrize("labels", [[dt.datetime(2024, 5, 1)], [dt.date(2024, 5, 1)], [dt.timedelta(1)], [dt.time(1)]])
def test_a_target_of_dates_is_refused(labels: list[object]) -> None:
    with pytest.raises(DataError, match=r"column 'y': a target of type .* time= \(--time\)"):
        from_table(pa.table({"x": [1.0], "y": labels})).schema  # noqa: B018  # finds the fault
    with pytest.raises(ParameterError, match="time= is for the time of each record"):
        as_stream(([[1.0]], labels))


@pytest.mark.parametrize(
    ("values", "record", "value"), [([1, "a", 2.0], 1, "'a'"), (["a", None, 1], 2, "1"), ([None, 1.5, b"x"], 2, "b'x'")]
)
def test_a_column_of_several_types_is_refused_with_its_first_other_value(
    values: list[object], record: int, value: str
) -> None:
    frame = pd.DataFrame({"x": pd.Series(values, dtype=object), "y": [0, 1, 0]})
    with pytest.raises(DataError, match=f"record {record}, column 'x': values of several types: .*: {value}"):
        from_table(frame)


@pytest.mark.parametrize("labels", [["a", 1, 2.5], [{}, {}]])
def test_labels_without_an_order_are_refused(labels: list[object]) -> None:
    with pytest.raises(InputError, match=r"labels of several types|numbers, text or booleans"):
        as_stream((np.zeros((len(labels), 1)), labels))


def test_dates_that_python_does_not_have_are_refused() -> None:
    far = pa.array([2**40], pa.int64()).cast(pa.timestamp("s"))  # the year 36812
    table = pa.table({"x": [1.0], "day": far, "y": [0]})
    with pytest.raises(DataError, match=r"column 'day': values that cannot be read .*ignore='day'"):
        from_table(table, nominal="day").schema  # noqa: B018  # finds the fault


DECLARED = {
    "format": 1,
    "target": "class",
    "task": "classification",
    "attributes": [{"name": "x", "type": "numeric"}, {"name": "class", "type": "nominal", "values": ["a", "b"]}],
}


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(target=7),
        lambda d: d.update(task="regression"),
        lambda d: d.update(n_records="many"),
        lambda d: d.update(id_type="no such type"),
        lambda d: d.update(drifts=[{"at": "soon"}]),
        lambda d: d["attributes"][1].update(values=[["a"]]),
        lambda d: d["attributes"][0].update(name=3),
        lambda d: d.update(attributes=None),
    ],
)
def test_a_damaged_declaration_is_refused(change: Callable[[dict[str, object]], None]) -> None:
    assert Declaration.from_json(json.dumps(DECLARED), "sound").target == "class"
    damaged = json.loads(json.dumps(DECLARED))
    change(damaged)
    with pytest.raises(DataError, match="not the declaration of a stream"):
        Declaration.from_json(json.dumps(damaged), "damaged")


def test_a_date_format_with_a_field_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.arff"
    path.write_text("@attribute d date 'yyyy-MM-ddyyyy'\n@attribute y {p,q}\n@data\n2024-05-012024,p\n")
    with pytest.raises(DataError, match=r"line 1: not an attribute .the field 'yyyy' occurs twice"):
        ArffStream(path).schema  # noqa: B018  # reads the header


def test_a_path_that_is_too_long_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"a path that can be opened \(File name too long\)"):
        read("9" * 400 + ".csv")
