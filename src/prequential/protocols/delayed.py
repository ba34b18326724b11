"""Delayed labels: a record is predicted when it arrives, again while it waits, and once more when its label comes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from prequential import _native
from prequential.errors import InputError, LearnerError, ParameterError, is_number, is_whole
from prequential.learners.contract import Learner
from prequential.learners.foreign import Foreign
from prequential.learners.native import NativeLearner
from prequential.measures.binned import Binned
from prequential.measures.forgetting import Forgetting
from prequential.protocols.binned_grids import BinnedGrids
from prequential.protocols.protocol import Protocol, Replica, Setting, Tested
from prequential.streams.chunk import Chunk

_MOST_PREDICTIONS = 1 << 21
"""Predictions of all bins that are counted at a time: a few megabytes."""
_EVER = 1 << 62
"""As a number of labels or ids: more than there will be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed(Protocol):
    """Continuous re-evaluation: predictions are judged from a record's arrival until its label comes.

    The stream is one of events, tied together by the id of their record: a row without a label is a record that
    arrives, or a new version of one that waits; a row with a label is the label of the record that waits. Make one of
    any stream with ``stream.delayed(…)``, or read a file that has both rows (``pq.read(path, id=…, time=…)``).

    When a label comes: the record is predicted a last time, its predictions are counted bin by bin, the records that
    wait are predicted again, and the label is learned. A bin holds the prediction in force; where the record was asked
    once within it, the answer; where more often, the class that held longest. Every measure is reported as
    ``…_initial``, ``…_psi_α`` and ``…_final``; ``run.bins()`` has all bins. Checkpoints count labels, in the order in
    which they come; so do the forgettings, and the baselines of κ_m and κ_per, which are the same in every bin.

    Parameters
    ----------
    bins
        B: into how many parts the time is cut for which a record waits.
    alpha
        How much more the initial prediction weighs in Ψ than the last before the label; several may be given.
    reevaluate_every
        A waiting record is predicted again whenever this many labels have been learned since it arrived, and multiples.
    horizon
        The longest that a record may wait, in the unit of the stream's time; it is then given up, counted and reported.
    remember
        How many past ids are known again: second labels, and labels that come too late, are told from unknown ones as
        far back as this.
    first_class
        Whether a learner that gives no prediction is taken to predict the first class, as in the program of the
        method's authors, instead of to abstain.

    References
    ----------
    Grzenda, Gomes and Bifet, "Performance measures for evolving predictions under delayed labelling classification",
    IJCNN 2020; "Delayed labelling evaluation for data streams", Data Mining and Knowledge Discovery 34, 2020.
    """

    bins: int = 100
    alpha: float | Sequence[float] = 2.0
    reevaluate_every: int = 1
    horizon: float | None = None
    remember: int = 100_000
    first_class: bool = False
    binned: Binned = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "binned", Binned.checked(self.bins, self.alpha, "Delayed"))
        if not is_whole(self.reevaluate_every, 1):
            raise ParameterError("reevaluate_every", "Delayed", "a whole number of at least 1", self.reevaluate_every)
        if self.horizon is not None and not (is_number(self.horizon) and self.horizon > 0):
            raise ParameterError("horizon", "Delayed", "a number above 0, or None", self.horizon)
        if not is_whole(self.remember):
            raise ParameterError("remember", "Delayed", "a whole number of at least 0", self.remember)

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # it has one
        """Put a fresh learner on its way."""
        return DelayedReplica(learner, setting, self)

    def waiting(self, n_features: int, bins: int | None = None) -> _native.Waiting:
        """Make an empty room for records that wait under these rules."""
        horizon = float("inf") if self.horizon is None else float(self.horizon)
        bins = self.bins if bins is None else bins
        period, remember = min(self.reevaluate_every, _EVER), min(self.remember, _EVER)
        return _native.Waiting(n_features, bins, period, horizon, remember, self.first_class)

    @property
    def n_events_at_once(self) -> int:
        """How many events to take at a time: as many as the predictions of their bins stay small for."""
        return max(1, _MOST_PREDICTIONS // (self.bins + 2))

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return what the trace calls the forgettings."""
        return [one.label for one in forgetting]

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""
        return {
            "protocol": "delayed",
            "bins": self.bins,
            "alpha": list(self.binned.alphas),
            "reevaluate_every": self.reevaluate_every,
            "horizon": None if self.horizon == float("inf") else self.horizon,
            "remember": self.remember,
            "first_class": self.first_class,
        }


class DelayedReplica(Replica):
    """One learner that lives through events."""

    ask_all = False
    """Whether to ask also where the learner knows that its answer would be the same; it never changes a result."""

    def __init__(self, learner: Learner, setting: Setting, protocol: Delayed) -> None:
        super().__init__(learner)
        if setting.schema.classes is None:
            raise InputError("Delayed judges predictions of classes, and this is a regression stream.")
        self._waiting = protocol.waiting(setting.schema.n_features)
        self._model = _native_part(learner)
        self._n_at_once = protocol.n_events_at_once
        self.binned = BinnedGrids(protocol.binned, setting)

    def step(self, chunk: Chunk) -> Tested | None:
        """Live through some events."""
        self.adapt(chunk)
        while len(chunk):
            part, chunk = chunk[: self._n_at_once], chunk[self._n_at_once :]
            self._live(part)
        return None

    def _live(self, chunk: Chunk) -> None:
        assert chunk.id is not None
        assert chunk.time is not None
        failure: Exception | None = None
        try:
            spent = self._waiting.step(
                self._model, chunk.X, chunk.id, chunk.time, chunk.y, chunk.weight, ask_all=self.ask_all
            )
            self.learner.clock.predict_seconds += spent[0]
            self.learner.clock.learn_seconds += spent[1]
        except Exception as error:
            failure = error
        begun = time.perf_counter()
        event, predictions, *_ = self._waiting.take(self.binned.binned.bins)
        self._passed += self.binned.update(chunk, event - chunk.start, predictions)
        self.score_seconds += time.perf_counter() - begun
        self.n_records = self._waiting.n_events
        if failure is not None:
            raise LearnerError(f"{type(failure).__name__}: {failure}") from failure

    def adapt(self, chunk: Chunk) -> None:
        """Tell the learner of classes and values that have appeared, and the native code that calls it."""
        before = self.learner.schema
        super().adapt(chunk)
        if self.learner.schema is not before:
            self._model.grow(chunk.schema.n_classes)

    def state(self) -> dict[str, Any]:
        """Return the state of the learner, of the records that wait, and of the counts by bin."""
        return {**super().state(), "waiting": self._waiting.to_bytes(), "binned": self.binned.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another was."""
        super().restore(state)
        self._model.grow(self.learner.schema.n_classes)
        self._waiting.load_bytes(state["waiting"])
        self.binned.restore(state["binned"])

    def finish(self) -> None:
        """Report the last checkpoint."""
        self._passed += self.binned.last()

    def abandon(self) -> None:
        """Report the last checkpoint: the grids do not need the learner."""
        if self.binned.n_seen:
            self.finish()


def _native_part(learner: Learner) -> _native.Learner:
    """Return the native learner, or one around a learner written in Python."""
    if isinstance(learner, NativeLearner):
        return learner.model
    return _native.python_learner(
        learner.schema.n_classes, list(learner.schema.cardinalities), Foreign(learner, learner)
    )
