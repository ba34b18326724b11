"""The tidy table of two learners' hits: one row a pair, fold, checkpoint and forgetting.

From it everything that compares two learners during a run is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.errors import InputError, ParameterError, is_whole
from prequential.measures.forgetting import Adwin, Cumulative, Forgetting, as_forgetting
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
        Whether each record has a label, if not all have: one without moves windows of seconds on, and is not counted.
    start
        Records of the stream before the first of these.

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
    if len(known) != len(first):
        raise ParameterError("labelled", "count_pairs", f"of {len(first):,} records", f"{len(known):,} of them")
    counter = PairCounter(a, b, [as_forgetting(f) for f in forgetting], int(every), start)
    if time is None and counter.needs_time:
        raise InputError(f"{counter.needs_time} needs the time of each record.")
    weights, times = _numbers("weight", weight, len(first)), _numbers("time", time, len(first))
    if weights is not None and not (weights >= 0).all():
        raise ParameterError("weight", "count_pairs", "numbers of at least 0", weight)
    counter.update(first, second, known, weight=weights, time=times)
    counter.finish()
    return pa.concat_tables(counter.drain())


class PairCounter:
    """Counts who was right, record by record, as the records come.

    The pair is a learner of two classes to the grid: the label is whether A was right, the prediction whether B was. So
    every forgetting works. All history is counted in any case, because the confidence sequence needs it.

    Parameters
    ----------
    a, b
        The names of the two learners.
    forgetting
        The forgettings.
    every
        Records between checkpoints.
    start
        Records before the first: those that only trained.
    fold
        Of which replicas of the two; 0 where there is one of each.
    """

    def __init__(
        self, a: str, b: str, forgetting: Sequence[Forgetting], every: int, start: int = 0, fold: int = 0
    ) -> None:
        self.a, self.b, self.fold = a, b, fold
        kept = {f.label: f for f in [Cumulative(), *forgetting]}
        for one in kept.values():
            if isinstance(one, Adwin):
                raise InputError(
                    f"{one.label} is the window of one learner's own loss: two learners have none in common. Compare "
                    "them over all history, a sliding window, a fading factor or an exponential histogram."
                )
        self._labels = list(kept)
        self._every, self._start = every, start
        self.needs_time = next((f.label for f in kept.values() if f.needs_time), None)
        self._grid = Grid(_SCHEMA, list(kept.values()), probabilities=False, skip_abstained=False)
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
        """Count some records; those not ``known`` move windows of seconds on, and are not counted."""
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
        """Return the whole state; the rows have been taken away."""
        return {"grid": self._grid.to_bytes(), "differences": [self._n, self._sum, self._variance]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where a counter of the same pair was."""
        self._grid.load_bytes(state["grid"])
        self._n, self._sum, self._variance = state["differences"]

    def drain(self) -> list[pa.Table]:
        """Take away the rows of the checkpoints passed since the last call."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def _add(self, difference: FloatArray, known: npt.NDArray[np.bool_], weight: FloatArray | None) -> FloatArray:
        """Return V after each record; one that does not count, or weighs 0, is as if it were not there."""
        there = known if weight is None else known & (weight != 0)
        d = difference[there]
        sums = np.cumsum(np.concatenate([[self._sum], d]))
        n = self._n + np.arange(len(d) + 1)
        away = d - sums[:-1] / np.maximum(n[:-1], 1)
        so_far = np.cumsum(np.concatenate([[self._variance], away**2]))  # added up as if there were no chunks
        variance: FloatArray = so_far[np.cumsum(there)]
        if weight is not None:
            variance[np.cumsum(there & (weight != 1)) > 0] = np.nan
        self._n, self._sum = int(n[-1]), float(sums[-1])
        self._variance = float(variance[-1]) if len(variance) else self._variance
        return variance

    def _rows(self, at: Checkpoints, variance: FloatArray) -> pa.Table:
        return _rows(replace(at, n=at.n + self._start), self._labels, self.a, self.b, self.fold, variance)


def _rows(at: Checkpoints, labels: list[str], a: str, b: str, fold: int, variance: FloatArray) -> pa.Table:
    k, f = len(at), len(labels)
    matrix = at.counts.matrix
    spread = np.full((k, f), np.nan)
    spread[:, labels.index("cumulative")] = variance
    return pa.table(
        {
            "a": _names([a], np.zeros(k * f, np.int32)),
            "b": _names([b], np.zeros(k * f, np.int32)),
            "fold": pa.array(np.full(k * f, fold, np.int32)),
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


def _numbers(name: str, values: npt.ArrayLike | None, n: int) -> FloatArray | None:
    if values is None:
        return None
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(name, "count_pairs", "a list of numbers, one a record", values) from error
    if array.shape != (n,) or not np.isfinite(array).all():
        raise ParameterError(name, "count_pairs", f"a list of {n:,} finite numbers, one a record", values)
    return array


def _flags(name: str, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array = np.asarray(values)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise ParameterError(name, "count_pairs", "a list of truth values, one a record", values)
    return array.astype(np.bool_)
