"""Inertia: how far the error of a learner rises after a change, and how long it takes to come back.

The paper reads "the amount of deviation from the original error and the time it takes to revert to a good level of
error" off the curves of AE_preq^500 that are averaged over the seeds; here both are computed from these. On the curve
of a single seed the highest point is mostly chance.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prequential.cards.error_counts import ErrorCounts
from prequential.types import FloatArray, IntArray

BEFORE = 1000
"""Records before a change, over which the level is taken to which a learner comes back."""
THRESHOLD = 0.01
"""A rise up to which a learner counts as unaffected, or recovered.

Of learners that disagree with the optimum on 3 % of the records, chance moves the difference of two sliding errors over
500 records, averaged over ten seeds, with a standard deviation of 0.0024; this is four times as much. With few seeds,
or of a learner that is wrong half of the time, chance alone may pass it.
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
    """Return the rise of each seed where their average is highest; 0 for each if it never rises.

    Examples
    --------
    >>> peak([[0.0, 0.3, 0.1], [0.2, 0.1, 0.2]]).tolist()  # the averages are 0.1, 0.2 and 0.15
    [0.3, 0.1]
    """
    height = np.asarray(rise, dtype=np.float64)
    average = height.mean(axis=0)
    top = int(np.argmax(average))
    found: FloatArray = height[:, top] if average[top] > 0 else np.zeros(len(height))
    return found


def recovery(n: npt.ArrayLike, rise: npt.ArrayLike, threshold: float = THRESHOLD) -> tuple[float, bool]:
    """Return after how many records the rise, averaged over the seeds, has come back from its peak to the threshold.

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
        0 if the rise never passes the threshold; if it never comes back, the number of records that there are, and
        True: then it is a lower bound.

    Examples
    --------
    >>> n = [50, 100, 150, 200]
    >>> recovery(n, [[0.1, 0.3, 0.0, 0.1]]), recovery(n, [[0.0, 0.01, 0.0, 0.0]]), recovery(n, [[0.1, 0.1, 0.2, 0.1]])
    ((150.0, False), (0.0, False), (200.0, True))
    """
    points, average = np.asarray(n, dtype=np.float64), np.asarray(rise, dtype=np.float64).mean(axis=0)
    top = int(np.argmax(average))
    if average[top] <= threshold:
        return 0.0, False
    back = np.flatnonzero(average[top:] <= threshold)
    return (float(points[top + back[0]]), False) if len(back) else (float(points[-1]), True)
