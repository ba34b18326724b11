"""Reading Parquet files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pyarrow as pa

from prequential.errors import DataError
from prequential.streams.data_warning import USUAL_TARGETS
from prequential.streams.declaration import METADATA_KEY, Declaration
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.inference import Values, infer
from prequential.streams.readers.parquet_file import check_names, read_batches, read_footer
from prequential.streams.readers.table_stream import (
    TableStream,
    batch_rows,
    checked_events,
    checked_schema,
    readable,
    schema_columns,
    stem,
)
from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.wording import listing

RAW_ROWS = 1 << 16
"""Rows per raw batch; small, because tables are then read in parallel and parts of several batches wait."""


class ParquetStream(TableStream):
    """The records of a Parquet file, or of a directory of such files sorted by name, read in constant memory.

    Dictionary columns are nominal, with the values of the dictionary; text and booleans are nominal too, with sorted
    values. Key-value metadata under ``stream_schema`` (JSON: ``target`` and ``attributes``, each with ``name``,
    ``type`` and, if nominal, ``values``) are used, with all that ``pq.write`` declares: times, weights, identifiers and
    drifts. Reading from a later record skips whole row groups.

    Parameters
    ----------
    path
        The file, or a directory of files.
    target
        The label column; by default that of the metadata, else ``class``, ``target``, ``label`` or ``y``, else the last
        one.
    schema
        Declared features and classes; nothing is inferred then.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target with at most 100 distinct whole numbers
        has classes.
    classes
        All classes in the order of their codes, also those that do not occur in the file; by default those that
        occur, sorted.
    time, weight, id
        Columns of times, weights and identifiers.
    ignore, nominal, numeric
        Columns to leave out, and features to treat as nominal or numeric.
    events
        Whether rows are events, for the protocol ``Delayed``: a row without a label is the arrival of a record, and
        a later row with the same id provides its label. Other protocols refuse such a stream.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        target: str | None = None,
        schema: Schema | None = None,
        task: str = "auto",
        classes: Sequence[Label] | None = None,
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        ignore: str | Iterable[str] = (),
        nominal: str | Iterable[str] = (),
        numeric: str | Iterable[str] = (),
        events: bool = False,
    ) -> None:
        self.path = readable(path, parts="*.parquet")
        self.source = str(self.path)
        self.name = stem(self.path)
        self.events = checked_events(events, id)
        self._options = Columns(
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
        self._declared = checked_schema(schema, self._options)
        parts = sorted(self.path.glob("*.parquet")) if self.path.is_dir() else [self.path]
        self._groups: list[tuple[Path, int, int]] = []
        """File, row group and number of rows of each part of the records."""
        for part in parts:
            footer = read_footer(part)
            schema_of_part = footer.schema
            check_names(schema_of_part.names, part)
            if part == parts[0]:
                self._arrow = schema_of_part
                declaration = footer.metadata.get(METADATA_KEY.encode())
            elif schema_of_part.names != self._arrow.names:
                required = [name for name in self._arrow.names if self._lacking(name) is None]
                if [name for name in schema_of_part.names if self._lacking(name) is None] != required:
                    accepted = listing(self._arrow.names)
                    raise DataError(f"the columns differ from those of {parts[0].name}", source=part, accepted=accepted)
                for column in schema_of_part:
                    if column.name not in self._arrow.names:
                        self._arrow = self._arrow.append(column)
            self._groups += [(part, i, rows) for i, rows in enumerate(footer.group_rows)]
        self.n_records = sum(rows for _, _, rows in self._groups)
        if declaration is not None:
            declared = Declaration.from_json(declaration, f"{parts[0]} (its {METADATA_KEY} metadata)")
            self._use(declared if len(parts) == 1 else replace(declared, drifts=()))

    @property
    def column_names(self) -> list[str]:
        """All columns of the file, in order."""
        return list(self._arrow.names)

    def _usual_targets(self) -> tuple[str, ...]:
        return USUAL_TARGETS

    def _find_schema(self) -> Schema:
        if self._declared is not None:
            return schema_columns(self._declared, self.columns, self._arrow.names, self.source)
        declared: dict[str, Values | None] = dict(self._declaration.values)
        if self.columns.task == "auto" and declared.get(self.columns.target or "", ()) is None:
            del declared[self.columns.target or ""]
        types = {field.name: field.type for field in self._arrow}
        return infer(self.columns, types, self._read, source=self.path, declared=declared)

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read columns unchanged, each batch with the index of its first row."""
        return self._from(0, list(names), RAW_ROWS)

    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a column."""
        return self._arrow.field(name).type

    def _lacking(self, name: str) -> float | None:  # noqa: ARG002  # part of the interface
        """Return the value of a column in parts of a directory that lack it; None if every part must have it."""
        return None

    def _read(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        return (batch for _, batch in self._from(0, names))

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        return self._from(start, self._read_names())

    def _from(self, start: int, names: list[str], size: int | None = None) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read from the row group of record ``start`` on, each batch with the index of its first record."""
        at = 0
        for part, groups in groupby(self._groups, key=lambda group: group[0]):
            wanted: list[tuple[int, int]] = []
            for _, i, rows in groups:
                if wanted or at + rows > start:
                    wanted.append((i, rows))
                else:
                    at += rows
            if not wanted:
                continue
            for batch in read_batches(part, wanted, names, size or batch_rows(len(names))):
                lacking = {name: self._lacking(name) for name in names if name not in batch.schema.names}
                filled = [pa.repeat(value, batch.num_rows) for value in lacking.values()]
                if filled:
                    batch = pa.RecordBatch.from_arrays([*batch.columns, *filled], names=[*batch.schema.names, *lacking])
                yield at, batch
                at += batch.num_rows

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "parquet",
            "path": str(self.path),
            "size_bytes": sum(part.stat().st_size for part in {part for part, _, _ in self._groups}),
            "options": {**self.columns.describe(), "schema": self._schema_origin},
        }
