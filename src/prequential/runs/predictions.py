"""Saved predictions, in the form that ``prequential score`` reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from prequential.protocols.setting import Tested
from prequential.streams.schema import Schema
from prequential.types import Labels


def predictions_table(tested: Tested) -> pa.Table:
    """Return the label, prediction and scores of each record."""
    chunk, scores = tested.chunk, tested.scores
    n = len(chunk)
    columns: dict[str, pa.Array] = {"record": pa.array(np.arange(chunk.start, chunk.start + n))}
    classes = chunk.schema.classes
    if classes is None:
        columns["label"] = pa.array(chunk.y, from_pandas=True)
        columns["prediction"] = pa.array(scores[:, 0], from_pandas=True)
    else:
        usable = np.isfinite(scores).all(axis=1) & (scores.sum(axis=1) > 0)
        columns["label"] = _decoded(chunk.y, chunk.schema)
        columns["prediction"] = _decoded(np.where(usable, scores.argmax(axis=1), -1), chunk.schema)
        for c, label in enumerate(classes):
            score = scores[:, c] if c < scores.shape[1] else np.zeros(n)
            columns[f"score_{label}"] = pa.array(np.ascontiguousarray(score))
    for name in ("time", "weight", "id"):
        values = getattr(chunk, name)
        if values is not None:
            columns[name] = pa.array(values)
    return pa.table(columns)


def join_predictions(tables: Sequence[pa.Table]) -> pa.Table:
    """Concatenate tables of predictions; a class that appeared late has score 0 in the tables before."""
    names = list(dict.fromkeys(name for table in tables for name in table.column_names))
    whole = []
    for table in tables:
        for name in names:
            if name not in table.column_names:
                table = table.append_column(name, pa.repeat(0.0, len(table)))
        whole.append(table.select(names))
    return pa.concat_tables(whole).unify_dictionaries()


def _decoded(codes: Labels, schema: Schema) -> pa.Array:
    names = pa.array([str(label) for label in schema.classes or ()], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes < 0), names)
