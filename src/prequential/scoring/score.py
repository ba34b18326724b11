"""Score predictions that were made elsewhere, in memory or in files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.drift.adapted import DetectorsLike
from prequential.errors import InputError, ParameterError
from prequential.evaluation.begin_run import carry_out
from prequential.evaluation.execution import SAVE_SECONDS, EngineLike, Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.pairing import MOST_LEARNERS
from prequential.evaluation.run import Run
from prequential.evaluation.settings import UncheckedSettings
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.scoring.array_predictions import ArrayPredictions
from prequential.scoring.file_predictions import FilePredictions
from prequential.scoring.learner_arrays import ScoresLike, by_learner
from prequential.scoring.predicted import PredictionsJob
from prequential.scoring.predictions import Predictions, SeveralPredictions, SideBySide, same_records
from prequential.streams.data_warning import warn_of_order
from prequential.streams.readers import READERS
from prequential.types import Label, LabelsLike
from prequential.wording import listing

File: TypeAlias = str | os.PathLike[str]
Files: TypeAlias = File | Sequence[File] | Mapping[str, File] | Mapping[str, list[Path]] | Mapping[str, list[str]]


@checked_call
def score(
    y_true: LabelsLike | Files,
    y_pred: LabelsLike | Mapping[str, LabelsLike] | None = None,
    y_score: ScoresLike | Mapping[str, ScoresLike] | None = None,
    *,
    classes: Sequence[Label] | None = None,
    weight: npt.ArrayLike | str | None = None,
    time: npt.ArrayLike | str | None = None,
    id: npt.ArrayLike | str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    scores: Mapping[str, str] | None = None,
    task: Literal["auto", "classification", "regression"] = "auto",
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int | None = None,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    detectors: DetectorsLike = (),
    pairs: bool | None = None,
    name: str | None = None,
    directory: str | Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    accept_changes: bool = False,
    save_seconds: float | None = SAVE_SECONDS,
    progress: bool | None = None,
    engine: EngineLike = "auto",
    workers: int | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score predictions that were made elsewhere, given as arrays or files.

    Use it for models that run outside this package, in any language: it computes the metrics of ``evaluate`` over time
    from labels and predictions, in the order of the stream.

    Parameters
    ----------
    y_true
        Labels, one per record; None or NaN if a label is unknown. Or files with labels and predictions: the path of a
        CSV, JSON Lines or Parquet file, a list of paths, or a mapping from the names of learners to paths. A file has
        one row per record, in the order of the stream, and is read in constant memory; its name is that of its learner.
        A directory, a pattern such as ``"logs/*.csv"``, or a list in a mapping is one learner in several files.
    y_pred
        Predicted labels; None or NaN for an abstention. Without them, the class with the highest score is predicted. A
        mapping from names has the predictions of several learners for the same records.
    y_score
        Scores: a matrix with one row per record and one column per class, in the order of ``classes``; a data frame
        with one column per class, in any order; or for two classes one probability per record, that of the
        positive class (by default the second). A mapping from names has the scores of several learners.
    classes
        All classes; by default those that appear in labels and predictions, sorted.
    weight, time, id
        One value per record. For files the names of columns; by default the columns with these names, if they exist.
    label, prediction
        For files: the columns of labels and predictions; by default those with these names. The prediction may be
        missing if there are scores.
    scores
        For files: the columns of scores by class; by default the columns named ``score_CLASS``. For two classes, one
        column of probabilities is enough.
    task
        ``"classification"``, ``"regression"`` (labels and predictions are numbers), or ``"auto"`` to infer it.
    metrics, forgetting, every, abstain, positive, detectors
        As in ``evaluate``.
    pairs
        Whether to count for every two learners how often one was right where the other was wrong, which ``pq.compare``
        needs. Default: with up to eight classifiers, of arrays or of files with the same records.
    name
        Name of the only learner in tables and figures; by default ``predictions``, or the name of the file.
    directory, overwrite, resume, accept_changes, save_seconds, progress, engine, workers, chunk_size
        As in ``evaluate``.

    Examples
    --------
    >>> run = score(["a", "b", "a", "a"], ["a", "a", "a", None], metrics="accuracy", forgetting="cumulative", every=4)
    >>> run.to_arrow()["value"].to_pylist()
    [0.5]

    Two learners, one of which gives the probability of the class ``"b"``:

    >>> run = score(["a", "b", "a"], {"first": ["a", "b", "b"]}, {"second": [0.1, 0.3, 0.2]}, forgetting="cumulative")
    >>> [(row["learner"], round(row["value"], 2)) for row in run.table(metrics=["accuracy"]).to_dicts()]
    [('first', 0.67), ('second', 0.67)]
    """
    source: Predictions
    paths = _paths(y_true, with_arrays=y_pred is not None or y_score is not None)
    if paths is None:
        _refuse_columns(label=label, prediction=prediction, scores=scores)
        only = "predictions" if name is None else str(name)
        values: dict[str, Any] = {"weight": weight, "time": time, "id": id}
        source = ArrayPredictions(
            _aligned(y_true, y_pred, y_score),
            by_learner(y_pred, y_score, only, positive),
            classes=classes,
            task=task,
            name=only,
            **values,
        )
    else:
        columns = {"label": label, "prediction": prediction, "time": time, "weight": weight, "id": id}
        source = _files(paths, name, _checked_columns(columns), pairs, scores=scores, classes=classes, task=task)
    given = UncheckedSettings(
        caller="score",
        metrics=metrics,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        positive=positive,
        detectors=detectors,
        pairs=pairs,
        seed=0,
    )
    execution = Execution(
        caller="score",
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
    return carry_out(_experiment(source, given, execution.resumed_every), execution)


def _aligned(y_true: Any, *others: object) -> Any:
    """Return the labels; with a warning if predictions or scores have another index."""
    for other in others:
        for one in other.values() if isinstance(other, Mapping) else (other,):
            warn_of_order("labels and predictions", y_true, one, "score")
    return y_true


def _paths(given: object, *, with_arrays: bool) -> list[tuple[str | None, Any]] | None:
    """Return the paths of files, with the names of their learners if these are given; None for labels."""
    if with_arrays:
        return None
    if isinstance(given, Mapping):
        return [(str(name), path) for name, path in given.items()]
    if isinstance(given, str | os.PathLike):
        return [(None, given)]
    if isinstance(given, list | tuple) and any(map(_is_path, given)):
        return [(None, path) for path in given]
    return None


def _is_path(one: object) -> bool:
    """Return whether an element of a list is a path and not a label: an object, or the text of a file or its suffix."""
    if isinstance(one, str):
        return one.lower().endswith(tuple(READERS)) or Path(one).exists()
    return isinstance(one, os.PathLike)


def _refuse_columns(**columns: object) -> None:
    """Refuse columns of files where there are arrays."""
    for parameter, value in columns.items():
        if value is not None:
            right = {"label": "y_true", "prediction": "y_pred", "scores": "y_score"}[parameter]
            raise InputError(f"score: {parameter}= names columns of a file. For arrays use {right}=.")


def _checked_columns(columns: Mapping[str, object]) -> dict[str, Any]:
    """Return the columns of files that are given by name."""
    for parameter, column in columns.items():
        if column is not None and not isinstance(column, str):
            raise ParameterError(parameter, "score", "the name of a column of the files", column)
    return {parameter: column for parameter, column in columns.items() if column is not None}


def _files(
    paths: Sequence[tuple[str | None, Any]],
    name: str | None,
    columns: dict[str, Any],
    pairs: bool | None,
    **options: Any,
) -> Predictions:
    """Return the predictions in files; a name that occurs again gets a number.

    Files with the same records are read side by side, so that their learners can be compared.
    """
    if not paths:
        raise ParameterError("y_true", "score", "at least one file", {})
    if name is not None and len(paths) > 1:
        raise ParameterError("name", "score", "left out if there are several files; name them in a mapping", name)
    sources = [FilePredictions(path, name=own if name is None else name, **columns, **options) for own, path in paths]
    taken: set[str] = set()
    for source in sources:
        free, k = source.name, 2
        while free in taken:
            free, k = f"{source.name}-{k}", k + 1
        source.rename(free)
        taken.add(free)
    classes = [source.schema.classes for source in sources]
    if any(one != classes[0] for one in classes):
        differing = listing(f"{source.name}: {listing(source.schema.classes or ())}" for source in sources)
        raise InputError(f"The files have different classes ({differing}): score them one by one, or set classes=.")
    few = 1 < len(sources) <= MOST_LEARNERS and classes[0] is not None
    if (pairs or (pairs is None and few)) and same_records(sources):
        return SideBySide(sources)
    if pairs:
        raise InputError(
            "score: pairs=True needs files with the same records: the same labels, times, weights and ids, in the same "
            "order."
        )
    return SeveralPredictions(sources)


def _experiment(source: Predictions, given: UncheckedSettings, resumed_every: int | None) -> Experiment:
    """Return the experiment that scores the predictions of a source."""
    own_records = isinstance(source, SeveralPredictions)
    settings = given.checked(source).resuming(resumed_every)
    need_scores = settings.need_scores
    if need_scores and settings.schema.classes is not None and source.unscored:
        raise InputError(
            f"{source.unscored[0]}: {listing(need_scores)} needs one score per class: {source.where_scores}."
        )
    pairs = not own_records and settings.counts_pairs(len(source.learners))
    setting = settings.setting(verdicts=pairs)
    n_records = source.n_counted
    return Experiment(
        source=source,
        jobs=tuple(PredictionsJob(name, setting) for name in source.learners),
        learners=source.descriptions(),
        settings=settings,
        protocol={"protocol": "predictions made elsewhere"},
        stream={"name": source.name, "n_records": n_records},
        n_expected=n_records,
        own_records=own_records,
        pairs=pairs,
        elsewhere=True,
    )
