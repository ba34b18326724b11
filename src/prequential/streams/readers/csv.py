"""CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from prequential.streams.declaration import check_sidecar, read_sidecar
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns, as_names
from prequential.streams.readers.csv_fault import check_end, find_fault, line_of, rows_between
from prequential.streams.readers.csv_inference import TextSurvey
from prequential.streams.readers.csv_layout import Layout, declared_layout, find_layout
from prequential.streams.readers.table_stream import (
    TableStream,
    checked_events,
    checked_schema,
    readable,
    schema_columns,
    stem,
)
from prequential.streams.schema import Schema

BLOCK_BYTES = 1 << 20
MISSING = ("", "?", "NA", "NaN", "nan", "null")
CATEGORY = pa.dictionary(pa.int32(), pa.string())


class CsvStream(TableStream):
    """The records of a CSV file, in constant memory; ``.gz`` files too.

    What is not declared is inferred by one pass, at the first use of ``schema``: a column of numbers is numeric,
    any other nominal with sorted values. Spaces around values are no part of them. A sidecar, as ``pq.write`` puts it
    beside the file (``data.csv.stream.json``), declares the schema and lists the drifts.

    Parameters
    ----------
    path
        The file, in UTF-8, with or without byte order mark, lines ended in any way.
    target
        The label column; by default the schema's, else the last one that plays no other part.
    separator
        The character between fields; by default one of comma, semicolon, tab and bar, whichever fits.
    header
        Whether the first row holds names; by default it does unless it looks like the rows below. Without a header
        the columns are called x0, x1, …, or as a declared schema of the same width calls them, the target last.
    schema
        Features and classes, if they are to be declared: no pass is then made to infer them.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target of at most 100 distinct whole numbers
        has classes, which keep the spelling of the file.
    nominal, numeric
        Features to take as nominal or numeric, whatever they look like.
    ignore
        Columns to leave out.
    time, weight, id
        Columns of the clock (numbers or ISO 8601 dates), the weights and the identifiers (kept as text).
    missing
        What stands for a missing value; by default what the sidecar says, else an empty field, ?, NA, NaN, nan, null.
    events
        Whether rows are events, as ``Delayed`` needs them: a row without a label is a record that arrives, a later row
        of the same id has its label. Other protocols then refuse the stream.
    """

    trim = True

    def __init__(
        self,
        path: str | Path,
        *,
        target: str | None = None,
        separator: str | None = None,
        header: bool | None = None,
        schema: Schema | None = None,
        task: str = "auto",
        nominal: str | Iterable[str] = (),
        numeric: str | Iterable[str] = (),
        ignore: str | Iterable[str] = (),
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        missing: str | Iterable[str] | None = None,
        events: bool = False,
    ) -> None:
        self.path = readable(path)
        self.source = str(self.path)
        self.name = stem(self.path)
        self.events = checked_events(events, id)
        self._take_over(read_sidecar(self.path))
        noted = self._declaration.missing
        self._missing = as_names(missing) if missing is not None else MISSING if noted is None else (noted,)
        self._declared = checked_schema(schema)
        self._separator, self._header = separator, header
        self._options = Columns(
            target=target,
            task=task,
            time=time,
            weight=weight,
            id=id,
            ignore=as_names(ignore),
            nominal=as_names(nominal),
            numeric=as_names(numeric),
        )

    @cached_property
    def layout(self) -> Layout:
        """Separator, header and names."""
        noted = self._declaration.names
        if noted and self._separator is None and self._header is None:
            written = declared_layout(self.path, noted)
            if written is not None:
                return written
        layout = find_layout(self.path, self._separator, self._header, self._missing)
        if self._declared is None or layout.header:
            return layout
        names = (*(f.name for f in self._declared.features), self._declared.target)
        return replace(layout, names=names) if len(names) == len(layout.names) else layout

    @property
    def column_names(self) -> list[str]:
        """All columns of the file, in order."""
        return list(self.layout.names)

    def _check_declaration(self) -> None:
        check_sidecar(self._declaration, self.layout.names, self.path)

    def _find_schema(self) -> Schema:
        if self._declared is not None:
            return schema_columns(self._declared, self.columns, list(self.layout.names), self.source)

        def read(names: list[str]) -> Iterator[pa.RecordBatch]:
            return self._read(dict.fromkeys(names, pa.string()))

        return TextSurvey(self.columns, self.layout.names, self.source).schema(read)

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read some columns as text, each batch with the index of its first row."""
        at = 0
        for batch in self._read(dict.fromkeys(names, pa.string())):
            yield at, batch
            at += batch.num_rows

    def column_type(self, name: str) -> pa.DataType:  # noqa: ARG002  # the role asks for it
        """Return the type of a column: text."""
        return pa.string()

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:  # noqa: ARG002  # the role asks for it
        types = dict.fromkeys(self._read_names(), pa.string())
        for feature in self.schema.features:
            types[feature.name] = CATEGORY if feature.nominal else pa.float64()
        types[self.schema.target] = pa.float64() if self.schema.classes is None else CATEGORY
        if self.columns.weight is not None:
            types[self.columns.weight] = pa.float64()
        at = 0
        try:
            for batch in self._read(types):
                yield at, batch
                at += batch.num_rows
        except BadRecordError as fault:
            for batch in self._read_slowly(list(types), at, fault.record):
                yield at, batch
                at += batch.num_rows
            raise

    def _read(self, types: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
        layout = self.layout
        last: pa.RecordBatch | None = None  # held back until it is known that the next block can be read
        try:
            with (
                pa.input_stream(self.path, compression="gzip" if self.path.suffix == ".gz" else None) as file,
                pacsv.open_csv(
                    file,
                    pacsv.ReadOptions(
                        block_size=max(BLOCK_BYTES, 16 * layout.longest),
                        column_names=list(layout.names),
                        skip_rows=layout.blank,
                        skip_rows_after_names=int(layout.header),
                    ),
                    pacsv.ParseOptions(delimiter=layout.separator, newlines_in_values=True),
                    pacsv.ConvertOptions(
                        column_types=types,
                        include_columns=list(types),
                        null_values=self._nulls,
                        strings_can_be_null=True,
                    ),
                ) as reader,
            ):
                for batch in reader:
                    if last is not None:
                        yield last
                    last = batch if batch.num_rows else None
                if last is not None and _ends_in_newline(last):
                    check_end(self.path, layout)
        except (pa.ArrowInvalid, OSError) as error:
            if last is not None:
                yield last
            numeric = [name for name, kind in types.items() if pa.types.is_floating(kind)]
            raise find_fault(self.path, layout, numeric, self._missing, str(error)) from None
        if last is not None:
            yield last

    def _read_slowly(self, names: list[str], start: int, end: int) -> Iterator[pa.RecordBatch]:
        """Read the records from ``start`` up to the bad record ``end`` as text, which the fast reader gave up."""
        missing = set(self._nulls)
        for rows in rows_between(self.path, self.layout, start, max(start, end)):
            cells = dict(zip(self.layout.names, zip(*rows, strict=True), strict=True))
            columns = [[None if cell in missing else cell for cell in cells[name]] for name in names]
            yield pa.record_batch([pa.array(column, pa.string()) for column in columns], names)

    @property
    def _nulls(self) -> list[str]:
        """What stands for a missing value, with a space before, after, or neither."""
        return [f"{before}{text}{after}" for text in self._missing for before in ("", " ") for after in ("", " ")]

    def locate(self, record: int) -> tuple[int, str]:
        """Return the line of a record."""
        return line_of(self.path, self.layout, record), "line"

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {
            **super().describe(),
            "format": "csv",
            "path": str(self.path),
            "size_bytes": self.path.stat().st_size,
            "options": {
                **self.columns.describe(),
                "separator": self.layout.separator,
                "header": self.layout.header,
                "missing": list(self._missing),
                "schema": self._schema_origin,
            },
        }


def _ends_in_newline(batch: pa.RecordBatch) -> bool:
    """Whether a field of the last record ends with a line break, as one does whose closing quote is missing."""
    cells = [column[-1].as_py() for column in batch.columns if not pa.types.is_floating(column.type)]
    return any(isinstance(cell, str) and cell.endswith(("\n", "\r")) for cell in cells)
