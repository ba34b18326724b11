"""The state of a detector that runs over a series of numbers instead of next to a learner."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from prequential.errors import InputError
from prequential.metrics.counts import ROUNDING, ratio
from prequential.metrics.forgetting import Cumulative, Fading, Forgetting, Sliding
from prequential.metrics.grid import Grid
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray

if TYPE_CHECKING:
    from prequential.drift.detector import State

_SCHEMA = Schema.numeric(0, None)
_PIECE = 2048
"""Values that are averaged before the detector is updated; those after an alarm are averaged again."""


class SeriesState:
    """A detector that gets the values of a series, or their mean under a forgetting.

    The mean starts again after an alarm, as next to a learner. A value of NaN, or with the weight 0, is not passed.

    Parameters
    ----------
    label
        The detector's label, for messages.
    state
        The detector's state; it is updated.
    forgetting
        The forgetting of the mean; None for the values themselves.
    """

    def __init__(self, label: str, state: State, forgetting: Forgetting | None) -> None:
        self._label, self._state, self._forgetting = label, state, forgetting
        self._begin()

    def update(self, values: FloatArray, time: FloatArray | None = None, weight: FloatArray | None = None) -> IntArray:
        """Process values; return the positions of the alarms.

        Raises
        ------
        InputError
            If the forgetting is in seconds and the values have no times.
        ValueError
            If a value cannot be used.
        """
        if weight is not None:
            values = np.where(weight == 0, np.nan, values)
        if self._forgetting is None:
            return self._state.update(values)
        self._check(values, time)
        found: list[int] = []
        at = 0
        while at < len(values):
            piece = slice(at, min(len(values), at + _PIECE))
            means = self._means(
                values[piece], None if time is None else time[piece], None if weight is None else weight[piece]
            )
            passed = self._state.until_alarm(means)
            if passed < len(means):
                found.append(at + passed)
                self._begin()
            at += min(passed + 1, len(means))
        return np.array(found, dtype=np.int64)

    def traced(self, values: FloatArray, width: int) -> tuple[IntArray, FloatArray]:
        """Process values; return the positions of the alarms, and ``width`` numbers of the detector after each value.

        Raises
        ------
        InputError, ValueError
            As ``update``.
        """
        if self._forgetting is not None:
            self._check(values, None)
        shown = np.full((len(values), width), np.nan)
        found: list[int] = []
        at = 0
        while at < len(values):
            piece = slice(at, min(len(values), at + _PIECE))
            means = values[piece] if self._forgetting is None else self._means(values[piece], None, None)
            passed, rows = self._state.shown_until_alarm(means)  # type: ignore[attr-defined]  # all native ones have it
            n = min(passed + 1, len(means))
            shown[at : at + n] = rows[:n]
            if passed < len(means):
                found.append(at + passed)
                self._begin()
            at += n
        passed_on = np.where(np.isnan(values), 0, np.arange(len(values)))
        last = np.maximum.accumulate(passed_on) if len(values) else passed_on
        return np.array(found, dtype=np.int64), shown[last]

    def to_bytes(self) -> bytes:
        """Return the whole state."""
        parts = [self._state.to_bytes(), *(grid.to_bytes() for grid in self._grids)]
        return b"".join(struct.pack("<Q", len(part)) + part for part in parts)

    def load_bytes(self, state: bytes) -> None:
        """Restore from ``to_bytes`` of a state with the same parameters."""
        parts = []
        at = 0
        while at + 8 <= len(state):
            (size,) = struct.unpack_from("<Q", state, at)
            parts.append(state[at + 8 : at + 8 + size])
            at += 8 + size
        if at != len(state) or len(parts) != 1 + len(self._grids):
            raise ValueError("damaged state: it has the wrong length")
        self._begin()
        for grid, part in zip(self._grids, parts[1:], strict=True):
            grid.load_bytes(part)
        self._state.load_bytes(parts[0])

    @property
    def _signed(self) -> bool:
        """Whether the mean of positive and negative values is the difference of two means of positive ones."""
        return isinstance(self._forgetting, Cumulative | Sliding | Fading)

    def _begin(self) -> None:
        """Start the mean again; the second grid has the absolute values of negative numbers."""
        n_grids = 0 if self._forgetting is None else 2 if self._signed else 1
        self._grids = [
            Grid(_SCHEMA, [self._forgetting], probabilities=False, skip_abstained=False)
            for _ in range(n_grids)
            if self._forgetting is not None
        ]

    def _check(self, values: FloatArray, time: FloatArray | None) -> None:
        if self._forgetting is not None and self._forgetting.needs_time and time is None:
            raise InputError(
                f"The detector {self._label} has a window in seconds, but the series has no times. Give a window in "
                "records, or a stream whose column of times is named with time= (--time)."
            )
        least = -np.inf if self._signed else 0.0
        bad = ~np.isnan(values) & ~(np.isfinite(values) & (values >= least))
        if bad.any():
            i = int(bad.argmax())
            accepted = "finite numbers" if self._signed else "numbers of at least 0 under this forgetting"
            raise ValueError(f"the value {values[i]:g} at position {i} cannot be used. Accepted: {accepted}")

    def _means(self, values: FloatArray, time: FloatArray | None, weight: FloatArray | None) -> FloatArray:
        """Return the mean after each value; NaN where there is no value."""
        zeros = np.zeros((len(values), 1))
        means = []
        for grid, part in zip(self._grids, (np.maximum(values, 0.0), np.maximum(-values, 0.0)), strict=False):
            chunk = Chunk(_SCHEMA, 0, np.zeros((len(values), 0)), part, time, weight)
            counts = [passed.counts for passed in grid.update(chunk, zeros, every=1)]
            means.append(np.concatenate([ratio(one.losses[:, 0, 0], one.weight[:, 0]) for one in counts]))
        mean = means[0] - means[1] if self._signed else means[0]
        mean = np.where(np.abs(mean) < ROUNDING, 0.0, mean)
        mean[np.isnan(values)] = np.nan
        return mean
