"""The tidy table of a run: one row a learner, fold, checkpoint, forgetting and measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from prequential.measures.grid import Checkpoints
from prequential.measures.measure import Measure
from prequential.types import FloatArray, Label

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("learner", _NAME),
        ("fold", pa.int32()),
        ("n", pa.int64()),
        ("t", pa.float64()),
        ("forgetting", _NAME),
        ("measure", _NAME),
        ("value", pa.float64()),
    ]
)


def rows(
    checkpoints: Checkpoints,
    *,
    learner: str,
    fold: int,
    forgetting: Sequence[str],
    measures: Sequence[Measure],
    classes: Sequence[Label],
    n_declared: int,
) -> pa.Table:
    """Compute the measures of some checkpoints, as rows of the trace.

    A class that was not declared has rows only where its measure is defined: so the trace does not depend on when
    the class became known.
    """
    names: list[str] = []
    declared: list[bool] = []
    columns: list[FloatArray] = []
    counts = checkpoints.counts.by_class()
    for measure in measures:
        values = measure(counts)
        if not measure.per_class:
            names.append(measure.name)
            declared.append(True)
            columns.append(values)
            continue
        for c in range(values.shape[-1]):
            names.append(f"{measure.name}[{classes[c]}]")
            declared.append(c < n_declared)
            columns.append(values[..., c])
    if not columns:  # all measures are by class, and no class has appeared yet
        return SCHEMA.empty_table()
    values = np.stack(columns, axis=-1)  # (checkpoint, forgetting, measure)
    k, f, m = values.shape
    flat = values.ravel()
    table = pa.table(
        [
            _dictionary(np.zeros(flat.size, np.int32), [learner]),
            pa.array(np.full(flat.size, fold, np.int32)),
            pa.array(np.repeat(checkpoints.n, f * m)),
            pa.array(np.repeat(checkpoints.time, f * m), from_pandas=True),  # null without a clock
            _dictionary(np.tile(np.repeat(np.arange(f, dtype=np.int32), m), k), forgetting),
            _dictionary(np.tile(np.arange(m, dtype=np.int32), k * f), names),
            pa.array(flat),
        ],
        schema=SCHEMA,
    )
    if all(declared):
        return table
    keep = np.tile(np.array(declared), k * f) | ~np.isnan(flat)
    return table.filter(pa.array(keep))


def _dictionary(codes: np.ndarray[tuple[int, ...], np.dtype[np.int32]], values: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(values), pa.string()))
