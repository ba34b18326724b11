"""The tidy table of a run: one row a learner, fold, checkpoint, forgetting and measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from prequential.measures.binned import Binned
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

BINS = SCHEMA.insert(6, pa.field("bin", pa.int32()))
"""The same for each bin of the time that records wait: 0 at arrival, B + 1 when the label comes."""


def rows(
    checkpoints: Checkpoints,
    *,
    learner: str,
    fold: int,
    forgetting: Sequence[str],
    measures: Sequence[Measure],
    classes: Sequence[Label],
    n_declared: int,
    binned: Binned | None = None,
) -> tuple[pa.Table, pa.Table | None]:
    """Compute the measures of some checkpoints, as rows of the trace; of binned ones, as rows of the bins too.

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
        return SCHEMA.empty_table(), None
    bins = None
    if binned is not None:
        bins = bins_table(checkpoints, learner, fold, forgetting, names, np.stack(columns, axis=-1))
        columns = [part for values in columns for part in np.moveaxis(binned.reported(values), -1, 0)]
        declared = [one for one in declared for _ in binned.stages]
        names = [name for base in names for name in binned.names(base)]
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
        return table, bins
    keep = np.tile(np.array(declared), k * f) | ~np.isnan(flat)
    return table.filter(pa.array(keep)), bins


def bins_table(
    checkpoints: Checkpoints,
    learner: str,
    fold: int,
    forgetting: Sequence[str],
    names: Sequence[str],
    values: FloatArray,
) -> pa.Table:
    """Return values with the axes (checkpoint, bin, forgetting, measure) as rows, those that are undefined left out."""
    flat = values.ravel()
    at = np.flatnonzero(~np.isnan(flat))
    place = np.unravel_index(at, values.shape)
    return pa.table(
        [
            _dictionary(np.zeros(len(at), np.int32), [learner]),
            pa.array(np.full(len(at), fold, np.int32)),
            pa.array(checkpoints.n[place[0]]),
            pa.array(checkpoints.time[place[0]], from_pandas=True),
            _dictionary(place[2].astype(np.int32), forgetting),
            _dictionary(place[3].astype(np.int32), names),
            pa.array(place[1].astype(np.int32)),
            pa.array(flat[at]),
        ],
        schema=BINS,
    )


def _dictionary(codes: np.ndarray[tuple[int, ...], np.dtype[np.int32]], values: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(values), pa.string()))
