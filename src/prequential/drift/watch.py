"""A drift detector that watches a learner."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prequential.drift.detector import Detector
from prequential.errors import InputError
from prequential.metrics.auc import ranks_of
from prequential.metrics.counts import ROUNDING
from prequential.metrics.forgetting import Forgetting, Sliding
from prequential.metrics.grid import Checkpoints, Grid
from prequential.metrics.loss import own_losses, placed
from prequential.metrics.metric import Metric, resolve, split_class
from prequential.namespace import Suggesting
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing

_PIECE = 2048
"""Records that are counted before the detector is updated; those after an alarm are counted again."""


@dataclass(frozen=True, slots=True)
class Alarm(Suggesting):
    """An alarm of a drift detector.

    Parameters
    ----------
    record
        Index, from 0, of the record after which the alarm was raised.
    time
        Time of the record; NaN if the stream has no time.

    Examples
    --------
    >>> import prequential as pq
    >>> first, second = (pq.streams.SEA(concept=k, seed=k) for k in (3, 4))
    >>> stream = first.drift_to(second, at=5000).take(10_000)
    >>> (found,) = pq.detect(stream, "naive_bayes", "adwin")
    >>> [isinstance(alarm, pq.drift.Alarm) for alarm in found.alarms][:1]
    [True]
    """

    record: int
    time: float = math.nan

    @property
    def n(self) -> int:
        """Number of records seen, as in a trace."""
        return self.record + 1


class Watch:
    """One drift detector that watches one learner.

    It computes the detector's metric under the detector's forgetting after every record. Records that do not count (no
    label, weight 0, a skipped abstention) and undefined values are not passed to the detector. After an alarm, the
    estimate starts again, and so does the detector if it resets after alarms. Results do not depend on the chunk size.

    Without a forgetting, the detector gets the metric of each single record: for the error 0 or 1.

    Parameters
    ----------
    detector
        The detector; it is not changed.
    schema
        Schema of the stream; more classes may appear later.
    skip_abstained
        Whether to skip abstentions instead of counting them as wrong (convention 3).
    positive
        The positive class of rank-based metrics, if one was given.
    """

    def __init__(
        self, detector: Detector, schema: Schema, *, skip_abstained: bool = False, positive: Label | None = None
    ) -> None:
        self.detector = detector
        self._positive = positive
        base: str | Metric = detector.on
        self._class = None
        if isinstance(base, str):
            base, self._class = split_class(base)
        (self._metric,) = placed(resolve([base], schema.task))
        if self._class is not None and not schema.open:
            _position(self._class, schema)
        self._schema = schema
        self._skips_abstained = skip_abstained or schema.classes is None
        self._skip_abstained = skip_abstained
        self._alone = not detector.forgetting
        self._forgetting: tuple[Forgetting, ...] = detector.forgetting or (Sliding(1),)
        self._state = detector._start() if self._alone else detector.fresh_on_estimates()
        self._begin()

    def step(self, chunk: Chunk, scores: FloatArray | None, prediction: IntArray | None = None) -> list[Alarm]:
        """Process the records of a chunk with the scores or predictions of the learner; return the alarms.

        Raises
        ------
        BadScoreError
            For a negative score. The grid of the run raises the same error, so pass only records that it has counted.
        """
        if any(one.needs_time for one in self._forgetting) and chunk.time is None:
            raise InputError(
                f"The detector {self.detector.label} has a window in seconds, but the stream has no times: name the "
                "column with time= (--time)."
            )
        self._schema = chunk.schema
        found: list[int] = []
        at = 0
        while at < len(chunk):
            piece = slice(at, min(len(chunk), at + _PIECE))
            series = self._series(
                chunk[piece],
                None if scores is None else scores[piece],
                None if prediction is None else prediction[piece],
            )
            try:
                if self._alone:  # the value of a single record does not depend on the start of the estimate
                    found += (self._state.update(series) + at).tolist()
                    at = piece.stop
                    continue
                passed = self._state.until_alarm(series)
            except ValueError as error:
                first = chunk.start + at
                raise InputError(f"{self.detector.label}: among the records from {first:,} on, {error}.") from error
            if passed < len(series):
                found.append(at + passed)
                self._begin()
            at += min(passed + 1, len(series))
        times = np.full(len(chunk), np.nan) if chunk.time is None else chunk.time
        return [Alarm(chunk.start + i, float(times[i])) for i in found]

    def to_bytes(self) -> bytes:
        """Return the whole state."""
        parts = [self._state.to_bytes(), self._grid.to_bytes()]
        return struct.pack("<4Q", *map(len, parts), self._n_unlabelled, self._n_abstained) + b"".join(parts)

    def load_bytes(self, state: bytes) -> None:
        """Restore from ``to_bytes`` of a watch with the same parameters."""
        if len(state) < 32:
            raise ValueError("damaged state: it ends too early")
        n_state, n_grid, n_unlabelled, n_abstained = struct.unpack_from("<4Q", state)
        if len(state) != 32 + n_state + n_grid:
            raise ValueError("damaged state: it has the wrong length")
        grid = self._empty_grid()
        grid.load_bytes(state[32 + n_state :])
        self._state.load_bytes(state[32 : 32 + n_state])
        self._grid, self._n_unlabelled, self._n_abstained = grid, n_unlabelled, n_abstained

    def _begin(self) -> None:
        self._grid = self._empty_grid()
        self._n_unlabelled = self._n_abstained = 0

    def _empty_grid(self) -> Grid:
        return Grid(
            self._schema,
            self._forgetting,
            probabilities=self._metric.needs == "probabilities",
            skip_abstained=self._skip_abstained,
            ranks=ranks_of([self._metric]),
            positive=self._positive,
            losses=own_losses([self._metric]),
        )

    def _series(self, chunk: Chunk, scores: FloatArray | None, prediction: IntArray | None) -> FloatArray:
        """Return the value of each record for the detector, as an error (lower is better); NaN to pass none."""
        if self._alone and self._metric.name == "error":
            wrong = _wrong(chunk, scores, prediction, skip_abstained=self._skip_abstained)
            if wrong is not None:
                return wrong
        parts = [self._read(passed) for passed in self._grid.update(chunk, scores, prediction, every=1)]
        series = np.concatenate(parts) if parts else np.zeros(0)
        if chunk.weight is not None:
            series[chunk.weight == 0] = np.nan
        return series

    def _read(self, passed: Checkpoints) -> FloatArray:
        values = self._metric(passed.counts.by_class())
        if self._class is not None:
            position = _position(self._class, self._schema)
            known = position is not None and position < values.shape[-1]
            values = values[..., position] if known else np.full(values.shape[:-1], np.nan)
        values = 1 - values if self._metric.better == "higher" else values
        if self._metric.needs == "labels":  # a share: a rounding error instead of 0 would distort a ratio
            values = np.where(np.abs(values) < ROUNDING, 0.0, values)
        series = self.detector.combined(values).copy()
        series[np.diff(passed.n_unlabelled, prepend=self._n_unlabelled) > 0] = np.nan
        if self._skips_abstained:
            series[np.diff(passed.n_abstained, prepend=self._n_abstained) > 0] = np.nan
        self._n_unlabelled, self._n_abstained = int(passed.n_unlabelled[-1]), int(passed.n_abstained[-1])
        return series


def _wrong(
    chunk: Chunk, scores: FloatArray | None, prediction: IntArray | None, *, skip_abstained: bool
) -> FloatArray | None:
    """Return 1 for a wrong prediction, 0 for a right one, NaN if the record does not count: as the grid, but faster.

    None if the scores are invalid: then the grid raises the error.
    """
    if prediction is not None:
        predicted, abstained = prediction, prediction < 0
    elif scores is not None:
        finite = np.isfinite(scores)
        if (finite & (scores < 0)).any() or not scores.shape[1]:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            abstained = ~finite.all(axis=1) | ~(scores.sum(axis=1) > 0)
        predicted = scores.argmax(axis=1)
    else:
        return None
    counts: npt.NDArray[np.bool_] = chunk.labelled
    if chunk.weight is not None:
        counts = counts & (chunk.weight != 0)
    if skip_abstained:
        counts = counts & ~abstained
    return np.where(counts, (abstained | (predicted != chunk.y)).astype(np.float64), np.nan)


def _position(name: str, schema: Schema) -> int | None:
    """Return the code of a class, or None if the class is not known yet but may appear later."""
    names = [str(label) for label in schema.classes or ()]
    if name in names:
        return names.index(name)
    if not schema.open:
        raise InputError(f"The detector watches the class {name!r}, which does not exist. Accepted: {listing(names)}.")
    return None
