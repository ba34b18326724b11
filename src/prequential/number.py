"""How numbers are written for a reader: the same in text, HTML, LaTeX and figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from prequential.types import FloatArray

UNDEFINED = "–"
FIRST_DATE, LAST_DATE = 1e8, 1e11
"""Times between these numbers of seconds since 1970 (in 1973 and 5138) are taken for dates."""

_T = TypeVar("_T")


def fixed(value: float, digits: int = 4) -> str:
    """Write a metric with four decimals, or as many as ``digits``; NaN is a dash.

    Examples
    --------
    >>> fixed(0.81236), fixed(float("nan")), fixed(-0.00001)
    ('0.8124', '–', '0.0000')
    """
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{round(value, digits) + 0.0:.{digits}f}"


def three_digits(value: float) -> str:
    """Write a number to three significant digits.

    Examples
    --------
    >>> three_digits(100.0), three_digits(2138.67), three_digits(0.01234), three_digits(0.0)
    ('100', '2,140', '0.0123', '0')
    """
    shown = float(f"{value:.3g}")
    return f"{shown:,.0f}" if shown.is_integer() else f"{shown:,g}"


def chance(p: float) -> str:
    """Write a p-value with four decimals, or as ``< 0.0001``.

    Examples
    --------
    >>> chance(0.00976), chance(0.00004), chance(1.0), chance(float("nan"))
    ('0.0098', '< 0.0001', '1.0000', '–')
    """
    return "< 0.0001" if p < 0.0001 else fixed(p)


def chance_of(p: float) -> str:
    """Write a p-value as an equation or inequality.

    Examples
    --------
    >>> chance_of(0.00976), chance_of(0.00004)
    ('p = 0.0098', 'p < 0.0001')
    """
    return f"p {chance(p)}" if p < 0.0001 else f"p = {chance(p)}"


def span(low: float, high: float) -> str:
    """Write an interval; a dash where it is undefined.

    Examples
    --------
    >>> span(-0.01234, 0.5), span(float("nan"), 1.0)
    ('[-0.0123, 0.5000]', '–')
    """
    return UNDEFINED if math.isnan(low) or math.isnan(high) else f"[{fixed(low)}, {fixed(high)}]"


def count(n: int) -> str:
    """Write a count with thousands separators.

    Examples
    --------
    >>> count(45312)
    '45,312'
    """
    return f"{n:,}"


def plural(n: int, noun: str) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> plural(1, "label"), plural(2000, "label")
    ('1 label', '2,000 labels')
    """
    return f"1 {noun}" if n == 1 else f"{count(n)} {noun}s"


def rate(per_second: float) -> str:
    """Write a rate to three significant digits, because clocks are not more precise; a dash if nothing was timed.

    Examples
    --------
    >>> rate(1234567.8), rate(3.14159), rate(0.0)
    ('1,230,000', '3.14', '–')
    """
    if not 0 < per_second < math.inf:
        return UNDEFINED
    shown = float(f"{per_second:.3g}")
    return f"{shown:,.0f}" if shown >= 100 else f"{shown:g}"


def size(n_bytes: int) -> str:
    """Write an amount of memory, in powers of 1000.

    Examples
    --------
    >>> size(0), size(999), size(1500), size(2_000_000_000)
    ('–', '999 B', '1.5 kB', '2.0 GB')
    """
    if n_bytes <= 0:
        return UNDEFINED
    amount = float(n_bytes)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 999.95 or unit == "GB":
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:,.1f} {unit}"
        amount /= 1000
    raise AssertionError


def duration(seconds: float) -> str:
    """Write a duration in a unit that suits it.

    Examples
    --------
    >>> duration(0.00042), duration(0.042), duration(4.2), duration(4200)
    ('0.42 ms', '42.0 ms', '4.20 s', '1 h 10 min')
    """
    if seconds < 0.01:
        return f"{seconds * 1e3:.2f} ms"
    if seconds < 1:
        return f"{seconds * 1e3:.1f} ms"
    if seconds < 120:
        return f"{seconds:.2f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def waiting_time(seconds: float) -> str:
    """Write how long a label took, in days, hours or minutes.

    Examples
    --------
    >>> [waiting_time(t) for t in (0.25, 42, 5400, 7 * 3600, 115_000, 9e6)]
    ['0.25 s', '42 s', '1 h 30 min', '7 h', '1 d 8 h', '104 d']
    """
    if seconds < 120:
        return f"{seconds:.3g} s"
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    for unit, part, (whole, rest) in (("d", "h", divmod(hours, 24)), ("h", "min", divmod(minutes, 60))):
        if whole:
            return f"{whole} {unit} {rest} {part}" if rest and whole < 10 else f"{whole} {unit}"
    return f"{minutes} min"


def date_format(time: Sequence[float] | FloatArray) -> Callable[[float], str]:
    """Return a function that writes seconds since 1970 as a date in UTC, as finely as the whole span asks for.

    Examples
    --------
    >>> date_format([1.7e9, 1.8e9])(1.7e9), date_format([1.7e9, 1.7e9 + 3600])(1.7e9)
    ('2023-11-14', '11-14 22:13')
    """
    pattern = "%Y-%m-%d" if max(time) - min(time) > 4 * 86400 else "%m-%d %H:%M"
    return lambda seconds: datetime.fromtimestamp(seconds, UTC).strftime(pattern)


def moment(iso: str) -> str:
    """Write a date and time to the minute; text that is not an ISO date is returned unchanged.

    Examples
    --------
    >>> moment("2026-07-22T10:00:31.5+00:00"), moment("2026-07-22T10:00:31"), moment("today")
    ('2026-07-22 10:00 UTC', '2026-07-22 10:00', 'today')
    """
    try:
        return f"{datetime.fromisoformat(iso):%Y-%m-%d %H:%M %Z}".strip()
    except ValueError:
        return iso


def finite_or_none(value: _T) -> _T | None:
    """Return None for NaN and infinity, which JSON does not have; any other value unchanged."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
