"""Which records count, and how much: all history, a window (kept, estimated, adaptive), a fading factor.

Every forgetting has one textual form, used on the command line, in plans and in traces: ``cumulative``,
``sliding:1000``, ``sliding:60s``, ``fading:0.999``, ``adwin:0.002``, ``histogram:10000000:0.01``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from prequential._native import Grid as NativeGrid
from prequential.errors import InputError, ParameterError, is_number, suggestion


class Forgetting(Protocol):
    """What the grid asks of a forgetting."""

    @property
    def label(self) -> str:
        """The textual form."""

    @property
    def needs_time(self) -> bool:
        """Whether records must carry a time."""

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""


@dataclass(frozen=True, slots=True)
class Cumulative:
    """All history, every record alike: P(i) = (1/i) Σ e."""

    @property
    def label(self) -> str:
        """The textual form."""
        return "cumulative"

    @property
    def needs_time(self) -> bool:
        """False: records count, not seconds."""
        return False

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_cumulative()


@dataclass(frozen=True, slots=True)
class Sliding:
    """The last ``w`` records, or those of the last ``seconds``.

    P_w(i) = sum of the last w losses / min(w, i); O(1) time a record and O(w) memory. ``Sliding(math.inf)`` is
    ``Cumulative()``. A window in seconds holds the records with a time in (t − seconds, t].

    Parameters
    ----------
    w
        Number of records, at least 1.
    seconds
        Length in seconds, instead of ``w``.
    """

    w: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        _check_window("Sliding", self.w, self.seconds)

    @property
    def label(self) -> str:
        """The textual form."""
        return f"sliding:{_window(self.w, self.seconds)}"

    @property
    def needs_time(self) -> bool:
        """Whether the window is in seconds."""
        return self.seconds is not None

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.w == math.inf:
            grid.add_cumulative()
        else:
            grid.add_sliding(math.inf if self.w is None else self.w, self.seconds or math.inf)


@dataclass(frozen=True, slots=True)
class Fading:
    """A fading factor: S = e + α·S, N = 1 + α·N, P = S/N.

    O(1) time a record and no memory of the records. A record ``k`` records ago weighs αᵏ; N tends to 1/(1−α).
    ``Fading(1)`` is ``Cumulative()``.

    Parameters
    ----------
    alpha
        The factor, in (0, 1].
    """

    alpha: float

    def __post_init__(self) -> None:
        if not is_number(self.alpha) or not 0 < self.alpha <= 1:
            raise ParameterError("alpha", "Fading", "in (0, 1]", self.alpha)

    @property
    def label(self) -> str:
        """The textual form."""
        return f"fading:{_shortest(self.alpha)}"

    @property
    def needs_time(self) -> bool:
        """False: records count, not seconds."""
        return False

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.alpha == 1:
            grid.add_cumulative()
        else:
            grid.add_fading(self.alpha)


@dataclass(frozen=True, slots=True)
class Adwin:
    """ADWIN: the longest run of recent records whose mean loss shows no change.

    Every 32 records each cut of the window in two is tried; where the mean losses of its sides differ by more than
    chance allows (variance form of the bound, with confidence δ), the oldest records go. The window shrinks, it does
    not restart. Every measure is read over it; how many records it holds, and how often it has shrunk, are in the trace
    as ``width`` and ``alarms``. Amortised O(log W) time a record and O(C² log W) memory for a window of W records.

    The loss is 0 or 1; of a regression stream, the absolute error relative to ``largest``. A record's weight counts in
    the measures, not in the search for a change.

    Parameters
    ----------
    delta
        The confidence of a cut, in (0, 1); smaller is more careful.
    largest
        For regression streams: the absolute error that counts as 1, as do larger ones.

    References
    ----------
    Bifet and Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015.
    """

    delta: float = 0.002
    largest: float = 1.0

    def __post_init__(self) -> None:
        if not is_number(self.delta) or not 0 < self.delta < 1:
            raise ParameterError("delta", "Adwin", "in (0, 1)", self.delta)
        if not is_number(self.largest) or not 0 < self.largest < math.inf:
            raise ParameterError("largest", "Adwin", "a number above 0", self.largest)

    @property
    def label(self) -> str:
        """The textual form."""
        largest = "" if self.largest == 1 else f":{_shortest(self.largest)}"
        return f"adwin:{_shortest(self.delta)}{largest}"

    @property
    def needs_time(self) -> bool:
        """False: records count, not seconds."""
        return False

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_adwin(self.delta, self.largest)


@dataclass(frozen=True, slots=True)
class ExponentialHistogram:
    """The last ``w`` records, or those of the last ``seconds``, estimated: for windows too large to keep.

    Every sum (a cell of the confusion matrix, a loss, the misses of a baseline) is an exponential histogram for real
    amounts, and within ``error`` × the true sum of the window. Below the window's length, and for counts in a window
    of at most 1/``error`` records, it is exact. O(1) time a record on average; about (1 + ln(``error`` · w)) /
    ``error`` numbers a sum, so 10⁷ records of two classes at 1 % take less than a megabyte.

    With e = ``error``: accuracy, recall, precision and mean losses, quotients of two sums, are within a factor
    (1 + e) / (1 − e) of the truth, about 2e. So is 1 − κ_per; 1 − κ is within the square of it, about 4e. The majority
    class of κ_m is that of the estimated labels: where two of them are nearly alike it may be the other. R² is the
    difference of sums, for which no error could be stated: it is NaN.

    Parameters
    ----------
    w
        Number of records, at least 1.
    error
        The largest relative error of a sum, in (0, 1).
    seconds
        Length in seconds, instead of ``w``.

    References
    ----------
    Datar, Gionis, Indyk, Motwani 2002, "Maintaining stream statistics over sliding windows".

    Examples
    --------
    >>> ExponentialHistogram(10_000_000).label, ExponentialHistogram(seconds=3600, error=0.05).label
    ('histogram:10000000:0.01', 'histogram:3600s:0.05')
    """

    w: float | None = None
    error: float = 0.01
    seconds: float | None = None

    def __post_init__(self) -> None:
        _check_window("ExponentialHistogram", self.w, self.seconds)
        if not is_number(self.error) or not 0 < self.error < 1:
            raise ParameterError("error", "ExponentialHistogram", "in (0, 1)", self.error)

    @property
    def label(self) -> str:
        """The textual form."""
        return f"histogram:{_window(self.w, self.seconds)}:{_shortest(self.error)}"

    @property
    def needs_time(self) -> bool:
        """Whether the window is in seconds."""
        return self.seconds is not None

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.w == math.inf:
            grid.add_cumulative()
        else:
            grid.add_exponential_histogram(math.inf if self.w is None else self.w, self.seconds or math.inf, self.error)


def _check_window(caller: str, w: float | None, seconds: float | None) -> None:
    if (w is None) == (seconds is None):
        raise ParameterError("w", caller, "given, or else 'seconds', and not both", (w, seconds))
    for name, value in (("w", w), ("seconds", seconds)):
        if value is not None and not is_number(value):
            raise ParameterError(name, caller, "a number", value)
    if w is not None and not (w >= 1 and (w == math.inf or int(w) == w)):
        raise ParameterError("w", caller, "a whole number of at least 1", w)
    if seconds is not None and not 0 < seconds < math.inf:
        raise ParameterError("seconds", caller, "a number above 0", seconds)


def _window(w: float | None, seconds: float | None) -> str:
    return f"{w:.0f}" if seconds is None else f"{_shortest(seconds)}s"


def _shortest(number: float) -> str:
    """Write a number with as many digits as tell it from every other: two forgettings never share a label."""
    return repr(float(number)).removesuffix(".0")


_ACCEPTED = (
    "cumulative, sliding:RECORDS, sliding:SECONDSs, fading:ALPHA, adwin:DELTA, histogram:RECORDS:ERROR or "
    "histogram:SECONDSs:ERROR, such as sliding:1000, fading:0.999 or histogram:10000000:0.01"
)
KINDS = ("cumulative", "sliding", "fading", "adwin", "histogram")


def parse_forgetting(text: str) -> Cumulative | Sliding | Fading | Adwin | ExponentialHistogram:
    """Read the textual form.

    Examples
    --------
    >>> parse_forgetting("sliding:1000"), parse_forgetting("sliding:60s"), parse_forgetting("fading:0.99")
    (Sliding(w=1000, seconds=None), Sliding(w=None, seconds=60.0), Fading(alpha=0.99))
    >>> parse_forgetting("histogram:1e7:0.01")
    ExponentialHistogram(w=10000000, error=0.01, seconds=None)
    """
    kind, _, parameter = text.strip().partition(":")
    try:
        if kind == "cumulative" and not parameter:
            return Cumulative()
        if kind == "sliding" and parameter:
            return Sliding(*_length(parameter))
        if kind == "histogram" and parameter:
            window, _, error = parameter.partition(":")
            w, seconds = _length(window)
            return ExponentialHistogram(w, float(error), seconds)
        if kind == "fading" and parameter:
            return Fading(float(parameter))
        if kind == "adwin":
            return Adwin(*map(float, parameter.split(":"))) if parameter else Adwin()
    except ParameterError:
        raise
    except (TypeError, ValueError):
        pass
    if kind in KINDS:
        raise InputError(f"The forgetting {text!r} lacks its parameter, or has a wrong one. Accepted: {_ACCEPTED}.")
    raise InputError(f"Unknown forgetting {text!r}.{suggestion(kind, KINDS)} Accepted: {_ACCEPTED}.")


def _length(text: str) -> tuple[float | None, float | None]:
    """Read the length of a window: records, or else seconds."""
    if text.endswith("s"):
        return None, float(text[:-1])
    number = float(text)
    return (int(number) if number.is_integer() else number), None


def as_forgetting(value: Forgetting | str) -> Forgetting:
    """Take a forgetting, or its textual form."""
    if isinstance(value, str):
        return parse_forgetting(value)
    if isinstance(value, type) or not hasattr(value, "label") or not hasattr(value, "join"):
        raise InputError(f"{value!r} is no forgetting. Accepted: {_ACCEPTED}.")
    return value
