"""Tables in memory."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from prequential.errors import InputError
from prequential.streams.readers import from_table
from prequential.streams.schema import Feature, Schema

COLUMNS = {"x": [1.0, None, 3.0], "sky": ["grey", "blue", None], "n": [1, 2, 3], "rain": [True, False, None]}


class OnlyArrow:
    """A table of an unknown library."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "data",
    [pa.table(COLUMNS), pa.record_batch(COLUMNS), pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), OnlyArrow()],
    ids=["arrow", "batch", "pandas", "polars", "unknown"],
)
def test_tables_of_every_library_are_read_alike(data: Any) -> None:
    stream = from_table(data, "rain")
    assert stream.schema == Schema(
        (Feature("x"), Feature("sky", ("blue", "grey")), Feature("n")), (False, True), "rain"
    )
    chunk = next(stream.chunks())
    np.testing.assert_array_equal(chunk.X, [[1, 1, 1], [np.nan, 0, 2], [3, np.nan, 3]])
    assert chunk.y.tolist() == [1, 0, -1]
    assert stream.n_records == 3


def test_categories_keep_their_order() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"]), "y": ["u", "v"]})
    assert from_table(frame, "y").schema.features[0].values == ("lo", "mid", "hi")
    enum = pl.DataFrame({"c": ["lo", "hi"], "y": ["u", "v"]}, schema_overrides={"c": pl.Enum(["lo", "mid", "hi"])})
    assert from_table(enum, "y").schema.features[0].values == ("lo", "mid", "hi")
    category = pl.DataFrame({"c": ["lo", "hi"], "y": ["u", "v"]}, schema_overrides={"c": pl.Categorical})
    values = from_table(category, "y").schema.features[0].values
    assert values is not None
    assert {"lo", "hi"} <= set(values)


def test_parts_and_starts_are_honoured() -> None:
    frame = pd.DataFrame({"t": pd.date_range("2024-01-01", periods=5, freq="min"), "x": range(5), "y": [0, 1, 0, 1, 0]})
    stream = from_table(frame, "y", time="t")
    chunks = list(stream.chunks(size=2, start=1))
    assert [chunk.start for chunk in chunks] == [1, 3]
    assert chunks[0].X.tolist() == [[1], [2]]
    assert chunks[1].time is not None
    assert np.diff(chunks[1].time).tolist() == [60.0]


def test_a_declared_schema_is_taken() -> None:
    schema = Schema((Feature("x"),), (True, False), "rain")
    assert next(from_table(pa.table(COLUMNS), schema=schema).chunks()).y.tolist() == [0, 1, -1]


def test_other_objects_are_refused() -> None:
    with pytest.raises(InputError, match=r"cannot read a dict. Accepted: a pandas or Polars data frame"):
        from_table({"x": [1]}, "x")  # type: ignore[arg-type]
