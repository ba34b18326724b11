"""Arrow columns of any type as float64 numbers, and times as seconds."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.types import FloatArray

UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


class NotANumberError(Exception):
    """A cell that is not a number: its place in the column, and its value."""

    def __init__(self, at: int, value: object) -> None:
        super().__init__(at, value)
        self.at = at
        self.value = value


def numbers(column: pa.Array) -> FloatArray:
    """Return a column as numbers, NaN where a value is missing; dates and times in seconds."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return numbers(column.dictionary_decode())
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _floats(column)
    if pa.types.is_boolean(kind):
        return _floats(column.cast(pa.uint8()))
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind) or pa.types.is_time(kind):
        integer = pa.int32() if pa.types.is_time32(kind) else pa.int64()
        return _floats(column.cast(integer)) / UNITS[kind.unit]
    if pa.types.is_date(kind):
        return numbers(column.cast(pa.timestamp("s")))
    if pa.types.is_decimal(kind):
        return _floats(column.cast(pa.string()).cast(pa.float64()))  # Arrow's own cast is wrong in the last digit
    if is_text(kind):
        return _floats(_parsed(column, pa.float64()))
    raise NotANumberError(0, column[0].as_py() if len(column) else None)


def seconds(column: pa.Array) -> FloatArray:
    """Return times as seconds; text may contain numbers or ISO 8601 dates."""
    if pa.types.is_dictionary(column.type):
        return seconds(column.dictionary_decode())
    if not is_text(column.type):
        return numbers(column)
    faults: list[NotANumberError] = []
    dates = [pa.timestamp(unit, tz) for unit in ("us", "ns") for tz in (None, "UTC")]  # "ns" ends in the year 2262
    for kind in (pa.float64(), *dates):
        try:
            return numbers(_parsed(column, kind))
        except NotANumberError as error:
            faults.append(error)
    raise max(faults, key=lambda fault: fault.at)  # the format that fits the most rows is probably the intended one


def is_text(kind: pa.DataType) -> bool:
    """Whether a column type is text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _floats(column: pa.Array) -> FloatArray:
    if not pa.types.is_float64(column.type):
        column = column.cast(pa.float64(), safe=False)
    values: FloatArray = column.to_numpy(zero_copy_only=False)
    return values


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(column)


def _parsed(column: pa.Array, kind: pa.DataType) -> pa.Array:
    cells = _trimmed(column)
    try:
        return cells.cast(kind)
    except pa.ArrowInvalid:
        at = bisect_left(range(len(cells)), 1, key=lambda i: not _castable(cells.slice(0, i + 1), kind))
        raise NotANumberError(at, column[at].as_py()) from None


def _castable(cells: pa.Array, kind: pa.DataType) -> bool:
    try:
        cells.cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def first(bad: npt.NDArray[np.bool_]) -> int | None:
    """Return the place of the first true value; None if there is none."""
    at = int(bad.argmax()) if len(bad) else 0
    return at if len(bad) and bad[at] else None


def time_fault(values: FloatArray, latest: float = -np.inf, *, any_order: bool = False) -> tuple[int, str] | None:
    """Return the place and the kind of the first fault of times that follow ``latest``; None without a fault."""
    at = first(~np.isfinite(values))
    if at is not None:
        return at, "no time"
    if any_order:
        return None
    at = first(np.diff(values, prepend=latest) < 0)
    return None if at is None else (at, "time runs backwards")


def weight_fault(values: FloatArray) -> tuple[int, str] | None:
    """Return the place and the kind of the first fault of weights; None without a fault."""
    at = first(~((values >= 0) & np.isfinite(values)))
    return None if at is None else (at, "not a weight")
