"""How often tests reject where the truth is known: two seeds of one learner, and a learner and its noisy copies."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from prequential.cards.file import plain
from prequential.comparisons.interval import checked_alpha
from prequential.engines import check_engine
from prequential.errors import InputError, LearnerError, ParameterError, PrequentialError
from prequential.experiment.evaluate import LearnerFailedWarning, evaluate
from prequential.experiment.power_settings import (
    SomeStreams,
    check_measure,
    checked_folds,
    checked_noise,
    checked_runs,
    checked_streams,
    checked_words,
    identity,
)
from prequential.experiment.progress import Meter
from prequential.experiment.run import Run
from prequential.experiment.settings import check_seed
from prequential.learners.contract import Learner
from prequential.learners.naming import named_learners, seed_of
from prequential.learners.noise_filter import NoiseFilter
from prequential.protocols.kfold import KFold, Scheme, Tests
from prequential.rejections.design import TESTS, Case, Design
from prequential.rejections.journal import Journal
from prequential.rejections.repetition import Contrast, Repetition
from prequential.report.power import Power
from prequential.runs.manifest import versions
from prequential.streams.drift import DriftBeyondEndWarning
from prequential.streams.stream import Stream


def power(
    streams: SomeStreams,
    learner: object = "random_forest",
    *,
    folds: int | Sequence[int] = 10,
    schemes: Scheme | Sequence[Scheme] = ("cross", "split", "bootstrap"),
    tests: Tests | Sequence[Tests] = "held_out",
    noise: float | Sequence[float] = (0.05, 0.1),
    runs: int = 50,
    alpha: float = 0.05,
    measure: str = "accuracy",
    seed: int = 1,
    directory: str | Path | None = None,
    progress: bool | None = None,
    engine: Literal["auto", "serial", "threads", "processes"] = "auto",
    workers: int | None = None,
) -> Power:
    """Measure how often tests reject where it is known whether they should: the type I and type II experiment.

    In every run the learner, the same learner with another seed, and copies whose predictions are noisy go through a
    stream together, with k folds each, and the tests over folds and McNemar's compare the learner with each of the
    others at the end. The second is as good as the first, so that a test that keeps its promise rejects in a share α of
    the runs. Noisy copies are worse, so that a good test rejects. Every run has seeds of its own: of learners, folds
    and noise, and of the stream if it draws random numbers. A file has the same records in every run.

    Parameters
    ----------
    streams
        One, a list, or a mapping from names. A path is read by its suffix.
    learner
        A learner that draws random numbers, of any kind that ``evaluate`` takes.
    folds, schemes, tests
        Settings of ``KFold``, one or several of each; all are combined.
    noise
        With which probabilities the predictions of the copies are changed: see ``pq.learners.NoiseFilter``. One,
        several, or an empty list.
    runs
        How often each combination is repeated. The rates are known to about ±1/√runs.
    alpha
        The level of the tests.
    measure
        What the tests over folds compare. McNemar's test always compares who was right.
    seed
        From which all others are made. Run 7 is the same however many there are.
    directory
        Where to write every repetition when it is done. If the same experiment is there, it goes on with what is
        not done; the number of runs and the level may have changed.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    engine, workers
        Where the replicas work: see ``evaluate``. It never changes a result.

    Returns
    -------
    Power
        It prints as a table; ``to_arrow()`` and ``to_pandas()`` have all numbers.

    Raises
    ------
    InputError, LearnerError, StorageError, KeyboardInterrupt
        For bad input, a learner that fails, a full disk or Ctrl-C. What was done before is in ``directory``, if one was
        named, and the exception carries it, a ``Power``, as its attribute ``run``.

    Examples
    --------
    >>> import prequential as pq
    >>> found = power(pq.streams.SEA().take(1000), "random_forest:size=2", schemes="cross", noise=0.2, runs=5)
    >>> [(row["test"], row["n_rejected"]) for row in found.to_dicts() if row["kind"] == "type II"]
    [('sign', 5), ('wilcoxon', 5), ('mcnemar', 5)]

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015, section 4.1.
    """
    alpha = checked_alpha(alpha, "power")
    found = checked_streams(streams)
    named = named_learners(learner, "power")
    if len(named) > 1:
        raise ParameterError("learner", "power", "one learner: it is compared with copies of itself", list(named))
    ((name, own),) = named.items()
    check_seed(seed)
    check_engine(engine, workers)
    if str(engine) == "ray":  # which its type leaves out, but not who calls it
        raise InputError("power has many short runs: a cluster would be started for each. Use threads or processes.")
    check_measure(measure)
    design = Design(
        learner=name,
        description=plain(own.describe()),
        streams={key: identity(stream) for key, stream in found.items()},
        schemes=checked_words(schemes, "schemes", get_args(Scheme)),
        tests=checked_words(tests, "tests", get_args(Tests)),
        folds=checked_folds(folds, alpha),
        noise=checked_noise(noise),
        measure=measure,
        runs=checked_runs(runs),
        alpha=alpha,
        seed=int(seed),
        version=versions()["prequential"],
    )
    work = _Work(design, found, own, Journal(directory) if directory is not None else None, engine, workers)
    try:
        work.go(progress)
    except (PrequentialError, KeyboardInterrupt) as error:
        error.run = work.result()  # type: ignore[union-attr]  # Ctrl-C carries it too
        raise
    return work.result()


class _Work:
    """All repetitions: those that are done, and those that are to be."""

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

    def go(self, progress: bool | None) -> None:
        """Do what is not done: run after run, so that whenever it breaks off all cases have come equally far."""
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
        """Return what is done."""
        return Power(self._design, tuple(self._done.values()))

    def _repetition(self, case: Case, run: int) -> Repetition:
        design, begun = self._design, time.perf_counter()
        seed = seed_of(f"run {run}", design.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DriftBeyondEndWarning)  # said where the stream was made
            warnings.simplefilter("ignore", LearnerFailedWarning)  # ends the experiment, below
            stream = self._streams[case.stream].reseeded(seed)
            found = evaluate(
                stream,
                self._learners,
                protocol=KFold(case.folds, case.scheme, case.tests),  # type: ignore[arg-type]  # words checked before
                measures=design.measure,
                forgetting="cumulative",
                every=1 << 60,  # the end alone
                seed=seed,
                pairs=True,
                progress=False,
                engine=self._engine,
                workers=self._workers,
            )
        for name, failure in found.failures.items():
            raise LearnerError(f"{case}, run {run}: {name} failed at record {failure.record}: {failure.message}")
        tested = _Tested(found, design)
        contrasts = tuple(tested.contrast(other, noise) for noise, other in self._copies.items())
        return Repetition(case, run, round(time.perf_counter() - begun, 3), contrasts)


@dataclass(frozen=True, slots=True)
class _Tested:
    """What a run says of the learner and its copies at its end."""

    run: Run
    design: Design

    def contrast(self, other: str, noise: float | None) -> Contrast:
        """Return the learner against one of the others."""
        design, table = self.design, self.run.significance()
        for column, wanted in (("learner_a", design.learner), ("learner_b", other)):
            table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
        rows = {row["test"]: row for row in table.to_pylist() if row["measure"] == _compared(row["test"], design)}
        mine, its = self._folds(design.learner), self._folds(other)
        return Contrast(
            noise=noise,
            value=mine.pop(0),
            other=its.pop(0),
            identical=mine == its,
            p={test: rows[test]["p"] for test in TESTS},
            reason={test: rows[test]["reason"] for test in TESTS if rows[test]["reason"]},
        )

    def _folds(self, learner: str) -> dict[int, float]:
        """Return the values of the folds by their number; 0 is their mean."""
        trace = self.run.to_arrow()
        trace = trace.filter(pc.equal(trace["learner"].cast(pa.string()), learner))
        return dict(zip(trace["fold"].to_pylist(), trace["value"].to_pylist(), strict=True))


def _compared(test: str, design: Design) -> str:
    return "accuracy" if test == "mcnemar" else design.measure
