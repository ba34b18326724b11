"""Counts of which of two learners was right: one row per pair, fold, checkpoint and forgetting.

Every comparison of two learners during a run is computed from this tidy table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.arguments import check_whole
from prequential.errors import InputError, ParameterError
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, Forgetting, as_forgetting
from prequential.metrics.grid import Checkpoints, Grid
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
        ("time", pa.float64()),
        ("forgetting", _NAME),
        ("n_both_right", pa.float64()),
        ("n_a_right", pa.float64()),
        ("n_b_right", pa.float64()),
        ("n_both_wrong", pa.float64()),
        ("n_records", pa.float64()),
        ("variance", pa.float64()),
    ]
)
"""``n_a_right`` is the weight of the records that only A predicted right. ``variance`` is V = Σ (dᵢ − m_{i−1})² of the
differences d = loss_A − loss_B over all history, where m_{i−1} is their mean before record i; NaN under other
forgettings, and once a record had a weight other than 0 or 1."""

LATE_SCHEMA = SCHEMA.append(pa.field("stage", _NAME))
"""With late labels a pair is counted by its initial and by its final predictions."""

_SCHEMA = Schema.numeric(0, (0, 1))


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
    start: int = 0,
) -> pa.Table:
    """Count which of two learners was right, record by record, at every checkpoint.

    The cumulative counts are always included, because the confidence sequence needs them.

    Parameters
    ----------
    a_right, b_right
        Whether A and B predicted each record right.
    a, b
        Names of the two learners.
    forgetting
        The forgettings, as objects or in their textual form.
    every
        Records between checkpoints; the last checkpoint is always reported.
    weight, time
        Weight and time of each record, if any.
    labelled
        Whether each record has a label (default: all have one). A record without a label is not counted, but advances
        windows in seconds.
    start
        Number of records of the stream before these.

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
        raise InputError(f"{a} has {len(first):,} records, {b} has {len(second):,}. Pairs need the same records.")
    if not len(first):
        raise InputError("There are no records to compare.")
    check_whole(every, "every", "count_pairs", least=1)
    known = np.ones(len(first), np.bool_) if labelled is None else _flags("labelled", labelled)
    if len(known) != len(first):
        raise ParameterError("labelled", "count_pairs", f"a list of {len(first):,} values", f"{len(known):,} values")
    counter = PairCounter(a, b, [as_forgetting(f) for f in forgetting], int(every), start=start, fold=0)
    if time is None and counter.needs_time:
        raise InputError(f"{counter.needs_time} needs the time of each record.")
    weights, times = _numbers("weight", weight, len(first)), _numbers("time", time, len(first))
    if weights is not None and not (weights >= 0).all():
        raise ParameterError("weight", "count_pairs", "numbers of at least 0", weight)
    counter.update(first, second, known, weight=weights, time=times)
    counter.finish()
    return pa.concat_tables(counter.drain())


class PairCounter:
    """Counts which of two learners was right, record by record, as records arrive.

    The pair is counted as a binary learner: the label is whether A was right, the prediction whether B was right.
    Therefore every forgetting works. The cumulative counts are always included, because the confidence sequence needs
    them.

    Parameters
    ----------
    a, b
        Names of the two learners.
    forgetting
        The forgettings.
    every
        Records between checkpoints.
    start
        Number of records before the first one counted, which were only used for training.
    fold
        The fold of the two replicas; 0 if there is only one of each.
    """

    def __init__(self, a: str, b: str, forgetting: Sequence[Forgetting], every: int, *, start: int, fold: int) -> None:
        self.a, self.b, self.fold = a, b, fold
        by_label = {f.label: f for f in [Cumulative(), *forgetting]}
        for one in by_label.values():
            if isinstance(one, AdaptiveWindow):
                raise InputError(
                    f"{one.label} depends on one learner's own loss, so two learners have no such window in common. "
                    "Compare them over all history, a sliding window, a fading factor or an exponential histogram."
                )
        self._labels = list(by_label)
        self._every, self._start = every, start
        self.needs_time = next((f.label for f in by_label.values() if f.needs_time), None)
        self._grid = Grid(_SCHEMA, list(by_label.values()), probabilities=False, skip_abstained=False)
        self._n, self._sum, self._variance = 0, 0.0, 0.0  # of the differences so far
        self._waiting: list[pa.Table] = []

    def update(
        self,
        a_right: npt.NDArray[np.bool_],
        b_right: npt.NDArray[np.bool_],
        known: npt.NDArray[np.bool_],
        *,
        weight: FloatArray | None = None,
        time: FloatArray | None = None,
    ) -> None:
        """Count records; those not ``known`` are not counted, but advance windows in seconds."""
        before = self._grid.n_seen
        labels = np.where(known, a_right, UNLABELLED).astype(np.int64)
        chunk = Chunk(_SCHEMA, before, np.empty((len(labels), 0)), labels, time, weight)
        passed = self._grid.update(chunk, None, b_right.astype(np.int64), every=self._every)
        variance = self._add(b_right.astype(np.float64) - a_right, known, weight)
        self._waiting += [self._rows(at, variance[at.n - before - 1]) for at in passed]

    def finish(self) -> None:
        """Report the last checkpoint (convention 6)."""
        if self._grid.n_seen % self._every:
            self._waiting.append(self._rows(self._grid.checkpoint(), np.array([self._variance])))

    def state(self) -> dict[str, Any]:
        """Return the state, without rows: call ``drain`` first."""
        return {"grid": self._grid.to_bytes(), "differences": [self._n, self._sum, self._variance]}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore the state of a counter of the same pair."""
        self._grid.load_bytes(state["grid"])
        self._n, self._sum, self._variance = state["differences"]

    def drain(self) -> list[pa.Table]:
        """Return and forget the rows of the checkpoints since the last call."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def _add(self, difference: FloatArray, known: npt.NDArray[np.bool_], weight: FloatArray | None) -> FloatArray:
        """Return V after each record; records that are not known or have weight 0 are ignored."""
        counted = known if weight is None else known & (weight != 0)
        d = difference[counted]
        sums = np.cumsum(np.concatenate([[self._sum], d]))
        n = self._n + np.arange(len(d) + 1)
        deviation = d - sums[:-1] / np.maximum(n[:-1], 1)
        so_far = np.cumsum(np.concatenate([[self._variance], deviation**2]))  # sequential, so chunks do not matter
        variance: FloatArray = so_far[np.cumsum(counted)]
        if weight is not None:
            variance[np.cumsum(counted & (weight != 1)) > 0] = np.nan
        self._n, self._sum = int(n[-1]), float(sums[-1])
        self._variance = float(variance[-1]) if len(variance) else self._variance
        return variance

    def _rows(self, at: Checkpoints, variance: FloatArray) -> pa.Table:
        k, f = len(at), len(self._labels)
        matrix = at.counts.matrix
        variances = np.full((k, f), np.nan)
        variances[:, self._labels.index("cumulative")] = variance
        return pa.table(
            {
                "a": _names([self.a], np.zeros(k * f, np.int32)),
                "b": _names([self.b], np.zeros(k * f, np.int32)),
                "fold": pa.array(np.full(k * f, self.fold, np.int32)),
                "n": np.repeat(at.n + self._start, f),
                "time": pa.array(np.repeat(at.time, f), from_pandas=True),
                "forgetting": _names(self._labels, np.tile(np.arange(f, dtype=np.int32), k)),
                "n_both_right": matrix[..., 1, 1].ravel(),
                "n_a_right": matrix[..., 1, 0].ravel(),
                "n_b_right": matrix[..., 0, 1].ravel(),
                "n_both_wrong": matrix[..., 0, 0].ravel(),
                "n_records": at.counts.n_records.ravel(),
                "variance": variances.ravel(),
            },
            schema=SCHEMA,
        )


def _names(values: list[str], codes: npt.NDArray[np.int32]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(values, pa.string()))


def _numbers(name: str, values: npt.ArrayLike | None, n: int) -> FloatArray | None:
    if values is None:
        return None
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(name, "count_pairs", "a list of numbers, one per record", values) from error
    if array.shape != (n,) or not np.isfinite(array).all():
        raise ParameterError(name, "count_pairs", f"a list of {n:,} finite numbers, one per record", values)
    return array


def _flags(name: str, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array = np.asarray(values)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise ParameterError(name, "count_pairs", "a list of booleans, one per record", values)
    return array.astype(np.bool_)
