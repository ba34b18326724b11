"""From a stream and some learners to a run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from prequential.engines import Engine, Job, check_engine, make_engine
from prequential.errors import InputError, ParameterError, checked_whole, is_whole
from prequential.experiment.event_log import EventLog
from prequential.experiment.guard import guard, open_home
from prequential.experiment.pairing import MOST_LEARNERS, Pairing
from prequential.experiment.recorder import Recorder
from prequential.experiment.resuming import earlier
from prequential.experiment.run import Run
from prequential.experiment.saving import SAVE_EVERY, NotResumableWarning, Saving, check_saving
from prequential.experiment.settings import (
    check_events,
    check_protocol,
    check_seed,
    checked_detectors,
    checked_for,
    checked_setting,
    measure_entries,
)
from prequential.experiment.significance import Significance
from prequential.experiment.single_pass import SinglePass
from prequential.learners.contract import Learner
from prequential.learners.naming import named_learners
from prequential.measures.forgetting import Forgetting
from prequential.measures.measure import Measure
from prequential.protocols import Delayed, KFold, Prequential, Protocol, Setting
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import (
    LearnerEntry,
    Manifest,
    describe_drifts,
    describe_schema,
    machine,
    versions,
)
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
    resume: bool = False,
    save_every: float | None = SAVE_EVERY,
    plan: str | None = None,
    progress: bool | None = None,
    engine: Literal["auto", "serial", "threads", "processes", "ray"] = "auto",
    workers: int | None = None,
    address: str | None = None,
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
    resume
        Whether to go on with the run in ``directory``, if it was killed or interrupted: from its last save point, with
        the same stream from its first record on, to the same trace bit for bit. All else must be as it was, or it is
        refused; only engine and workers may be others. A run that is complete is returned as it is.
    save_every
        Seconds between save points, of a run that has a ``directory``; None: none. They hold the state of learners,
        measures and detectors, and take a twentieth of the time at most, unless it is 0: then there is one after every
        chunk. Learners written in Python are pickled there, and unpickled when the run is resumed, which runs code:
        resume only runs of your own.
    plan
        The text of a plan to keep with the run.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.
    engine
        Where the replicas of the learners work; it never changes a result. ``serial``: one after the other.
        ``threads``: for native learners, which work beside each other. ``processes``: for learners written in Python,
        which are sent to other processes. ``ray``: in actors of a Ray cluster, on many machines; those that die are
        made again. ``auto``: serial for a single replica, one core or little work; otherwise
        threads where all learners are native, processes where not.
    workers
        How many threads, processes or actors; as many as there are cores by default.
    address
        The Ray cluster as ``HOST:PORT``; by default one is started on this machine for the run.
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
    check_engine(engine, workers, address)
    check_saving(save_every)
    wanted, kept, setting = checked_setting(schema, measures, forgetting, every, abstain)
    wanted = checked_for(protocol, wanted)
    check_events(stream, protocol, predictions=predictions)
    named = named_learners(learners, "evaluate")
    pairing = _pairing(pairs, named, protocol, setting)
    watching = checked_detectors(detectors, protocol)
    setting = replace(setting, keep_scores=predictions, verdicts=pairing is not None, detectors=watching, seed=seed)
    bound = {name: learner.bound_to(stream) for name, learner in named.items()}
    jobs = [Job(name, k, learner, protocol, setting, seed) for name, learner in bound.items() for k in protocol.folds]
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
        kept={"predictions": predictions, "pairs": pairing is not None},
        learners={name: LearnerEntry(learner.describe()) for name, learner in named.items()},
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        n_expected=stream.n_records,
        versions=versions(),
        machine=machine(),
    )
    size = default_chunk(schema, chunk_size)
    n_folds = len(protocol.folds)
    significance = Significance(wanted, kept, n_folds) if n_folds > 1 and len(named) > 1 else None
    old = earlier(directory, manifest, overwrite=overwrite) if resume else None
    if old is not None:
        if old.status in ("complete", "failed"):
            home = RunDirectory.open(str(directory))
            home.save_points.clear()  # if it was killed after its last word
            return Run(home)
        manifest = replace(manifest, started=old.started)
    with make_engine(engine, jobs, workers=workers, n_records=stream.n_records, stream=stream, address=address) as made:
        home, keep = open_home(directory, overwrite=overwrite, resume=resume)
        with home.save_points.locked() if keep is None else nullcontext():
            if plan is not None:
                home.write_plan(plan)
            recorder = Recorder(
                home,
                replace(manifest, engine={"engine": made.name, "workers": made.n_workers}),
                measures=wanted,
                forgetting=labels,
                schema=schema,
                folds=protocol.folds,
                pairing=pairing,
                binned=binned,
                events=events,
                significance=significance,
            )
            run = Run(home, keep)
            title = _title(stream, len(named), protocol, made)
            saving = Saving(made, recorder, every=None if directory is None else save_every)
            one = SinglePass(
                stream, made, recorder, pairing, events, title=title, show=progress, forgetting=kept, saving=saving
            )
            position = saving.take_up() if resume else None
            if position is not None:
                one.take_up(position)
            elif old is not None and old.n_records:
                told = f"{home.path}: there is no save point that can be read, so the run begins anew."
                warnings.warn(told, NotResumableWarning, 2)
            guard(run, recorder, lambda: one.go(size), one.finish)
            home.save_points.clear()
    for name, failure in run.failures.items():
        unit = "event" if stream.events else "record"
        warnings.warn(f"{name} failed at {unit} {failure.record}: {failure.message}", LearnerFailedWarning, 2)
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
    possible = isinstance(protocol, Prequential | KFold) and setting.schema.classes is not None
    if asked and not possible:
        raise ParameterError("pairs", "evaluate", "left out, but for classifiers under Prequential() or KFold()", asked)
    wanted = possible and len(learners) <= MOST_LEARNERS if asked is None else asked
    if not wanted or len(learners) < 2:
        return None
    pretrain = protocol.pretrain if isinstance(protocol, Prequential) else 0
    return Pairing(list(learners), setting.forgetting, setting.every, pretrain=pretrain, folds=protocol.folds)


def _title(stream: Stream, n_learners: int, protocol: Protocol, engine: Engine) -> str:
    """Return what a progress bar says of a run."""
    parts = [stream.name]
    if len(protocol.folds) > 1:
        parts.append(f"{n_learners} x {len(protocol.folds)} replicas")
    if engine.n_workers > 1:
        parts.append(f"{engine.n_workers} {engine.name}")
    return ", ".join(parts)


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
