"""From a stream and some learners to a run."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from prequential.errors import InputError, LearnerError, ParameterError, PrequentialError, checked_whole, is_whole
from prequential.experiment.event_log import EventLog
from prequential.experiment.guard import guard, open_home
from prequential.experiment.pairing import MOST_LEARNERS, Pairing
from prequential.experiment.progress import Meter
from prequential.experiment.recorder import Recorder
from prequential.experiment.run import Run
from prequential.experiment.settings import (
    check_classes,
    check_events,
    check_protocol,
    check_seed,
    checked_detectors,
    checked_for,
    checked_setting,
    measure_entries,
)
from prequential.learners.contract import Learner
from prequential.learners.naming import named_learners, seed_of
from prequential.measures.forgetting import Forgetting
from prequential.measures.measure import Measure
from prequential.protocols import Delayed, Prequential, Protocol, Replica, Setting
from prequential.runs.manifest import (
    LearnerEntry,
    Manifest,
    Status,
    describe_drifts,
    describe_schema,
    machine,
    versions,
)
from prequential.streams.chunk import Chunk
from prequential.streams.readers import read
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream

CELLS = 1 << 22
"""Numbers in a chunk of records: enough that Python's share of the time is small, and 32 MB whatever the features."""


class LearnerFailedWarning(UserWarning):
    """A learner failed during the run; the others went on."""


def evaluate(
    stream: Stream | str | Path,
    learners: object,
    *,
    protocol: Protocol | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    seed: int = 1,
    abstain: Literal["wrong", "skip"] = "wrong",
    detectors: object = (),
    pairs: bool | None = None,
    predictions: bool = False,
    directory: str | Path | None = None,
    overwrite: bool = False,
    plan: str | None = None,
    progress: bool | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Evaluate learners on a stream, all in one pass.

    Parameters
    ----------
    stream
        The records; a path is read by its suffix.
    learners
        One learner, a list, or a mapping from names to learners: reference learners or their names, River
        classifiers, scikit-learn estimators with ``partial_fit``, CapyMOA learners, plain Python objects. None of
        them is changed: each is cloned fresh from its parameters.
    protocol
        Who tests and trains when; ``Prequential()`` by default.
    measures
        By name; see ``pq.measures.names("classification")``. Default: accuracy, κ, κ_m and κ_per, or MAE, RMSE and R².
    forgetting
        Which records count; ``[Cumulative(), Sliding(1000)]`` by default. Textual forms (``"fading:0.999"``) do too.
    every
        Records between checkpoints. The last checkpoint is always reported.
    seed
        For learners that draw random numbers: each has a seed of its own, made from this one and its name.
    abstain
        Whether a record without a prediction counts as wrong, or is left out (``"skip"``).
    detectors
        Drift detectors to put beside each learner, such as ``pq.PageHinkley(on="error", under=pq.Fading(0.997))``, in
        their textual form, or of River or CapyMOA. Each reads its measure at every record; ``run.alarms()`` has what
        they say.
    pairs
        Whether to count, of every two learners, who was right where the other was wrong: what ``pq.compare`` needs. By
        default for up to eight classifiers.
    predictions
        Whether to save every prediction and score.
    directory
        Where to write the run as it goes; a temporary directory by default.
    overwrite
        Whether an old run there may be replaced.
    plan
        The text of a plan to keep with the run.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    chunk_size
        Records read at a time; by default as many as make 32 MB, at most 262,144. It never changes a result.

    Returns
    -------
    Run
        Its ``status`` is ``failed`` if a learner failed: then there is a warning, and the others went on.

    Raises
    ------
    InputError, StorageError, KeyboardInterrupt
        For bad input, a full disk or Ctrl-C in the middle of the run; what was computed is saved, and the exception
        carries it as its attribute ``run``.
    """
    stream = _as_stream(stream)
    schema = stream.schema
    protocol = Prequential() if protocol is None else protocol
    check_protocol(protocol, forgetting)
    check_seed(seed)
    wanted, kept, setting = checked_setting(schema, measures, forgetting, every, abstain)
    wanted = checked_for(protocol, wanted)
    check_events(stream, protocol, predictions=predictions)
    named = named_learners(learners, "evaluate")
    pairing = _pairing(pairs, named, protocol, setting)
    watching = checked_detectors(detectors, protocol)
    setting = replace(setting, keep_scores=predictions, verdicts=pairing is not None, detectors=watching)
    replicas = {name: protocol.replica(_fresh(name, learner, stream, seed), setting) for name, learner in named.items()}
    labels = protocol.forgetting_labels(kept)
    binned = protocol.binned if isinstance(protocol, Delayed) else None
    events = EventLog(protocol) if isinstance(protocol, Delayed) else None
    names, known = measure_entries(wanted, binned)
    manifest = Manifest(
        name=stream.name,
        stream=stream.describe(),
        schema=describe_schema(schema),
        drifts=describe_drifts(stream.drifts),
        protocol={**protocol.describe(), **_mini_batches(named)},
        measures=names,
        known_measures=known,
        forgetting=labels,
        detectors=[one.label for one in watching],
        every=int(every),
        seed=seed,
        abstain=abstain,
        learners={name: LearnerEntry(learner.describe()) for name, learner in named.items()},
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        n_expected=stream.n_records,
        versions=versions(),
        machine=machine(),
    )
    size = default_chunk(schema, chunk_size)
    home, keep = open_home(directory, overwrite=overwrite, plan=plan)
    recorder = Recorder(
        home,
        manifest,
        replicas,
        measures=wanted,
        forgetting=labels,
        schema=schema,
        pairing=pairing,
        binned=binned,
        events=events,
    )
    run = Run(home, keep)
    one = _Pass(stream, replicas, recorder, pairing, events, show=progress, needs_time=kept)
    guard(run, recorder, lambda: one.go(size), one.finish)
    for name, account in recorder.accounts.items():
        if account.failure is not None:
            told = f"{name} failed at record {account.failure.record}: {account.failure.message}"
            warnings.warn(told, LearnerFailedWarning, 2)
    return run


def default_chunk(schema: Schema, asked: int | None = None) -> int:
    """Return how many records to read at a time, if no number is asked for."""
    if asked is not None:
        return checked_whole(asked, "chunk_size", "evaluate", least=1)
    return max(1024, min(1 << 18, CELLS // max(1, schema.n_features)))


def _pairing(
    asked: bool | None, learners: Mapping[str, Learner], protocol: Protocol, setting: Setting
) -> Pairing | None:
    """Return what counts pairs of learners, if they are to be counted."""
    possible = isinstance(protocol, Prequential) and setting.schema.classes is not None
    if asked and not possible:
        raise ParameterError("pairs", "evaluate", "left out, but for classifiers under Prequential()", asked)
    wanted = possible and len(learners) <= MOST_LEARNERS if asked is None else asked
    if not wanted or len(learners) < 2 or not isinstance(protocol, Prequential):
        return None
    return Pairing(list(learners), setting.forgetting, setting.every, protocol.pretrain)


class _Pass:
    """One pass over the stream with all replicas."""

    def __init__(
        self,
        stream: Stream,
        replicas: dict[str, Replica],
        recorder: Recorder,
        pairing: Pairing | None,
        events: EventLog | None,
        *,
        show: bool | None,
        needs_time: Sequence[Forgetting],
    ) -> None:
        self._stream, self._replicas, self._recorder = stream, dict(replicas), recorder
        self._pairing, self._events = pairing, events
        self._show = show
        self._needs_time = [f.label for f in needs_time if f.needs_time]
        self.n_records = 0

    def go(self, chunk_size: int) -> None:
        """Take all records."""
        with Meter(self._stream.name, self._stream.n_records, show=self._show) as meter:
            size = min(chunk_size, 256)
            for chunk in self._stream.chunks(chunk_size):
                if self._needs_time and chunk.time is None:
                    raise InputError(
                        f"{self._needs_time[0]} needs the time of each record: name the column that has it."
                    )
                at = 0
                while at < len(chunk) and self._replicas:
                    begun = time.perf_counter()
                    part = chunk[at : at + size]
                    self._step(part)
                    at += len(part)
                    self._recorder.breathe(self.n_records)
                    meter.advance(len(part))
                    size = _next_size(size, time.perf_counter() - begun, chunk_size)
                if not self._replicas:
                    return
        if not self.n_records:
            raise InputError(f"{self._stream.name} has no record: there is nothing to evaluate.")
        if self._events is not None and not self._events.n_labels:
            raise InputError(
                f"{self._stream.name} has no label for a record that waits: there is nothing to score. "
                "A record arrives in a row without a label; a later row with the same id has its label."
            )

    def _step(self, chunk: Chunk) -> None:
        """Give some records to every learner that has not failed."""
        check_classes(chunk.schema)
        self._recorder.extend(chunk.schema)
        if self._events is not None:
            chunk = self._events.step(chunk)
        failed: list[str] = []
        stepping = dict(self._replicas)
        for name, replica in stepping.items():
            try:
                tested = replica.step(chunk)
            except LearnerError as failure:
                self._fail(name, failure)
                failed.append(name)
                continue
            self._recorder.note(name, tested)
        self.n_records = chunk.start + len(chunk)
        if self._pairing is not None:
            self._pairing.step(chunk, {name: replica.take_verdicts() for name, replica in stepping.items()})
            for name in failed:
                self._pairing.end(name)

    def _fail(self, name: str, failure: LearnerError) -> None:
        replica = self._replicas.pop(name)
        text = "".join(traceback.format_exception(failure.__cause__ or failure))
        self._recorder.fail(name, replica.n_records, str(failure), text)
        replica.abandon()
        self._recorder.note(name, replica.salvaged)

    def finish(self, status: Status, reason: str) -> None:
        """Report the last checkpoints and how it ended."""
        for name, replica in list(self._replicas.items()):
            try:
                replica.finish()
            except LearnerError as failure:
                self._fail(name, failure)
                continue
            self._recorder.note(name)
            self._recorder.accounts[name].status = status
        if self._pairing is not None:
            self._pairing.end()
        failed = [name for name, account in self._recorder.accounts.items() if account.status == "failed"]
        if status == "complete" and failed:
            status, reason = "failed", f"{', '.join(failed)} failed"
        self._recorder.write(self.n_records, status, reason)


def _next_size(size: int, seconds: float, most: int) -> int:
    """Return how many records to take next: so many that progress shows and little is lost when a slow run is stopped.

    It never changes a result.
    """
    if seconds > 0.3:
        return max(1, size // 2)
    growth = 16 if seconds < 0.005 else 4 if seconds < 0.05 else 1
    return min(most, size * growth)


def _fresh(name: str, learner: Learner, stream: Stream, seed: int) -> Learner:
    try:
        return learner.bound_to(stream).fresh(stream.schema, seed_of(name, seed))
    except PrequentialError:
        raise
    except Exception as error:
        raise LearnerError(f"{name}: making it fresh failed: {type(error).__name__}: {error}") from error


def _mini_batches(learners: Mapping[str, Learner]) -> dict[str, dict[str, int]]:
    """Return which learners are not trained record by record, and how many records they gather."""
    gathered = {name: learner.batch for name, learner in learners.items() if is_whole(learner.batch, 2)}
    return {"mini_batches": gathered} if gathered else {}


def _as_stream(stream: object) -> Stream:
    if isinstance(stream, str | Path):
        stream = read(stream)
    if not isinstance(stream, Stream):
        raise InputError(
            f"evaluate needs a stream, not a {type(stream).__name__}. Make one: pq.read(path), pq.from_arrays(X, y), "
            "pq.from_table(frame, target=…), pq.from_river(iterable), or pq.streams.SEA().take(n)."
        )
    if stream.endless:
        raise InputError(f"{stream.name} never ends: evaluate a part of it, such as stream.take(100_000).")
    return stream
