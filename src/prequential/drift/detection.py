"""What a detector found on a stream or a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prequential.drift.scoring import DetectionScore, Verdict, score_alarms, verdicts
from prequential.drift.watch import Alarm
from prequential.streams.drift import Drift


@dataclass(frozen=True, slots=True)
class Detection:
    """The alarms of one detector.

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
    """

    learner: str | None
    detector: str
    n_records: int
    alarms: tuple[Alarm, ...]

    def score(self, drifts: Sequence[Drift], *, tolerance: float | None = None) -> DetectionScore:
        """Score the alarms against known drifts; see ``score_alarms``."""
        return score_alarms(self.alarms, drifts, self.n_records, tolerance=tolerance)

    def verdicts(self, drifts: Sequence[Drift], *, tolerance: float | None = None) -> list[Verdict]:
        """Return for each alarm whether it detected a drift, is a repeat, or is false."""
        return verdicts(self.alarms, drifts, self.n_records, tolerance=tolerance)
