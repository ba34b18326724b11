"""Known drifts of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from prequential.arguments import checked_call
from prequential.namespace import Suggesting
from prequential.user_warning import warn_user


class DriftBeyondEndWarning(UserWarning):
    """A requested drift lies beyond the end of the stream.

    Examples
    --------
    >>> import warnings
    >>> import prequential as pq
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", pq.DriftBeyondEndWarning)  # an error instead of a warning
    """


@checked_call
@dataclass(frozen=True, slots=True)
class Drift(Suggesting):
    """A known drift of a stream.

    Parameters
    ----------
    at
        Record index of its middle.
    width
        Its length in records; 1 for an abrupt drift.
    real
        Whether the boundary between the classes changes (real drift) or only the distribution of the records
        (virtual drift).
    temporary
        Whether the stream returns to its previous state afterwards (a blip). A detector should not react to it, so
        alarms are not scored against it.

    Examples
    --------
    >>> Drift(100, width=20).begin, Drift(100, width=20).end
    (90, 110)
    """

    at: int
    width: int = 1
    real: bool = True
    temporary: bool = False

    @property
    def begin(self) -> int:
        """Index of its first record."""
        return self.at - self.width // 2

    @property
    def end(self) -> int:
        """Index of the first record after it."""
        return self.begin + self.width

    def spanning(self, begin: int, end: int) -> Drift:
        """Return this drift from record ``begin`` to before ``end``."""
        return replace(self, at=begin + (end - begin) // 2, width=end - begin)


def within(drifts: Iterable[Drift], begin: int, end: int | None) -> tuple[Drift, ...]:
    """Return the drifts of the records from ``begin`` to before ``end``, counted from ``begin``, in order.

    The middle of a drift decides whether it belongs to them; an abrupt drift at the first record does not count. A blip
    is cut to the range, which can move its middle; several drifts at one place become one.

    Examples
    --------
    >>> within([Drift(5), Drift(8), Drift(20, 10, temporary=True)], 5, 17)
    (Drift(at=3, width=1, real=True, temporary=False), Drift(at=11, width=2, real=True, temporary=True))
    """
    found = []
    for drift in drifts:
        if drift.temporary:
            first, last = max(drift.begin, begin), drift.end if end is None else min(drift.end, end)
            if first < last:
                found.append(drift.spanning(first - begin, last - begin))
        elif (end is None or drift.at < end) and drift.at >= begin + (drift.width == 1):
            found.append(replace(drift, at=drift.at - begin))
    return _merged(found)


def _merged(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """Return drifts in the order of the stream; several at one place become one."""
    found: dict[tuple[int, int, bool], Drift] = {}
    for drift in drifts:
        place = (drift.at, drift.width, drift.temporary)
        if place not in found or drift.real:
            found[place] = drift
    return tuple(found[place] for place in sorted(found))


def warn_beyond(drifts: Sequence[Drift], n: int, caller: str) -> None:
    """Warn about drifts beyond the last of ``n`` records."""
    beyond = [drift for drift in drifts if (drift.begin if drift.temporary else drift.at) >= n]
    if beyond:
        many = f"{len(beyond):,} of its drifts, the first" if len(beyond) > 1 else "its drift"
        message = f"{caller}: the stream ends after {n:,} records, before {many} at record {beyond[0].at:,}."
        warn_user(message, DriftBeyondEndWarning)
