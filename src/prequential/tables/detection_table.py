"""The alarms of detectors, scored, each next to a dummy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from prequential.drift.detection import Detection
from prequential.drift.scoring import DetectionScore, default_tolerance
from prequential.figures.pictured import Pictured
from prequential.figures.timeline import Timeline, timeline
from prequential.number import count, fixed, plural
from prequential.runs.alarms import short_name
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.streams.drift import Drift

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure

DUMMY = "  dummy, on average"
_ALARMS, _DELAY, _QUALITY = "alarms", "delay in records", "quality"
_COLUMNS = {
    "n_alarms": Heading("alarms", _ALARMS),
    "n_detected": Heading("detected", _ALARMS),
    "n_missed": Heading("missed", _ALARMS),
    "n_false": Heading("false", _ALARMS),
    "n_repeats": Heading("repeats", _ALARMS),
    "delay_mean": Heading("mean", _DELAY),
    "delay_sd": Heading("sd", _DELAY),
    "delay_median": Heading("median", _DELAY),
    "delay_normalised": Heading("normalised", _DELAY),
    "precision": Heading("precision", _QUALITY),
    "recall": Heading("recall", _QUALITY),
    "f1": Heading("f1", _QUALITY),
    "time_between_false": Heading("between false", _QUALITY),
}
"""The fields of a score."""
_ELSEWHERE = ("of", "n_alarms")
_BRIEF = {
    "n_alarms": "alarms",
    "n_detected": "detected",
    "n_missed": "missed",
    "n_false": "false",
    "n_repeats": "repeats",
    "delay_mean": "mean delay",
    "f1": "f1",
}
"""The fields of the short table: a mean delay is never shown without misses and false alarms."""


@dataclass(frozen=True, slots=True, repr=False)
class DetectionTable(Sequence[Detection], Printable, Pictured):
    """The detections in order, as `detect` returns them.

    Prints as a table: detectors with their scores, each followed by a dummy that gives as many alarms without looking
    (convention 9).

    Parameters
    ----------
    name
        The stream.
    detections
        The alarms of each detector.
    drifts
        The known drifts; None: alarms are only counted.
    tolerance
        Records after a drift in which an alarm still detects it.
    """

    name: str
    detections: tuple[Detection, ...]
    drifts: tuple[Drift, ...] | None
    tolerance: float

    @overload
    def __getitem__(self, place: int) -> Detection: ...
    @overload
    def __getitem__(self, place: slice) -> DetectionTable: ...
    def __getitem__(self, place: int | slice) -> Detection | DetectionTable:
        if isinstance(place, slice):
            return replace(self, detections=self.detections[place])
        return self.detections[place]

    def __len__(self) -> int:
        return len(self.detections)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per detection, with its score if drifts are known; undefined numbers are None."""
        return [
            {
                "learner": one.learner,
                "detector": one.detector,
                "n_alarms": len(one.alarms),
                **({} if score is None else {k: v for k, v in score.to_dicts()[0].items() if k not in _ELSEWHERE}),
            }
            for one, score in zip(self.detections, self.scores(), strict=True)
        ]

    def plot(self) -> go.Figure:
        """Return the alarms over the records as an interactive figure."""
        from prequential.figures.timeline_plotly import timeline_figure

        return self._shown(timeline_figure(self.timeline()), self.figure)

    def figure(self) -> PaperFigure:
        """Draw the alarms over the records for print."""
        from prequential.figures.timeline_matplotlib import draw_timeline

        return draw_timeline(self.timeline())

    def scores(self) -> list[DetectionScore | None]:
        """Return the score of each detection; None where no drifts are known."""
        return [
            None if self.drifts is None else one.score(self.drifts, tolerance=self.tolerance) for one in self.detections
        ]

    def names(self) -> list[str]:
        """Return short, distinct names of the rows: the detector, and the learner if there are several."""
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

    def timeline(self) -> Timeline:
        """Return the alarms over the records, to draw."""
        named = list(zip(self.names(), self.detections, strict=True))
        return timeline(self.name, named, self.drifts, self.tolerance)

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        notes = Footnotes()
        if self.drifts is None:
            return self._counts(notes)
        rows: list[tuple[Cell, ...]] = []
        for name, one, score in zip(self.names(), self.detections, self.scores(), strict=True):
            assert score is not None
            rows.append(_row(_named(name, one, notes), score, notes))
            if score.dummy is not None:
                rows.append(_row(Cell(DUMMY), score.dummy, notes))
        headings = (Heading("detector", number=False), *_COLUMNS.values())
        return Sheet(self._setting(), headings, tuple(rows), notes=notes.texts)

    def brief(self) -> Sheet:
        """Return the most important numbers as text, one row per detection, those of its dummy in brackets."""
        notes = Footnotes()
        rows = []
        for name, one, score in zip(self.names(), self.detections, self.scores(), strict=True):
            if score is None or score.dummy is None:
                return self.sheet()
            cells = [_with_dummy(score, score.dummy, field, notes) for field in _BRIEF]
            rows.append((_named(name, one, notes), *cells))
        caption = f"{self._setting()} · in brackets the dummy, on average"
        headings = (Heading("detector", number=False), *map(Heading, _BRIEF.values()))
        return Sheet(caption, headings, tuple(rows), notes=notes.texts)

    def _counts(self, notes: Footnotes) -> Sheet:
        headings = (Heading("detector", number=False), Heading("alarms"), Heading("first alarms", number=False))
        rows = tuple(
            (_named(name, one, notes), Cell(count(len(one.alarms))), Cell(_first(one)))
            for name, one in zip(self.names(), self.detections, strict=True)
        )
        caption = f"{self.name} · {count(self._n_records)} records · no drifts are known, so nothing is scored"
        return Sheet(caption, headings, rows, notes=notes.texts)

    def _setting(self) -> str:
        """Return the stream, its drifts and the tolerance."""
        assert self.drifts is not None
        within = "up to the next drift" if math.isinf(self.tolerance) else f"tolerance {_amount(self.tolerance)}"
        n_blips = sum(drift.temporary for drift in self.drifts)
        drifts = plural(len(self.drifts) - n_blips, "drift")
        blips = f" and {plural(n_blips, 'blip')}" if n_blips else ""
        return f"{self.name} · {count(self._n_records)} records · {drifts}{blips} · {within}"

    @property
    def _n_records(self) -> int:
        return self.detections[0].n_records if self.detections else 0


def detection_table(
    name: str, detections: Sequence[Detection], drifts: Sequence[Drift] | None, *, tolerance: float | None = None
) -> DetectionTable:
    """Return the table of several detections; the default tolerance is that of ``score_alarms``."""
    found = tuple(detections)
    if tolerance is None:
        tolerance = default_tolerance(drifts or (), found[0].n_records if found else 0)
    return DetectionTable(name, found, None if drifts is None else tuple(drifts), tolerance)


def _amount(records: float) -> str:
    return count(int(records)) if float(records).is_integer() else f"{records:,g}"


def _named(name: str, detection: Detection, notes: Footnotes) -> Cell:
    """Return the name of a row, with a footnote that gives the detector's parameters."""
    return Cell(name, notes=notes.number(detection.detector))


def _row(name: Cell, score: DetectionScore, notes: Footnotes) -> tuple[Cell, ...]:
    reasons = score.reasons
    cells = [Cell(_written(score, field), notes=notes.number(reasons.get(field, ""))) for field in _COLUMNS]
    return (name, *cells)


def _with_dummy(score: DetectionScore, dummy: DetectionScore, field: str, notes: Footnotes) -> Cell:
    """Return a field of a score and, in brackets, the dummy's; the number of alarms is the same."""
    text = _written(score, field)
    if field != "n_alarms":
        text += f" ({_written(dummy, field)})"
    return Cell(text, notes=notes.number(score.reasons.get(field, "")))


def _written(score: DetectionScore, field: str) -> str:
    """Write a field of a score: a dummy's counts are means."""
    value = float(getattr(score, field))
    if field.startswith("n_"):
        return count(int(value)) if value.is_integer() else f"{value:,.1f}"
    if field in ("delay_normalised", "precision", "recall", "f1") or math.isnan(value):
        return fixed(value)
    return f"{value:,.1f}"


def _first(detection: Detection, most: int = 5) -> str:
    shown = ", ".join(count(alarm.record) for alarm in detection.alarms[:most])
    return shown + (", …" if len(detection.alarms) > most else "") or "none"
