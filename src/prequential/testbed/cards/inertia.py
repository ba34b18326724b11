"""Inertia: how much the error of a learner rises after a drift, and how long it takes to recover.

The paper reads "the amount of deviation from the original error and the time it takes to revert to a good level of
error" off the curves of AE_preq^500 averaged over the seeds; here both are computed from these curves. The maximum of
the curve of a single seed is mostly chance.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from prequential.testbed.cards.error_counts import ErrorCounts
from prequential.types import FloatArray, IntArray

BEFORE = 1000
"""Number of records before a drift whose average excess error is the level to recover to."""
THRESHOLD = 0.01
"""Largest rise at which a learner counts as unaffected or recovered.

For a learner that disagrees with the optimum on 3 % of the records, the difference of two sliding errors over 500
records, averaged over ten seeds, has a standard deviation of 0.0024 by chance; the threshold is four times that. With
few seeds, or for a learner that is wrong half of the time, chance alone may exceed it.
"""


def rise(learner: ErrorCounts, optimum: ErrorCounts, at: int) -> tuple[IntArray, FloatArray]:
    """Return the rise of a learner's excess error above its level before a drift.

    The excess is the sliding error minus that of the optimum on the same records, so that harder or easier parts of the
    stream do not count. The level is its average over the 1,000 records before the drift.

    Returns
    -------
    n, rise
        Numbers of records after the drift, and the rise at each, one row per seed.
    """
    level = learner.error(at - BEFORE, at) - optimum.error(at - BEFORE, at)
    n, curve = learner.curve()
    _, least = optimum.curve()
    after = n > at
    return n[after] - at, (curve - least)[:, after] - level[:, np.newaxis]


def peak(rise: npt.ArrayLike) -> FloatArray:
    """Return the rise of each seed at the point where the average is highest; 0 if the average never rises.

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
    """Return the number of records until the average rise falls from its peak back to the threshold.

    Parameters
    ----------
    n
        Records since the drift, at each point of the curve.
    rise
        The rise at these points, one row per seed.
    threshold
        A rise that counts as recovered.

    Returns
    -------
    records, bounded
        0 if the rise never exceeds the threshold. If it does not fall back, the number of records after the drift,
        which is a lower bound, and True.

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
