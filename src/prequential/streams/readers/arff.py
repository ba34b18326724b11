"""Reading ARFF files, the format of Weka and MOA."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from prequential.errors import DataError
from prequential.streams.declaration import check_sidecar, read_sidecar
from prequential.streams.readers.arff_header import Attribute, Header, read_header
from prequential.streams.readers.arff_row import RowError, row
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.csv_layout import UNREADABLE
from prequential.streams.readers.inference import Values, infer
from prequential.streams.readers.number import NotANumberError, numbers
from prequential.streams.readers.rows import Kind, Rows
from prequential.streams.readers.table_stream import TableStream, checked_events, readable, stem
from prequential.streams.schema import Schema
from prequential.types import Label

BLOCK_BYTES = 1 << 20
CATEGORY = pa.dictionary(pa.int32(), pa.string())
TYPES = {"numeric": pa.float64(), "nominal": CATEGORY, "string": CATEGORY, "date": pa.float64()}
MISSING = ["?", " ?", "? ", " ? ", "\t?", "?\t"]


class ArffStream(TableStream):
    """The records of an ARFF file, read in constant memory; ``.gz`` files are accepted.

    Dense and sparse rows (an omitted value is 0, or the first nominal value), quotes, escapes, comments and a comma at
    the end of a row, as MOA writes it, are supported. Nominal attributes keep their declared order of values; the
    values of string attributes are collected in a first pass and sorted; dates become seconds. A sidecar written
    by ``pq.write`` (``data.arff.stream.json``) names the columns of times, weights and identifiers, and the drifts.

    Parameters
    ----------
    path
        The file, in UTF-8.
    target
        The label attribute; by default the last one without another role.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: classification if a numeric target has at most 100
        distinct values, all of them whole numbers.
    classes
        All classes in the order of their codes, also those that do not occur in the file; by default those that
        occur, or those that the file declares.
    time, weight, id
        Attributes of times, weights and identifiers.
    ignore
        Attributes to leave out.
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
        task: str = "auto",
        classes: Sequence[Label] | None = None,
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        ignore: str | Iterable[str] = (),
        events: bool = False,
    ) -> None:
        self.path = readable(path)
        self.source = str(self.path)
        self.name = stem(self.path)
        self.events = checked_events(events, id)
        self._use(read_sidecar(self.path))
        self._options = Columns(
            target=target, task=task, classes=classes, time=time, weight=weight, id=id, ignore=ignore
        )

    @cached_property
    def header(self) -> Header:
        """The declared attributes."""
        with self._open() as file:
            return read_header(_lines(file, self.path), self.source)

    @property
    def column_names(self) -> list[str]:
        """All attributes of the file, in order."""
        return [a.name for a in self.header.attributes]

    def _check_declaration(self) -> None:
        check_sidecar(self._declaration, self.column_names, self.path)

    def _find_schema(self) -> Schema:
        declared: dict[str, Values | None] = {a.name: a.values for a in self.header.attributes if a.kind == "nominal"}
        types = {a.name: TYPES[a.kind] if a.kind != "string" else pa.string() for a in self.header.attributes}

        def read(_: list[str]) -> Iterator[pa.RecordBatch]:
            return (batch for _, batch in self._batches(0))

        return infer(self.columns, types, read, source=self.source, declared=declared)

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read attributes with their declared types, each batch with the index of its first row."""
        return ((at, batch.select(list(names))) for at, batch in self._batches(0))

    def column_type(self, name: str) -> pa.DataType:
        """Return the type of an attribute."""
        return next(TYPES[a.kind] for a in self.header.attributes if a.name == name)

    def _open(self) -> IO[bytes]:
        return gzip.open(self.path, "rb") if self.path.suffix == ".gz" else self.path.open("rb")  # type: ignore[return-value]

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:  # noqa: ARG002  # part of the interface
        at, line = 0, self.header.n_lines + 1
        for block in self._blocks():
            rows = self._parser.read(block) if self._parser is not None else None
            fast = self._fast(block) if rows is None else rows[0]
            for batch in self._careful(block, line, at) if fast is None else (fast,):
                if batch.num_rows:
                    yield at, batch
                at += batch.num_rows
            line += block.count(b"\n") if rows is None else rows[1]

    def _blocks(self) -> Iterator[bytes]:
        """Yield the data in blocks of whole lines; in a damaged file, all lines before the fault, then its error."""
        n_bytes = 0
        with self._open() as file:
            for _ in range(self.header.n_lines):
                n_bytes += len(file.readline())
            while True:
                block, fault = _whole_lines(file)
                if block:
                    yield block
                n_bytes += len(block)
                if fault is not None:
                    line = self._lines_in(n_bytes)
                    raise DataError(f"nothing can be read after this line ({fault})", source=self.path, row=line)
                if not block:
                    return

    def _lines_in(self, n_bytes: int) -> int:
        """Return the number of lines in the first bytes of the file."""
        with self._open() as file:
            return file.read(n_bytes).count(b"\n")

    @cached_property
    def _parser(self) -> Rows | None:
        """The native parser, which reads most files; None if the careful one must read all."""
        if not self._plain:
            return None
        kinds: dict[str, Kind] = {
            a.name: "number" if a.kind == "numeric" else "category" for a in self.header.attributes
        }
        return Rows(kinds, ["?"], last_comma=True)

    @cached_property
    def _plain(self) -> bool:
        """Whether the fast parser can be used: there are no dates, and no values with spaces around them."""
        attributes = self.header.attributes
        return not any(a.kind == "date" or any(v != v.strip() for v in a.values) for a in attributes)

    def _fast(self, block: bytes) -> pa.RecordBatch | None:
        """Read a block with Arrow's CSV reader; None if it needs the careful parser."""
        if not self._plain or any(mark in block for mark in (b"'", b'"', b"{", b"%", b"\\")):
            return None
        names = [a.name for a in self.header.attributes]
        try:
            table = pacsv.read_csv(
                pa.BufferReader(_without_last_commas(block, len(names))),
                pacsv.ReadOptions(column_names=names, block_size=2 * BLOCK_BYTES + len(block)),
                pacsv.ParseOptions(quote_char=False),
                pacsv.ConvertOptions(
                    column_types={a.name: TYPES[a.kind] for a in self.header.attributes},
                    null_values=MISSING,
                    strings_can_be_null=True,
                ),
            )
        except pa.ArrowInvalid:
            return None
        batches = table.combine_chunks().to_batches()
        return batches[0] if len(batches) == 1 else None

    def _careful(self, block: bytes, line: int, start: int) -> Iterator[pa.RecordBatch]:
        """Read a block line by line, and raise its first error after the records before it.

        ``line`` is the number of its first line, ``start`` the index of its first record.
        """
        rows, lines, fault = self._rows(block, line)
        while True:
            try:
                batch = self._batch(rows, lines, start)
            except BadRecordError as error:
                fault, rows = error, rows[: error.record - start]
            else:
                break
        yield batch
        if fault is not None:
            raise fault

    def _rows(self, block: bytes, line: int) -> tuple[list[list[str | None]], list[int], DataError | None]:
        """Return the rows before the first line that cannot be parsed, their lines, and the error."""
        width = len(self.header.attributes)
        absent = [_absent(attribute) for attribute in self.header.attributes]
        rows: list[list[str | None]] = []
        lines: list[int] = []
        for number, raw in enumerate(block.split(b"\n"), line):
            try:
                text = raw.decode().strip()
                if text and not text.startswith("%"):
                    rows.append(row(text, width, absent))
                    lines.append(number)
            except UnicodeDecodeError:
                return rows, lines, DataError("not UTF-8", source=self.path, row=number, accepted="text in UTF-8")
            except RowError as error:
                accepted = f"{width} values separated by commas, ? where one is missing"
                return rows, lines, DataError(str(error), source=self.path, row=number, accepted=accepted)
        return rows, lines, None

    def _batch(self, rows: list[list[str | None]], lines: list[int], start: int) -> pa.RecordBatch:
        attributes = self.header.attributes
        cells = list(zip(*rows, strict=True)) if rows else [() for _ in attributes]
        arrays = [self._array(a, list(column), lines, start) for a, column in zip(attributes, cells, strict=True)]
        return pa.record_batch(arrays, names=[a.name for a in attributes])

    def _array(self, attribute: Attribute, cells: list[str | None], lines: list[int], start: int) -> pa.Array:
        try:
            if attribute.kind == "numeric":
                values = numbers(pa.array(cells, pa.string()))
                return pa.array(values, from_pandas=True)
            if attribute.kind == "date":
                return pa.array(_seconds(cells, attribute.format), from_pandas=True)
        except NotANumberError as error:
            raise BadRecordError(
                start + error.at,
                "not a number" if attribute.kind == "numeric" else "not a date",
                source=self.path,
                row=lines[error.at],
                column=attribute.name,
                value=error.value,
                accepted="a number or ?" if attribute.kind == "numeric" else f"{attribute.format} or ?",
            ) from None
        return pa.array(cells, pa.string()).dictionary_encode()

    def locate(self, record: int) -> tuple[int, str]:
        """Return the line of a record."""
        line, at = self.header.n_lines, -1
        for block in self._blocks():
            for raw in block.splitlines():
                line += 1
                at += bool(raw.strip()) and not raw.lstrip().startswith(b"%")
                if at == record:
                    return line, "line"
        return super().locate(record)

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "arff",
            "path": str(self.path),
            "size_bytes": self.path.stat().st_size,
            "options": self.columns.describe(),
        }


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """Yield lines; in a damaged file, name the last line that can be read."""
    line = 0
    try:
        for text in file:
            line += 1
            yield text
    except UNREADABLE as error:
        if not line:
            raise DataError(f"cannot be read ({error})", source=path, row=1) from None
        raise DataError(f"nothing can be read after this line ({error})", source=path, row=line) from None


def _whole_lines(file: IO[bytes]) -> tuple[bytes, Exception | None]:
    """Return a block that ends with a line and, if the file is damaged after it, the error; otherwise None."""
    parts: list[bytes] = []
    size = 0
    try:
        # read1, because read would discard what came before the fault.
        while size < BLOCK_BYTES and (part := file.read1(BLOCK_BYTES - size)):  # type: ignore[attr-defined]
            parts.append(part)
            size += len(part)
        parts.append(file.readline())
    except UNREADABLE as fault:
        block = b"".join(parts)
        return block[: block.rfind(b"\n") + 1], fault
    return b"".join(parts), None


def _without_last_commas(block: bytes, width: int) -> bytes:
    """Return rows without the comma at the end that MOA writes."""
    first = block[: block.find(b"\n")].rstrip()
    if not first.endswith(b",") or first.count(b",") != width:
        return block
    return block.replace(b",\r\n", b"\n").replace(b",\n", b"\n")


def _absent(attribute: Attribute) -> str | None:
    """Return the value of an attribute that a sparse row omits."""
    if attribute.kind == "numeric":
        return "0"
    return attribute.values[0] if attribute.values else None


def _seconds(cells: list[str | None], pattern: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    known: dict[str | None, float] = {None: float("nan")}
    for at, cell in enumerate(cells):
        if cell not in known:
            try:
                known[cell] = datetime.strptime(str(cell), pattern).replace(tzinfo=UTC).timestamp()
            except ValueError:
                raise NotANumberError(at, cell) from None
    return np.array([known[cell] for cell in cells])
