"""Forgetting: which records count, and with what weight.

Every forgetting has a textual form for the command line, plans and traces: ``cumulative``,
``sliding:1000``, ``sliding:60s``, ``fading:0.999``, ``adaptive:0.002``, ``histogram:10000000:0.01``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from prequential._native import Grid as NativeGrid
from prequential.arguments import check_number, checked_whole
from prequential.errors import InputError, ParameterError
from prequential.wording import suggestion


class Forgetting(Protocol):
    """The contract of a forgetting."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""

    @property
    def needs_time(self) -> bool:
        """Whether records must have a time."""

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""


class _OverRecords(Forgetting):
    """A forgetting over records, not seconds."""

    __slots__ = ()

    @property
    def needs_time(self) -> bool:
        """False: it counts records, not seconds."""
        return False


class _Window(Forgetting):
    """A window with a length in records or in seconds."""

    __slots__ = ()

    w: float | None
    seconds: float | None

    @property
    def needs_time(self) -> bool:
        """Whether the window is in seconds."""
        return self.seconds is not None

    @property
    def _length(self) -> str:
        return f"{self.w:.0f}" if self.seconds is None else f"{_shortest(self.seconds)}s"

    @property
    def _bounds(self) -> tuple[float, float]:
        """The length in records and in seconds; infinite where there is no bound."""
        return math.inf if self.w is None else self.w, self.seconds or math.inf

    def _check_length(self) -> None:
        caller = type(self).__name__
        if (self.w is None) == (self.seconds is None):
            raise ParameterError("w", caller, "given, or else 'seconds', but not both", (self.w, self.seconds))
        if self.seconds is not None:
            check_number(self.seconds, "seconds", caller, above=0)
        elif self.w != math.inf:
            checked_whole(self.w, "w", caller, least=1)


@dataclass(frozen=True, slots=True)
class Cumulative(_OverRecords):
    """All records so far, with equal weight: P(i) = (1/i) Σ e."""

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return "cumulative"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_cumulative()


@dataclass(frozen=True, slots=True)
class Sliding(_Window):
    """Sliding window: the last ``w`` records, or those of the last ``seconds``.

    P_w(i) = sum of the last w losses / min(w, i); O(1) time per record and O(w) memory. ``Sliding(math.inf)`` is
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
        self._check_length()

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return f"sliding:{self._length}"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.w == math.inf:
            grid.add_cumulative()
        else:
            grid.add_sliding(*self._bounds)


@dataclass(frozen=True, slots=True)
class Fading(_OverRecords):
    """Fading factor: S = e + α·S, N = 1 + α·N, P = S/N.

    The record ``k`` records ago has the weight αᵏ; N tends to 1/(1−α). O(1) time per record; no records are kept.
    ``Fading(1)`` is ``Cumulative()``.

    Parameters
    ----------
    alpha
        The factor α, in (0, 1].
    """

    alpha: float

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha", "Fading", above=0, most=1)

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return f"fading:{_shortest(self.alpha)}"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.alpha == 1:
            grid.add_cumulative()
        else:
            grid.add_fading(self.alpha)


@dataclass(frozen=True, slots=True)
class AdaptiveWindow(_OverRecords):
    """Adaptive window (ADWIN): the longest run of recent records whose mean loss shows no change.

    Every 32 records each cut of the window in two is tested; if the mean losses of the two sides differ by more than
    chance allows (variance form of the bound, with confidence δ), the oldest records are dropped. The window shrinks;
    it does not restart. Every metric is computed over it; the trace has the number of its records as ``width`` and the
    number of times it has shrunk as ``alarms``. Amortised O(log W) time per record and O(C² log W) memory for a window
    of W records.

    The loss is 0 or 1; in a regression stream, the absolute error relative to ``largest``. Weights count in the
    metrics, but not in the detection of changes.

    Parameters
    ----------
    delta
        The confidence of a cut, in (0, 1); smaller gives fewer false cuts.
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
        check_number(self.delta, "delta", "AdaptiveWindow", above=0, below=1)
        check_number(self.largest, "largest", "AdaptiveWindow", above=0)

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        largest = "" if self.largest == 1 else f":{_shortest(self.largest)}"
        return f"adaptive:{_shortest(self.delta)}{largest}"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_adwin(self.delta, self.largest)


@dataclass(frozen=True, slots=True)
class ExponentialHistogram(_Window):
    """Estimated sliding window, for windows too large to keep: the last ``w`` records, or the last ``seconds``.

    Every sum (a cell of the confusion matrix, a loss, the misses of a baseline) is an exponential histogram for real
    amounts, with an error of at most ``error`` × the true sum of the window. It is exact until the window is full, and
    for counts in a window of at most 1/``error`` records. O(1) time per record on average; about
    (1 + ln(``error`` · w)) / ``error`` numbers per sum, so 10⁷ records of two classes at 1 % take less than a megabyte.

    With e = ``error``: accuracy, recall, precision and mean losses, which are quotients of two sums, are within a
    factor (1 + e) / (1 − e) of the true value, about 2e. So is 1 − κ_per; 1 − κ is within the square of it, about 4e.
    The majority class of κ_m is that of the estimated labels: if two classes are almost equally frequent, it may be the
    other one. R² is NaN, because it is a difference of sums, whose relative error is not bounded.

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
        self._check_length()
        check_number(self.error, "error", "ExponentialHistogram", above=0, below=1)

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return f"histogram:{self._length}:{_shortest(self.error)}"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.w == math.inf:
            grid.add_cumulative()
        else:
            grid.add_exponential_histogram(*self._bounds, self.error)


def _shortest(number: float) -> str:
    """Return the shortest text that identifies a number, so that no two forgettings share a label."""
    return repr(float(number)).removesuffix(".0")


_ACCEPTED = (
    "cumulative, sliding:RECORDS, sliding:SECONDSs, fading:ALPHA, adaptive:DELTA, histogram:RECORDS:ERROR or "
    "histogram:SECONDSs:ERROR, such as sliding:1000, fading:0.999 or histogram:10000000:0.01"
)
KINDS = ("cumulative", "sliding", "fading", "adaptive", "histogram")


def parse_forgetting(text: str) -> Cumulative | Sliding | Fading | AdaptiveWindow | ExponentialHistogram:
    """Read the textual form of a forgetting.

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
            return Sliding(*_read_length(parameter))
        if kind == "histogram" and parameter:
            window, _, error = parameter.partition(":")
            w, seconds = _read_length(window)
            return ExponentialHistogram(w, float(error), seconds)
        if kind == "fading" and parameter:
            return Fading(float(parameter))
        if kind == "adaptive":
            return AdaptiveWindow(*map(float, parameter.split(":"))) if parameter else AdaptiveWindow()
    except InputError:
        raise
    except (TypeError, ValueError):
        pass
    if kind in KINDS:
        raise InputError(f"The forgetting {text!r} lacks its parameter, or has a wrong one. Accepted: {_ACCEPTED}.")
    raise InputError(f"Unknown forgetting {text!r}.{suggestion(kind, KINDS)} Accepted: {_ACCEPTED}.")


def _read_length(text: str) -> tuple[float | None, float | None]:
    """Read the length of a window, in records or in seconds."""
    if text.endswith("s"):
        return None, float(text[:-1])
    number = float(text)
    return (int(number) if number.is_integer() else number), None


def as_forgetting(value: Forgetting | str) -> Forgetting:
    """Return a forgetting, given itself or in its textual form."""
    if isinstance(value, str):
        return parse_forgetting(value)
    if isinstance(value, type) or not hasattr(value, "label") or not hasattr(value, "join"):
        raise InputError(f"{value!r} is not a forgetting. Accepted: {_ACCEPTED}.")
    return value
