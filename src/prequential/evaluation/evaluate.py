"""Evaluate learners on a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from prequential.arguments import checked_call, is_whole
from prequential.drift.adapted import DetectorsLike
from prequential.engines.job import ReplicaJob
from prequential.evaluation.begin_run import carry_out, with_warnings
from prequential.evaluation.execution import SAVE_SECONDS, EngineLike, Execution
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.run import Run
from prequential.evaluation.settings import Settings, UncheckedSettings
from prequential.learners.adapters import LearnersLike
from prequential.learners.contract import Learner
from prequential.learners.naming import learner_seeds, named_learners
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.protocols import Protocol
from prequential.streams.as_stream import StreamLike, as_stream
from prequential.streams.stream import Stream, check_finite
from prequential.types import Label


@checked_call
def evaluate(
    stream: StreamLike,
    learners: LearnersLike,
    *,
    target: str | None = None,
    protocol: Protocol | str | None = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int | None = None,
    seed: int = 1,
    abstain: Literal["wrong", "skip"] = "wrong",
    positive: Label | None = None,
    detectors: DetectorsLike = (),
    pairs: bool | None = None,
    predictions: bool = False,
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
    """Evaluate learners on a stream, all in one pass.

    Parameters
    ----------
    stream
        A stream, the path of a file (CSV, ARFF or Parquet), text such as ``"SEA:concept=2,n=5000"``, a data frame of
        pandas or Polars or an Arrow table, a tuple ``(X, y)``, a River data set or another iterable of (dict, label)
        pairs: see ``pq.as_stream``.
    learners
        One learner, a list, or a mapping from names to learners. A learner is a reference learner or its name, a River
        classifier or regressor, a scikit-learn estimator with ``partial_fit``, a CapyMOA learner, or a plain Python
        object. It is not changed: the run trains a clone with the same parameters.
    target
        The label column of a file or data frame; by default the last one, or the one that the file declares.
    protocol
        Which records test and train, and when: ``pq.Prequential()`` (default), ``pq.Holdout(…)``, ``pq.KFold(…)``,
        ``pq.Delayed(…)``, or text such as ``"kfold:10,bootstrap"``.
    metrics
        One metric or several; ``pq.metrics.names("classification")`` lists them. ``"recall[UP]"`` is the recall of one
        class. Default: accuracy, kappa, kappa_m
        and kappa_t; for regression mae, rmse and r2.
    forgetting
        Which records count: one forgetting or several, as objects or as text such as ``"fading:0.999"``. Default:
        ``[pq.Cumulative(), pq.Sliding(1000)]``.
    every
        Number of records between checkpoints. There is always a checkpoint at the end. By default a round number (1, 2
        or 5 times a power of ten) that gives about 200 checkpoints, 1000 if the length of the stream is not known and
        for ``pq.Holdout``, which tests at checkpoints; the manifest has the number. A resumed run keeps its number.
    seed
        Seed of the run; the seed of each learner is derived from it and from the learner's type and
        parameters, whatever its name.
    abstain
        How a missing prediction counts: ``"wrong"``, or ``"skip"`` to leave it out.
    positive
        The positive class of metrics that have a side: average precision, and with more than two classes AUC, are of
        this class against the rest; precision, recall and F1 are reported for it alone. Without it, average precision
        of two classes is that of the second (tables and figures name it), and other metrics are of all classes.
    detectors
        Drift detectors that watch each learner: objects such as ``pq.drift.PageHinkley(on="error",
        under=pq.Fading(0.997))``, text such as ``"adwin"``, or detectors of River and CapyMOA. Each reads its metric
        at every record; ``run.alarms()`` returns the alarms.
    pairs
        Whether to count for every two learners how often one was right where the other was wrong, which ``pq.compare``
        needs. Default: with up to eight classifiers.
    predictions
        Whether to save every prediction and score.
    directory
        Directory of the run, written during the run; by default a temporary one.
    overwrite
        Whether to replace an existing run in ``directory``.
    resume
        Whether to continue the interrupted run in ``directory`` from its last save point. Give the same stream, from
        its first record, and the same settings; only engine and workers may differ. The trace is bit for bit that of
        an uninterrupted run. A complete run is returned unchanged. The code of learners, detectors and metrics must be
        that of the start (what a function imports when it is called is not checked).
    accept_changes
        Whether to resume although code or versions of libraries have changed. The manifest says what had changed.
    save_seconds
        Seconds between save points of a run with a ``directory``; None for no save points, 0 for one after every
        chunk. Saving takes at most one twentieth of the time, except with 0. Save points hold pickles of learners
        written in Python, and reading a pickle runs code: resume only your own runs.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    engine
        Where the replicas of the learners are computed; results do not depend on it. ``"serial"``: one after the other.
        ``"threads"``: in parallel, for native learners. ``"processes"``: in other processes, for learners written in
        Python. ``"ray"``: in actors of a Ray cluster, of an existing one with ``pq.engines.Ray(address=…)``; actors
        that die are replaced. ``"auto"``: serial for a single replica, one core or little work; otherwise threads if
        all learners are native, else processes.
    workers
        Number of threads, processes or actors; by default the number of cores.
    chunk_size
        Number of records read at once; by default about 32 MB, at most 262,144 records. Results do not depend on it.

    Returns
    -------
    Run
        The results. If a learner failed, there is a warning, the ``status`` of the run is ``"failed"``, and the results
        of the other learners are complete.

    Raises
    ------
    InputError, StorageError, KeyboardInterrupt
        For bad input, a disk error or Ctrl-C. If the run had started, what was computed is saved, and the attribute
        ``run`` of the exception has it.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(5000)
    >>> run = pq.evaluate(stream, ["naive_bayes", "no_change"], metrics="accuracy", forgetting=pq.Cumulative())
    >>> [(row["learner"], row["value"]) for row in run.table().to_dicts()]
    [('naive_bayes', 0.8824), ('no_change', 0.5462)]
    """
    data = finite_stream(stream, target)
    given = UncheckedSettings(
        caller="evaluate",
        protocol=protocol,
        metrics=metrics,
        forgetting=forgetting,
        every=every,
        seed=seed,
        abstain=abstain,
        positive=positive,
        detectors=detectors,
        pairs=pairs,
        predictions=predictions,
    )
    execution = Execution(
        caller="evaluate",
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
    settings = given.checked(data).resuming(execution.resumed_every)
    return with_warnings(carry_out(learning(data, named_learners(learners, "evaluate"), settings), execution))


def learning(stream: Stream, learners: Mapping[str, Learner], settings: Settings) -> Experiment:
    """Return the experiment that tests and trains learners on a stream."""
    pairs = settings.counts_pairs(len(learners))
    setting = settings.setting(verdicts=pairs)
    bound = {name: learner.bound_to(stream) for name, learner in learners.items()}
    seeds = learner_seeds(learners.values(), settings.seed)
    return Experiment(
        source=stream,
        jobs=tuple(
            ReplicaJob(name, fold, learner, settings.protocol, setting, seed)
            for (name, learner), seed in zip(bound.items(), seeds, strict=True)
            for fold in settings.protocol.folds
        ),
        learners={name: learner.describe() for name, learner in learners.items()},
        settings=settings,
        protocol={**settings.protocol.describe(), **_mini_batches(learners)},
        stream=stream.describe(),
        n_expected=stream.n_records,
        pairs=pairs,
    )


def finite_stream(source: StreamLike, target: str | None = None) -> Stream:
    """Return the stream of a source; an endless one is refused."""
    stream = as_stream(source, target)
    check_finite(stream)
    return stream


def _mini_batches(learners: Mapping[str, Learner]) -> dict[str, dict[str, int]]:
    """Return the batch sizes of the learners that learn several records at once, for the manifest."""
    sizes = {name: learner.batch for name, learner in learners.items() if is_whole(learner.batch, 2)}
    return {"mini_batches": sizes} if sizes else {}
