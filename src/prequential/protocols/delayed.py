"""Delayed labels: predict a record when it arrives, again while it waits, and once more when its label arrives."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from prequential import _native
from prequential.arguments import is_number, is_whole
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners.contract import Learner
from prequential.learners.foreign import Foreign
from prequential.learners.native import NativeLearner
from prequential.metrics.binned import Binned
from prequential.metrics.metric import Metric, of_scores
from prequential.protocols.binned_grids import BinnedGrids
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.protocol import Feature, Protocol, register
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting, Tested
from prequential.stopping import learner_faults
from prequential.streams.chunk import Chunk
from prequential.wording import listing

_MOST_PREDICTIONS = 1 << 21
"""Maximum number of predictions, in all bins, that are counted at once: a few megabytes."""
_UNLIMITED = 1 << 62
"""A number of labels or ids that no run reaches."""


@register("delayed")
@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed(Protocol):
    """Continuous re-evaluation, for streams whose labels arrive late.

    A record is predicted when it arrives (the initial prediction), again while it waits for its label, and a last time
    when the label arrives (the final prediction). Use it to learn how good predictions are while the label is unknown.

    The stream must consist of events, tied together by the id of the record: a row without a label is a record that
    arrives, or a new version of a waiting record; a row with a label is the label of a waiting record.
    ``stream.delayed(…)`` makes such a stream from any stream with classes; ``pq.read(path, id=…, events=True)`` reads
    one from a file, and ``pq.from_events`` from two tables.

    When a label arrives, the record is predicted a last time, its predictions are counted in B bins of its waiting
    time, waiting records are predicted again, and the label is learned. A bin holds the prediction that was valid when
    the bin began; if the record was predicted once within the bin, the new prediction; if more often, the class that
    was predicted longest.

    Every metric is reported for the initial prediction (``accuracy_initial``), for the final one (``accuracy_final``)
    and as Ψ, its weighted mean over the bins (``accuracy_psi_2`` for α = 2); ``run.delays.bins()`` returns every bin.
    Checkpoints and forgettings count labels in order of arrival. So do the baselines of κ_m and κ_per, which are the
    same in every bin. Metrics of scores, such as AUC and log-loss, are of the initial and the final prediction only:
    between them no scores are kept. Drift detectors watch the initial prediction, when its label arrives.
    ``pq.compare`` compares two learners by their initial or by their final predictions.

    Parameters
    ----------
    bins
        B, the number of bins that the waiting time of each record is divided into.
    psi_alpha
        α of Ψ, at least 1: how much more the initial prediction weighs than the one in the last bin. A list gives one
        Ψ per value.
    reevaluate_every
        Re-evaluation period: a waiting record is predicted again whenever this many more labels have been learned
        since it arrived.
    horizon
        Longest time that a record waits, in the unit of the stream's time; then it expires, is counted and is reported.
        None for no limit.
    remember
        Number of past ids to remember, to tell a second label or a late one from the label of an unknown record.
    first_class
        Whether to count a missing prediction as the first class, as the program of the method's authors does, and not
        as an abstention.

    Examples
    --------
    >>> import prequential as pq
    >>> late = pq.streams.SEA(seed=1).take(2000).delayed(100)
    >>> run = pq.evaluate(late, "naive_bayes", protocol=pq.Delayed(bins=10), metrics="accuracy", every=2000)
    >>> trace = run.to_arrow()
    >>> for name, value in zip(trace["metric"][:3].to_pylist(), trace["value"][:3].to_pylist()):
    ...     print(name, round(value, 4))
    accuracy_initial 0.8215
    accuracy_psi_2 0.8406
    accuracy_final 0.8695

    References
    ----------
    Grzenda, Gomes and Bifet, "Performance metrics for evolving predictions under delayed labelling classification",
    IJCNN 2020; "Delayed labelling evaluation for data streams", Data Mining and Knowledge Discovery 34, 2020.
    """

    unsupported: ClassVar[Mapping[Feature, str]] = {
        "predictions": "Delayed predicts each record several times, so it does not save predictions; "
        "run.delays.bins() has their metrics.",
    }
    takes_events: ClassVar[bool] = True
    bins: int = 100
    psi_alpha: float | Sequence[float] = 2.0
    reevaluate_every: int = 1
    horizon: float | None = None
    remember: int = 100_000
    first_class: bool = False
    binned: Binned = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "binned", Binned.checked(self.bins, self.psi_alpha, "Delayed"))
        if not is_whole(self.reevaluate_every, 1):
            raise ParameterError("reevaluate_every", "Delayed", "a whole number of at least 1", self.reevaluate_every)
        if self.horizon is not None and not (is_number(self.horizon) and self.horizon > 0):
            raise ParameterError("horizon", "Delayed", "a number above 0, or None", self.horizon)
        if not is_whole(self.remember):
            raise ParameterError("remember", "Delayed", "a whole number of at least 0", self.remember)

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # there is only one
        """Create the replica of a fresh learner."""
        return DelayedReplica(learner, setting, self)

    def waiting(self, n_features: int, bins: int | None = None) -> _native.Waiting:
        """Create an empty store of waiting records, with the parameters of this protocol."""
        horizon = float("inf") if self.horizon is None else float(self.horizon)
        bins = self.bins if bins is None else bins
        period, remember = min(self.reevaluate_every, _UNLIMITED), min(self.remember, _UNLIMITED)
        return _native.Waiting(n_features, bins, period, horizon, remember, self.first_class)

    def events(self) -> _native.Waiting:
        """Create an empty store of waiting records, which a run uses to check the events of its stream."""
        return self.waiting(0, bins=1)

    def supported(self, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
        """Return the metrics of classes and of scores; raise an error for others."""
        able = ("labels", "nothing")
        other = [m.name for m in metrics if m.loss is not None or (m.needs not in able and not of_scores(m))]
        if other:
            raise InputError(
                f"Delayed counts predicted classes, so it cannot compute {listing(other)}. Accepted: metrics of "
                "classification, such as accuracy, kappa, kappa_t, g_mean, auc."
            )
        return tuple(m for m in metrics if m.needs != "nothing")

    @property
    def n_events_at_once(self) -> int:
        """Number of events to process at once, so that the predictions of all bins fit in a few megabytes."""
        return max(1, _MOST_PREDICTIONS // (self.bins + 2))

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        return {
            "protocol": "delayed",
            "bins": self.bins,
            "psi_alpha": list(self.binned.alphas),
            "reevaluate_every": self.reevaluate_every,
            "horizon": None if self.horizon == float("inf") else self.horizon,
            "remember": self.remember,
            "first_class": self.first_class,
        }


class DelayedReplica(Replica):
    """One learner on a stream of events."""

    ask_all = False
    """Whether to predict again even if the learner declares its prediction unchanged; results do not depend on it."""

    def __init__(self, learner: Learner, setting: Setting, protocol: Delayed) -> None:
        super().__init__(learner, setting)
        if setting.schema.classes is None:
            raise InputError("Delayed counts predicted classes; this is a regression stream.")
        self._waiting = protocol.waiting(setting.schema.n_features)
        if setting.scored:
            self._waiting.keep_scores(max(1, setting.schema.n_classes))
        self._model = _native_part(learner)
        self._n_at_once = protocol.n_events_at_once
        self.binned = BinnedGrids(protocol.binned, setting)

    def step(self, chunk: Chunk) -> Tested | None:
        """Process the events of a chunk."""
        self.adapt(chunk)
        while len(chunk):
            part, chunk = chunk[: self._n_at_once], chunk[self._n_at_once :]
            self._process(part)
        return None

    def _process(self, chunk: Chunk) -> None:
        assert chunk.id is not None
        assert chunk.time is not None
        failure: BaseException | None = None
        try:
            spent = self._waiting.step(
                self._model, chunk.X, chunk.id, chunk.time, chunk.y, chunk.weight, ask_all=self.ask_all
            )
            self.clock.predict_seconds += spent.predict
            self.clock.learn_seconds += spent.learn
        except learner_faults() as error:
            failure = error
        begun = time.perf_counter()
        taken = self._waiting.take(self.binned.binned.bins)
        scores = taken.scores if self.setting.scored else None
        self._passed += self.binned.update(chunk, taken.event - chunk.start, taken.prediction, scores)
        self.binned.judge(taken.event, chunk.y[taken.event - chunk.start], taken.prediction)
        self._alarms += self.binned.drain_alarms()
        self.score_seconds += time.perf_counter() - begun
        self.n_records = self._waiting.n_events
        if failure is not None:
            raise LearnerError(f"{type(failure).__name__}: {failure}") from failure

    def drain_late(self) -> LateVerdicts | None:
        """Return and remove the verdicts on the labels since the last call."""
        return self.binned.drain_late()

    def adapt(self, chunk: Chunk) -> None:
        """Pass new classes and nominal values to the learner and to the native code that calls it."""
        before = self.learner.schema
        super().adapt(chunk)
        if self.learner.schema is not before:
            self._model.grow(chunk.schema.n_classes)

    def state(self) -> dict[str, Any]:
        """Return the state of the learner, of the waiting records, and of the counts by bin."""
        return {**super().state(), "waiting": self._waiting.to_bytes(), "binned": self.binned.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        self._model.grow(self.learner.schema.n_classes)
        self._waiting.load_bytes(state["waiting"])
        self.binned.restore(state["binned"])

    def finish(self) -> None:
        """Add the last checkpoint."""
        self._passed += self.binned.last()

    def abandon(self) -> None:
        """Add the last checkpoint of a learner that has failed, without calling it."""
        if self.binned.n_seen:
            self.finish()


def _native_part(learner: Learner) -> _native.Learner:
    """Return the native learner, or a native wrapper of a learner written in Python."""
    if isinstance(learner, NativeLearner):
        return learner.model
    return _native.python_learner(
        learner.schema.n_classes, list(learner.schema.cardinalities), Foreign(learner, learner)
    )
