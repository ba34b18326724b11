"""Score predictions that were made elsewhere and whose labels arrived late, from two logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from prequential.arguments import checked_call, is_number
from prequential.drift.adapted import DetectorsLike
from prequential.errors import ParameterError
from prequential.evaluation.begin_run import carry_out
from prequential.evaluation.execution import SAVE_SECONDS, EngineLike, Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.run import Run
from prequential.evaluation.settings import UncheckedSettings
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.protocols import Delayed
from prequential.scoring.delayed_logs import DelayedLogs
from prequential.scoring.logged import LoggedJob
from prequential.types import Label

_ROWS = 1 << 16
"""Rows of a log that are read at once."""


@checked_call
def score_delayed(
    predictions: object,
    labels: object,
    *,
    id: str = "id",
    time: str = "time",
    label: str = "label",
    prediction: str | None = None,
    model: str | None = None,
    scores: Mapping[str, str] | None = None,
    classes: Sequence[Label] | None = None,
    disorder: float = 0.0,
    bins: int = 100,
    psi_alpha: float | Sequence[float] = 2.0,
    horizon: float | None = None,
    remember: int = 100_000,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int | None = None,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    detectors: DetectorsLike = (),
    pairs: bool | None = None,
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
    """Score a log of predictions against a log of labels that arrived later.

    Use it for models in production. A record may be predicted several times before its label arrives: the first
    prediction is the initial one, the last is the final one, and B bins divide the waiting time between them; see
    ``Delayed``. Each model is scored on the records that it predicted.

    Irregular events (missing, late, second or contradictory labels) are counted by kind in ``run.manifest.events`` and
    listed with their ids by ``run.delays.irregular()``; there, a record is one that any model predicted. The manifest
    entry of each model has the number of labels for records that it did not predict, and of records without a label.
    Memory is constant, apart from the waiting records.

    Parameters
    ----------
    predictions
        Log of predictions: a file (CSV, JSON Lines or Parquet), several files (a list, a directory, or a pattern such
        as ``"logs/scores-*.csv"``, sorted by name) or a table, with the columns id, time, prediction (or one score per
        class), and model if there are several models.
    labels
        Log of labels, in the same forms, with the columns id, time and label.
    id, time
        Columns of both logs. Ids are whole numbers or text; times are numbers or dates.
    label
        Column of the labels.
    prediction, model
        Columns of the predictions; by default those with these names, if they exist. Without a column for the model,
        all predictions are of one model.
    scores
        Columns with the scores, by class; by default the columns named ``score_CLASS``. Without a prediction, the
        class with the highest score is predicted.
    classes
        All classes; by default those that appear, sorted.
    disorder
        Largest time by which events of a log may be out of order. Up to this time they are sorted; beyond it they are
        processed in the order of the log, and reported.
    bins, psi_alpha, horizon, remember
        As in ``Delayed``.
    metrics, forgetting, every, abstain, positive, detectors
        As in ``evaluate``; metrics count labels in order of arrival. Those of scores, such as AUC, need the scores of
        every class, and are of the initial and the final prediction. Detectors watch the initial prediction; their
        alarms count labels.
    pairs
        Whether to count for every two models, when labels arrive, how often one was right where the other was wrong, as
        ``compare`` needs; by default for up to eight models.
    directory, overwrite, resume, accept_changes, save_seconds, progress, engine, workers
        As in ``evaluate``.
    chunk_size
        Number of rows read at once. Results do not depend on it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> predictions = pa.table({"id": [1, 2, 1], "time": [0, 1, 5], "prediction": ["no", "no", "yes"]})
    >>> labels = pa.table({"id": [1, 2], "time": [10, 11], "label": ["yes", "no"]})
    >>> run = score_delayed(predictions, labels, bins=2, metrics="accuracy", forgetting="cumulative")
    >>> dict(zip(run.to_arrow()["metric"].to_pylist(), run.to_arrow()["value"].to_pylist()))
    {'accuracy_initial': 0.5, 'accuracy_psi_2': 0.6132..., 'accuracy_final': 1.0}
    """
    if not is_number(disorder) or not 0 <= disorder < float("inf"):
        raise ParameterError("disorder", "score_delayed", "a number of at least 0", disorder)
    protocol = Delayed(bins=bins, psi_alpha=psi_alpha, horizon=horizon, remember=remember)
    execution = Execution(
        caller="score_delayed",
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        accept_changes=accept_changes,
        save_seconds=save_seconds,
        progress=progress,
        engine=engine,
        workers=workers,
        chunk_size=_ROWS if chunk_size is None else chunk_size,
    )
    execution.check()
    logs = DelayedLogs(
        predictions,
        labels,
        id=id,
        time=time,
        label=label,
        prediction=prediction,
        model=model,
        scores=scores,
        classes=classes,
        disorder=disorder,
    )
    given = UncheckedSettings(
        caller="score_delayed",
        protocol=protocol,
        metrics=metrics,
        forgetting=forgetting,
        every=every,
        abstain=abstain,
        positive=positive,
        detectors=detectors,
        pairs=pairs,
        seed=0,
    )
    settings = given.checked(logs).resuming(execution.resumed_every)
    if settings.need_scores:
        logs.keep_scores(settings.need_scores)
    pairs = settings.counts_pairs(len(logs.models))
    setting = settings.setting(verdicts=pairs)
    several = len(logs.models) > 1
    described = {k: v for k, v in protocol.describe().items() if k not in ("reevaluate_every", "first_class")}
    experiment = Experiment(
        source=logs,
        jobs=tuple(LoggedJob(name, setting, protocol, m if several else None) for m, name in enumerate(logs.models)),
        learners={name: {"learner": "predictions made elsewhere"} for name in logs.models},
        settings=settings,
        protocol={**described, "predictions": "made elsewhere"},
        stream=logs.describe(),
        n_expected=logs.n_records,
        without_labels=f"A label and its predictions must have the same value in the column {id!r} (--id), and by the "
        f"column {time!r} (--time) the label must not arrive before its prediction.",
        pairs=pairs,
        elsewhere=True,
    )
    return carry_out(experiment, execution)
