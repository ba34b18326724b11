"""Score predictions made elsewhere whose labels came late, from two logs."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from prequential.engines import Report
from prequential.errors import InputError, ParameterError, checked_whole, is_number
from prequential.experiment.delayed_logs import DelayedLogs, Events
from prequential.experiment.event_log import EventLog
from prequential.experiment.guard import guard, open_home
from prequential.experiment.progress import Meter
from prequential.experiment.recorder import Recorder
from prequential.experiment.run import Run
from prequential.experiment.score import Nobody
from prequential.experiment.settings import checked_for, checked_setting, measure_entries
from prequential.measures.forgetting import Forgetting
from prequential.measures.measure import Measure
from prequential.protocols import Delayed
from prequential.protocols.binned_grids import BinnedGrids
from prequential.protocols.protocol import Replica, Setting, Tested
from prequential.runs.events import KINDS
from prequential.runs.manifest import LearnerEntry, Manifest, Status, describe_schema, machine, versions
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray, Label

_ROWS = 1 << 16
"""Rows of a log that are read at a time."""


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
    alpha: float | Sequence[float] = 2.0,
    horizon: float | None = None,
    remember: int = 100_000,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
    every: int = 1000,
    abstain: Literal["wrong", "skip"] = "wrong",
    directory: str | Path | None = None,
    overwrite: bool = False,
    progress: bool | None = None,
    chunk_size: int | None = None,
) -> Run:
    """Score a log of predictions against a log of labels that came later, in constant memory beyond what waits.

    A record may be predicted as often as you like before its label comes: the first prediction is the initial one, the
    last the final one, and between them the bins of the time it waited hold what was predicted then. Each model is
    judged on the records that it predicted. What is late, missing, doubled or contradictory is counted by kind in
    ``run.manifest.events`` and listed with its ids by ``run.irregular()``; there a record is one that any model has
    predicted. How many labels came for records that a model did not predict, and how many records still wait, is said
    of each model in its manifest entry.

    Parameters
    ----------
    predictions
        A path or a table with the columns id, time, prediction (or one score a class), and the model if there are
        several.
    labels
        A path or a table with the columns id, time and label.
    id, time, label, prediction, model, scores, classes
        The columns and the classes; see ``DelayedLogs``.
    disorder
        By how much an event may bear an earlier time than one before it in its log, in the unit of time. Up to this,
        events are put in order; beyond it they are taken where they stand, and reported.
    bins, alpha, horizon, remember
        As for ``Delayed``.
    measures, forgetting, every, abstain, directory, overwrite, progress
        As in ``evaluate``; labels are counted, in the order in which they came.
    chunk_size
        Rows read at a time. It never changes a result.

    Examples
    --------
    >>> import pyarrow as pa
    >>> predictions = pa.table({"id": [1, 2, 1], "time": [0, 1, 5], "prediction": ["no", "no", "yes"]})
    >>> labels = pa.table({"id": [1, 2], "time": [10, 11], "label": ["yes", "no"]})
    >>> run = score_delayed(predictions, labels, bins=2, measures="accuracy", forgetting="cumulative")
    >>> dict(zip(run.to_arrow()["measure"].to_pylist(), run.to_arrow()["value"].to_pylist()))
    {'accuracy_initial': 0.5, 'accuracy_psi_2': 0.6132..., 'accuracy_final': 1.0}
    """
    if not is_number(disorder) or not 0 <= disorder < float("inf"):
        raise ParameterError("disorder", "score_delayed", "a number of at least 0", disorder)
    protocol = Delayed(bins=bins, alpha=alpha, horizon=horizon, remember=remember)
    size = _ROWS if chunk_size is None else checked_whole(chunk_size, "chunk_size", "score_delayed", least=1)
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
    wanted, kept, setting = checked_setting(logs.schema, measures, forgetting, every, abstain)
    wanted = checked_for(protocol, wanted)
    names, known = measure_entries(wanted, protocol.binned)
    replicas = [LoggedModel(setting, protocol) for _ in logs.models]
    named: dict[str, Replica] = dict(zip(logs.models, replicas, strict=True))
    told = {k: v for k, v in protocol.describe().items() if k not in ("reevaluate_every", "first_class")}
    manifest = Manifest(
        name=logs.name,
        stream=logs.describe(),
        schema=describe_schema(logs.schema),
        drifts=[],
        protocol={**told, "predictions": "made elsewhere"},
        measures=names,
        known_measures=known,
        forgetting=[f.label for f in kept],
        every=int(every),
        seed=0,
        abstain=abstain,
        learners={name: LearnerEntry({"learner": "predictions made elsewhere"}) for name in logs.models},
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        n_expected=logs.n_events,
        versions=versions(),
        machine=machine(),
    )
    events = EventLog(protocol, *(replica.waiting for replica in replicas))
    home, keep = open_home(directory, overwrite=overwrite)
    run = Run(home, keep)
    recorder = Recorder(
        home,
        manifest,
        measures=wanted,
        forgetting=[f.label for f in kept],
        schema=logs.schema,
        binned=protocol.binned,
        events=events,
    )

    def work() -> None:
        with Meter(logs.name, logs.n_events, show=progress) as meter:
            for piece in logs.events(size):
                _take(piece, events, replicas)
                for name, replica in named.items():
                    recorder.take(Report.of(name, 0, replica))
                recorder.breathe(events.n_events)
                meter.advance(len(piece))
        if not events.n_labels:
            raise InputError(
                "Not one label came for a record that was predicted before it: there is nothing to score. "
                f"{_shown(events)}Records are tied to their labels by the column {id!r}, and a label must not come "
                f"before its prediction by the column {time!r}."
            )

    def finish(status: Status, reason: str) -> None:
        for name, replica in named.items():
            replica.finish()
            recorder.take(Report.of(name, 0, replica))
            recorder.accounts[name].status = status
        recorder.write(events.n_events, status, reason)

    guard(run, recorder, work, finish)
    return run


def _take(piece: Events, events: EventLog, replicas: Sequence[LoggedModel]) -> None:
    """Give some events to the log of what is irregular, and to the models that they concern."""
    ids = events.codes(piece.id)
    for m, replica in enumerate(replicas):
        its = slice(None) if len(replicas) == 1 else np.flatnonzero((piece.model == m) | (piece.known == 1))
        note = events.note if events.shares else None
        replica.take(piece.known[its], ids[its], piece.time[its], piece.code[its], note)
    if not events.shares:
        events.follow(piece.known, ids, piece.time, np.maximum(piece.code, 0))
    events.prune()


def _shown(events: EventLog) -> str:
    found = events.describe()["irregular"]
    counts = ", ".join(f"{kind}: {n:,}" for kind, n in found.items())
    return f"There were {events.n_events:,} events ({counts}). " if counts else ""


class LoggedModel(Replica):
    """A model that is somewhere else: its predictions come by, each with its time, and later the labels."""

    def __init__(self, setting: Setting, protocol: Delayed) -> None:
        super().__init__(Nobody(setting.schema))
        self.waiting = protocol.waiting(0)
        self._n_at_once = protocol.n_events_at_once
        self._schema = setting.schema
        self._grids = BinnedGrids(protocol.binned, setting)

    def take(
        self,
        known: npt.NDArray[np.uint8],
        ids: IntArray,
        time: FloatArray,
        code: IntArray,
        note: Callable[..., None] | None = None,
    ) -> None:
        """Take some of its predictions (``known`` 0), and labels (1); ``note`` is told what became of them."""
        begun = clock.perf_counter()
        for at in range(0, len(known), self._n_at_once):
            part = slice(at, at + self._n_at_once)
            start = self.waiting.n_events
            self.waiting.replay(known[part], ids[part], time[part], code[part])
            event, predictions, *became = self.waiting.take(self._grids.binned.bins)
            self.n_unpredicted += int(np.count_nonzero(became[1] == KINDS.index("label without a record")))
            if note is not None:
                note(*became)
            labels = Chunk(self._schema, start, np.empty((len(known[part]), 0)), code[part], time[part])
            self._passed += self._grids.update(labels, event - start, predictions)
        self.n_records = self.waiting.n_records
        self.n_unlabelled = self.waiting.n_waiting + self.waiting.n_expired
        self.score_seconds += clock.perf_counter() - begun

    def step(self, chunk: Chunk) -> Tested | None:
        """Take the labels of some events: nobody has predicted."""
        assert chunk.id is not None
        assert chunk.time is not None
        self.take(chunk.labelled.astype(np.uint8), chunk.id, chunk.time, chunk.y)
        return None

    def finish(self) -> None:
        """Report the last checkpoint."""
        self._passed += self._grids.last()

    def abandon(self) -> None:
        """Report the last checkpoint."""
        self.finish()
