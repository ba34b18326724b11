"""Score predictions made elsewhere."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

import numpy.typing as npt

from prequential.engines import Report
from prequential.errors import DataError, InputError, ParameterError, listing
from prequential.experiment.elsewhere import ArrayPredictions, FilePredictions, Predicted, Predictions
from prequential.experiment.evaluate import default_chunk
from prequential.experiment.guard import guard, open_home
from prequential.experiment.progress import Meter
from prequential.experiment.recorder import Recorder
from prequential.experiment.run import Run
from prequential.experiment.settings import checked_setting, several
from prequential.learners.contract import Clock, Learner
from prequential.measures.forgetting import Forgetting
from prequential.measures.grid import BadScoreError
from prequential.measures.measure import Measure
from prequential.protocols.protocol import Replica, Setting, Tested
from prequential.runs.manifest import LearnerEntry, Manifest, MeasureEntry, Status, describe_schema, machine, versions
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label, Labels


def score(
    y: npt.ArrayLike,
    prediction: npt.ArrayLike | None = None,
    scores: npt.ArrayLike | None = None,
    *,
    classes: Sequence[Label] | None = None,
    weight: npt.ArrayLike | None = None,
    time: npt.ArrayLike | None = None,
    id: npt.ArrayLike | None = None,
    task: str = "auto",
    measures: str | Measure | Sequence[str | Measure] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    abstain: Literal["wrong", "skip"] = "wrong",
    name: str = "predictions",
    directory: str | Path | None = None,
    overwrite: bool = False,
    progress: bool | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score predictions made elsewhere, in the order in which the labels came.

    Parameters
    ----------
    y
        Labels; None or NaN where unknown.
    prediction
        Predicted labels; None or NaN where there was no prediction. If absent, the highest score decides.
    scores
        One score a class, a column each, in the order of ``classes``.
    classes
        All class labels; by default those that appear, sorted.
    weight, time, id
        One value a record.
    task
        ``"classification"``, ``"regression"`` (predictions are numbers) or ``"auto"``.
    measures, forgetting, every, abstain, directory, overwrite, progress, chunk_size
        As in ``evaluate``.
    name
        What to call the maker of the predictions.

    Examples
    --------
    >>> run = score(["a", "b", "a", "a"], ["a", "a", "a", None], measures=["accuracy"], forgetting=["cumulative"])
    >>> run.to_arrow()["value"].to_pylist()
    [0.5]
    """
    source = ArrayPredictions(
        y, prediction, scores, classes=classes, weight=weight, time=time, id=id, task=task, name=name
    )
    return score_all(
        [source],
        measures=measures,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        directory=directory,
        overwrite=overwrite,
        progress=progress,
        chunk_size=chunk_size,
    )


def score_files(
    paths: str | Path | Sequence[str | Path],
    *,
    label: str = "label",
    prediction: str | None = None,
    scores: Mapping[str, str] | None = None,
    time: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    task: str = "auto",
    classes: Sequence[Label] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    abstain: Literal["wrong", "skip"] = "wrong",
    directory: str | Path | None = None,
    overwrite: bool = False,
    progress: bool | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score files of predictions made elsewhere, one learner a file, in constant memory.

    Parameters
    ----------
    paths
        CSV or Parquet files, or a single one; each is called by its name.
    label, prediction, scores, time, weight, id, task, classes
        The columns; see ``FilePredictions``.
    measures, forgetting, every, abstain, directory, overwrite, progress, chunk_size
        As in ``evaluate``.
    """
    sources = [
        FilePredictions(
            path,
            label=label,
            prediction=prediction,
            scores=scores,
            time=time,
            weight=weight,
            id=id,
            task=task,
            classes=classes,
        )
        for path in several(paths)
    ]
    return score_all(
        sources,
        measures=measures,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        directory=directory,
        overwrite=overwrite,
        progress=progress,
        chunk_size=chunk_size,
    )


def score_all(
    sources: Sequence[Predictions],
    *,
    measures: str | Measure | Sequence[str | Measure] | None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None,
    every: int,
    abstain: Literal["wrong", "skip"],
    directory: str | Path | None,
    overwrite: bool,
    progress: bool | None,
    chunk_size: int | None,
) -> Run:
    """Score any sources of predictions, one after the other."""
    if not sources:
        raise ParameterError("paths", "score", "at least one source of predictions", [])
    schema = sources[0].schema
    if any(source.schema.classes != schema.classes for source in sources):
        raise InputError("The sources do not have the same classes: score them one by one, or say classes=.")
    wanted, kept, setting = checked_setting(schema, measures, forgetting, every, abstain)
    for source in sources:
        if (setting.probabilities or setting.ranks) and not source.has_scores:
            needy = listing(m.name for m in wanted if m.needs in ("probabilities", "scores"))
            raise InputError(f"{source.name}: {needy} cannot be had of predictions alone: give a score for each class.")
    replicas: dict[str, Replica] = {}
    for source in sources:
        name, k = source.name, 2
        while name in replicas:
            name, k = f"{source.name}-{k}", k + 1
        replicas[name] = Elsewhere(source, setting)
    manifest = Manifest(
        name=sources[0].name,
        stream={"name": sources[0].name, "n_records": sources[0].n_records},
        schema=describe_schema(schema),
        drifts=[],
        protocol={"protocol": "predictions made elsewhere"},
        measures=[m.name for m in wanted],
        known_measures={m.name: MeasureEntry.of(m) for m in wanted},
        forgetting=[f.label for f in kept],
        every=every,
        seed=0,
        abstain=abstain,
        learners={n: LearnerEntry(s.describe()) for n, s in zip(replicas, sources, strict=True)},
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        n_expected=sources[0].n_records,
        versions=versions(),
        machine=machine(),
    )
    size = default_chunk(schema, chunk_size)
    home, keep = open_home(directory, overwrite=overwrite)
    run = Run(home, keep)
    recorder = Recorder(home, manifest, measures=wanted, forgetting=[f.label for f in kept], schema=schema)

    def work() -> None:
        for name, source in zip(replicas, sources, strict=True):
            replica = replicas[name]
            assert isinstance(replica, Elsewhere)
            with Meter(name, source.n_records, show=progress) as meter:
                for piece in source.pieces(size):
                    if piece.chunk.time is None and any(f.needs_time for f in kept):
                        raise InputError("A window in seconds needs the time of each record: name the column time=.")
                    try:
                        replica.take(piece)
                    finally:
                        recorder.take(Report.of(name, 0, replica))
                    recorder.breathe(replica.n_records)
                    meter.advance(len(piece.chunk))

    def finish(status: Status, reason: str) -> None:
        for name, replica in replicas.items():
            replica.finish()
            recorder.take(Report.of(name, 0, replica))
            recorder.accounts[name].status = status
        recorder.write(max(r.n_records for r in replicas.values()), status, reason)

    guard(run, recorder, work, finish)
    return run


class Elsewhere(Replica):
    """A replica whose learner is somewhere else: only its predictions come by."""

    def __init__(self, source: Predictions, setting: Setting) -> None:
        super().__init__(Nobody(setting.schema))
        self._name = source.name
        self._grid = setting.grid()
        self._every = setting.every

    def take(self, piece: Predicted) -> None:
        """Count some predictions."""
        begun = clock.perf_counter()
        try:
            self._passed += self._grid.update(piece.chunk, piece.scores, piece.prediction, every=self._every)
        except BadScoreError as error:
            self._passed += error.passed
            raise DataError(
                str(error),
                source=self._name,
                row=self._grid.n_seen,
                row_kind="record",
                accepted="scores of at least 0",
            ) from error
        finally:
            self.n_records = self._grid.n_seen
            self.score_seconds += clock.perf_counter() - begun

    def step(self, chunk: Chunk) -> Tested | None:
        """Count records without a prediction: whoever predicts has abstained."""
        self.take(Predicted(chunk, None, replace(chunk, y=chunk.y * 0 - 1).y))
        return None

    def abandon(self) -> None:
        """Report the last checkpoint."""
        self.finish()

    def finish(self) -> None:
        """Report the last checkpoint."""
        if self._grid.n_seen % self._every or not self._grid.n_seen:
            self._passed.append(self._grid.checkpoint())


class Nobody(Learner):
    """Stands for a learner that is not here."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.clock = Clock()

    def fresh(self, schema: Schema, seed: int) -> Self:  # noqa: ARG002  # the role asks for it
        """Return this one: there is nothing to begin anew."""
        return self

    def scores(self, X: FloatArray) -> FloatArray:
        """Return no scores."""
        return X[:, :0]

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Learn nothing."""
