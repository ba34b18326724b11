"""Elementary functions of arrays that give the same bits on every processor.

NumPy, SciPy and the C library choose other variants where the processor has other instructions, and round the last bit
differently. Records and results are computed with these functions instead.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.types import FloatArray


def exp(x: npt.ArrayLike) -> FloatArray:
    """Return eˣ, within 1 unit in the last place.

    Examples
    --------
    >>> exp([0.0, 1.0]).round(6).tolist()
    [1.0, 2.718282]
    """
    return _of(_native.exp, x)


def log(x: npt.ArrayLike) -> FloatArray:
    """Return the natural logarithm, within 1 unit in the last place; −∞ for 0, NaN below.

    Examples
    --------
    >>> log([1.0, 2.0, 0.0]).round(6).tolist()
    [0.0, 0.693147, -inf]
    """
    return _of(_native.log, x)


def log2(x: npt.ArrayLike) -> FloatArray:
    """Return the logarithm to base 2, within 2 units in the last place and exact for powers of 2.

    Examples
    --------
    >>> log2([1.0, 8.0]).tolist()
    [0.0, 3.0]
    """
    return _of(_native.log2, x)


def sin(x: npt.ArrayLike) -> FloatArray:
    """Return the sine of an angle in radians, within 1 unit in the last place; NaN beyond ±1.6e6.

    Examples
    --------
    >>> sin([0.0, 0.5]).round(6).tolist()
    [0.0, 0.479426]
    """
    return _of(_native.sin, x)


def cos(x: npt.ArrayLike) -> FloatArray:
    """Return the cosine of an angle in radians, within 1 unit in the last place; NaN beyond ±1.6e6.

    Examples
    --------
    >>> cos([0.0, 0.5]).round(6).tolist()
    [1.0, 0.877583]
    """
    return _of(_native.cos, x)


def erfc(x: npt.ArrayLike) -> FloatArray:
    """Return 1 − erf(x), the complementary error function, within 3 units in the last place.

    Examples
    --------
    >>> erfc([0.0, 1.0]).round(6).tolist()
    [1.0, 0.157299]
    """
    return _of(_native.erfc, x)


def normal_quantile(p: npt.ArrayLike) -> FloatArray:
    """Return the x below which a standard normal number lies with probability p, within 5 units in the last place.

    References
    ----------
    Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37, 1988.

    Examples
    --------
    >>> normal_quantile([0.5, 0.975]).round(4).tolist()
    [0.0, 1.96]
    """
    return _of(_native.normal_quantile, p)


def _of(function: Callable[[FloatArray], FloatArray], x: npt.ArrayLike) -> FloatArray:
    """Apply a native function of flat arrays; a number gives a NumPy number."""
    values = np.asarray(x, dtype=np.float64)
    result: FloatArray = function(np.ascontiguousarray(values).reshape(-1)).reshape(values.shape)[()]
    return result
