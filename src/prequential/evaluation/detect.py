"""Run drift detectors on learners under prequential evaluation, or on a series of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.arguments import checked_call
from prequential.drift import Alarm, Detection, Detector
from prequential.drift.adapted import DetectorsLike
from prequential.errors import InputError, LearnerError
from prequential.evaluation.begin_run import carry_out, with_warnings
from prequential.evaluation.evaluate import finite_stream, learning
from prequential.evaluation.execution import SAVE_SECONDS, EngineLike, Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.run import Run
from prequential.evaluation.series import SeriesJob
from prequential.evaluation.settings import Settings, UncheckedSettings, named_detector, several
from prequential.learners.adapters import LearnersLike
from prequential.learners.naming import named_learners
from prequential.streams.as_stream import StreamLike
from prequential.streams.stream import Stream
from prequential.tables.detection_table import DetectionTable, detection_table
from prequential.types import Label

ONLY_LAST = 1 << 60
"""Records between checkpoints: more than a stream has, so there is only the last checkpoint."""


@checked_call
def detect(
    stream: StreamLike,
    learners: LearnersLike | None,
    detectors: DetectorsLike,
    *,
    target: str | None = None,
    tolerance: float | None = None,
    seed: int = 1,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    directory: str | Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    accept_changes: bool = False,
    save_seconds: float | None = SAVE_SECONDS,
    progress: bool | None = None,
    engine: EngineLike = "auto",
    workers: int | None = None,
    chunk_size: int | None = None,
) -> DetectionTable:
    """Run drift detectors on learners that are tested and trained on a stream (prequential), in one pass.

    Parameters
    ----------
    stream
        Stream, path of a file, data frame, ``(X, y)``, or another source that ``pq.as_stream`` accepts.
    learners
        One learner, a list, or a mapping from names to learners, as in ``evaluate``. None: the detectors watch the
        targets of the stream, which must be numbers; with ``under`` their mean under this forgetting.
    detectors
        One detector or several, as objects or as text such as ``"adwin"``; each watches every learner.
    target
        The label column of a file or data frame, as in ``evaluate``.
    tolerance
        Records after a drift in which an alarm detects it, for the printed scores; the default is that of
        ``score_alarms``: a fifth of the mean distance between drifts.
    seed
        Seed of the run; the seed of each learner is derived from it.
    abstain
        How a missing prediction counts: ``"wrong"``, or ``"skip"`` to leave it out.
    positive
        The positive class of detectors on average precision or, with more than two classes, on AUC.
    directory, overwrite, resume, accept_changes, save_seconds, progress, engine, workers, chunk_size
        As in ``evaluate``.

    Returns
    -------
    DetectionTable
        A sequence of `Detection`, one per learner and detector, that prints as a table of scores. A learner that failed
        is left out, with a warning.

    Raises
    ------
    LearnerError
        If all learners failed.

    Examples
    --------
    >>> import prequential as pq
    >>> first, second = (pq.streams.SEA(concept=k, seed=k) for k in (3, 4))
    >>> stream = first.drift_to(second, at=5000).take(10_000)
    >>> (found,) = pq.detect(stream, {"nb": pq.learners.NaiveBayes()}, "adwin")
    >>> found.score(stream.drifts, tolerance=2000).n_detected
    1
    """
    data = finite_stream(stream, target)
    chosen = _distinct(detectors)
    execution = Execution(
        caller="detect",
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        accept_changes=accept_changes,
        save_seconds=save_seconds,
        progress=progress,
        engine=engine,
        workers=workers,
        chunk_size=chunk_size,
    )
    execution.check()
    given = UncheckedSettings(
        caller="detect",
        metrics="mae" if data.schema.classes is None else "error",
        forgetting="cumulative",
        every=ONLY_LAST,
        seed=seed,
        abstain=abstain,
        positive=positive,
        detectors=chosen,
        pairs=False,
    )
    settings = given.checked(data)
    if learners is None:
        run = carry_out(_watching_series(data, settings), execution)
    else:
        run = carry_out(learning(data, named_learners(learners, "detect"), settings), execution)
    found = _detections(run, chosen, series=learners is None)
    watched = f" · {found[0].learner}" if len({one.learner for one in found} - {None}) == 1 else ""
    known = data.drifts_before(found[0].n_records) or None
    return detection_table(f"{data.name}{watched}", found, known, tolerance=tolerance)


def _distinct(detectors: DetectorsLike) -> list[Detector]:
    found: dict[str, Detector] = {}
    for one in map(named_detector, several(detectors)):
        if one.label in found:
            raise InputError(f"The detector {one.label} is given twice.")
        found[one.label] = one
    if not found:
        raise InputError("detect needs at least one detector (--detector).")
    return list(found.values())


def _watching_series(stream: Stream, settings: Settings) -> Experiment:
    """Return the experiment in which detectors watch the targets of a stream."""
    if stream.schema.classes is not None:
        raise InputError(
            f"{stream.name}: a series must consist of numbers, and this target has classes. Use task='regression' "
            "(--task regression) if they are numbers."
        )
    for one in settings.detectors:
        if one.on != "error":
            raise InputError(
                f"{one.label}: the values of a series are watched themselves, so 'on' cannot be given; 'under' can."
            )
    name = stream.schema.target
    return Experiment(
        source=stream,
        jobs=(SeriesJob(name, settings.setting()),),
        learners={name: {"learner": "none: the targets are watched"}},
        settings=settings,
        protocol={"protocol": "series"},
        stream=stream.describe(),
        n_expected=stream.n_records,
    )


def _detections(run: Run, detectors: Sequence[Detector], *, series: bool) -> list[Detection]:
    failures = run.failures
    names = [name for name in run.learners if name not in failures]
    if not names:
        name, failure = next(iter(failures.items()))
        error = LearnerError(f"{name}, record {failure.record:,}: {failure.message}")
        error.run = run
        raise error
    with_warnings(run)
    alarms, n = run.alarms(), run.manifest.n_records
    return [
        Detection(None if series else name, one.label, n, _alarms(alarms, name, one.label))
        for name in names
        for one in detectors
    ]


def _alarms(table: pa.Table, learner: str, detector: str) -> tuple[Alarm, ...]:
    for column, wanted in (("learner", learner), ("detector", detector)):
        table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
    times = table["time"].to_numpy()
    return tuple(
        Alarm(record, float(t)) for record, t in zip(table["record"].to_pylist(), times.astype(np.float64), strict=True)
    )
