"""Inertia: how far the error of a learner rises after a change, and how long it takes to come back.

The paper reads "the amount of deviation from the original error and the time it takes to revert to a good level of
error" off its figures; here both are computed, from the curve AE_preq^500 of each seed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prequential.cards.error_counts import ErrorCounts
from prequential.types import FloatArray, IntArray

BEFORE = 1000
"""Records before a change, over which the level is taken to which a learner comes back."""
THRESHOLD = 0.02
"""A rise up to which a learner counts as unaffected, or recovered.

Chance alone moves the difference of two sliding errors over 500 records, of learners that disagree on 3 % of them, with
a standard deviation of 0.0077; this is two and a half times as much.
"""


def rise(learner: ErrorCounts, optimum: ErrorCounts, at: int) -> tuple[IntArray, FloatArray]:
    """Return how far the excess error of a learner lies above its own level before a change.

    The excess is the sliding error less that of the optimum on the same records: what the stream itself makes harder or
    easier is no merit or fault of a learner. The level is its average over the 1,000 records before the change.

    Returns
    -------
    n, rise
        Numbers of records after the change, and for each the rise, seeds in rows.
    """
    level = learner.error(at - BEFORE, at) - optimum.error(at - BEFORE, at)
    n, curve = learner.curve()
    _, least = optimum.curve()
    after = n > at
    return n[after] - at, (curve - least)[:, after] - level[:, np.newaxis]


def peak(rise: npt.ArrayLike) -> FloatArray:
    """Return the highest rise of each seed, in rows; 0 if the error never rises.

    Examples
    --------
    >>> peak([[0.0, 0.3, 0.1], [-0.1, -0.2, -0.1]]).tolist()
    [0.3, 0.0]
    """
    highest: FloatArray = np.maximum(np.max(np.asarray(rise, dtype=np.float64), axis=1), 0.0)
    return highest


def recovery(
    n: npt.ArrayLike, rise: npt.ArrayLike, threshold: float = THRESHOLD
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return after how many records the rise has come back to the threshold, from its peak on.

    Parameters
    ----------
    n
        Records since the change, a point of the curve each.
    rise
        The rise at these points, seeds in rows.
    threshold
        A rise that counts as recovered.

    Returns
    -------
    records, bounded
        Of each seed: 0 if the rise never passes the threshold; where it never comes back, the number of records that
        there are, and True: then it is a lower bound.

    Examples
    --------
    >>> n = [50, 100, 150, 200]
    >>> records, bounded = recovery(n, [[0.1, 0.3, 0.0, 0.1], [0.0, 0.01, 0.0, 0.0], [0.1, 0.1, 0.2, 0.1]])
    >>> records.tolist(), bounded.tolist()
    ([150.0, 0.0, 200.0], [False, False, True])
    """
    points, height = np.asarray(n, dtype=np.float64), np.asarray(rise, dtype=np.float64)
    undefined = np.isnan(height).any(axis=1)
    top = np.argmax(height, axis=1)
    back = (height <= threshold) & (np.arange(len(points)) >= top[:, np.newaxis])
    bounded = ~back.any(axis=1) & ~undefined
    records = np.where(bounded, points[-1], points[np.argmax(back, axis=1)])
    records[height.max(axis=1) <= threshold] = 0.0
    records[undefined] = np.nan
    return records, bounded
