"""The type I and type II experiment: a learner against itself with another seed, and against noisy copies."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from prequential.arguments import check_whole, checked_call
from prequential.comparisons.interval import checked_alpha
from prequential.engines.choice import check_engine
from prequential.errors import InputError, LearnerError, ParameterError, PrequentialError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.progress import Meter
from prequential.evaluation.run import Run
from prequential.learners.adapters import LearnerLike
from prequential.learners.contract import Learner
from prequential.learners.naming import derived_seed, named_learners
from prequential.learners.noise_filter import NoiseFilter
from prequential.power.design import TESTS, Case, Design
from prequential.power.journal import Journal
from prequential.power.repetition import Contrast, Repetition
from prequential.power.settings import (
    SomeStreams,
    checked_folds,
    checked_metric,
    checked_noise,
    checked_runs,
    checked_streams,
    checked_words,
    identity,
)
from prequential.power.table import Power
from prequential.protocols.kfold import KFold, Scheme, Tests
from prequential.runs.json_data import json_data
from prequential.runs.manifest import versions
from prequential.streams.drift import DriftBeyondEndWarning
from prequential.streams.stream import Stream
from prequential.types import Label


@checked_call
def power(
    streams: SomeStreams,
    learner: LearnerLike = "random_forest",
    *,
    target: str | None = None,
    folds: int | Sequence[int] = 10,
    schemes: Scheme | Sequence[Scheme] = ("cross", "split", "bootstrap"),
    tests: Tests | Sequence[Tests] = "held_out",
    noise: float | Sequence[float] = (0.05, 0.1),
    runs: int = 50,
    alpha: float = 0.05,
    metric: str = "accuracy",
    positive: Label | None = None,
    seed: int = 1,
    directory: str | Path | None = None,
    progress: bool | None = None,
    engine: Literal["auto", "serial", "threads", "processes"] = "auto",
    workers: int | None = None,
) -> Power:
    """Measure how often tests reject when the truth is known: the type I and type II experiment.

    In every run, the learner, the same learner with another seed, and copies with noisy predictions are evaluated on a
    stream with k folds each; then the tests over folds and McNemar's test compare the learner with each of the others.
    The learner with another seed is equally good, so a correct test rejects in a share α of the runs. Noisy copies are
    worse, so a powerful test rejects often. Every run has its own seeds for learners, folds and noise, and for the
    stream if it is generated. A file has the same records in every run.

    Parameters
    ----------
    streams
        One stream, a list, or a mapping from names to streams, each of any kind that ``evaluate`` accepts.
    learner
        A learner that uses random numbers, of any kind that ``evaluate`` accepts.
    target
        The label column of files and data frames, as in ``evaluate``.
    folds, schemes, tests
        Settings of ``KFold``, one or several of each; all are combined.
    noise
        The probabilities with which predictions of the noisy copies are changed: see ``pq.learners.NoiseFilter``. One,
        several, or an empty list.
    runs
        Number of repetitions of each combination. The rates are accurate to about ±1/√runs.
    alpha
        The significance level.
    metric
        The metric that the tests over folds compare. McNemar's test always compares which predictions are correct.
    positive
        The positive class, for metrics with a side such as average_precision; by default the second of two classes.
        With it, precision, recall and f1 are those of this class.
    seed
        The seed from which all others are derived. A run does not depend on the number of runs.
    directory
        Where to write every repetition when it is done. If it holds the same experiment, only the missing repetitions
        are run; the number of runs and the significance level may differ.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    engine, workers
        Where the replicas run: see ``evaluate``. It never changes a result.

    Returns
    -------
    Power
        It prints as a table; ``to_arrow()`` and ``to_pandas()`` have all numbers.

    Raises
    ------
    InputError, LearnerError, StorageError, KeyboardInterrupt
        For bad input, a learner that fails, a full disk or Ctrl-C. The finished repetitions are in ``directory``, if
        given, and in the attribute ``run`` of the exception, a ``Power``.

    Examples
    --------
    >>> import prequential as pq
    >>> found = power(pq.streams.SEA().take(1000), "random_forest:n_models=2", schemes="cross", noise=0.2, runs=5)
    >>> [(row["test"], row["n_rejected"]) for row in found.to_dicts() if row["kind"] == "type II"]
    [('sign', 4), ('wilcoxon', 4), ('mcnemar', 5)]

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015, section 4.1.
    """
    alpha = checked_alpha(alpha, "power")
    found = checked_streams(streams, target)
    named = named_learners(learner, "power")
    if len(named) > 1:
        raise ParameterError("learner", "power", "one learner, which is compared with copies of itself", list(named))
    ((name, own),) = named.items()
    check_whole(seed, "seed", "power")
    check_engine(engine, workers, None, "power")
    if str(engine) == "ray":  # not in the type, but a caller may pass it
        raise InputError(
            "power has many short runs, and engine='ray' would start a cluster for each. Accepted: auto, "
            "serial, threads, processes."
        )
    column, positive, metric_name = checked_metric(metric, positive, found)
    design = Design(
        learner=name,
        description=json_data(own.describe()),
        streams={key: identity(stream) for key, stream in found.items()},
        schemes=checked_words(schemes, "schemes", get_args(Scheme)),
        tests=checked_words(tests, "tests", get_args(Tests)),
        folds=checked_folds(folds, alpha),
        noise=checked_noise(noise),
        metric=column,
        runs=checked_runs(runs),
        alpha=alpha,
        seed=int(seed),
        version=versions()["prequential"],
        positive=None if positive is None else str(positive),
        metric_name=metric_name,
    )
    journal = Journal(directory) if directory is not None else None
    experiment = _Experiment(design, found, own, journal, engine, workers)
    try:
        experiment.run(progress)
    except (PrequentialError, KeyboardInterrupt) as error:
        error.run = experiment.result()  # type: ignore[union-attr]  # Ctrl-C carries it too
        raise
    return experiment.result()


class _Experiment:
    """All repetitions: finished ones and those still to run."""

    def __init__(
        self,
        design: Design,
        streams: Mapping[str, Stream],
        learner: Learner,
        journal: Journal | None,
        engine: Literal["auto", "serial", "threads", "processes"],
        workers: int | None,
    ) -> None:
        self._design, self._streams, self._journal = design, streams, journal
        self._engine, self._workers = engine, workers
        name = design.learner
        self._copies: dict[float | None, str] = {None: f"{name}, another seed"}
        self._copies |= {p: f"{name}, noise {p}" for p in design.noise}
        noisy = {self._copies[p]: NoiseFilter(base=learner, p=p) for p in design.noise}
        self._learners: dict[str, Learner] = {name: learner, self._copies[None]: learner, **noisy}
        self._done: dict[tuple[Case, int], Repetition] = {}

    def run(self, progress: bool | None) -> None:
        """Run the missing repetitions, run by run, so that an interruption leaves all cases equally far."""
        design = self._design
        units = [(case, run) for run in range(1, design.runs + 1) for case in design.cases]
        if self._journal is not None:
            self._journal.begin(design)
            wanted = set(units)
            known = {(one.case, one.run): one for one in self._journal.repetitions()}
            self._done = {unit: one for unit, one in known.items() if unit in wanted}
        with Meter(design.learner, len(units), show=progress, unit="passes") as meter:
            meter.begin_at(len(self._done))
            for unit in units:
                if unit not in self._done:
                    found = self._repetition(*unit)
                    if self._journal is not None:
                        self._journal.append([found])
                    self._done[unit] = found
                    meter.advance(1)

    def result(self) -> Power:
        """Return the finished repetitions."""
        return Power(self._design, tuple(self._done.values()))

    def _repetition(self, case: Case, run: int) -> Repetition:
        design, begun = self._design, time.perf_counter()
        seed = derived_seed(design.seed, "run", run)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DriftBeyondEndWarning)  # issued when the stream was created
            warnings.simplefilter("ignore", LearnerFailedWarning)  # an error below
            stream = self._streams[case.stream].reseeded(seed)
            found = evaluate(
                stream,
                self._learners,
                protocol=KFold(case.folds, case.scheme, case.tests),  # type: ignore[arg-type]  # words checked before
                metrics=design.metric,
                positive=design.positive,
                forgetting="cumulative",
                every=1 << 60,  # only the end
                seed=seed,
                pairs=True,
                progress=False,
                engine=self._engine,
                workers=self._workers,
            )
        for name, failure in found.failures.items():
            raise LearnerError(f"{case}, run {run}: {name} failed at record {failure.record}: {failure.message}")
        end = _End(found, design)
        contrasts = tuple(end.contrast(other, noise) for noise, other in self._copies.items())
        return Repetition(case, run, round(time.perf_counter() - begun, 3), contrasts)


@dataclass(frozen=True, slots=True)
class _End:
    """The learner and its copies at the end of a run."""

    run: Run
    design: Design

    def contrast(self, other: str, noise: float | None) -> Contrast:
        """Compare the learner with one of the copies."""
        design, table = self.design, self.run.folds.significance()
        for column, wanted in (("learner_a", design.learner), ("learner_b", other)):
            table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
        rows = {row["test"]: row for row in table.to_pylist() if row["metric"] == _compared(row["test"], design)}
        mine, its = self._folds(design.learner), self._folds(other)
        return Contrast(
            noise=noise,
            value=self._mean(design.learner),
            other=self._mean(other),
            identical=mine == its,
            p={test: rows[test]["p_value"] for test in TESTS},
            reason={test: rows[test]["reason"] for test in TESTS if rows[test]["reason"]},
        )

    def _folds(self, learner: str) -> dict[int, float]:
        """Return the values by fold number."""
        trace = self._of(self.run.to_arrow(), learner)
        return dict(zip(trace["fold"].to_pylist(), trace["value"].to_pylist(), strict=True))

    def _mean(self, learner: str) -> float:
        """Return the mean over the folds."""
        (mean,) = self._of(self.run.folds.summary(), learner)["mean"].to_pylist()
        return float(mean)

    def _of(self, table: pa.Table, learner: str) -> pa.Table:
        """Return the rows of a learner and of the metric, without those of the bound of its error."""
        mine = pc.equal(table["learner"].cast(pa.string()), learner)
        return table.filter(pc.and_(mine, pc.equal(table["metric"].cast(pa.string()), self.design.metric)))


def _compared(test: str, design: Design) -> str:
    return "accuracy" if test == "mcnemar" else design.metric
