"""What is shown of detections: the table of scores, a dummy beside each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from prequential.drift.detection import Detection
from prequential.drift.scoring import DetectionScore
from prequential.report.number import count, fixed
from prequential.report.rug import short_name
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.streams.drift import Drift

DUMMY = "  dummy, on average"
_ALARMS, _DELAY, _QUALITY = "alarms", "delay in records", "quality"
_HEADINGS = (
    Heading("detector", number=False),
    Heading("alarms", _ALARMS),
    Heading("detected", _ALARMS),
    Heading("missed", _ALARMS),
    Heading("false", _ALARMS),
    Heading("repeats", _ALARMS),
    Heading("mean", _DELAY),
    Heading("sd", _DELAY),
    Heading("median", _DELAY),
    Heading("normalised", _DELAY),
    Heading("precision", _QUALITY),
    Heading("recall", _QUALITY),
    Heading("f1", _QUALITY),
    Heading("between false", _QUALITY),
)
_FIELDS = (
    "n_alarms",
    "n_detected",
    "n_missed",
    "n_false",
    "n_repeats",
    "delay_mean",
    "delay_sd",
    "delay_median",
    "delay_normalised",
    "precision",
    "recall",
    "f1",
    "time_between_false",
)
"""The fields of a score, in the order of the columns."""
_BRIEF = {
    "n_alarms": "alarms",
    "n_detected": "detected",
    "n_missed": "missed",
    "n_false": "false",
    "n_repeats": "repeats",
    "delay_mean": "mean delay",
    "f1": "f1",
}
"""Those shown first: no mean delay without the misses and false alarms beside it."""


@dataclass(frozen=True, slots=True)
class DetectionTable:
    """Detectors beside each other, and below each a dummy that gives as many alarms without looking (convention 9).

    Parameters
    ----------
    name
        The stream.
    detections
        What was found.
    drifts
        The known drifts; None: only the alarms are shown.
    tolerance
        Records after a drift in which an alarm still detects it.
    """

    name: str
    detections: tuple[Detection, ...]
    drifts: tuple[Drift, ...] | None
    tolerance: float = math.inf

    def scores(self) -> list[DetectionScore | None]:
        """Return the score of each detection; None where no drifts are known."""
        return [
            None if self.drifts is None else one.score(self.drifts, tolerance=self.tolerance) for one in self.detections
        ]

    def names(self) -> list[str]:
        """Return short names of the rows, each different: the detector, and of several learners the one it watched."""
        several = len({one.learner for one in self.detections}) > 1
        found: list[str] = []
        for one in self.detections:
            short = short_name(one.detector)
            name = wanted = f"{one.learner} · {short}" if several else short
            k = 2
            while name in found:
                name, k = f"{wanted}-{k}", k + 1
            found.append(name)
        return found

    def sheet(self) -> Sheet:
        """Set the table as text."""
        n = self.detections[0].n_records if self.detections else 0
        notes: list[str] = []
        if self.drifts is None:
            headings = (Heading("detector", number=False), Heading("alarms"), Heading("first alarms", number=False))
            rows = tuple(
                (_named(name, one, notes), Cell(count(len(one.alarms))), Cell(_first(one)))
                for name, one in zip(self.names(), self.detections, strict=True)
            )
            caption = f"{self.name} · {count(n)} records · no drifts are known, so nothing is scored"
            return Sheet(caption, headings, rows, notes=tuple(notes))
        rows_: list[tuple[Cell, ...]] = []
        for name, one, score in zip(self.names(), self.detections, self.scores(), strict=True):
            assert score is not None
            rows_.append(_row(_named(name, one, notes), score, notes))
            if score.dummy is not None:
                rows_.append(_row(Cell(DUMMY), score.dummy, notes))
        return Sheet(self._setting(), _HEADINGS, tuple(rows_), notes=tuple(notes))

    def brief(self) -> Sheet:
        """Set the numbers that are needed first as text, a row a detection, those of its dummy in brackets."""
        notes: list[str] = []
        rows = []
        for name, one, score in zip(self.names(), self.detections, self.scores(), strict=True):
            if score is None or score.dummy is None:
                return self.sheet()
            cells = [_beside(score, score.dummy, field, notes) for field in _BRIEF]
            rows.append((_named(name, one, notes), *cells))
        caption = f"{self._setting()} · in brackets the dummy, on average"
        return Sheet(
            caption, (Heading("detector", number=False), *map(Heading, _BRIEF.values())), tuple(rows), "", tuple(notes)
        )

    def _setting(self) -> str:
        """Say what was scored: the stream, its drifts, the tolerance."""
        assert self.drifts is not None
        n = self.detections[0].n_records if self.detections else 0
        within = "up to the next drift" if math.isinf(self.tolerance) else f"tolerance {self.tolerance:,g}"
        n_blips = sum(drift.temporary for drift in self.drifts)
        drifts = _counted(len(self.drifts) - n_blips, "drift")
        blips = f" and {_counted(n_blips, 'blip')}" if n_blips else ""
        return f"{self.name} · {count(n)} records · {drifts}{blips} · {within}"


def detection_table(
    name: str, detections: Sequence[Detection], drifts: Sequence[Drift] | None, *, tolerance: float = math.inf
) -> DetectionTable:
    """Put detections beside each other."""
    return DetectionTable(name, tuple(detections), None if drifts is None else tuple(drifts), tolerance)


def _named(name: str, detection: Detection, notes: list[str]) -> Cell:
    """Name a row; a footnote gives the detector with its parameters."""
    return Cell(name, notes=(_note(detection.detector, notes),))


def _note(text: str, notes: list[str]) -> int:
    if text not in notes:
        notes.append(text)
    return notes.index(text) + 1


def _row(name: Cell, score: DetectionScore, notes: list[str]) -> tuple[Cell, ...]:
    numbers = (score.n_alarms, score.n_detected, score.n_missed, score.n_false, score.n_repeats)
    delays = (score.delay_mean, score.delay_sd, score.delay_median)
    texts = [
        *map(_number, numbers),
        *map(_tenths, delays),
        fixed(score.delay_normalised),
        *map(fixed, (score.precision, score.recall, score.f1)),
        _tenths(score.time_between_false),
    ]
    reasons = score.reasons
    cells = [
        Cell(text, notes=(_note(reasons[field], notes),) if field in reasons else ())
        for text, field in zip(texts, _FIELDS, strict=True)
    ]
    return (name, *cells)


def _beside(score: DetectionScore, dummy: DetectionScore, field: str, notes: list[str]) -> Cell:
    """Write a number of a score and, in brackets, the dummy's; of alarms both have as many."""
    write = fixed if field == "f1" else _tenths if field == "delay_mean" else _number
    text = write(getattr(score, field))
    why = score.reasons.get(field)
    if field != "n_alarms":
        text += f" ({write(getattr(dummy, field))})"
    return Cell(text, notes=() if why is None else (_note(why, notes),))


def _counted(n: int, noun: str) -> str:
    return f"1 {noun}" if n == 1 else f"{count(n)} {noun}s"


def _number(value: float) -> str:
    return count(int(value)) if float(value).is_integer() else f"{value:,.1f}"


def _tenths(value: float) -> str:
    return fixed(value) if math.isnan(value) else f"{value:,.1f}"


def _first(detection: Detection, most: int = 5) -> str:
    shown = ", ".join(count(alarm.record) for alarm in detection.alarms[:most])
    return shown + (", …" if len(detection.alarms) > most else "") or "none"
