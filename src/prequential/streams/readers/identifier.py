"""Identifiers of several tables in one form, so that 17 in one table matches "17" in another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.streams.readers.number import NotANumberError, first, is_text

ACCEPTED = "a whole number or text"


def all_whole(kinds: Iterable[pa.DataType]) -> bool:
    """Whether columns of these types can be compared as whole numbers, so that identifiers need not be text."""
    plain = [_plain(kind) for kind in kinds]
    n_wide = sum(pa.types.is_uint64(kind) for kind in plain)
    return n_wide in (0, len(plain)) and all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in plain)


def identifiers(column: pa.Array, *, whole: bool, trim: bool = False) -> npt.NDArray[Any]:
    """Return identifiers as whole numbers, or as text.

    Raises
    ------
    NotANumberError
        With the place of the first one that is missing, or neither a whole number nor text.

    Examples
    --------
    >>> identifiers(pa.array([7.0, 8.0]), whole=True), identifiers(pa.array([7, 8]), whole=False)
    (array([7, 8]), array(['7', '8'], dtype=object))
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    at = first(column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False))
    if at is not None:
        raise NotANumberError(at, None)
    if is_text(column.type):
        column = pc.utf8_trim_whitespace(column) if trim else column
    else:
        if not pa.types.is_uint64(column.type):
            column = _whole(column)
        if not whole:
            column = column.cast(pa.string())
    values: npt.NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


def _whole(column: pa.Array) -> pa.Array:
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise NotANumberError(0, column[0].as_py() if len(column) else None)
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f":
        at = first((values != np.floor(values)) | (np.abs(values) > 2**53))
        if at is not None:
            raise NotANumberError(at, column[at].as_py())
    return column.cast(pa.int64())


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
