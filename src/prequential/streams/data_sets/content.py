"""The checksum of a data set: of its names and values in their order, not of the bytes of a file.

A file that somebody converted himself has the same checksum if it has the same columns, the same values and the same
order, whatever its format, compression or types: ``"1"`` and ``1.0`` are the same value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_MISSING = b"\xff\xff\xff\xff"


def checksum(columns: Iterable[tuple[str, pa.ChunkedArray]]) -> str:
    """Return the checksum of named columns.

    Examples
    --------
    >>> one = {"x": pa.chunked_array([[1, 2]]), "y": pa.chunked_array([["a", "b"]])}
    >>> other = {"x": pa.chunked_array([["1.0"], ["2"]]), "y": pa.chunked_array([["a", "b"]]).dictionary_encode()}
    >>> checksum(one.items()) == checksum(other.items())
    True
    """
    whole = hashlib.sha256()
    for name, column in columns:
        whole.update(_text(name))
        whole.update(_of_column(column).digest())
    return whole.hexdigest()


def _of_column(column: pa.ChunkedArray) -> hashlib._Hash:
    found = hashlib.sha256()
    if _is_number(column.type):
        found.update(_numbers(pc.cast(column, pa.float64(), safe=False)))
        return found
    coded = pc.dictionary_encode(
        column.combine_chunks() if pa.types.is_dictionary(column.type) else column.cast("string")
    )
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    values = coded.dictionary.to_pylist()
    used = {values[i] for i in pc.unique(coded.indices).to_pylist() if i is not None}
    as_numbers = {value: _as_number(value) for value in used if value is not None}
    if None in as_numbers.values() or not as_numbers:
        texts = [_MISSING if value is None else _text(str(value)) for value in values]
        for i in coded.indices.to_pylist():
            found.update(_MISSING if i is None else texts[i])
        return found
    table = np.array([as_numbers.get(value, np.nan) for value in values] + [np.nan], dtype=np.float64)
    indices = coded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    found.update(_bytes(table[indices]))
    return found


def _numbers(column: pa.ChunkedArray) -> bytes:
    return _bytes(column.fill_null(float("nan")).to_numpy())


def _bytes(values: np.ndarray) -> bytes:
    """Return numbers as bytes: one NaN for all that is missing, and no negative zero."""
    plain = values.astype("<f8") + 0.0
    plain[np.isnan(plain)] = np.nan
    return plain.tobytes()


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _as_number(value: object) -> float | None:
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number raises an error
    except (TypeError, ValueError):
        return None


def _text(value: str) -> bytes:
    data = value.encode()
    return len(data).to_bytes(4, "little") + data
