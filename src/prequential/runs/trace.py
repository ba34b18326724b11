"""The tidy table of a run: one row per learner, fold, checkpoint, forgetting and metric.

Folds are numbered from 1. A run without folds has the one fold 0. Means over folds are in ``summary.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.metrics.binned import Binned
from prequential.metrics.grid import Checkpoints
from prequential.metrics.metric import Metric
from prequential.streams.spelling import Classes
from prequential.types import FloatArray, IntArray, Label

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("learner", _NAME),
        ("fold", pa.int32()),
        ("n", pa.int64()),
        ("time", pa.float64()),
        ("forgetting", _NAME),
        ("metric", _NAME),
        ("value", pa.float64()),
    ]
)

BINS = SCHEMA.insert(6, pa.field("bin", pa.int32()))
"""The trace by bin of the waiting time: bin 0 is at arrival, bin B + 1 just before the label."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The values of metrics at checkpoints.

    Parameters
    ----------
    n, time
        The number of records seen and the time of the last, per checkpoint.
    names
        The columns of the trace; a per-class metric has one column per class.
    declared
        For each column, whether it existed from the start: False for a class that appeared later.
    values
        With the axes (checkpoint, forgetting, column); for binned metrics (checkpoint, bin, forgetting, column).
    """

    n: IntArray
    time: FloatArray
    names: tuple[str, ...]
    declared: tuple[bool, ...]
    values: FloatArray

    def select(self, which: npt.NDArray[np.bool_]) -> Measured:
        """Return the values at some of the checkpoints."""
        return replace(self, n=self.n[which], time=self.time[which], values=self.values[which])


def measured(
    checkpoints: Checkpoints, *, metrics: Sequence[Metric], classes: Sequence[Label], n_declared: int
) -> Measured:
    """Compute metrics from the counts of checkpoints."""
    names: list[str] = []
    declared: list[bool] = []
    columns: list[FloatArray] = []
    counts = checkpoints.counts
    if any(metric.needs not in ("scores", "nothing") for metric in metrics):
        counts = counts.by_class()
    for metric in metrics:
        values = metric(counts)
        if not metric.per_class:
            names.append(metric.name)
            declared.append(True)
            columns.append(values)
            continue
        for c in _reported(metric, classes, values.shape[-1]):
            names.append(f"{metric.name}[{classes[c]}]")
            declared.append(c < n_declared)
            columns.append(values[..., c])
    empty = (*counts.weight.shape, 0)  # all metrics are per class, and no class has appeared yet
    values = np.stack(columns, axis=-1) if columns else np.zeros(empty)
    return Measured(checkpoints.n, checkpoints.time, tuple(names), tuple(declared), values)


def _reported(metric: Metric, classes: Sequence[Label], n: int) -> Sequence[int]:
    """Return the codes of the classes for which a per-class metric is reported: those that have appeared."""
    if metric.only is None:
        return range(n)
    code = Classes(classes, declared=True).code(metric.only)
    return [] if code is None or code >= n else [code]


def rows(
    found: Measured,
    *,
    learner: str,
    fold: int,
    forgetting: Sequence[str],
    shown: npt.NDArray[np.bool_] | None = None,
) -> pa.Table:
    """Return values as rows of the trace.

    A class that was not declared has rows only where its metric is defined, or ``shown``, so that the trace does not
    depend on when the class appeared.
    """
    values = found.values
    k, f, m = values.shape
    flat = values.ravel()
    table = pa.table(
        [
            _dictionary(np.zeros(flat.size, np.int32), [learner]),
            pa.array(np.full(flat.size, fold, np.int32)),
            pa.array(np.repeat(found.n, f * m)),
            pa.array(np.repeat(found.time, f * m), from_pandas=True),  # null without a clock
            _dictionary(np.tile(np.repeat(np.arange(f, dtype=np.int32), m), k), forgetting),
            _dictionary(np.tile(np.arange(m, dtype=np.int32), k * f), found.names),
            pa.array(flat),
        ],
        schema=SCHEMA,
    )
    if all(found.declared):
        return table
    keep = np.tile(np.array(found.declared), k * f) | (~np.isnan(flat) if shown is None else shown.ravel())
    return table.filter(pa.array(keep))


def reported(found: Measured, binned: Binned, metrics: Sequence[Metric]) -> Measured:
    """Reduce binned metrics to the stages of the trace: initial, prioritised (Ψ), final."""
    stages = {metric.name: binned.stages_of(metric) for metric in metrics}
    names: list[str] = []
    declared: list[bool] = []
    columns: list[FloatArray] = []
    for base, known, values in zip(found.names, found.declared, np.moveaxis(found.values, -1, 0), strict=True):
        own = stages[base.partition("[")[0]]
        names += binned.names(base, own)
        declared += [known] * len(own)
        columns.append(binned.reported(values)[..., [binned.stages.index(stage) for stage in own]])
    joined = np.concatenate(columns, axis=-1) if columns else np.zeros((*found.values.shape[:1], 0, 0))
    return Measured(found.n, found.time, tuple(names), tuple(declared), joined)


def bin_rows(found: Measured, *, learner: str, fold: int, forgetting: Sequence[str]) -> pa.Table:
    """Return binned metrics as rows, without undefined values."""
    flat = found.values.ravel()
    at = np.flatnonzero(~np.isnan(flat))
    place = np.unravel_index(at, found.values.shape)
    return pa.table(
        [
            _dictionary(np.zeros(len(at), np.int32), [learner]),
            pa.array(np.full(len(at), fold, np.int32)),
            pa.array(found.n[place[0]]),
            pa.array(found.time[place[0]], from_pandas=True),
            _dictionary(place[2].astype(np.int32), forgetting),
            _dictionary(place[3].astype(np.int32), found.names),
            pa.array(place[1].astype(np.int32)),
            pa.array(flat[at]),
        ],
        schema=BINS,
    )


def _dictionary(codes: np.ndarray[tuple[int, ...], np.dtype[np.int32]], values: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(values), pa.string()))
