"""The tidy table of two learners' hits: one row a pair, fold, checkpoint and forgetting.

From it everything that compares two learners during a run is computed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.confidence_sequence import predictable_variance
from prequential.errors import InputError, ParameterError, is_whole
from prequential.measures.forgetting import Cumulative, Forgetting, as_forgetting
from prequential.measures.grid import Checkpoints, Grid
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("a", _NAME),
        ("b", _NAME),
        ("fold", pa.int32()),
        ("n", pa.int64()),
        ("t", pa.float64()),
        ("forgetting", _NAME),
        ("n_both_right", pa.float64()),
        ("n_a_right", pa.float64()),
        ("n_b_right", pa.float64()),
        ("n_both_wrong", pa.float64()),
        ("n_records", pa.float64()),
        ("variance", pa.float64()),
    ]
)
"""``n_a_right`` is the weight of the records that A alone had right. ``variance`` is V = Σ (dᵢ − m_{i−1})² of the
differences d = loss_A − loss_B over all history, m_{i−1} their mean before record i; NaN under other forgettings, and
where a record weighed neither 0 nor 1."""


def count_pairs(
    a_right: npt.ArrayLike,
    b_right: npt.ArrayLike,
    *,
    a: str = "A",
    b: str = "B",
    forgetting: Sequence[Forgetting | str] = ("cumulative", "sliding:1000"),
    every: int = 1000,
    weight: npt.ArrayLike | None = None,
    time: npt.ArrayLike | None = None,
    labelled: npt.ArrayLike | None = None,
) -> pa.Table:
    """Count who was right, record by record, at every checkpoint.

    All history is counted in any case, because the confidence sequence needs it.

    Parameters
    ----------
    a_right, b_right
        Whether A and B had each record right.
    a, b
        Their names.
    forgetting
        The forgettings, as objects or in their textual form.
    every
        Records between checkpoints; the last is always there.
    weight, time
        Of each record, where it has one.
    labelled
        Whether each record has a label, if not all have: one without moves windows on, and nothing is counted.

    Examples
    --------
    >>> table = count_pairs([1, 1, 0, 1], [1, 0, 0, 0], forgetting=["cumulative"])
    >>> [table[name][0].as_py() for name in ("n_both_right", "n_a_right", "n_b_right", "n_both_wrong")]
    [1.0, 2.0, 0.0, 1.0]
    >>> round(table["variance"][0].as_py(), 4)
    1.6944
    """
    first, second = _flags("a_right", a_right), _flags("b_right", b_right)
    if len(first) != len(second):
        raise InputError(f"{a} has {len(first):,} records, {b} has {len(second):,}: pairs are of the same records.")
    if not len(first):
        raise InputError("There is no record: nothing to compare.")
    if not is_whole(every, 1):
        raise ParameterError("every", "count_pairs", "a whole number of at least 1", every)
    known = np.ones(len(first), np.bool_) if labelled is None else _flags("labelled", labelled)
    kept = {f.label: f for f in map(as_forgetting, [Cumulative(), *forgetting])}
    chunk = Chunk(
        Schema.numeric(0, (0, 1)),
        0,
        np.empty((len(first), 0)),
        np.where(known, first, UNLABELLED).astype(np.int64),
        None if time is None else np.asarray(time, dtype=np.float64),
        None if weight is None else np.asarray(weight, dtype=np.float64),
    )
    if chunk.time is None and any(f.needs_time for f in kept.values()):
        raise InputError(f"{next(f.label for f in kept.values() if f.needs_time)} needs the time of each record.")
    grid = Grid(chunk.schema, list(kept.values()), probabilities=False, skip_abstained=False)
    passed = grid.update(chunk, None, second.astype(np.int64), every=int(every))
    if len(first) % every:
        passed.append(grid.checkpoint())
    variance = _variance(second.astype(np.float64) - first, known, chunk.weight)
    return _rows(Checkpoints.join(passed), list(kept), a, b, variance)


def _variance(difference: FloatArray, known: npt.NDArray[np.bool_], weight: FloatArray | None) -> FloatArray:
    """Return V after each record; one that does not count, or weighs 0, is as if it were not there."""
    there = known if weight is None else known & (weight != 0)
    variance: FloatArray = np.concatenate([[0.0], predictable_variance(difference[there])])[np.cumsum(there)]
    if weight is not None:
        variance[np.cumsum(there & (weight != 1)) > 0] = np.nan
    return variance


def _rows(at: Checkpoints, labels: list[str], a: str, b: str, variance: FloatArray) -> pa.Table:
    k, f = len(at), len(labels)
    matrix = at.counts.matrix
    spread = np.full((k, f), np.nan)
    spread[:, labels.index("cumulative")] = variance[at.n - 1]
    return pa.table(
        {
            "a": _names([a], np.zeros(k * f, np.int32)),
            "b": _names([b], np.zeros(k * f, np.int32)),
            "fold": pa.array(np.zeros(k * f, np.int32)),
            "n": np.repeat(at.n, f),
            "t": pa.array(np.repeat(at.time, f), from_pandas=True),
            "forgetting": _names(labels, np.tile(np.arange(f, dtype=np.int32), k)),
            "n_both_right": matrix[..., 1, 1].ravel(),
            "n_a_right": matrix[..., 1, 0].ravel(),
            "n_b_right": matrix[..., 0, 1].ravel(),
            "n_both_wrong": matrix[..., 0, 0].ravel(),
            "n_records": at.counts.n_records.ravel(),
            "variance": spread.ravel(),
        },
        schema=SCHEMA,
    )


def _names(values: list[str], codes: npt.NDArray[np.int32]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(values, pa.string()))


def _flags(name: str, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array = np.asarray(values)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise ParameterError(name, "count_pairs", "a list of truth values, one a record", values)
    return array.astype(np.bool_)
