"""What a detector found on a stream or a series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from prequential.drift.scoring import DetectionScore, Verdict, score_alarms, verdicts
from prequential.drift.watch import Alarm
from prequential.number import count, plural
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.streams.drift import Drift

_SHOWN = 20
"""The number of alarms in the printed table."""
_SCHEMA = pa.schema(
    [("learner", pa.string()), ("detector", pa.string()), ("record", pa.int64()), ("time", pa.float64())]
)


@dataclass(frozen=True, slots=True, repr=False)
class Detection(Printable):
    """The alarms of one detector; prints as a table of them.

    Parameters
    ----------
    learner
        The learner it watched; None if it watched the targets of the stream.
    detector
        The textual form of the detector.
    n_records
        Number of records of the stream.
    alarms
        Its alarms, in the order of the stream.

    Examples
    --------
    >>> import prequential as pq
    >>> first, second = (pq.streams.SEA(concept=k, seed=k) for k in (3, 4))
    >>> stream = first.drift_to(second, at=5000).take(10_000)
    >>> (found,) = pq.detect(stream, "naive_bayes", "adwin")
    >>> found.learner, found.n_records, found.score(stream.drifts, tolerance=2000).n_missed
    ('naive_bayes', 10000, 0)
    """

    learner: str | None
    detector: str
    n_records: int
    alarms: tuple[Alarm, ...]

    def sheet(self) -> Sheet:
        """Return the alarms as text, at most the first twenty."""
        learner = "" if self.learner is None else f"{self.learner} · "
        caption = f"{learner}{self.detector} · {self.n_records:,} records · {plural(len(self.alarms), 'alarm')}"
        timed = any(not math.isnan(one.time) for one in self.alarms)
        heads = (Heading("alarm", number=False), Heading("record"), *([Heading("time")] if timed else []))
        rows = tuple(
            (Cell(count(i)), Cell(count(one.record)), *([Cell(f"{one.time:g}")] if timed else []))
            for i, one in enumerate(self.alarms[:_SHOWN], start=1)
        )
        more = len(self.alarms) - _SHOWN
        return Sheet(caption, heads, rows, remark=f"{count(more)} more" if more > 0 else "")

    def to_arrow(self) -> pa.Table:
        """Return the alarms: learner, detector, record, time."""
        n = len(self.alarms)
        columns = ([self.learner] * n, [self.detector] * n, [one.record for one in self.alarms])
        times = pa.array([one.time for one in self.alarms], pa.float64(), from_pandas=True)
        return pa.table([*columns, times], schema=_SCHEMA)

    def score(self, drifts: Sequence[Drift], *, tolerance: float | None = None) -> DetectionScore:
        """Score the alarms against known drifts; see ``score_alarms``."""
        return score_alarms(self.alarms, drifts, self.n_records, tolerance=tolerance)

    def verdicts(self, drifts: Sequence[Drift], *, tolerance: float | None = None) -> list[Verdict]:
        """Return for each alarm whether it detected a drift, is a repeat, or is false."""
        return verdicts(self.alarms, drifts, self.n_records, tolerance=tolerance)
