"""Score predictions that were made elsewhere, in memory or in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy.typing as npt

from prequential.errors import InputError, ParameterError
from prequential.evaluation.begin_run import carry_out
from prequential.evaluation.execution import SAVE_SECONDS, EngineName, Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.run import Run
from prequential.evaluation.settings import UncheckedSettings, several
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.scoring.array_predictions import ArrayPredictions
from prequential.scoring.file_predictions import FilePredictions
from prequential.scoring.predicted import PredictionsJob
from prequential.scoring.predictions import Predictions, SeveralPredictions
from prequential.types import Label, LabelsLike
from prequential.wording import listing


def score(
    y: LabelsLike,
    prediction: LabelsLike | None = None,
    scores: npt.ArrayLike | None = None,
    *,
    classes: Sequence[Label] | None = None,
    weight: npt.ArrayLike | None = None,
    time: npt.ArrayLike | None = None,
    id: npt.ArrayLike | None = None,
    task: str = "auto",
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    name: str = "predictions",
    directory: str | Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    save_seconds: float | None = SAVE_SECONDS,
    progress: bool | None = None,
    engine: EngineName = "auto",
    workers: int | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score predictions that were made elsewhere, given as arrays.

    Use it for models that run outside this package, in any language: it computes the metrics of ``evaluate`` over time
    from labels and predictions, in the order of the stream.

    Parameters
    ----------
    y
        Labels, one per record; None or NaN if a label is unknown.
    prediction
        Predicted labels; None or NaN for an abstention. Without them, the class with the highest score is predicted.
    scores
        Matrix with one row per record and one score per class, in the order of ``classes``.
    classes
        All classes; by default those that appear in labels and predictions, sorted.
    weight, time, id
        One value per record.
    task
        ``"classification"``, ``"regression"`` (labels and predictions are numbers), or ``"auto"`` to infer it.
    metrics, forgetting, every, abstain, positive
        As in ``evaluate``.
    name
        Name of the model in tables and figures.
    directory, overwrite, resume, save_seconds, progress, engine, workers, chunk_size
        As in ``evaluate``.

    Examples
    --------
    >>> run = score(["a", "b", "a", "a"], ["a", "a", "a", None], metrics=["accuracy"], forgetting=["cumulative"])
    >>> run.to_arrow()["value"].to_pylist()
    [0.5]
    """
    source = ArrayPredictions(
        y, prediction, scores, classes=classes, weight=weight, time=time, id=id, task=task, name=name
    )
    given = UncheckedSettings(
        caller="score",
        metrics=metrics,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        positive=positive,
        seed=0,
    )
    execution = Execution(
        caller="score",
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        save_seconds=save_seconds,
        progress=progress,
        engine=engine,
        workers=workers,
        chunk_size=chunk_size,
    )
    return _scored([source], given, execution)


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
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    directory: str | Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    save_seconds: float | None = SAVE_SECONDS,
    progress: bool | None = None,
    engine: EngineName = "auto",
    workers: int | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score files of predictions that were made elsewhere, one model per file, in constant memory.

    A file has one row per record, in the order of the stream.

    Parameters
    ----------
    paths
        One CSV or Parquet file or several; the name of a file is the name of its model.
    label, prediction
        Columns with the label and the predicted label. The prediction may be missing if there are scores.
    scores
        Columns with the scores, by class; by default the columns named ``score_CLASS``.
    time, weight, id
        Columns with the time, weight and id of each record; by default those with these names, if they exist.
    task
        ``"classification"``, ``"regression"`` (labels and predictions are numbers), or ``"auto"`` to infer it.
    classes
        All classes; by default those that appear.
    metrics, forgetting, every, abstain, positive
        As in ``evaluate``.
    directory, overwrite, resume, save_seconds, progress, engine, workers, chunk_size
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
    given = UncheckedSettings(
        caller="score_files",
        metrics=metrics,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        positive=positive,
        seed=0,
    )
    execution = Execution(
        caller="score_files",
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        save_seconds=save_seconds,
        progress=progress,
        engine=engine,
        workers=workers,
        chunk_size=chunk_size,
    )
    return _scored(sources, given, execution)


def _scored(sources: Sequence[Predictions], given: UncheckedSettings, execution: Execution) -> Run:
    """Score sources of predictions, one model per source."""
    if not sources:
        raise ParameterError("paths", given.caller, "at least one source of predictions", [])
    first = sources[0]
    if any(source.schema.classes != first.schema.classes for source in sources):
        differing = listing(f"{source.name}: {listing(source.schema.classes or ())}" for source in sources)
        raise InputError(f"The sources have different classes ({differing}): score them one by one, or set classes=.")
    execution.check()
    settings = given.checked(first)
    need_scores = [one.name for one in settings.metrics if one.needs in ("probabilities", "scores")]
    for source in sources:
        if need_scores and settings.schema.classes is not None and not source.has_scores:
            raise InputError(
                f"{source.name}: {listing(need_scores)} needs one score per class: scores=… (--score CLASS=COLUMN)."
            )
    named: dict[str, Predictions] = {}
    for source in sources:
        name, k = source.name, 2
        while name in named:
            name, k = f"{source.name}-{k}", k + 1
        named[name] = source
    setting = settings.setting()
    experiment = Experiment(
        source=SeveralPredictions(named),
        jobs=tuple(PredictionsJob(name, setting) for name in named),
        learners={name: source.describe() for name, source in named.items()},
        settings=settings,
        protocol={"protocol": "predictions made elsewhere"},
        stream={"name": first.name, "n_records": first.n_records},
        n_expected=first.n_records,
        own_records=True,
        elsewhere=True,
    )
    return carry_out(experiment, execution)
