"""Conversion of Arrow record batches to chunks, shared by all readers of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.errors import DataError
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.number import NotANumberError, first, numbers, seconds, time_fault, weight_fault
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing, one_line

Locate = Callable[[int], tuple[int, str]]
"""Maps a record index to its place in the file, such as ``(17, "line")``."""


def by_record(record: int) -> tuple[int, str]:
    """Return the place of a record in a source without lines: its index."""
    return record, "record"


class Encoder:
    """Converts consecutive record batches to chunks.

    Parameters
    ----------
    schema
        Features, target and classes; the columns of the same names are read.
    source
        The file or stream, for error messages.
    time, weight, id
        Columns of times, weights and identifiers.
    id_type
        The Arrow type of the identifiers; by default that of their column.
    trim
        Whether spaces around nominal values are ignored, as in text files.
    locate
        Returns the place of a record, for error messages.
    any_order
        Whether times may decrease: such events are counted and listed, not refused.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        source: str | Path,
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        id_type: str | None = None,
        trim: bool = False,
        locate: Locate = by_record,
        any_order: bool = False,
    ) -> None:
        self.schema = schema
        self._any_order = any_order
        self._source = source
        self._time, self._weight, self._id = time, weight, id
        self._id_type = None if id_type is None else pa.type_for_alias(id_type)
        self._locate = locate
        self._latest = -np.inf
        self._codes = {f.name: Codes(f.values, trim) for f in schema.features if f.values is not None}
        self._labels = None if schema.classes is None else Codes(schema.classes, trim)

    def pieces(self, batch: pa.RecordBatch, start: int) -> Iterator[Chunk]:
        """Yield the chunk of a batch; with a bad record, the chunk of the records before it, and then raise its error.

        Columns are checked one after the other, so the first bad record is found by trying again with the records
        before the one found.
        """
        n, fault = batch.num_rows, None
        while n:
            try:
                chunk = self.encode(batch.slice(0, n), start)
            except BadRecordError as error:
                n, fault = error.record - start, error
            else:
                yield chunk
                break
        if fault is not None:
            raise fault

    def encode(self, batch: pa.RecordBatch, start: int) -> Chunk:
        """Return the chunk of a batch whose first record has index ``start``."""
        X = np.empty((batch.num_rows, self.schema.n_features))
        for j, feature in enumerate(self.schema.features):
            column = batch.column(feature.name)
            codes = self._codes.get(feature.name)
            with readable_column(self._source, feature.name):
                if codes is None:
                    X[:, j] = self._numbers(column, feature.name, start)
                else:
                    X[:, j] = self._nominal(column, feature.name, start, codes)
        with readable_column(self._source, self.schema.target):
            y = self._target(batch.column(self.schema.target), start)
        time = weight = id = None  # noqa: A001  # the usual name
        if self._time is not None:
            with readable_column(self._source, self._time):
                time = self._clock(batch.column(self._time), self._time, start)
        if self._weight is not None:
            with readable_column(self._source, self._weight):
                weight = self._weights(batch.column(self._weight), self._weight, start)
        if self._id is not None:
            with readable_column(self._source, self._id):
                id = self._identifiers(batch.column(self._id), self._id, start)  # noqa: A001  # the usual name
        chunk = Chunk(self.schema, start, X, y, time, weight, id)
        if chunk.time is not None and len(chunk):
            self._latest = float(chunk.time[-1])
        return chunk

    def _target(self, column: pa.Array, start: int) -> IntArray | FloatArray:
        name = self.schema.target
        if self._labels is None:
            return self._numbers(column, name, start)
        codes = self._nominal(column, name, start, self._labels, "a label outside the classes")
        missing = np.isnan(codes)
        if not missing.any():
            return codes.astype(np.int64)
        return np.where(missing, float(UNLABELLED), codes).astype(np.int64)

    def _numbers(self, column: pa.Array, name: str, start: int) -> FloatArray:
        try:
            values = numbers(column)
        except NotANumberError as error:
            raise self._error("not a number", start + error.at, name, error.value, "a number") from None
        # A sum is finite unless a value is missing or infinite: a cheap check for the many columns without either.
        with np.errstate(over="ignore", invalid="ignore"):
            total = values.sum()
        if not np.isfinite(total):
            at = first(np.isinf(values))
            if at is not None:
                raise self._error("an infinite value", start + at, name, float(values[at]), "a finite number")
        return values

    def _nominal(
        self, column: pa.Array, name: str, start: int, codes: Codes, problem: str = "an undeclared value"
    ) -> FloatArray:
        found = codes.of(column)
        at = first(found == Codes.UNKNOWN)
        if at is not None:
            raise self._error(problem, start + at, name, column[at].as_py(), listing(codes.values))
        return found

    def _clock(self, column: pa.Array, name: str, start: int) -> FloatArray:
        try:
            values = seconds(column)
        except NotANumberError as error:
            accepted = "a number of seconds or a date such as 2024-05-01 12:30:00"
            raise self._error("not a time", start + error.at, name, error.value, accepted) from None
        fault = time_fault(values, self._latest, any_order=self._any_order)
        if fault is not None:
            at, problem = fault
            before = self._latest if at == 0 else float(values[at - 1])
            accepted = "a time for every record" if problem == "no time" else f"at least {before:.17g} seconds"
            raise self._error(problem, start + at, name, column[at].as_py(), accepted)
        return values

    def _weights(self, column: pa.Array, name: str, start: int) -> FloatArray:
        values = self._numbers(column, name, start)
        fault = weight_fault(values)
        if fault is not None:
            at, problem = fault
            raise self._error(problem, start + at, name, column[at].as_py(), "a number of at least 0")
        return values

    def _identifiers(self, column: pa.Array, name: str, start: int) -> npt.NDArray[Any]:
        at = first(column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False))
        if at is not None:
            raise self._error("no identifier", start + at, name, None, "an identifier for every record")
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if self._id_type is not None and column.type != self._id_type:
            try:
                column = column.cast(self._id_type)
            except pa.ArrowInvalid as error:
                raise self._error(f"not an identifier ({error})", start, name, None, str(self._id_type)) from None
        values: npt.NDArray[Any] = column.to_numpy(zero_copy_only=False)
        return values

    def _error(self, problem: str, record: int, column: str, value: object, accepted: str) -> BadRecordError:
        row, kind = self._locate(record)
        return BadRecordError(
            record, problem, source=self._source, row=row, row_kind=kind, column=column, value=value, accepted=accepted
        )


@contextmanager
def readable_column(source: str | Path, column: str) -> Iterator[None]:
    """Raise a `DataError` with the column for values that Arrow or Python cannot represent, such as the year 10000."""
    try:
        yield
    except DataError:
        raise
    except (pa.ArrowException, ValueError, TypeError, ArithmeticError, IndexError) as error:
        raise DataError(
            f"values that cannot be read ({one_line(error)})",
            source=source,
            column=column,
            accepted=f"numbers, text, booleans, dates and categories; ignore={column!r} leaves the column out",
        ) from None


class Codes:
    """The codes of a nominal column's values.

    A value is looked up directly and then by its text, so that the number 1 of a Parquet column matches the declared
    value ``"1"`` and the text ``"1"`` of a CSV file matches the declared number 1.
    """

    UNKNOWN = -2.0

    def __init__(self, values: Iterable[Label], trim: bool = False) -> None:
        self.values = tuple(values)
        self._trim = trim
        self._exact: Mapping[object, int] = {value: code for code, value in enumerate(self.values)}
        self._text = {text_of(value): code for code, value in reversed(list(enumerate(self.values)))}
        self._seen: tuple[pa.Array, FloatArray] | None = None

    def of(self, column: pa.Array) -> FloatArray:
        """Return the code of each value, NaN where it is missing, ``UNKNOWN`` where it is not declared."""
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        if self._seen is None or not self._seen[0].equals(column.dictionary):
            found = [self._code(value) for value in column.dictionary.to_pylist()]
            self._seen = column.dictionary, np.array([*found, np.nan])
        table = self._seen[1]
        indices = column.indices.fill_null(len(table) - 1) if column.null_count else column.indices
        found_codes: FloatArray = table[indices.to_numpy(zero_copy_only=False)]
        return found_codes

    def _code(self, value: object) -> float:
        if value is None or value != value:
            return float("nan")
        code = self._exact.get(value)
        if code is None and self._trim and isinstance(value, str):
            value = value.strip()
            code = self._exact.get(value)
        if code is None:
            code = self._text.get(text_of(value))
        return self.UNKNOWN if code is None else float(code)


def text_of(value: object) -> str:
    """Return a nominal value as text: whole numbers without a fraction, booleans in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
