"""Forgetting: which records count, and with what weight.

Every forgetting has a textual form for the command line, plans and traces: ``cumulative``,
``sliding:1000``, ``sliding:60s``, ``fading:0.999``, ``adaptive:0.002``, ``histogram:10000000:0.01``. (In labels of
traces a colon separates parameters; commas are accepted too.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, get_args

from prequential._native import Grid as NativeGrid
from prequential.arguments import check_choice, check_number, checked_call, checked_whole
from prequential.errors import CallError, InputError, ParameterError
from prequential.textual import Catalogue, register_look_up

_Class = TypeVar("_Class", bound=type)

AdwinBound: TypeAlias = Literal["variance", "theorem3"]


class Forgetting(Protocol):
    """The contract of a forgetting.

    Examples
    --------
    >>> import prequential as pq
    >>> forgetting: pq.forgettings.Forgetting = pq.as_forgetting("fading:0.99")
    >>> forgetting.label
    'fading:0.99'
    """

    __slots__ = ()

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""

    @property
    def needs_time(self) -> bool:
        """Whether records must have a time."""

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""


FORGETTINGS: Catalogue[Forgetting] = Catalogue(
    "forgetting",
    aliases={"adaptive_window": "adaptive", "exponential_histogram": "histogram"},
    synonyms=dict.fromkeys(("window", "rolling", "moving"), "sliding")
    | {"adwin": "adaptive", "landmark": "cumulative", "ewma": "fading", "decay": "fading"},
    colons=True,
)
"""The forgettings by name."""


def _register(name: str) -> Callable[[_Class], _Class]:
    return lambda cls: FORGETTINGS.add(name, cls)


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

    window_size: float | str | None
    seconds: float | None

    @property
    def needs_time(self) -> bool:
        """Whether the window is in seconds."""
        return self.seconds is not None

    @property
    def _length(self) -> str:
        return f"{self._records:.0f}" if self.seconds is None else f"{_shortest(self.seconds)}s"

    @property
    def _records(self) -> float:
        """The length in records; infinite if it is in seconds."""
        assert not isinstance(self.window_size, str)  # __post_init__ has read it
        return math.inf if self.window_size is None else self.window_size

    @property
    def n_records(self) -> float | None:
        """The length in records; None if it is in seconds, or infinite."""
        return None if self._records == math.inf else self._records

    @property
    def _bounds(self) -> tuple[float, float]:
        """The length in records and in seconds; infinite where there is no bound."""
        return self._records, self.seconds or math.inf

    def _check_length(self) -> None:
        caller = type(self).__name__
        if (self.window_size is None) == (self.seconds is None):
            given = (self.window_size, self.seconds)
            raise ParameterError("window_size", caller, "given, or else 'seconds', but not both", given)
        if isinstance(self.window_size, str):
            object.__setattr__(self, "seconds", _read_seconds(self.window_size, caller))
            object.__setattr__(self, "window_size", None)
        if self.seconds is not None:
            check_number(self.seconds, "seconds", caller, above=0)
        elif self.window_size != math.inf:
            object.__setattr__(self, "window_size", checked_whole(self.window_size, "window_size", caller, least=1))


@_register("cumulative")
@dataclass(frozen=True, slots=True)
class Cumulative(_OverRecords):
    """All records so far, with equal weight: P(i) = (1/i) Σ e.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.Cumulative().label
    'cumulative'
    """

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return "cumulative"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_cumulative()


@_register("sliding")
@dataclass(frozen=True, slots=True)
class Sliding(_Window):
    """Sliding window: the last ``window_size`` records, or those of the last ``seconds``.

    With w records, P_w(i) = sum of the last w losses / min(w, i); O(1) time per record and O(w) memory.
    ``Sliding(math.inf)`` is ``Cumulative()``. A window in seconds holds the records with a time in (t − seconds, t].

    Parameters
    ----------
    window_size
        Number of records, at least 1; or a length of time with its unit: ``"60s"``, ``"30m"``, ``"12h"``, ``"7d"``.
    seconds
        Length in seconds, instead of ``window_size``.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.Sliding(1000).label, pq.Sliding(seconds=60).label
    ('sliding:1000', 'sliding:60s')
    """

    window_size: float | str | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        self._check_length()

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        return f"sliding:{self._length}"

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        if self.window_size == math.inf:
            grid.add_cumulative()
        else:
            grid.add_sliding(*self._bounds)


@_register("fading")
@dataclass(frozen=True, slots=True)
class Fading(_OverRecords):
    """Fading factor: S = e + α·S, N = 1 + α·N, P = S/N.

    The record ``k`` records ago has the weight αᵏ; N tends to 1/(1−α). O(1) time per record; no records are kept.
    ``Fading(1)`` is ``Cumulative()``.

    Parameters
    ----------
    alpha
        The factor α, in (0, 1].

    Examples
    --------
    >>> import prequential as pq
    >>> pq.Fading(0.999).label
    'fading:0.999'
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


@_register("adaptive")
@dataclass(frozen=True, slots=True)
class AdaptiveWindow(_OverRecords):
    """Adaptive window (ADWIN): the longest run of recent records whose mean loss shows no change.

    Every 32 records each cut of the window in two is tested; if the mean losses of the two sides differ by more than
    ``bound`` allows, the oldest records are dropped. The window shrinks; it does not restart. Every metric is computed
    over it; the trace has the number of its records as ``width`` and the number of times it has shrunk as ``alarms``.
    Amortised O(log W) time per record and O(C² log W) memory for a window of W records.

    The loss is 0 or 1; in a regression stream, the absolute error relative to ``largest``. Weights count in the
    metrics, but not in the detection of changes.

    Parameters
    ----------
    delta
        The confidence of a cut, in (0, 1); smaller gives fewer false cuts.
    largest
        For regression streams: the absolute error that counts as 1, as do larger ones.
    bound
        How far apart two means may be by chance. ``"variance"``: that of ADWIN's authors and of all libraries, with the
        variance σ² of the window, √(2σ²L/m) + 2L/3m with L = ln(2 ln n / δ). ``"theorem3"``: that of theorem 3 of Bifet
        et al. (2015), √(L/2m) with L = ln(4n/δ), which holds for any losses from 0 to 1. 1/m is 1/n₀ + 1/n₁ for sides
        of n₀ and n₁ records. The first uses how little the losses of a good learner vary, so it finds changes sooner.

    References
    ----------
    Bifet and Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.AdaptiveWindow(0.002).label
    'adaptive:0.002'
    """

    delta: float = 0.002
    largest: float = 1.0
    bound: AdwinBound = "variance"

    def __post_init__(self) -> None:
        check_number(self.delta, "delta", "AdaptiveWindow", above=0, below=1)
        check_number(self.largest, "largest", "AdaptiveWindow", above=0)
        check_choice(self.bound, "bound", "AdaptiveWindow", get_args(AdwinBound))

    @property
    def label(self) -> str:
        """The forgetting as text, such as ``sliding:1000``."""
        n_shown = 3 if self.bound != "variance" else 2 if self.largest != 1 else 1
        return ":".join(["adaptive", *[_shortest(self.delta), _shortest(self.largest), self.bound][:n_shown]])

    def join(self, grid: NativeGrid) -> None:
        """Add this forgetting to a native grid."""
        grid.add_adwin(self.delta, self.largest, self.bound == "theorem3")


@_register("histogram")
@dataclass(frozen=True, slots=True)
class ExponentialHistogram(_Window):
    """Estimated sliding window, for windows too large to keep: the last records, or those of the last ``seconds``.

    Every sum (a cell of the confusion matrix, a loss, the misses of a baseline) is an exponential histogram for real
    amounts, with an error of at most ``error`` × the true sum of the window. It is exact until the window is full, and
    for counts in a window of at most 1/``error`` records. O(1) time per record on average; about
    (1 + ln(``error`` · ``window_size``)) / ``error`` numbers per sum, so 10⁷ records of two classes at 1 % take less
    than a megabyte.

    With e = ``error``: accuracy, recall, precision and mean losses, which are quotients of two sums, are within a
    factor (1 + e) / (1 − e) of the true value, about 2e. So is 1 − κ_per; 1 − κ is within the square of it, about 4e.
    The majority class of κ_m is that of the estimated labels: if two classes are almost equally frequent, it may be the
    other one. R² is NaN, because it is a difference of sums, whose relative error is not bounded.

    Parameters
    ----------
    window_size
        Number of records, at least 1; or a length of time with its unit, ``"7d"``.
    error
        The largest relative error of a sum, in (0, 1).
    seconds
        Length in seconds, instead of ``window_size``.

    References
    ----------
    Datar, Gionis, Indyk, Motwani 2002, "Maintaining stream statistics over sliding windows".

    Examples
    --------
    >>> ExponentialHistogram(10_000_000).label, ExponentialHistogram(seconds=3600, error=0.05).label
    ('histogram:10000000:0.01', 'histogram:3600s:0.05')
    """

    window_size: float | str | None = None
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
        if self.window_size == math.inf:
            grid.add_cumulative()
        else:
            grid.add_exponential_histogram(*self._bounds, self.error)


def _shortest(number: float) -> str:
    """Return the shortest text that identifies a number, so that no two forgettings share a label."""
    return repr(float(number)).removesuffix(".0")


_ACCEPTED = (
    "cumulative, sliding:RECORDS, sliding:60s (or 30m, 12h, 7d), fading:ALPHA, adaptive:DELTA or "
    "histogram:LENGTH,ERROR, such as sliding:1000, fading:0.999 or histogram:10000000,0.01"
)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def _read_seconds(text: str, caller: str) -> float:
    """Read a length of time."""
    try:
        return float(text[:-1]) * _SECONDS[text[-1:]]
    except (KeyError, ValueError):
        needed = "a whole number of records, or a length of time such as '60s', '30m', '12h' or '7d'"
        raise ParameterError("window_size", caller, needed, text) from None


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the forgettings.

    Examples
    --------
    >>> names()
    ('cumulative', 'sliding', 'fading', 'adaptive', 'histogram')
    """
    return FORGETTINGS.names()


@checked_call
def as_forgetting(value: Forgetting | str | type | Mapping[str, Any]) -> Forgetting:
    """Return a forgetting, given itself, as text, or as a table with its ``type``.

    Examples
    --------
    >>> as_forgetting("sliding:1000"), as_forgetting("sliding:1m"), as_forgetting("fading:0.99")
    (Sliding(window_size=1000, seconds=None), Sliding(window_size=None, seconds=60.0), Fading(alpha=0.99))
    >>> as_forgetting("histogram:1e7,0.01")
    ExponentialHistogram(window_size=10000000, error=0.01, seconds=None)
    """
    if isinstance(value, str | Mapping):
        try:
            return FORGETTINGS.of_text(value) if isinstance(value, str) else FORGETTINGS.of_table(value)
        except (CallError, ParameterError) as error:
            raise InputError(
                f"The forgetting {value!r} lacks its parameter, or has a wrong one. {error} Accepted: {_ACCEPTED}."
            ) from error
    if isinstance(value, type) and value in FORGETTINGS.values():
        try:
            return FORGETTINGS.of_class(value)
        except ParameterError as error:
            raise InputError(
                f"{value.__name__} is a class that needs arguments: give an object, {value.__name__}(window_size=1000)."
            ) from error
    if isinstance(value, type) or not hasattr(value, "label") or not hasattr(value, "join"):
        raise InputError(f"{value!r} is not a forgetting. Accepted: {_ACCEPTED}.")
    return value


register_look_up(Forgetting, as_forgetting)
