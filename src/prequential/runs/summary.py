"""The tidy table of means over folds: one row per learner, checkpoint, forgetting and metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
import pyarrow as pa

from prequential.runs.trace import Measured, rows
from prequential.types import FloatArray

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("learner", _NAME),
        ("n", pa.int64()),
        ("time", pa.float64()),
        ("forgetting", _NAME),
        ("metric", _NAME),
        ("mean", pa.float64()),
        ("std", pa.float64()),
        ("n_folds", pa.int32()),
    ]
)
"""``std`` is the standard deviation of the folds (n − 1), which shows how much replicas differ."""


def averaged(folds: Sequence[Measured]) -> tuple[Measured, FloatArray]:
    """Return the mean of the folds at the checkpoints that all of them have, and their standard deviation.

    Where one fold is undefined or has no such class, so are both: an undefined value is never hidden.
    """
    n = reduce(np.intersect1d, [one.n for one in folds])
    widest = max(folds, key=lambda one: len(one.names))
    each = []
    for one in folds:
        at = np.searchsorted(one.n, n)
        missing = [name not in one.names for name in widest.names]
        places = [0 if gone else one.names.index(name) for name, gone in zip(widest.names, missing, strict=True)]
        each.append(np.where(missing, np.nan, one.values[at][..., places]))
    time = folds[0].time[np.searchsorted(folds[0].n, n)]
    mean = Measured(n, time, widest.names, widest.declared, sum(each, np.zeros(each[0].shape)) / len(folds))
    return mean, np.std(np.stack(each, axis=-1), axis=-1, ddof=1)


def summary_rows(folds: Sequence[Measured], *, learner: str, forgetting: Sequence[str]) -> pa.Table:
    """Return the mean and the standard deviation of the folds of a learner as rows."""
    mean, std = averaged(folds)
    means, stds = (
        rows(one, learner=learner, fold=0, forgetting=forgetting, shown=~np.isnan(mean.values))
        for one in (mean, replace(mean, values=std))
    )
    columns = {name: means[name] for name in SCHEMA.names[:5]}
    n_folds = pa.array(np.full(len(means), len(folds), np.int32))
    return pa.table({**columns, "mean": means["value"], "std": stds["value"], "n_folds": n_folds}, schema=SCHEMA)
