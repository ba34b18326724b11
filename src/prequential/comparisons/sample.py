"""Paired results, one per fold, run or stream: checks, and the number that the tests need."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError
from prequential.types import FloatArray

MOST_PAIRS = 5_000
"""Largest number of pairs that a test accepts: its intervals use every two of them."""

_POWERS_OF_TEN = np.array([float(f"1e{k}") for k in range(309)])
"""The nearest floats; NumPy's power differs in the last bit by processor."""


def least_pairs(alpha: float) -> int:
    """Return the smallest number of pairs with which a test of signs or signed ranks can reject: 2·2⁻ⁿ ≤ α.

    Examples
    --------
    >>> least_pairs(0.05), least_pairs(0.01)
    (6, 8)
    """
    n = max(1, math.ceil(1 - math.log2(alpha)) - 1)
    while 2.0 ** (1 - n) > alpha:
        n += 1
    return n


def paired_differences(
    a: npt.ArrayLike, b: npt.ArrayLike, *, test: str, alpha: float | None = None, least: int = 1
) -> FloatArray:
    """Check two lists of results, of the same folds in the same order, and return their differences.

    There must be as many as a test of signs needs at ``alpha``, or without one at least ``least``.

    Differences are rounded to twelve digits of the largest result: 77.98 − 77.91 and 0.07 differ in the sixteenth
    digit, and ties and ranks must not depend on that.
    """
    first, second = (_numbers(name, values, test) for name, values in (("first", a), ("second", b)))
    if len(first) != len(second):
        raise InputError(
            f"{test} compares results of the same folds: the first learner has {len(first)}, the second {len(second)}."
        )
    need = least if alpha is None else least_pairs(alpha)
    if alpha is None and len(first) < need:
        raise InputError(f"{test} needs at least {need} folds. Got {len(first)}.")
    if alpha is not None and len(first) < need:
        bound = "" if not len(first) else f" With {len(first)} no p-value is below {2.0 ** (1 - len(first)):.3g}."
        raise InputError(f"{test} needs at least {need} folds at α = {alpha:g}. Got {len(first)}.{bound}")
    if len(first) > MOST_PAIRS:
        raise InputError(f"{test} accepts at most {MOST_PAIRS:,} folds. Got {len(first):,}.")
    return rounded(first - second, max(float(np.abs(first).max()), float(np.abs(second).max())))


def rounded(values: FloatArray, size: npt.ArrayLike) -> FloatArray:
    """Round to twelve significant digits relative to a number, or to one number per value.

    Examples
    --------
    >>> rounded(np.array([0.1 + 0.2, 0.3]), 0.3).tolist()
    [0.3, 0.3]
    """
    sizes = np.asarray(size, dtype=np.float64)
    known = sizes >= 1e-290
    digits = 12 - np.ceil(np.log10(np.where(known, sizes, 1.0)))
    unit = _POWERS_OF_TEN[np.abs(digits).astype(np.int64)]
    with np.errstate(over="ignore", invalid="ignore"):  # in the branch that is not used
        coarse = np.where(digits > 0, np.rint(values * unit) / unit, np.rint(values / unit) * unit)
    result: FloatArray = np.where(known, coarse, values)
    return result


def _numbers(name: str, values: npt.ArrayLike, test: str) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{test}: the results of the {name} learner are not numbers ({error}).") from error
    if array.ndim != 1:
        raise InputError(f"{test}: the results of the {name} learner must be a list with one number per fold.")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        raise InputError(
            f"{test}: result {bad[0]} of the {name} learner is {array[bad[0]]}. Leave the fold out of both learners, "
            "or choose a metric that is defined there."
        )
    return array
