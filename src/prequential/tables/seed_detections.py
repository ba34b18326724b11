"""The alarms of detectors over several seeds, in the form of the papers: mean ± sd of the delay (missed; false).

Gama, Sebastião and Rodrigues 2013, tables 2 and 3; Brzezinski and Stefanowski 2014, table 4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prequential.drift.scoring import DetectionScore
from prequential.errors import InputError
from prequential.number import count, finite_or_none, plural
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.detection_table import DetectionTable
from prequential.textual import parsed

_TIMES = "of all runs"


@dataclass(frozen=True, slots=True)
class SeedDetection:
    """One detector on one learner, over several seeds.

    Parameters
    ----------
    learner
        The learner it watched; None if it watched the targets of the stream.
    detector
        The textual form of the detector.
    scores
        The score of each run, by seed.
    """

    learner: str | None
    detector: str
    scores: Mapping[int, DetectionScore]

    @property
    def delays(self) -> list[int]:
        """The delays of all detected drifts of all runs."""
        return [delay for score in self.scores.values() for delay in score.delays]

    @property
    def delay_mean(self) -> float:
        """Mean delay over the detected drifts of all runs; NaN if none was detected."""
        return float(np.mean(self.delays)) if self.delays else math.nan

    @property
    def delay_sd(self) -> float:
        """Standard deviation of these delays (n − 1); NaN below two."""
        return float(np.std(self.delays, ddof=1)) if len(self.delays) > 1 else math.nan

    def total(self, field: str) -> float:
        """Return the sum of a count over all runs."""
        return sum(float(getattr(score, field)) for score in self.scores.values())

    def dummy(self, field: str) -> float:
        """Return the sum of a count of the dummy over all runs; the dummy has as many alarms in each run."""
        return sum(float(getattr(score.dummy, field)) for score in self.scores.values() if score.dummy is not None)

    def paper(self, digits: int = 0) -> str:
        """Return the delay and the counts as the papers print them: ``488 ± 34 (0; 0)``.

        Examples
        --------
        >>> SeedDetection(None, "adwin", {}).paper()
        '– (0; 0)'
        """
        mean, deviation = self.delay_mean, self.delay_sd
        delay = "–" if math.isnan(mean) else f"{mean:,.{digits}f}"
        delay += "" if math.isnan(deviation) else f" ± {deviation:,.{digits}f}"
        return f"{delay} ({count(int(self.total('n_missed')))}; {count(int(self.total('n_false')))})"


@dataclass(frozen=True, slots=True, repr=False)
class SeedDetectionTable(Printable):
    """Detectors over several seeds: mean delay ± standard deviation (missed drifts; false alarms).

    A delay is of a detected drift; every detected drift of every run counts once. Missed drifts and false alarms are
    counted over all runs. Beside each detector stands a dummy that gives as many alarms in each run without looking.

    Parameters
    ----------
    name
        The stream.
    n_seeds
        The number of runs.
    n_records
        Number of records of a run.
    n_drifts
        Number of drifts in all runs together.
    tolerance
        Records after a drift in which an alarm still detects it.
    rows
        The detectors.
    """

    name: str
    n_seeds: int
    n_records: int
    n_drifts: int
    tolerance: float
    rows: tuple[SeedDetection, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per learner and detector; undefined numbers are None."""
        return [
            {
                "learner": row.learner,
                "detector": row.detector,
                "n_seeds": len(row.scores),
                "n_drifts": int(row.total("n_drifts")),
                "delay_mean": finite_or_none(row.delay_mean),
                "delay_sd": finite_or_none(row.delay_sd),
                "n_detected": int(row.total("n_detected")),
                "n_missed": int(row.total("n_missed")),
                "n_false": int(row.total("n_false")),
                "n_repeats": int(row.total("n_repeats")),
                "n_alarms": int(row.total("n_alarms")),
                "dummy_missed": finite_or_none(row.dummy("n_missed")),
                "dummy_false": finite_or_none(row.dummy("n_false")),
                "delays": row.delays,
            }
            for row in self.rows
        ]

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        notes = Footnotes()
        several = len({row.learner for row in self.rows}) > 1
        names, shared = brief_names([row.detector for row in self.rows])
        rows = []
        for row in self.rows:
            name = f"{row.learner} · {names[row.detector]}" if several else names[row.detector]
            none = "no drift was detected" if not row.delays and row.total("n_drifts") else ""
            cells = [
                Cell(row.paper(), notes=notes.number(none)),
                Cell(f"{count(int(row.total('n_detected')))} of {count(int(row.total('n_drifts')))}"),
                Cell(count(int(row.total("n_repeats")))),
                Cell(f"({row.dummy('n_missed'):,.1f}; {row.dummy('n_false'):,.1f})"),
            ]
            rows.append((Cell(name), *cells))
        titles = ("delay (missed; false)", "detected", "repeats", "dummy (missed; false)")
        within = "up to the next drift" if math.isinf(self.tolerance) else f"tolerance {self.tolerance:,.15g}"
        watched = {row.learner for row in self.rows} - {None}
        about = [self.name, *(sorted(map(str, watched)) if len(watched) == 1 else ())]
        about += [plural(self.n_seeds, "seed"), f"{count(self.n_records)} records", within]
        return Sheet(
            " · ".join(about),
            (Heading("detector", number=False), *map(Heading, titles)),
            tuple(rows),
            notes=notes.texts,
            remark=" ".join(
                [f"Mean ± standard deviation of the delays in records; counts are {_TIMES} together.", *shared]
            ),
        )


def brief_names(labels: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return short names of detectors, with the parameters in which those of one type differ, and what they share.

    Examples
    --------
    >>> names, shared = brief_names(["adwin:delta=0.1,on=error", "adwin:delta=0.2,on=error", "ddm:on=error"])
    >>> list(names.values()), shared
    (['adwin:delta=0.1', 'adwin:delta=0.2', 'ddm'], ['adwin: on=error.', 'ddm: on=error.'])
    """
    try:
        texts = {label: parsed(label, "detector") for label in labels}
    except InputError:  # the label of a detector of another library
        return {label: label for label in labels}, []
    names, shared = {}, {}
    for label, text in texts.items():
        like = [one.keywords for one in texts.values() if one.name == text.name]
        differ = {key: value for key, value in text.keywords.items() if any(one.get(key) != value for one in like)}
        same = {key: value for key, value in text.keywords.items() if key not in differ}
        parameters = ",".join(f"{key}={value}" for key, value in differ.items())
        names[label] = f"{text.name}:{parameters}" if parameters else text.name
        shared[text.name] = (
            f"{text.name}: {', '.join(f'{key}={value}' for key, value in same.items())}." if same else ""
        )
    return names, [text for text in shared.values() if text]


def seed_detections(tables: Mapping[int, DetectionTable], tolerance: float | None) -> SeedDetectionTable:
    """Return the detections of several runs; the drifts of each must be known.

    The default tolerance is that of the first run.
    """
    first = next(iter(tables.values()))
    within = first.tolerance if tolerance is None else float(tolerance)
    found: dict[tuple[str | None, str], dict[int, DetectionScore]] = {}
    for seed, table in tables.items():
        if table.drifts is None:
            raise InputError(
                f"{table.name}: no drifts are known, so there are no delays. Give them with drifts=… (--drifts)."
            )
        for one in table.detections:
            score = one.score(table.drifts, tolerance=within)
            found.setdefault((one.learner, one.detector), {})[seed] = score
    rows = tuple(SeedDetection(learner, detector, scores) for (learner, detector), scores in found.items())
    n_drifts = sum(len(table.drifts or ()) for table in tables.values())
    return SeedDetectionTable(first.name, len(tables), first.detections[0].n_records, n_drifts, within, rows)
