"""Detectors beside learners on a stream, or over a series, and what they found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from prequential.drift.adapted import as_detector
from prequential.drift.detector import Detector, State
from prequential.drift.scoring import DetectionScore, Verdict, score_alarms, verdicts
from prequential.drift.watch import Alarm, Watch
from prequential.errors import InputError, LearnerError
from prequential.learners.naming import named_learners, seed_of
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True)
class Detection:
    """The alarms of one detector.

    Parameters
    ----------
    learner
        The learner it watched; None: the stream's targets themselves.
    detector
        The textual form of the detector.
    n_records
        Records of the stream.
    alarms
        What it said, in the order of the stream.
    """

    learner: str | None
    detector: str
    n_records: int
    alarms: tuple[Alarm, ...]

    def score(self, drifts: Sequence[Drift], *, tolerance: float = math.inf) -> DetectionScore:
        """Score the alarms against known drifts; see ``score_alarms``."""
        return score_alarms(self.alarms, drifts, self.n_records, tolerance=tolerance)

    def verdicts(self, drifts: Sequence[Drift], *, tolerance: float = math.inf) -> list[Verdict]:
        """Say of each alarm whether it detected a drift, repeats, or is false."""
        return verdicts(self.alarms, drifts, self.n_records, tolerance=tolerance)


def detect(
    stream: Stream,
    learners: object,
    detectors: object,
    *,
    seed: int = 1,
    skip_abstained: bool = False,
    on_chunk: Callable[[int], None] | None = None,
) -> list[Detection]:
    """Let learners test and train on a stream, and detectors watch them, in one pass.

    Parameters
    ----------
    stream
        The stream.
    learners
        One learner, a list, or a mapping from names, as for ``evaluate``. None: the targets of the stream are the
        series that the detectors watch.
    detectors
        One detector or several, in their textual form too; each watches each learner.
    seed
        For whatever a learner draws at random.
    skip_abstained
        Whether abstentions are left out instead of counted wrong (convention 3).
    on_chunk
        Called after each chunk with the number of its records.

    Examples
    --------
    >>> from prequential import learners, streams
    >>> stream = streams.SEA(concept=3, seed=1).drift_to(streams.SEA(concept=4, seed=2), at=5000).take(10_000)
    >>> (found,) = detect(stream, {"nb": learners.NaiveBayes()}, ["adwin"])
    >>> found.score(stream.drifts, tolerance=2000).n_detected
    1
    """
    made = _distinct(detectors)
    named = {} if learners is None else named_learners(learners, "detect")
    if learners is None and stream.schema.classes is not None:
        raise InputError(f"{stream.name}: a series is made of numbers, and this target has classes.")
    for one in made if learners is None else ():
        if one.on != "error" or getattr(one, "under", None) is not None:
            raise InputError(f"{one.label}: a series is watched as it is, so 'on' and 'under' cannot be given.")
    names: list[str | None] = [None] if learners is None else list(named)
    found: dict[tuple[str | None, str], list[Alarm]] = {(name, one.label): [] for name in names for one in made}
    fresh = {
        name: learner.bound_to(stream).fresh(stream.schema, seed_of(name, seed)) for name, learner in named.items()
    }
    watches = {
        (name, one.label): Watch(one, stream.schema, skip_abstained=skip_abstained) for name in fresh for one in made
    }
    states = [one.fresh() for one in made]
    n = 0
    for chunk in stream.chunks():
        if learners is None:
            times = np.full(len(chunk), np.nan) if chunk.time is None else chunk.time
            for one, state in zip(made, states, strict=True):
                alarms = _updated(state, chunk.y, chunk.start, one)
                found[None, one.label] += [Alarm(chunk.start + i, float(times[i])) for i in alarms]
        for name, learner in fresh.items():
            if chunk.schema is not learner.schema and chunk.schema != learner.schema:
                learner.extend(chunk.schema)
            learner.now = chunk.start
            try:
                scores = learner.test_then_train(chunk.X, chunk.y, chunk.weight)
                for one in made:
                    found[name, one.label] += watches[name, one.label].step(chunk, scores)
            except LearnerError as error:
                raise LearnerError(f"{name}, record {chunk.start + error.offset:,}: {error}") from error
        n = chunk.start + len(chunk)
        if on_chunk is not None:
            on_chunk(len(chunk))
    return [Detection(learner, label, n, tuple(alarms)) for (learner, label), alarms in found.items()]


def _distinct(detectors: object) -> list[Detector]:
    made: dict[str, Detector] = {}
    for one in map(as_detector, detectors if isinstance(detectors, list | tuple) else [detectors]):
        if one.label in made:
            raise InputError(f"The detector {one.label} is given twice.")
        made[one.label] = one
    if not made:
        raise InputError("At least one detector is needed.")
    return list(made.values())


def _updated(state: State, values: FloatArray, start: int, detector: Detector) -> list[int]:
    try:
        found: list[int] = state.update(values).tolist()
    except ValueError as error:
        raise InputError(f"{detector.name}, records from {start:,} on: {error}.") from error
    return found
