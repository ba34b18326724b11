"""Prequential evaluation: each record tests the learner, then trains it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from prequential.arguments import is_whole
from prequential.drift.watch import Watch
from prequential.errors import LearnerError, ParameterError
from prequential.learners.contract import Learner
from prequential.learners.native import NativeLearner
from prequential.metrics.grid import BadScoreError, Checkpoints
from prequential.protocols.protocol import Protocol, register
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import GridTally
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream
from prequential.types import FloatArray


@register("prequential")
@dataclass(frozen=True, slots=True, kw_only=True)
class Prequential(Protocol):
    """Prequential evaluation: test on each record, then train on it (interleaved test-then-train).

    This is the default. Use it if the label of a record is known before the next record arrives. Every record is used
    for testing and for training, and the model is never tested on a record that it has learned. A learner that learns
    in batches is evaluated on interleaved chunks: it tests all records of a batch, then trains on them.

    Records without a label are predicted and counted as unlabelled; they neither test nor train (convention 11).

    Parameters
    ----------
    pretrain
        Number of records at the start that train but do not test.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, "naive_bayes", metrics="accuracy", forgetting=pq.Cumulative())
    >>> run.to_arrow()["value"].to_pylist()
    [0.863, 0.8695]

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013.
    """

    pretrain: int = 0

    def __post_init__(self) -> None:
        if not is_whole(self.pretrain):
            raise ParameterError("pretrain", "Prequential", "a whole number of at least 0", self.pretrain)

    def check_stream(self, stream: Stream) -> None:
        """Raise an error for a stream of events, or one without records after those that only train."""
        Protocol.check_stream(self, stream)  # super() fails in a dataclass with slots
        n_records = stream.n_records
        if n_records is not None and self.pretrain and self.pretrain >= n_records:
            constraint = f"less than the {n_records:,} records of {stream.name}, or none is tested"
            raise ParameterError("pretrain", "Prequential", constraint, self.pretrain)

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # there is only one
        """Create the replica of a fresh learner."""
        return PrequentialReplica(learner, setting, self.pretrain)

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        return {"protocol": "prequential", **asdict(self)}


class PrequentialReplica(Replica, GridTally):
    """One learner under prequential evaluation."""

    def __init__(self, learner: Learner, setting: Setting, pretrain: int) -> None:
        super().__init__(learner, setting)
        self._pretrain = pretrain
        self._watches = [
            Watch(detector, setting.schema, skip_abstained=setting.skip_abstained, positive=setting.positive)
            for detector in setting.detectors
        ]

    def step(self, chunk: Chunk) -> Tested | None:
        """Test on each record, then train on it."""
        self.adapt(chunk)
        n_first = min(len(chunk), max(0, self._pretrain - self.n_records))
        if n_first:
            self._train(chunk[:n_first])
            chunk = chunk[n_first:]
            if not len(chunk):
                return None
            self.learner.now = chunk.start
        keep_scores = self.setting.keep_scores
        native = self.learner if isinstance(self.learner, NativeLearner) and self.learner.native else None
        if native and not keep_scores and not self._watches:
            passed, seconds = self._grid.counted(native.counting(chunk), chunk, every=self._every)
            self._keep(passed)
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        try:
            scores = self.learner.test_then_train(chunk.X, chunk.y, chunk.weight)
        except LearnerError as failure:
            if failure.scores is not None and failure.offset:
                self.count(chunk[: failure.offset], failure.scores)
                self._salvage(chunk, failure.scores)
            raise
        try:
            self.count(chunk, scores)
        except BadScoreError:
            self._salvage(chunk, scores)
            raise
        return Tested(chunk, scores) if keep_scores else None

    def state(self) -> dict[str, Any]:
        """Return the state of learner, grid and detectors."""
        return {**super().state(), "watches": [watch.to_bytes() for watch in self._watches]}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        for watch, saved in zip(self._watches, state["watches"], strict=True):
            watch.load_bytes(saved)

    def _train(self, chunk: Chunk) -> None:
        """Train without testing; the baselines learn the labels too (convention 4)."""
        self.train(chunk, chunk.labelled)
        self._grid.prime(chunk)
        self.n_records += len(chunk)

    def _counted(self, chunk: Chunk, scores: FloatArray | None, n: int) -> None:
        """Pass the counted records to the detectors."""
        self.n_records = self._pretrain + self._grid.n_seen
        for watch in self._watches:
            alarms = watch.step(chunk[:n], None if scores is None else scores[:n])
            self._alarms += [(watch.detector.label, alarm) for alarm in alarms]

    def _salvage(self, chunk: Chunk, scores: FloatArray) -> None:
        """Keep the records before a failure, if scores are kept."""
        n = self.n_records - chunk.start
        if self.setting.keep_scores and n > 0:
            self.salvaged = Tested(chunk[:n], scores[:n])

    def _keep(self, passed: list[Checkpoints]) -> None:
        """Keep checkpoints; their ``n`` includes the records that only trained."""
        before = min(self._pretrain, self.n_records)
        self._passed += [replace(c, n=c.n + before) for c in passed] if before else passed
