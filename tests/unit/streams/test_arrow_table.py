"""Streams as tables: ``to_arrow``, ``to_pandas`` and ``head``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import prequential as pq


def mixed(**more: Any) -> pq.Stream:
    """Return three records with a missing value of each kind."""
    return pq.from_arrays(
        [[1.5, 0], [np.nan, 2], [3.0, np.nan]],
        ["up", None, "down"],
        feature_names=["x", "day"],
        nominal={"day": ["mon", "tue", "wed"]},
        classes=["up", "level", "down"],
        **more,
    )


def test_a_table_has_all_values_of_nominal_columns_in_the_order_of_their_codes() -> None:
    table = mixed().to_arrow()
    assert table.column_names == ["x", "day", "class"]
    assert table.to_pydict() == {"x": [1.5, None, 3.0], "day": ["mon", "wed", None], "class": ["up", None, "down"]}
    assert table["day"].chunk(0).dictionary.to_pylist() == ["mon", "tue", "wed"]
    assert table["class"].chunk(0).dictionary.to_pylist() == ["up", "level", "down"]


STREAMS: dict[str, pq.Stream] = {
    "missing values": mixed(),
    "nominal": pq.streams.Agrawal(seed=1).take(9000),
    "classes that are numbers": pq.streams.LED(seed=1).take(100),
    "regression": pq.from_arrays(np.eye(3), [0.5, np.nan, 1.5]),
    "truth values": pq.from_arrays(np.eye(2), [True, False]),
}


@pytest.mark.parametrize("what", STREAMS)
def test_a_table_reads_back_as_the_same_stream(what: str) -> None:
    stream = STREAMS[what]
    for table in (stream.to_arrow(), stream.to_pandas()):
        again = pq.from_table(table, "class")
        assert again.schema == stream.schema
        assert again.n_records == stream.n_records
        for one, other in zip(stream.chunks(), again.chunks(), strict=True):
            np.testing.assert_array_equal(one.X, other.X)
            np.testing.assert_array_equal(one.y, other.y)


def test_a_stream_without_records_has_columns() -> None:
    table = pq.streams.STAGGER().take(0).to_arrow()
    assert table.num_rows == 0
    assert table.schema == pq.streams.STAGGER().take(1).to_arrow().schema


def test_times_weights_and_identifiers_are_columns_before_the_target() -> None:
    stream = mixed(time=[1.0, 2.0, 5.0], weight=[1.0, 0.5, 2.0], id=["a", "b", "c"])
    table = stream.to_arrow()
    assert table.column_names == ["x", "day", "time", "weight", "id", "class"]
    assert table["time"].to_pylist() == [1.0, 2.0, 5.0]
    again = pq.from_table(table, time="time", weight="weight", id="id")
    assert next(again.chunks()).id.tolist() == ["a", "b", "c"]  # type: ignore[union-attr]


def test_a_feature_may_be_called_time() -> None:
    stream = pq.from_arrays([[1.0], [2.0]], ["a", "b"], feature_names=["time"], time=[7.0, 8.0])
    assert stream.to_arrow().column_names == ["time", "time_", "class"]
    with pytest.raises(pq.InputError, match="The target 'x' is also a feature"):
        pq.from_arrays([[1.0]], ["a"], feature_names=["x"], target="x").to_arrow()


def test_values_of_an_open_schema_are_those_known_at_the_end() -> None:
    stream = pq.from_iterable([({"day": "tue"}, "b"), ({"day": "mon"}, "a"), ({}, "b")])
    table = stream.to_arrow()
    assert table["day"].chunk(0).dictionary.to_pylist() == ["tue", "mon"]
    assert table["class"].to_pylist() == ["b", "a", "b"]


def test_values_of_several_types_become_text() -> None:
    stream = pq.from_iterable([({"x": 1.0}, "b"), ({"x": 2.0}, 1)])
    assert stream.to_arrow()["class"].to_pylist() == ["b", "1"]


def test_a_data_frame_has_categories() -> None:
    frame = mixed().to_pandas()
    assert isinstance(frame["day"].dtype, pd.CategoricalDtype)
    assert frame["class"].cat.categories.tolist() == ["up", "level", "down"]
    assert frame["x"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("method", ["to_arrow", "to_pandas"])
def test_an_endless_stream_is_refused(method: str) -> None:
    with pytest.raises(pq.InputError, match=r"SEA never ends. Use a part of it, such as stream.take\(100_000\)"):
        getattr(pq.streams.SEA(), method)()


def test_head_prints_the_first_records() -> None:
    assert str(mixed().head(2)) == "  x  day  class\n1.5  mon  up\n  ?  wed  ?"
    assert mixed().head().to_dicts() == mixed().to_arrow().to_pylist()
    assert pq.streams.SEA().head(3).to_pandas().shape == (3, 4)
    assert isinstance(pq.streams.SEA().head(1e2).to_arrow(), pa.Table)
    with pytest.raises(pq.ParameterError, match="'n' parameter of head must be a whole number"):
        mixed().head(-1)


def test_head_of_a_wide_stream_fits_a_terminal_and_shows_the_target() -> None:
    text = str(pq.from_arrays(np.zeros((2, 500)), ["yes", "no"]).head())
    first, *rows, last = text.splitlines()
    assert max(map(len, (first, *rows))) <= 120
    assert first.endswith("…  class")
    assert last == f"… {500 - first.count('x')} more features"


def test_head_does_not_use_up_an_iterator() -> None:
    stream = pq.from_iterable(iter([({"x": 1.0}, "a")]))
    with pytest.raises(pq.InputError, match="can be read only once, and its first records would be lost"):
        stream.head()
    assert len(list(stream)) == 1
