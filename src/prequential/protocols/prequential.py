"""Prequential evaluation: each record tests the learner, then trains it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.arguments import check_number, check_whole, is_whole
from prequential.errors import LearnerError, ParameterError
from prequential.learners.contract import Learner
from prequential.learners.native import NativeLearner
from prequential.metrics.grid import BadScoreError, Checkpoints
from prequential.protocols.protocol import Protocol, register
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import GridTally
from prequential.stopping import learner_faults
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.stream import Stream
from prequential.types import FloatArray

_DRAWS = int.from_bytes(b"TSHR")


@register("prequential")
@dataclass(frozen=True, slots=True, kw_only=True)
class Prequential(Protocol):
    """Prequential evaluation: test on each record, then train on it (interleaved test-then-train).

    This is the default. Use it if the label of a record is known before the next record arrives. Every record is used
    for testing and for training, and the model is never tested on a record that it has learned.

    Records without a label are predicted and counted as unlabelled; they neither test nor train (convention 11).

    Parameters
    ----------
    pretrain
        Number of records at the start that train but do not test.
    train_share
        Share of the records, above 0 and at most 1, that train: a random sample, the same for all learners. All records
        test. It shows what a sample costs, where records come faster than a learner can learn them.
    batch
        Test then train block by block: a block of this many records is tested by the model as it was before the block,
        then the learner learns its labelled records. Blocks are counted from the first tested record.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, "naive_bayes", metrics="accuracy", forgetting=pq.Cumulative(), every=1000)
    >>> run.to_arrow()["value"].to_pylist()
    [0.863, 0.8695]

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013.
    """

    pretrain: int = 0
    train_share: float = 1.0
    batch: int = 1

    def __post_init__(self) -> None:
        if not is_whole(self.pretrain):
            raise ParameterError("pretrain", "Prequential", "a whole number of at least 0", self.pretrain)
        check_number(self.train_share, "train_share", "Prequential", above=0, most=1)
        check_whole(self.batch, "batch", "Prequential", least=1, most=1_000_000_000)

    def check_stream(self, stream: Stream) -> None:
        """Raise an error for a stream of events, or one without records after those that only train."""
        Protocol.check_stream(self, stream)  # super() fails in a dataclass with slots
        n_records = stream.n_records
        if n_records is not None and self.pretrain and self.pretrain >= n_records:
            constraint = f"less than the {n_records:,} records of {stream.name}, or none is tested"
            raise ParameterError("pretrain", "Prequential", constraint, self.pretrain)

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # there is only one
        """Create the replica of a fresh learner."""
        if self.batch == 1 and self.train_share == 1:
            return PrequentialReplica(learner, setting, self.pretrain)
        return SparingReplica(learner, setting, self)

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        changed = {name: value for name, value in asdict(self).items() if name == "pretrain" or value != 1}
        return {"protocol": "prequential", **changed}


class PrequentialReplica(Replica, GridTally):
    """One learner under prequential evaluation."""

    def __init__(self, learner: Learner, setting: Setting, pretrain: int) -> None:
        super().__init__(learner, setting)
        self._pretrain = pretrain
        self._watches = setting.watches()

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
        return self._test_and_train(chunk)

    def _test_and_train(self, chunk: Chunk) -> Tested | None:
        """Test on each record, then train on it; the first records have been learned."""
        native = self.learner if isinstance(self.learner, NativeLearner) and self.learner.native else None
        if native and not (self.setting.keep_scores or self._watches or self.setting.losses):
            passed, seconds = self._grid.counted(native.counting(chunk), chunk, every=self._every)
            self._keep(passed)
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        return self._counting(chunk, lambda: self.learner.test_then_train(chunk.X, chunk.y, chunk.weight))

    def _counting(self, chunk: Chunk, scored: Callable[[], FloatArray]) -> Tested | None:
        """Count the scores of a chunk that the learner returns; if it fails, those before the failure."""
        try:
            scores = scored()
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
        return Tested(chunk, scores) if self.setting.keep_scores else None

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


class SparingReplica(PrequentialReplica):
    """One learner that is tested on every record, and learns a sample of them, or learns block by block."""

    def __init__(self, learner: Learner, setting: Setting, protocol: Prequential) -> None:
        super().__init__(learner, setting, protocol.pretrain)
        self._share, self._batch = protocol.train_share, protocol.batch
        self._block: list[Chunk] = []

    def _test_and_train(self, chunk: Chunk) -> Tested | None:
        """Test on all records, in pieces that end where a block does."""
        trains = self._sampled(chunk)
        if self._batch == 1:
            return self._pass(chunk, trains)
        tested: list[Tested] = []
        try:
            while len(chunk):
                n = min(len(chunk), self._batch - (chunk.start - self._pretrain) % self._batch)
                piece, chunk = chunk[:n], chunk[n:]
                found = self._pass(piece, np.zeros(n, np.uint8))
                tested += [] if found is None else [found]
                self._block.append(piece)
                if (piece.start + n - self._pretrain) % self._batch == 0:
                    self._learn_block()
        except (LearnerError, BadScoreError):
            self.salvaged = _joined([*tested, *([] if self.salvaged is None else [self.salvaged])])
            raise
        return _joined(tested)

    def _pass(self, chunk: Chunk, trains: npt.NDArray[np.uint8]) -> Tested | None:
        """Test on all records of a chunk, and train on some; one at a time, in their order."""
        tests = np.ones(len(chunk), np.uint8)
        self.learner.now = chunk.start
        native = self.learner if isinstance(self.learner, NativeLearner) and self.learner.native else None
        if native and not self.setting.keep_scores and not self._watches:
            passed, seconds = self._grid.counted(native.counting_fold(chunk, tests, trains), chunk, every=self._every)
            self._keep(passed)
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        return self._counting(chunk, lambda: self.learner.test_or_train(chunk.X, chunk.y, chunk.weight, tests, trains))

    def _sampled(self, chunk: Chunk) -> npt.NDArray[np.uint8]:
        """Return which records train: a draw depends only on the seed of the run and the index of the record."""
        draws = _native.uniforms(self.setting.seed % (1 << 64), _DRAWS, chunk.start, len(chunk))
        return (draws < self._share).astype(np.uint8)

    def _learn_block(self) -> None:
        """Learn the records of the block that is complete."""
        block, self._block = self._block, []
        both = self.learner.learns_unlabelled
        trains = [(piece.labelled | both) & (self._sampled(piece) > 0) for piece in block]
        kept = concatenate(
            [replace(p, schema=self.learner.schema).select(t) for p, t in zip(block, trains, strict=True)]
        )
        if not len(kept):
            return
        begun = time.perf_counter()
        try:
            if both:
                self.learner.test_or_train(
                    kept.X, kept.y, kept.weight, np.zeros(len(kept), np.uint8), np.ones(len(kept), np.uint8)
                )
            else:
                self.learner.learn(kept.X, kept.y, kept.weight)
        except learner_faults() as error:
            message = str(error) if isinstance(error, LearnerError) else f"{type(error).__name__}: {error}"
            raise LearnerError(
                f"learning records {block[0].start:,} to {self.n_records - 1:,} as a block: {message}"
            ) from error
        self.clock.learn_seconds += time.perf_counter() - begun

    def state(self) -> dict[str, Any]:
        """Return the state, with the records of the block that is not complete."""
        waiting = [[one.start, one.X, one.y, one.weight] for one in self._block]
        return {**super().state(), "block": waiting}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        schema = self.learner.schema
        self._block = [Chunk(schema, start, X, y, None, weight) for start, X, y, weight in state["block"]]


def _joined(tested: list[Tested]) -> Tested | None:
    """Return the tested records of consecutive pieces of a chunk; None without any."""
    if not tested:
        return None
    return Tested(concatenate([one.chunk for one in tested]), np.concatenate([one.scores for one in tested]))
