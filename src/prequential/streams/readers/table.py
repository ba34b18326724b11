"""Tables already in memory: pandas, Polars, PyArrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from prequential.errors import InputError
from prequential.streams.readers.columns import Columns, as_names
from prequential.streams.readers.inference import infer
from prequential.streams.readers.table_stream import (
    TableStream,
    batch_rows,
    checked_events,
    checked_schema,
    schema_columns,
)
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream


def from_table(
    data: object,
    target: str | None = None,
    *,
    schema: Schema | None = None,
    task: str = "auto",
    time: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    ignore: str | Iterable[str] = (),
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    name: str = "table",
    events: bool = False,
) -> Stream:
    """Make a stream of a table in memory: its rows, in order.

    Categories (of pandas or Polars) are nominal, with their own order of values; text and booleans are nominal with
    sorted values; numbers are numeric.

    Parameters
    ----------
    data
        A pandas or Polars data frame, a PyArrow table, or anything with ``__arrow_c_stream__``.
    target
        The label column; the last one that plays no other part by default.
    schema
        Features and classes, if they are to be declared.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target of at most 100 distinct whole numbers
        has classes.
    time, weight, id
        Columns of the clock, the weights and the identifiers.
    ignore, nominal, numeric
        Columns to leave out, and features to take as nominal or numeric whatever their type.
    name
        The name of the stream.
    events
        Whether rows are events, as ``Delayed`` needs them: a row without a label is a record that arrives, a later row
        of the same id has its label. Other protocols then refuse the stream.

    Examples
    --------
    >>> table = pa.table({"x": [1.0, 2.0], "sky": ["blue", "grey"], "rain": [False, True]})
    >>> from_table(table, "rain").schema.features[1]
    Feature(name='sky', values=('blue', 'grey'))
    """
    options = Columns(
        target=target,
        task=task,
        time=time,
        weight=weight,
        id=id,
        ignore=as_names(ignore),
        nominal=as_names(nominal),
        numeric=as_names(numeric),
    )
    stream = MemoryTableStream(as_arrow(data), options, schema, name)
    stream.events = checked_events(events, id)
    return stream


class MemoryTableStream(TableStream):
    """The rows of an Arrow table."""

    def __init__(self, table: pa.Table, options: Columns, schema: Schema | None, name: str) -> None:
        self.name = self.source = name
        self.n_records = int(table.num_rows)
        self._table, self._options, self._declared = table, options, checked_schema(schema)

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
        """Read some columns as they stand, each batch with the index of its first row."""
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
        """Return what a manifest says of this stream."""
        return {
            **super().describe(),
            "format": "table",
            "size_bytes": int(self._table.nbytes),
            "options": self.columns.describe(),
        }


def as_arrow(data: object) -> pa.Table:
    """Return a data frame of any kind as an Arrow table, text in one type."""
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        table = pa.table(data) if isinstance(data, pa.RecordBatch) else data
    elif type(data).__module__.startswith("pandas.") and hasattr(data, "columns"):
        table = pa.Table.from_pandas(data, preserve_index=False)
    elif hasattr(data, "to_arrow"):
        table = data.to_arrow()
    elif hasattr(data, "__arrow_c_stream__"):
        table = pa.table(data)
    else:
        raise InputError(
            f"from_table cannot read a {type(data).__name__}. Accepted: a pandas or Polars data frame, a PyArrow "
            "table, or an object with __arrow_c_stream__; from_arrays reads NumPy arrays."
        )
    views = [str(field.type) == "string_view" for field in table.schema]
    if any(views):
        fields = [f.with_type(pa.large_string()) if v else f for f, v in zip(table.schema, views, strict=True)]
        table = table.cast(pa.schema(fields))
    return table
