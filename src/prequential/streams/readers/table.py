"""Streams from tables in memory: pandas, Polars, PyArrow."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
import pyarrow as pa

from prequential.arguments import checked_call
from prequential.errors import DataError, InputError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.inference import infer
from prequential.streams.readers.parquet_file import check_names
from prequential.streams.readers.table_stream import (
    TableStream,
    batch_rows,
    checked_events,
    checked_schema,
    schema_columns,
)
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import Label
from prequential.wording import one_line


class Frame(Protocol):
    """A data frame or table that offers its columns in Arrow's format, as those of pandas, Polars and PyArrow do."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the columns."""


@checked_call
def from_table(
    data: Frame,
    target: str | None = None,
    *,
    schema: Schema | None = None,
    task: str = "auto",
    classes: Sequence[Label] | None = None,
    time: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    ignore: str | Iterable[str] = (),
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    name: str = "table",
    events: bool = False,
) -> Stream:
    """Return a stream of the rows of a table in memory.

    Categories (of pandas or Polars) are nominal, with their own order of values; text and booleans are nominal with
    sorted values; numbers are numeric.

    Parameters
    ----------
    data
        A pandas or Polars data frame, a PyArrow table, or anything with ``__arrow_c_stream__``.
    target
        The label column; by default the last one without another role.
    schema
        Declared features and classes; nothing is inferred then.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target with at most 100 distinct whole numbers
        has classes.
    classes
        All classes in the order of their codes, also those that do not occur in the table; by default those that
        occur, sorted.
    time, weight, id
        Columns of times, weights and identifiers.
    ignore, nominal, numeric
        Columns to leave out, and features to treat as nominal or numeric.
    name
        The name of the stream.
    events
        Whether rows are events, for the protocol ``Delayed``: a row without a label is the arrival of a record, and
        a later row with the same id provides its label. Other protocols refuse such a stream.

    Examples
    --------
    >>> table = pa.table({"x": [1.0, 2.0], "sky": ["blue", "grey"], "rain": [False, True]})
    >>> from_table(table, "rain").schema.features[1]
    Feature(name='sky', values=('blue', 'grey'))
    """
    options = Columns(
        target=target,
        task=task,
        classes=classes,
        time=time,
        weight=weight,
        id=id,
        ignore=ignore,
        nominal=nominal,
        numeric=numeric,
    )
    stream = MemoryTableStream(as_arrow(data), options, schema, name)
    stream.events = checked_events(events, id)
    return stream


class MemoryTableStream(TableStream):
    """The rows of an Arrow table."""

    def __init__(self, table: pa.Table, options: Columns, schema: Schema | None, name: str) -> None:
        self.name = self.source = name
        check_names(table.column_names, name)
        self.n_records = int(table.num_rows)
        self._table, self._options, self._declared = table, options, checked_schema(schema, options)

    @property
    def column_names(self) -> list[str]:
        """All columns of the table, in order."""
        return list(self._table.column_names)

    def _find_schema(self) -> Schema:
        if self._declared is not None:
            return schema_columns(self._declared, self.columns, self._table.column_names, self.source)
        types = {field.name: field.type for field in self._table.schema}

        def read(names: list[str]) -> Iterable[pa.RecordBatch]:
            batches: Iterable[pa.RecordBatch] = self._table.select(names).to_batches()
            return batches

        return infer(self.columns, types, read, source=self.source)

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read columns unchanged, each batch with the index of its first row."""
        return self._from(0, list(names))

    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a column."""
        return self._table.schema.field(name).type

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        return self._from(start, self._read_names())

    def _from(self, start: int, names: list[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        at = start
        for batch in self._table.select(names).slice(start).to_batches(max_chunksize=batch_rows(len(names))):
            yield at, batch
            at += batch.num_rows

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "table",
            "size_bytes": int(self._table.nbytes),
            "options": self.columns.describe(),
        }


def is_table(data: object) -> TypeGuard[Frame]:
    """Return whether something is a data frame or an Arrow table, which ``from_table`` reads."""
    if type(data).__module__.partition(".")[0] == "pandas":
        return hasattr(data, "columns")  # a series has none
    if isinstance(data, type | pa.ChunkedArray) or hasattr(data, "dtype"):  # a class, or a single column
        return False
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "to_arrow")


def as_arrow(data: object) -> pa.Table:
    """Return a data frame as an Arrow table, without string views."""
    table = _converted(data) if is_table(data) else None
    if not isinstance(table, pa.Table):
        raise InputError(
            f"from_table cannot read a {type(data).__name__}. Accepted: a pandas or Polars data frame, a PyArrow "
            "table, or an object with __arrow_c_stream__; from_arrays reads NumPy arrays."
        )
    views = [str(field.type) == "string_view" for field in table.schema]
    if any(views):
        fields = [f.with_type(pa.large_string()) if v else f for f, v in zip(table.schema, views, strict=True)]
        table = table.cast(pa.schema(fields))
    return table


def _converted(data: Any) -> object:
    if isinstance(data, pa.Table):
        return data
    is_pandas = type(data).__module__.partition(".")[0] == "pandas"
    try:
        if is_pandas:
            return pa.Table.from_pandas(data, preserve_index=False)
        return data.to_arrow() if hasattr(data, "to_arrow") else pa.table(data)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if is_pandas:
            _explain(data)
        raise InputError(
            f"A column of the {type(data).__name__} cannot be converted to Arrow: {one_line(error)}."
        ) from error


def _explain(frame: Any) -> None:
    """Raise an error for the first fault of a pandas data frame: two columns of one name, or values of several types.

    Nothing is raised if neither is the fault.
    """
    source = type(frame).__name__
    check_names([str(name) for name in frame.columns], source)
    for name in frame.columns:
        present = frame[name].dropna()
        kinds = [type(value) for value in present.tolist()]
        at = next((i for i, kind in enumerate(kinds) if _family(kind) != _family(kinds[0])), None)
        if at is not None:
            raise DataError(
                f"values of several types: {present.iloc[0]!r} is {kinds[0].__name__}, but another is "
                f"{kinds[at].__name__}",
                source=source,
                row=int(np.flatnonzero(frame[name].notna())[at]),
                row_kind="record",
                column=str(name),
                value=present.iloc[at],
                accepted=f"one type per column, for example data[{name!r}].astype(str), or pandas.to_numeric",
            )


def _family(kind: type) -> object:
    """Return what types must have in common to form a column."""
    return next((one for one in (bool, numbers.Number, str) if issubclass(kind, one)), kind)
