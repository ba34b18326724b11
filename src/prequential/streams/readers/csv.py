"""Reading CSV files."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from prequential.arguments import check_choice
from prequential.streams.declaration import check_sidecar, read_sidecar
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns, as_names
from prequential.streams.readers.csv_fault import check_end, find_fault, line_of, rows_between
from prequential.streams.readers.csv_inference import TextSurvey
from prequential.streams.readers.csv_layout import UNREADABLE, Layout, declared_layout, find_layout
from prequential.streams.readers.rows import Kind, Rows
from prequential.streams.readers.table_stream import (
    TableStream,
    checked_events,
    checked_schema,
    readable,
    schema_columns,
    stem,
)
from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.wording import one_line

BLOCK_BYTES = 1 << 20
MISSING = ("", "?", "NA", "NaN", "nan", "null")
CATEGORY = pa.dictionary(pa.int32(), pa.string())


class CsvStream(TableStream):
    """The records of a CSV file, read in constant memory; ``.gz`` files are accepted.

    A schema that is not declared is inferred in one pass when it is first used: a column of numbers is numeric, any
    other nominal with sorted values. If at least 99 % of the first 1,000 values of a column are numbers, another value
    in it is an error, unless ``nominal`` names the column or ``missing`` the value. Spaces around values are ignored. A
    sidecar written by ``pq.write`` (``data.csv.stream.json``) declares the schema and lists the drifts.

    Parameters
    ----------
    path
        The file, in UTF-8, with or without byte order mark, with any line ends.
    target
        The label column; by default that of the schema, else the last one without another role.
    separator
        The delimiter; detected among comma, semicolon, tab and bar by default.
    header
        Whether the first row has names; detected by default. Without a header, the columns are x0, x1, …, or have the
        names of a declared schema of the same width, the target last.
    schema
        Declared features and classes; nothing is inferred then.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target with at most 100 distinct whole numbers
        has classes, which keep the spelling of the file.
    classes
        All classes in the order of their codes, also those that do not occur in the file; by default those that
        occur, sorted.
    nominal, numeric
        Features to treat as nominal or numeric.
    ignore
        Columns to leave out.
    time, weight, id
        Columns of times (numbers or ISO 8601 dates), weights and identifiers (kept as text).
    missing
        Texts of a missing value; by default that of the sidecar, else an empty field, ?, NA, NaN, nan, null.
    decimal
        The decimal mark, ``"."`` or ``","``.
    events
        Whether rows are events, for the protocol ``Delayed``: a row without a label is the arrival of a record, and
        a later row with the same id provides its label. Other protocols refuse such a stream.
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
        classes: Sequence[Label] | None = None,
        nominal: str | Iterable[str] = (),
        numeric: str | Iterable[str] = (),
        ignore: str | Iterable[str] = (),
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        missing: str | Iterable[str] | None = None,
        decimal: str = ".",
        events: bool = False,
    ) -> None:
        self.path = readable(path)
        self.source = str(self.path)
        self.name = stem(self.path)
        self.events = checked_events(events, id)
        self._use(read_sidecar(self.path))
        declared = self._declaration.missing
        self._missing = as_names(missing) if missing is not None else MISSING if declared is None else (declared,)
        self._separator, self._header = separator, header
        check_choice(decimal, "decimal", "CsvStream", (".", ","))
        self.decimal = decimal
        """The decimal mark."""
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

    @cached_property
    def layout(self) -> Layout:
        """Separator, header and names."""
        declared = self._declaration.names
        if declared and self._separator is None and self._header is None:
            written = declared_layout(self.path, declared)
            if written is not None:
                return written
        layout = find_layout(self.path, self._separator, self._header, self._missing, self.decimal)
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

        def place(record: int) -> tuple[str, int]:
            return self.source, line_of(self.path, self.layout, record)

        return TextSurvey(self.columns, self.layout.names, self.source, place, self.decimal).schema(read)

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read columns as text, each batch with the index of its first row."""
        at = 0
        for batch in self._read(dict.fromkeys(names, pa.string())):
            yield at, batch
            at += batch.num_rows

    def column_type(self, name: str) -> pa.DataType:  # noqa: ARG002  # part of the interface
        """Return the type of a column: text."""
        return pa.string()

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:  # noqa: ARG002  # part of the interface
        types = dict.fromkeys(self._read_names(), pa.string())
        for feature in self.schema.features:
            types[feature.name] = CATEGORY if feature.nominal else pa.float64()
        types[self.schema.target] = pa.float64() if self.schema.classes is None else CATEGORY
        if self.columns.weight is not None:
            types[self.columns.weight] = pa.float64()
        done = at = 0
        for batch in self._read_plain(types):
            if batch is None:
                break
            yield done, batch
            done += batch.num_rows
        else:
            return
        try:  # again from the start, without the records that are known
            for batch in self._read(types):
                if at + batch.num_rows > done:
                    known = max(done - at, 0)
                    yield at + known, self._with_points(batch.slice(known))
                at += batch.num_rows
        except BadRecordError as fault:
            at = max(at, done)
            floats = [name for name, kind in types.items() if pa.types.is_floating(kind)]
            for batch in self._read_slowly(list(types), at, fault.record):
                yield at, self._with_points(batch, floats)
                at += batch.num_rows
            raise

    def _read_plain(self, types: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch | None]:
        """Read with the native parser; None at the first block that another reader must judge."""
        layout = self.layout
        kinds: dict[str, Kind] = dict.fromkeys(layout.names, "skip")
        for name, kind in types.items():
            kinds[name] = "number" if pa.types.is_floating(kind) else "category"
        if self.decimal != "." or any(pa.types.is_string(kind) for kind in types.values()):
            yield None
            return
        rows = Rows(kinds, self._missing, layout.separator)
        try:
            with gzip.open(self.path) if self.path.suffix == ".gz" else self.path.open("rb") as file:
                for _ in range(layout.blank + int(layout.header)):
                    head = file.readline().rstrip(b"\r\n")
                    if b'"' in head or b"\r" in head:  # it may end elsewhere
                        yield None
                        return
                while block := file.read(BLOCK_BYTES):
                    found = rows.read(block + file.readline())
                    yield None if found is None else found[0].select(list(types))
                    if found is None:
                        return
        except UNREADABLE:
            yield None

    def _read(self, types: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
        layout = self.layout
        last: pa.RecordBatch | None = None  # yielded when the next block has been read without error
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
                        decimal_point=self.decimal,
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
            raise find_fault(self.path, layout, numeric, self._missing, one_line(error), self.decimal) from None
        if last is not None:
            yield last

    def _with_points(self, batch: pa.RecordBatch, floats: Iterable[str] = ()) -> pa.RecordBatch:
        """Return a batch in which times and numbers that were read as text have decimal points."""
        if self.decimal == ".":
            return batch
        for name in (*floats, *(() if self.columns.time is None else (self.columns.time,))):
            at = batch.schema.get_field_index(name)
            batch = batch.set_column(at, name, pc.replace_substring(batch.column(at), self.decimal, "."))
        return batch

    def _read_slowly(self, names: list[str], start: int, end: int) -> Iterator[pa.RecordBatch]:
        """Read the records from ``start`` up to the bad record ``end`` as text, after the fast reader failed."""
        missing = set(self._nulls)
        for rows in rows_between(self.path, self.layout, start, max(start, end)):
            cells = dict(zip(self.layout.names, zip(*rows, strict=True), strict=True))
            columns = [[None if cell in missing else cell for cell in cells[name]] for name in names]
            yield pa.record_batch([pa.array(column, pa.string()) for column in columns], names)

    @property
    def _nulls(self) -> list[str]:
        """The texts of a missing value, with and without a space before and after."""
        return [f"{before}{text}{after}" for text in self._missing for before in ("", " ") for after in ("", " ")]

    def locate(self, record: int) -> tuple[int, str]:
        """Return the line of a record."""
        return line_of(self.path, self.layout, record), "line"

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
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
                **({} if self.decimal == "." else {"decimal": self.decimal}),
                "schema": self._schema_origin,
            },
        }


def _ends_in_newline(batch: pa.RecordBatch) -> bool:
    """Whether a field of the last record ends with a line break, as a field without a closing quote does."""
    cells = [column[-1].as_py() for column in batch.columns if not pa.types.is_floating(column.type)]
    return any(isinstance(cell, str) and cell.endswith(("\n", "\r")) for cell in cells)
