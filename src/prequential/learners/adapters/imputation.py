"""Imputation of missing values with what was learned before: the running mean, or the most frequent value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prequential.types import FloatArray


class Imputation:
    """Replaces missing values: by the mean of the column so far, or by the most frequent value of a nominal column.

    Of values that are equally frequent, the one with the lowest code is used; before the first value, 0.

    Parameters
    ----------
    cardinalities
        The number of known values of each column, 0 for a numeric one.

    Examples
    --------
    >>> imputation = Imputation((0, 2))
    >>> for row in ([1.0, 1.0], [4.0, np.nan], [np.nan, 1.0], [np.nan, 0.0]):
    ...     imputation.learn(np.array(row))
    >>> imputation(np.array([[np.nan, np.nan], [7.0, 0.0]]))
    array([[2.5, 1. ],
           [7. , 0. ]])
    """

    def __init__(self, cardinalities: tuple[int, ...]) -> None:
        self._n = np.zeros(len(cardinalities))
        self._values = np.zeros(len(cardinalities))
        self._counts: dict[int, npt.NDArray[np.float64]] = {j: np.zeros(n) for j, n in enumerate(cardinalities) if n}

    def learn(self, row: FloatArray) -> None:
        """Count the values of one record."""
        known = np.isfinite(row)
        self._n += known
        with np.errstate(over="ignore", invalid="ignore"):
            self._values += np.where(known, row - self._values, 0.0) / np.maximum(self._n, 1.0)
        for j, counts in self._counts.items():
            if known[j]:
                code = int(row[j])
                if code >= len(counts):
                    self._counts[j] = counts = np.pad(counts, (0, code + 1 - len(counts)))
                counts[code] += 1

    def __call__(self, X: FloatArray) -> FloatArray:
        """Return the matrix without missing values; the same matrix if there are none."""
        missing = np.isnan(X)
        if not missing.any():
            return X
        values = self._values.copy()
        for j, counts in self._counts.items():
            values[j] = counts.argmax() if len(counts) else 0
        return np.where(missing, values, X)
