"""Scores of alarms against known drifts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_number, check_whole, checked_call, is_whole
from prequential.drift.watch import Alarm
from prequential.errors import InputError, ParameterError
from prequential.number import plural
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.streams.drift import Drift
from prequential.types import IntArray

_STARTS = 100
"""Number of starts over which the score of a dummy is averaged."""

TOLERANCE = 0.2
"""The default tolerance, as a share of the mean distance between drifts."""

Verdict: TypeAlias = Literal["detected", "repeat", "false"]


_NOT_PRINTED = ("n_records", "n_drifts", "tolerance", "delays", "dummy")
"""Fields that are in the caption, or not single numbers."""


@dataclass(frozen=True, slots=True, repr=False)
class DetectionScore(Printable):
    """The score of alarms against known drifts (convention 9).

    A drift is detected by the first alarm between its first record and ``tolerance`` records after its last, before the
    next drift begins. Later alarms in that span are repeats; all other alarms are false. Temporary drifts (blips) do
    not count. An undefined value is NaN, with its reason in ``reasons``. The score of a dummy is a mean, so its counts
    need not be whole numbers.

    Examples
    --------
    >>> import prequential as pq
    >>> score = pq.drift.score_alarms([120, 700], drifts=[100], n=1000, tolerance=50)
    >>> score.n_detected, score.n_false, score.n_missed
    (1, 1, 0)
    """

    n_records: int
    """Length of the stream."""
    n_drifts: int
    """Number of drifts."""
    n_alarms: int
    """Number of alarms."""
    tolerance: float
    """Records after the end of a drift in which an alarm still detects it; infinite: until the next drift."""
    n_detected: float
    """Detected drifts."""
    n_missed: float
    """Drifts that were not detected."""
    n_false: float
    """False alarms: those that belong to no drift."""
    n_repeats: float
    """Alarms for a drift that was already detected; neither right nor false."""
    delays: tuple[int, ...]
    """Records from the first record of each detected drift to its alarm; 0 for an alarm at the first record. Empty for
    a dummy."""
    delay_mean: float
    """Mean delay over the detected drifts only; NaN if no drift was detected."""
    delay_sd: float
    """Standard deviation of the delays (n − 1 in the denominator); NaN below two delays."""
    delay_median: float
    """Median delay; NaN if no drift was detected."""
    delay_normalised: float
    """Mean of delay / (width + tolerance), the longest delay that still counts, in [0, 1]; lower is better. NaN if no
    drift was detected, or without a tolerance."""
    time_between_false: float
    """Records at which an alarm is false, divided by the number of false alarms; NaN if there is no false alarm."""
    precision: float
    """n_detected / (n_detected + n_false); NaN if both are 0."""
    recall: float
    """n_detected / n_drifts; NaN without drifts."""
    f1: float
    """Harmonic mean of precision and recall: 2 n_detected / (n_detected + n_false + n_drifts)."""
    dummy: DetectionScore | None = None
    """Mean score of a detector that gives the same number of alarms, evenly spaced, without looking at the data."""

    @property
    def reasons(self) -> dict[str, str]:
        """The reason of each value that is NaN, by its name."""
        none = "no drift was detected"
        found = {
            "delay_mean": none,
            "delay_sd": "there is only one delay" if self.n_detected else none,
            "delay_median": none,
            "delay_normalised": "there is no tolerance to compare with" if self.n_detected else none,
            "time_between_false": "there was no false alarm",
            "precision": "there were no right and no false alarms",
            "recall": "there were no drifts",
            "f1": "there were neither drifts nor alarms",
        }
        return {name: reason for name, reason in found.items() if math.isnan(getattr(self, name))}

    def sheet(self) -> Sheet:
        """Return the score as text, next to that of the dummy; the tolerance is in the caption."""
        within = "until the next drift" if math.isinf(self.tolerance) else f"tolerance {self.tolerance:,.15g} records"
        caption = f"{self.n_records:,} records · {plural(self.n_drifts, 'drift')} · {within}"
        names = [one.name for one in fields(self) if one.name not in _NOT_PRINTED]
        columns = [self] if self.dummy is None else [self, self.dummy]
        rows = tuple((Cell(name), *(Cell.of(float(getattr(one, name))) for one in columns)) for name in names)
        titles = ("score", "dummy, on average")[: len(columns)]
        return Sheet(caption, (Heading("", number=False), *map(Heading, titles)), rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary for the score and one for the dummy; undefined numbers are None."""
        names = [one.name for one in fields(self) if one.name not in ("delays", "dummy")]
        both = {"score": self} if self.dummy is None else {"score": self, "dummy": self.dummy}
        return [{"of": of, **{name: _finite_or_none(getattr(one, name)) for name in names}} for of, one in both.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return the score in JSON types; NaN and infinity become None."""
        return {name: _finite_or_none(value) for name, value in {**asdict(self), "reasons": self.reasons}.items()}


def default_tolerance(drifts: Iterable[Drift | int], n: int) -> int:
    """Return the default tolerance in records: a fifth of the mean distance between drifts.

    The start and the end of the stream count as drifts here, blips do not. The tolerance depends on the stream alone,
    not on the alarms.

    Parameters
    ----------
    drifts
        The drifts, or the record indices of abrupt ones.
    n
        Number of records of the stream.

    Examples
    --------
    >>> default_tolerance([5_000], 10_000)
    1000
    """
    permanent = {extent(drift)[0] for drift in map(_drift, drifts) if not drift.temporary}
    return int(TOLERANCE * n / (1 + len(permanent)))


@checked_call
def score_alarms(
    alarms: npt.ArrayLike | Iterable[Alarm],
    drifts: Iterable[Drift | int],
    n: int,
    *,
    tolerance: float | None = None,
) -> DetectionScore:
    """Score alarms against known drifts, and a dummy detector as a baseline in ``dummy``.

    The dummy gives the same number of alarms, evenly spaced, without looking at the data. Its score is the mean over a
    hundred starts, evenly spread (for delays: over all delays together). A useful detector scores better.

    Parameters
    ----------
    alarms
        Record indices (the first record is 0), as ``detect`` returns them, or the alarms of a ``Watch``.
    drifts
        The drifts, or the record indices of abrupt ones. A drift of width w > 1 begins w/2 records before its middle.
        Of several drifts that begin at the same record, only the longest counts. Temporary drifts (blips) are left out:
        an alarm for one is false, unless it detects another drift.
    n
        Number of records of the stream.
    tolerance
        Records after the end of a drift in which an alarm still detects it; by default a fifth of the mean distance
        between drifts (the start and the end of the stream count as drifts). ``math.inf``: until the next drift.

    Examples
    --------
    >>> score = score_alarms([40, 105, 130, 290], [100, 200], 300, tolerance=50)
    >>> score.n_detected, score.n_missed, score.n_false, score.n_repeats, score.delay_mean
    (1, 1, 2, 1, 5.0)
    >>> score.delay_normalised, score.dummy.n_detected
    (0.1, 1.36)
    """
    check_whole(n, "n", "score_alarms", least=1)
    at = _positions(alarms, n)
    known = _known(drifts, n)
    within = _tolerance(tolerance, known, n)
    score = _score(at, known, n, within)
    return replace(score, dummy=_dummy(len(at), known, n, within))


def verdicts(
    alarms: npt.ArrayLike | Iterable[Alarm], drifts: Iterable[Drift | int], n: int, *, tolerance: float | None = None
) -> list[Verdict]:
    """Return the verdict on each alarm, in the order of the stream; parameters as in ``score_alarms``.

    Examples
    --------
    >>> verdicts([40, 105, 130, 290], [100, 200], 300, tolerance=50)
    ['false', 'detected', 'repeat', 'false']
    """
    at, known = _positions(alarms, n), _known(drifts, n)
    found: list[Verdict] = ["false"] * len(at)
    for window in _windows(known, n, _tolerance(tolerance, known, n)):
        for rank, i in enumerate(range(*window.inside(at))):
            found[i] = "repeat" if rank else "detected"
    return found


@dataclass(frozen=True, slots=True)
class _Window:
    """The record indices at which an alarm belongs to a drift, both ends included."""

    begin: int
    end: int
    most: float
    """The longest delay that counts, if no other drift follows."""

    def inside(self, at: IntArray) -> tuple[int, int]:
        """Return the range of positions (end exclusive) of the sorted alarms that lie in the window."""
        begin, end = np.searchsorted(at, [self.begin, self.end + 1])
        return int(begin), max(int(begin), int(end))

    def __len__(self) -> int:
        return max(0, self.end - self.begin + 1)


def _windows(drifts: Sequence[Drift], n: int, tolerance: float) -> list[_Window]:
    begins = [max(0, math.ceil(extent(drift)[0])) for drift in drifts]
    found = []
    for i, drift in enumerate(drifts):
        begin, length = extent(drift)
        last = min(begin + length + tolerance, [*begins, n][i + 1] - 1)
        found.append(_Window(begins[i], math.floor(last), length + tolerance))
    return found


def _score(at: IntArray, drifts: Sequence[Drift], n: int, tolerance: float) -> DetectionScore:
    windows = _windows(drifts, n, tolerance)
    spans = [(window, *window.inside(at)) for window in windows]
    delays = [int(at[begin]) - window.begin for window, begin, end in spans if begin < end]
    most = [window.most for window, begin, end in spans if begin < end]
    n_detected = len(delays)
    n_repeats = sum(end - begin for _, begin, end in spans) - n_detected
    n_false = len(at) - n_detected - n_repeats
    comparable = delays and all(0 < one < math.inf for one in most)
    return DetectionScore(
        n_records=n,
        n_drifts=len(drifts),
        n_alarms=len(at),
        tolerance=tolerance,
        n_detected=n_detected,
        n_missed=len(drifts) - n_detected,
        n_false=n_false,
        n_repeats=n_repeats,
        delays=tuple(delays),
        delay_mean=float(np.mean(delays)) if delays else math.nan,
        delay_sd=float(np.std(delays, ddof=1)) if n_detected > 1 else math.nan,
        delay_median=float(np.median(delays)) if delays else math.nan,
        delay_normalised=float(np.mean(np.array(delays) / most)) if comparable else math.nan,
        time_between_false=(n - sum(map(len, windows))) / n_false if n_false else math.nan,
        precision=_share(n_detected, n_detected + n_false),
        recall=_share(n_detected, len(drifts)),
        f1=_share(2 * n_detected, n_detected + n_false + len(drifts)),
    )


def _dummy(n_alarms: int, drifts: Sequence[Drift], n: int, tolerance: float) -> DetectionScore:
    """Return the mean score of evenly spaced alarms, over the position of the first."""
    if not n_alarms:
        return _score(np.zeros(0, np.int64), drifts, n, tolerance)
    scores = []
    for start in (np.arange(_STARTS) + 0.5) / _STARTS:
        at = np.floor((np.arange(n_alarms) + start) * (n / n_alarms)).astype(np.int64)
        scores.append(_score(at, drifts, n, tolerance))
    delays = [delay for score in scores for delay in score.delays]
    shares = [score.delay_normalised for score in scores for _ in score.delays]

    def mean(name: str) -> float:
        values = np.array([getattr(score, name) for score in scores], dtype=np.float64)
        return float(np.mean(values[~np.isnan(values)])) if not np.isnan(values).all() else math.nan

    return replace(
        scores[0],
        delays=(),
        delay_mean=float(np.mean(delays)) if delays else math.nan,
        delay_sd=float(np.std(delays, ddof=1)) if len(delays) > 1 else math.nan,
        delay_median=float(np.median(delays)) if delays else math.nan,
        delay_normalised=float(np.mean(shares)) if shares else math.nan,
        n_detected=mean("n_detected"),
        n_missed=mean("n_missed"),
        n_false=mean("n_false"),
        n_repeats=mean("n_repeats"),
        time_between_false=mean("time_between_false"),
        precision=mean("precision"),
        recall=mean("recall"),
        f1=mean("f1"),
    )


def extent(drift: Drift) -> tuple[float, float]:
    """Return the beginning of a drift, and its length in records: 0 if it is abrupt."""
    return (drift.at - drift.width / 2, float(drift.width)) if drift.width > 1 else (float(drift.at), 0.0)


def _items(alarms: Any) -> Any:
    """Return alarms as an array or a list; a column of an Arrow table or a data frame is an array."""
    if hasattr(alarms, "__array__"):
        return np.asarray(alarms)
    try:
        return list(alarms)
    except TypeError:
        raise ParameterError("alarms", "score_alarms", "a list of record indices", alarms) from None


def _positions(alarms: npt.ArrayLike | Iterable[Alarm], n: int) -> IntArray:
    items = _items(alarms)
    at = np.array([item.record if isinstance(item, Alarm) else item for item in items])
    if len(at) and (at.ndim != 1 or not np.issubdtype(at.dtype, np.integer)):
        raise ParameterError("alarms", "score_alarms", "record indices, which are whole numbers", alarms)
    outside = at[(at < 0) | (at >= n)]
    if len(outside):
        raise ParameterError("alarms", "score_alarms", f"record indices from 0 to {n - 1:,}", int(outside[0]))
    return np.sort(at.astype(np.int64))


def _tolerance(given: float | None, drifts: Iterable[Drift], n: int) -> float:
    """Return the tolerance that is given, or the default."""
    if given is None:
        return float(default_tolerance(drifts, n))
    check_number(given, "tolerance", "score_alarms", least=0, infinite=True)
    return float(given)


def _drift(given: Drift | int) -> Drift:
    if isinstance(given, Drift):
        return given
    if not is_whole(given):
        raise ParameterError("drifts", "score_alarms", "drifts, or record indices of abrupt ones", given)
    return Drift(int(given))


def _known(drifts: Iterable[Drift | int], n: int) -> list[Drift]:
    known: list[Drift] = []
    for drift in drifts:
        one = _drift(drift)
        if not 0 <= one.at < n:
            raise ParameterError("drifts", "score_alarms", f"at record indices from 0 to {n - 1:,}", one.at)
        known += [] if one.temporary else [one]
    known.sort(key=extent)
    for before, after in pairwise(known):
        if extent(before) == extent(after):
            raise InputError(f"score_alarms: the drift at record {after.at:,} is given twice.")
    # No alarm can tell drifts apart that begin at the same record: the longest, which comes last, counts.
    return list({extent(drift)[0]: drift for drift in known}.values())


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _finite_or_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite_or_none(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite_or_none(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
