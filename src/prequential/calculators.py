"""How many records does an estimate need? Three calculators, each in both directions (Gama et al. 2013)."""

from __future__ import annotations

import math

from prequential.errors import ParameterError, is_number


def hoeffding_n(*, epsilon: float, delta: float, value_range: float = 1.0) -> float:
    """Return how many records bring the mean within ``epsilon`` of its expectation, but with probability ``delta``.

    n = ln(2/δ)·R² / (2ε²), by Hoeffding's inequality.

    Examples
    --------
    >>> round(hoeffding_n(epsilon=0.01, delta=0.05), 1)
    18444.4
    """
    _above_zero(epsilon=epsilon, value_range=value_range)
    _probability(delta=delta)
    return math.log(2 / delta) * value_range**2 / (2 * epsilon**2)


def hoeffding_epsilon(*, n: float, delta: float, value_range: float = 1.0) -> float:
    """Return how near to its expectation the mean of ``n`` records is, but with probability ``delta``.

    Examples
    --------
    >>> round(hoeffding_epsilon(n=18444.4, delta=0.05), 4)
    0.01
    """
    _above_zero(n=n, value_range=value_range)
    _probability(delta=delta)
    return value_range * math.sqrt(math.log(2 / delta) / (2 * n))


def window_half_width(*, w: float) -> float:
    """Return the half-width of the 95 % interval of an error read over a window of ``w`` records: 2·√(0.25/w).

    The paper writes 4·√(0.25/n) for the whole interval; its examples, and this function, give half of that.

    Examples
    --------
    >>> round(window_half_width(w=1000), 4), window_half_width(w=10_000)
    (0.0316, 0.01)
    """
    _above_zero(w=w)
    return 2 * math.sqrt(0.25 / w)


def window_size(*, half_width: float) -> float:
    """Return the window whose 95 % interval has this half-width: w = 1/half_width².

    Examples
    --------
    >>> round(window_size(half_width=0.01))
    10000
    """
    _above_zero(half_width=half_width)
    return 1 / half_width**2


def fading_reach(*, alpha: float, epsilon: float) -> float:
    """Return how many records back a fading factor still gives a weight of ``epsilon``: ln ε / ln α.

    Examples
    --------
    >>> round(fading_reach(alpha=0.995, epsilon=2.942e-7))
    3000
    """
    _open_unit(alpha=alpha, epsilon=epsilon)
    return math.log(epsilon) / math.log(alpha)


def fading_alpha(*, n: float, epsilon: float) -> float:
    """Return the fading factor that gives the record ``n`` records back a weight of ``epsilon``: ε^(1/n).

    Examples
    --------
    >>> round(fading_alpha(n=3000, epsilon=2.942e-7), 4)
    0.995
    """
    _above_zero(n=n)
    _open_unit(epsilon=epsilon)
    return float(epsilon ** (1 / n))


def fading_weight(*, alpha: float, n: float) -> float:
    """Return the weight of the record ``n`` records back: αⁿ.

    Examples
    --------
    >>> f"{fading_weight(alpha=0.995, n=3000):.1e}"
    '2.9e-07'
    """
    _open_unit(alpha=alpha)
    if not (is_number(n) and n >= 0):
        raise ParameterError("n", "the calculator", "a number of at least 0", n)
    return float(alpha**n)


def _above_zero(**values: float) -> None:
    for name, value in values.items():
        if not (is_number(value) and 0 < value < math.inf):
            raise ParameterError(name, "the calculator", "a number above 0", value)


def _probability(**values: float) -> None:
    for name, value in values.items():
        if not (is_number(value) and 0 < value <= 1):
            raise ParameterError(name, "the calculator", "in (0, 1]", value)


def _open_unit(**values: float) -> None:
    for name, value in values.items():
        if not (is_number(value) and 0 < value < 1):
            raise ParameterError(name, "the calculator", "in (0, 1)", value)
