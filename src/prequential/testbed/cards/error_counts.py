"""The errors of a learner on one stream for several seeds, from which every number of a card is computed.

Wrong predictions are counted over stretches of 50 records. Counts are whole numbers, so the average over any number of
whole stretches is exact, and a saved card is small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.errors import InputError
from prequential.runs.failure import Failure
from prequential.types import FloatArray, IntArray

STRETCH = 50
"""Number of records counted together."""
WINDOW = 500
"""Window of the sliding error: AE_preq^500 of the paper."""


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCounts:
    """Wrong predictions of one learner on one stream.

    Parameters
    ----------
    counts
        Seeds in rows, stretches of 50 records in columns; the last stretch may be shorter.
    n_records
        Length of the stream.
    failures
        Why the learner failed, for each seed; None where it did not. The error of a failed seed is NaN.

    Examples
    --------
    >>> errors = ErrorCounts(np.array([[10, 5, 0]]), n_records=150)
    >>> errors.error().tolist(), errors.error(50).tolist(), errors.error(0, 100).tolist()
    ([0.1], [0.05], [0.15])
    """

    counts: IntArray
    n_records: int
    failures: tuple[Failure | None, ...] = ()

    def __post_init__(self) -> None:
        n_stretches = -(-self.n_records // STRETCH)
        if self.counts.ndim != 2 or self.counts.shape[1] != n_stretches:
            raise InputError(
                f"The counts must have one row per seed and {n_stretches:,} columns, one for every {STRETCH} of "
                f"the {self.n_records:,} records. Their shape is {self.counts.shape}."
            )
        most = np.minimum(STRETCH, self.n_records - STRETCH * np.arange(n_stretches))
        if ((self.counts < 0) | (self.counts > most)).any():
            raise InputError("The number of errors in a stretch must be from 0 to its number of records.")
        if not self.failures:
            object.__setattr__(self, "failures", (None,) * len(self.counts))
        if len(self.failures) != len(self.counts):
            raise InputError(f"{len(self.counts)} seeds, but {len(self.failures)} failures (None where there is none).")

    @property
    def n_seeds(self) -> int:
        """Number of seeds."""
        return len(self.counts)

    @property
    def why_undefined(self) -> str:
        """Why an average over the seeds is undefined; empty if it is defined."""
        failed = [(k, one) for k, one in enumerate(self.failures) if one is not None]
        if not failed:
            return ""
        _, first = failed[0]
        where = "" if self.n_seeds == 1 else f" of {len(failed)} of {self.n_seeds} seeds"
        return f"failed at record {first.record:,}{where}: {' '.join(first.message.split())}"

    def error(self, begin: int = 0, end: int | None = None) -> FloatArray:
        """Return the average error of each seed from record ``begin`` up to ``end``; AE_preq for all records."""
        end = self.n_records if end is None else end
        if begin % STRETCH or (end % STRETCH and end != self.n_records) or not 0 <= begin < end <= self.n_records:
            raise InputError(
                f"Records {begin:,} to {end:,} cannot be averaged: both must lie within 0 to {self.n_records:,} and be "
                f"multiples of {STRETCH}, except at the end of the stream."
            )
        part = self.counts[:, begin // STRETCH : -(-end // STRETCH)]
        return self._defined(part.sum(axis=1) / (end - begin))

    def curve(self, window: int = WINDOW) -> tuple[IntArray, FloatArray]:
        """Return the sliding error after every full stretch: numbers of records, and one row per seed.

        Over the first ``window`` records it is the average of the records so far.
        """
        k = window // STRETCH
        n_full = self.n_records // STRETCH
        total = np.zeros((self.n_seeds, n_full + 1))
        np.cumsum(self.counts[:, :n_full], axis=1, out=total[:, 1:])
        ends = np.arange(1, n_full + 1)
        begins = np.maximum(ends - k, 0)
        values = (total[:, ends] - total[:, begins]) / (STRETCH * (ends - begins))
        return STRETCH * ends, self._defined(values)

    def of_seeds(self, rows: list[int]) -> ErrorCounts:
        """Return the counts of the seeds in these rows."""
        return ErrorCounts(self.counts[rows], self.n_records, tuple(self.failures[k] for k in rows))

    def _defined(self, values: FloatArray) -> FloatArray:
        values[[k for k, failure in enumerate(self.failures) if failure is not None]] = np.nan
        return values
