"""The errors of a learner on one stream, of several seeds, from which every number of a card is computed.

Counts of wrong predictions are kept for stretches of 50 records. They are whole numbers, so an average over any part of
the stream that begins and ends with a stretch is exact, and a saved card is small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.errors import InputError
from prequential.runs.manifest import Failure
from prequential.types import FloatArray, IntArray

STRETCH = 50
"""Records that are counted together."""
WINDOW = 500
"""Records of the sliding error: AE_preq^500 of the paper."""


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
        Why the learner stopped, for each seed; None where it did not. What is computed of such a seed is NaN.

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
                f"{self.n_records:,} records are {n_stretches:,} stretches of {STRETCH}: the counts must have as many "
                f"columns, and a row a seed. Their shape is {self.counts.shape}."
            )
        most = np.minimum(STRETCH, self.n_records - STRETCH * np.arange(n_stretches))
        if ((self.counts < 0) | (self.counts > most)).any():
            raise InputError("There cannot be fewer than 0 errors in a stretch, nor more than it has records.")
        if not self.failures:
            object.__setattr__(self, "failures", (None,) * len(self.counts))
        if len(self.failures) != len(self.counts):
            raise InputError(f"{len(self.counts)} seeds, but {len(self.failures)} failures (None where there is none).")

    @property
    def n_seeds(self) -> int:
        """Seeds there are."""
        return len(self.counts)

    @property
    def why_undefined(self) -> str:
        """Why an average over the seeds is undefined; nothing if it is not."""
        failed = [(k, one) for k, one in enumerate(self.failures) if one is not None]
        if not failed:
            return ""
        _, first = failed[0]
        where = "" if self.n_seeds == 1 else f" of {len(failed)} of {self.n_seeds} seeds"
        return f"failed at record {first.record:,}{where}: {' '.join(first.message.split())}"

    def error(self, begin: int = 0, end: int | None = None) -> FloatArray:
        """Return the average error from record ``begin`` up to ``end``, of each seed: AE_preq, if of all records."""
        end = self.n_records if end is None else end
        if begin % STRETCH or (end % STRETCH and end != self.n_records) or not 0 <= begin < end <= self.n_records:
            raise InputError(f"Records {begin:,} to {end:,} are not whole stretches of {STRETCH} of the stream.")
        part = self.counts[:, begin // STRETCH : -(-end // STRETCH)]
        return self._defined(part.sum(axis=1) / (end - begin))

    def curve(self, window: int = WINDOW) -> tuple[IntArray, FloatArray]:
        """Return the sliding error after every full stretch: numbers of records, and seeds in rows.

        Before there are ``window`` records, it is the average of those there are.
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
        """Return the counts of some of the seeds, by their place."""
        return ErrorCounts(self.counts[rows], self.n_records, tuple(self.failures[k] for k in rows))

    def _defined(self, values: FloatArray) -> FloatArray:
        values[[k for k, failure in enumerate(self.failures) if failure is not None]] = np.nan
        return values
