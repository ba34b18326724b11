"""How many records does an estimate need? Calculators for Hoeffding bounds, windows and fading (Gama et al. 2013)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from prequential.arguments import check_number, checked_call
from prequential.namespace import namespace

__all__ = [
    "fading_alpha",
    "fading_reach",
    "fading_weight",
    "hoeffding_epsilon",
    "hoeffding_n",
    "window_half_width",
    "window_size",
]

CALLER = "the calculator"


@checked_call
def hoeffding_n(*, epsilon: float, delta: float, value_range: float = 1.0) -> float:
    """Return how many records have a mean within ``epsilon`` of its expectation with probability 1 − ``delta``.

    n = ln(2/δ)·R² / (2ε²), by Hoeffding's inequality.

    Examples
    --------
    >>> round(hoeffding_n(epsilon=0.01, delta=0.05), 1)
    18444.4
    """
    _above_zero(epsilon=epsilon, value_range=value_range)
    check_number(delta, "delta", CALLER, above=0, most=1)
    return math.log(2 / delta) * value_range**2 / (2 * epsilon**2)


@checked_call
def hoeffding_epsilon(*, n: float, delta: float, value_range: float = 1.0) -> float:
    """Return ε such that the mean of ``n`` records is within ε of its expectation with probability 1 − ``delta``.

    ε = R·√(ln(2/δ) / 2n), by Hoeffding's inequality.

    Examples
    --------
    >>> round(hoeffding_epsilon(n=18444.4, delta=0.05), 4)
    0.01
    """
    _above_zero(n=n, value_range=value_range)
    check_number(delta, "delta", CALLER, above=0, most=1)
    return value_range * math.sqrt(math.log(2 / delta) / (2 * n))


@checked_call
def window_half_width(*, window_size: float) -> float:
    """Return the half-width of the 95 % interval of an error rate over a window of w records: 2·√(0.25/w).

    The paper writes 4·√(0.25/n) for the whole interval; its examples, and this function, give half of it.

    Examples
    --------
    >>> round(window_half_width(window_size=1000), 4), window_half_width(window_size=10_000)
    (0.0316, 0.01)
    """
    _above_zero(window_size=window_size)
    return 2 * math.sqrt(0.25 / window_size)


@checked_call
def window_size(*, half_width: float) -> float:
    """Return the window for which the 95 % interval has this half-width: w = 1/half_width².

    Examples
    --------
    >>> round(window_size(half_width=0.01))
    10000
    """
    _above_zero(half_width=half_width)
    return 1 / half_width**2


@checked_call
def fading_reach(*, alpha: float, epsilon: float) -> float:
    """Return how many records ago the weight under a fading factor is ``epsilon``: ln ε / ln α.

    Examples
    --------
    >>> round(fading_reach(alpha=0.995, epsilon=2.942e-7))
    3000
    """
    _open_unit(alpha=alpha, epsilon=epsilon)
    return math.log(epsilon) / math.log(alpha)


@checked_call
def fading_alpha(*, n: float, epsilon: float) -> float:
    """Return the fading factor with which the record ``n`` records ago has the weight ``epsilon``: ε^(1/n).

    Examples
    --------
    >>> round(fading_alpha(n=3000, epsilon=2.942e-7), 4)
    0.995
    """
    _above_zero(n=n)
    _open_unit(epsilon=epsilon)
    return float(epsilon ** (1 / n))


@checked_call
def fading_weight(*, alpha: float, n: float) -> float:
    """Return the weight of the record ``n`` records ago: αⁿ.

    Examples
    --------
    >>> f"{fading_weight(alpha=0.995, n=3000):.1e}"
    '2.9e-07'
    """
    _open_unit(alpha=alpha)
    check_number(n, "n", CALLER, least=0, infinite=True)
    return float(alpha**n)


def _above_zero(**values: float) -> None:
    for name, value in values.items():
        check_number(value, name, CALLER, above=0)


def _open_unit(**values: float) -> None:
    for name, value in values.items():
        check_number(value, name, CALLER, above=0, below=1)


if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
