"""The records of a stream as an Arrow table in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from prequential.errors import InputError
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label


def arrow_table(chunks: Iterable[Chunk], schema: Schema) -> pa.Table:
    """Return the records of chunks: features, then time, weight and identifier if present, and the target last.

    A nominal column is a dictionary with all its values in the order of their codes, occurring or not; two truth
    values are booleans.

    Parameters
    ----------
    chunks
        The chunks of one stream.
    schema
        Its schema, if there are no chunks.
    """
    parts = list(chunks)
    if parts:
        schema = replace(parts[-1].schema, open=False)  # codes never change, so the last schema fits all chunks
        records = concatenate([replace(part, schema=schema) for part in parts])
    else:
        target = np.empty(0, dtype=np.float64 if schema.classes is None else np.int64)
        records = Chunk(schema, 0, np.empty((0, schema.n_features)), target)
    columns = {
        feature.name: _column(cells, feature.values)
        for feature, cells in zip(schema.features, records.X.T, strict=True)
    }
    for role, name in role_names(schema, records).items():
        columns[name] = pa.array(getattr(records, role))
    columns[schema.target] = _column(np.where(records.labelled, records.y, np.nan), schema.classes)
    return pa.table(columns)


def role_names(schema: Schema, chunk: Chunk | None) -> dict[str, str]:
    """Return the column names of times, weights and identifiers, of those that a chunk has.

    A name that is also that of a feature gets a ``_``.
    """
    taken = [feature.name for feature in schema.features]
    if schema.target in taken:
        raise InputError(f"The target {schema.target!r} is also a feature. Accepted: distinct names of columns.")
    taken.append(schema.target)
    found: dict[str, str] = {}
    for role in ("time", "weight", "id"):
        if chunk is not None and getattr(chunk, role) is not None:
            name = role
            while name in taken:
                name += "_"
            found[role] = name
    return found


def _column(cells: FloatArray, values: Sequence[Label] | None) -> pa.Array:
    """Return numbers, or the values of codes."""
    if values is None:
        return pa.array(cells, from_pandas=True)  # NaN is a missing value
    missing = np.isnan(cells)
    codes = pa.array(np.where(missing, 0, cells).astype(np.int32), mask=missing)
    found = pa.DictionaryArray.from_arrays(codes, _dictionary(values))
    return found.dictionary_decode() if pa.types.is_boolean(found.type.value_type) else found


def _dictionary(values: Sequence[Label]) -> pa.Array:
    """Return values as an array; as text if they have several types, or one that Arrow does not have."""
    kinds = {type(value) for value in values}
    try:
        return pa.array(values, None if values else pa.string()) if len(kinds) <= 1 else pa.array(map(str, values))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return pa.array(map(str, values))
