"""Reading JSON Lines: one object per line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from prequential.errors import DataError, InputError
from prequential.streams.data_warning import USUAL_TARGETS
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.inference import infer
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

ROWS = 1 << 14
"""Rows per batch."""
_MOST_INTEGER = 1 << 63
_ACCEPTED = 'one JSON object per line, such as {"id": 1, "price": 2.5}, in UTF-8'
_VALUES = "text, numbers, true, false and null; write the parts of an object or a list as fields of their own"


_WORDS: dict[pa.DataType | None, str] = {
    pa.int64(): "a number",
    pa.float64(): "a number",
    pa.string(): "text in UTF-8",
    pa.bool_(): "true or false",
}


@dataclass(slots=True)
class _Survey:
    """What one pass finds: the type of every field, in order of appearance, and the number of records."""

    types: dict[str, pa.DataType] = field(default_factory=dict)
    n_records: int = 0


class JsonLinesStream(TableStream):
    """The records of a JSON Lines file (.jsonl, .ndjson), read in constant memory; ``.gz`` files are accepted.

    A field of numbers is numeric, one of text or booleans nominal with sorted values. A field that a record lacks
    is a missing value, as is null. The fields and their types are found in one pass when they are first used.

    Parameters
    ----------
    path
        The file, in UTF-8.
    target
        The field with the labels; by default ``class``, ``target``, ``label`` or ``y``, else the last one.
    schema
        Declared features and classes; nothing is inferred then.
    task, classes, time, weight, id, ignore, nominal, numeric, events
        As in ``pq.read``.
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
        self.path = readable(path)
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

    @property
    def column_names(self) -> list[str]:
        """All fields, in order of appearance."""
        return list(self._survey.types)

    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a field."""
        return self._survey.types[name]

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read fields unchanged, each batch with the index of its first row."""
        at, records = 0, (record for _, record in self._records())
        while rows := list(islice(records, ROWS)):
            yield at, self._batch(rows, names, at)
            at += len(rows)

    def locate(self, record: int) -> tuple[int, str]:
        """Return the line of a record."""
        filled = (line for line, text in enumerate(self._lines(), start=1) if text.strip())
        return next(islice(filled, record, None), record + 1), "line"

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "jsonl",
            "path": str(self.path),
            "size_bytes": self.path.stat().st_size,
            "options": {**self.columns.describe(), "schema": self._schema_origin},
        }

    def _usual_targets(self) -> tuple[str, ...]:
        return USUAL_TARGETS

    def _find_schema(self) -> Schema:
        names = self.column_names
        if self._declared is not None:
            return schema_columns(self._declared, self.columns, names, self.source)

        def read(wanted: list[str]) -> Iterator[pa.RecordBatch]:
            return (batch for _, batch in self.raw(wanted))

        return infer(self.columns, self._survey.types, read, source=self.path)

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:  # noqa: ARG002  # part of the interface
        return self.raw(self._read_names())

    @cached_property
    def _survey(self) -> _Survey:
        """Read the file once, and refuse values that no column can hold."""
        found = _Survey()
        for line, record in self._records():
            for name, value in record.items():
                known = found.types.get(name)
                kind = _joined(known, value)
                if kind is None:
                    nested = isinstance(value, dict | list)
                    problem = "a nested value" if nested else f"not {_WORDS.get(known, 'a value in UTF-8')}"
                    accepted = _VALUES if nested else "values of one type per field, as before this line"
                    raise DataError(problem, source=self.source, row=line, column=name, value=value, accepted=accepted)
                found.types[name] = kind
            found.n_records += 1
        if not found.types:
            raise InputError(f"{self.source} has no records. Accepted: {_ACCEPTED}.")
        self.n_records = found.n_records
        return found

    def _batch(self, rows: list[dict[str, Any]], names: Sequence[str], start: int) -> pa.RecordBatch:
        columns = []
        for name in names:
            kind, values = self._survey.types[name], [row.get(name) for row in rows]
            if pa.types.is_floating(kind):
                values = [None if value is None else float(value) for value in values]
            try:
                columns.append(pa.array(values, kind))
            except (pa.ArrowException, ValueError, TypeError, OverflowError):  # the file has changed since the survey
                raise DataError("the file has changed while it was read", source=self.source, row=start) from None
        return pa.record_batch(columns, list(names))

    def _records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects, each with its line."""
        at = 0
        for line, text in enumerate(self._lines(), start=1):
            if not text.strip():
                continue
            try:
                record = json.loads(text.removeprefix(b"\xef\xbb\xbf") if line == 1 else text)
            except (ValueError, RecursionError) as error:
                reason = "not UTF-8" if isinstance(error, UnicodeError) else getattr(error, "msg", "nested too deeply")
                raise BadRecordError(
                    at, f"not JSON ({reason})", source=self.source, row=line, accepted=_ACCEPTED
                ) from None
            if not isinstance(record, dict):
                raise BadRecordError(
                    at, "not an object", source=self.source, row=line, value=record, accepted=_ACCEPTED
                )
            yield line, record
            at += 1

    def _lines(self) -> Iterator[bytes]:
        try:
            with self._opened() as file:
                yield from file
        except (EOFError, OSError, zlib.error) as error:
            raise DataError(f"nothing can be read from here on ({error})", source=self.source) from None

    def _opened(self) -> BinaryIO:
        return cast("BinaryIO", gzip.open(self.path) if self.path.suffix == ".gz" else self.path.open("rb"))


def _joined(known: pa.DataType | None, value: object) -> pa.DataType | None:
    """Return the type of a field with one more value; None if no type holds it.

    Examples
    --------
    >>> _joined(pa.int64(), 0.5), _joined(pa.int64(), None), _joined(pa.string(), 1)
    (DataType(double), DataType(int64), None)
    """
    if value is None:
        return pa.null() if known is None else known
    kind = None
    if isinstance(value, bool):
        kind = pa.bool_()
    elif isinstance(value, int):
        kind = pa.int64() if -_MOST_INTEGER <= value < _MOST_INTEGER else pa.float64()
        if not -1e308 < value < 1e308:
            return None
    elif isinstance(value, float):
        kind = pa.float64()
    elif isinstance(value, str):
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            return None  # half of a character: it has no UTF-8
        kind = pa.string()
    if kind is None or known is None or pa.types.is_null(known) or known == kind:
        return kind
    numbers = (pa.int64(), pa.float64())
    return pa.float64() if known in numbers and kind in numbers else None
