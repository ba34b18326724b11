"""The events of two logs, predictions and labels, and the tally that counts the predictions of one model."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from prequential.engines.job import Job
from prequential.protocols import Delayed
from prequential.protocols.binned_grids import BinnedGrids
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import Tally
from prequential.runs.events import KINDS
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray

_WITHOUT_RECORD = KINDS.index("label without a record")


@dataclass(frozen=True, slots=True)
class LoggedEvents(Chunk):
    """Consecutive events of two logs, in order of time; ``y`` has the labels, ``UNLABELLED`` for predictions.

    Parameters
    ----------
    code
        Code of the predicted class or of the label; -1 for an abstention.
    model
        Number of the model that predicted; -1 for labels.
    scores
        One score per class, if metrics of scores are reported; those of labels have no meaning.
    """

    code: IntArray = None  # type: ignore[assignment]  # it needs a default, as it follows fields with one
    model: IntArray = None  # type: ignore[assignment]  # as above
    scores: FloatArray | None = None

    def __getitem__(self, index: slice) -> LoggedEvents:
        """Return consecutive events as views of the same arrays."""
        cut = Chunk.__getitem__(self, index)
        assert isinstance(cut, LoggedEvents)
        scores = None if self.scores is None else self.scores[index]
        return replace(cut, code=self.code[index], model=self.model[index], scores=scores)


class LoggedTally(Tally):
    """Counts the predictions of one model when their labels arrive.

    Parameters
    ----------
    setting
        The settings of the run.
    protocol
        The bins, the horizon and the number of past ids to remember.
    model
        Number of the model; None if there is only one.
    """

    def __init__(self, setting: Setting, protocol: Delayed, model: int | None) -> None:
        super().__init__(setting)
        self._model = model
        self._waiting = protocol.waiting(0)
        if setting.scored:
            self._waiting.keep_scores(max(1, setting.schema.n_classes))
        self._n_at_once = protocol.n_events_at_once
        self._grids = BinnedGrids(protocol.binned, setting)

    def step(self, chunk: Chunk) -> Tested | None:
        """Process the predictions of the model, and all labels."""
        assert isinstance(chunk, LoggedEvents)
        assert chunk.id is not None
        assert chunk.time is not None
        begun = time.perf_counter()
        known = chunk.labelled
        own = slice(None) if self._model is None else np.flatnonzero((chunk.model == self._model) | known)
        places = np.arange(len(chunk), dtype=np.int64)[own]
        flags, ids, times, codes = known.astype(np.uint8)[own], chunk.id[own], chunk.time[own], chunk.code[own]
        scores = None if chunk.scores is None or not self.setting.scored else chunk.scores[own]
        for at in range(0, len(flags), self._n_at_once):
            part = slice(at, at + self._n_at_once)
            start = self._waiting.n_events
            rows = None if scores is None else np.ascontiguousarray(scores[part])
            self._waiting.replay(flags[part], ids[part], times[part], codes[part], rows)
            taken = self._waiting.take(self._grids.binned.bins)
            self.n_unpredicted += int(np.count_nonzero(taken.kind == _WITHOUT_RECORD))
            labels = Chunk(self.setting.schema, start, np.empty((len(flags[part]), 0)), codes[part], times[part])
            kept = None if rows is None else taken.scores
            self._passed += self._grids.update(labels, taken.event - start, taken.prediction, kept)
            of_part = taken.event - start + at
            self._grids.judge(chunk.start + places[of_part], codes[of_part], taken.prediction)
            self._alarms += self._grids.drain_alarms()
        self._update_counts()
        self.score_seconds += time.perf_counter() - begun
        return None

    def drain_late(self) -> LateVerdicts | None:
        """Return and remove the verdicts on the labels since the last call."""
        return self._grids.drain_late()

    def finish(self) -> None:
        """Add the last checkpoint."""
        self._passed += self._grids.last()

    def abandon(self) -> None:
        """Add the last checkpoint."""
        self.finish()

    def state(self) -> dict[str, Any]:
        """Return the whole state."""
        waiting, grids = self._waiting.to_bytes(), self._grids.state()
        return {**super().state(), "waiting": waiting, "binned": grids, "n_unpredicted": self.n_unpredicted}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        self._waiting.load_bytes(state["waiting"])
        self._grids.restore(state["binned"])
        self.n_unpredicted = state["n_unpredicted"]
        self._update_counts()

    def _update_counts(self) -> None:
        self.n_records = self._waiting.n_records
        self.n_unlabelled = self._waiting.n_waiting + self._waiting.n_expired


@dataclass(frozen=True, slots=True)
class LoggedJob(Job):
    """The parameters of the tally of one model."""

    name: str
    setting: Setting
    protocol: Delayed
    model: int | None
    fold: int = 0

    def make(self) -> Tally:
        """Create the tally."""
        return LoggedTally(self.setting, self.protocol, self.model)
