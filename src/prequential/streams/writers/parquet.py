"""Writing Parquet files."""

from __future__ import annotations

from contextlib import suppress
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from prequential.streams.chunk import Chunk
from prequential.streams.declaration import METADATA_KEY, Declaration
from prequential.streams.schema import Schema
from prequential.streams.writers.file_columns import Column, FileColumns
from prequential.streams.writers.text_rows import texts_of
from prequential.types import Label

_KINDS: dict[type, pa.DataType] = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


class ParquetWriter:
    """Writes dictionary columns for nominal values and float64 for numbers; the declaration goes into the metadata.

    Nominal values keep their type if all are integers, floats or booleans; otherwise they are written as text.

    Parameters
    ----------
    file
        The file to write to.
    columns
        The columns.
    """

    sidecar = False

    def __init__(self, file: IO[bytes], columns: FileColumns) -> None:
        self._columns = columns
        schema, values = columns.schema, columns.schema.values
        self._kinds: dict[str, pa.DataType] = {}
        for name in columns.names:
            declared = values.get(name)
            if name == columns.id:
                self._kinds[name] = pa.type_for_alias(columns.id_type or "string")
            else:
                self._kinds[name] = pa.float64() if declared is None else _kind(declared, schema.open)
        self._dictionaries: dict[str, tuple[tuple[Label, ...], pa.Array]] = {}
        fields = [(name, self._type(name, values.get(name))) for name in columns.names]
        self._arrow = pa.schema(fields)
        self._writer = pq.ParquetWriter(file, self._arrow, compression="zstd")

    def write(self, chunk: Chunk) -> None:
        """Write records as a row group."""
        arrays = [self._array(column) for column in self._columns.of_chunk(chunk)]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._arrow))

    def abandon(self) -> None:
        """Stop writing; what Arrow still holds may not fit on the disk."""
        with suppress(OSError, ValueError):
            self._writer.close()
        self._writer.is_open = False  # otherwise it would try again when it is deleted

    def close(self, schema: Schema, **fields: object) -> Declaration:
        """Write the metadata and the end of the file."""
        declared = self._columns.declare(schema, **fields)
        self._writer.add_key_value_metadata({METADATA_KEY: declared.to_json()})
        self._writer.close()
        return declared

    def _type(self, name: str, values: tuple[Label, ...] | None) -> pa.DataType:
        """Return the type of a column; booleans have no dictionary in Parquet."""
        kind = self._kinds[name]
        return kind if values is None or pa.types.is_boolean(kind) else pa.dictionary(pa.int32(), kind)

    def _array(self, column: Column) -> pa.Array:
        kind = self._kinds[column.name]
        if column.values is None:
            return pa.array(column.cells, kind, from_pandas=column.name != self._columns.id)
        missing = np.isnan(column.cells)
        codes = pa.array(np.where(missing, 0, column.cells).astype(np.int32), mask=missing)
        found = pa.DictionaryArray.from_arrays(codes, self._dictionary(column.name, column.values))
        return found.dictionary_decode() if pa.types.is_boolean(kind) else found

    def _dictionary(self, name: str, values: tuple[Label, ...]) -> pa.Array:
        known = self._dictionaries.get(name)
        if known is None or known[0] != values:
            kind = self._kinds[name]
            known = values, texts_of(name, values, trim=False) if pa.types.is_string(kind) else pa.array(values, kind)
            self._dictionaries[name] = known
        return known[1]


def _kind(values: tuple[Label, ...], still_open: bool) -> pa.DataType:
    """Return the type of all values if they have one that Parquet supports, else text."""
    kinds = {type(value.item() if hasattr(value, "item") else value) for value in values}
    kind = _KINDS.get(next(iter(kinds))) if len(kinds) == 1 and not still_open else None
    if kind is None:
        return pa.string()
    try:
        pa.array(values, kind)
    except (pa.ArrowInvalid, OverflowError):
        return pa.string()
    return kind
