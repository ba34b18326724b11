"""Holdout: the current model, frozen, on records it never trains on, at regular intervals."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError, LearnerError, ParameterError, is_number
from prequential.learners.contract import Learner
from prequential.measures.counts import Counts
from prequential.measures.forgetting import Cumulative, Forgetting
from prequential.measures.grid import Checkpoints, Grid
from prequential.protocols.protocol import Protocol, Replica, Setting, Tested
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdout(Protocol):
    """Test the frozen model every so many records (``every`` of the run) on records set aside.

    Each test stands alone, so there is no forgetting to choose: the trace says ``holdout`` in its place. Records of a
    test have no order, so the share of the largest class stands in for the causal majority in κ_m, and κ_per is
    undefined.

    Parameters
    ----------
    test
        A separate stream, tested whole every time.
    share
        Instead of ``test``: the share of each period's records that is set aside, evenly spread, for the test at its
        end.

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013.
    """

    test: Stream | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if (self.test is None) == (self.share is None):
            raise ParameterError("test", "Holdout", "given, or else 'share', and not both", self.test)
        if self.share is not None and not (is_number(self.share) and 0 < self.share < 1):
            raise ParameterError("share", "Holdout", "in (0, 1)", self.share)
        if self.test is not None and not isinstance(self.test, Stream):
            raise ParameterError("test", "Holdout", "a stream, such as pq.read(path)", self.test)
        if self.test is not None and (not self.test.restartable or self.test.endless):
            raise InputError("Holdout: the test stream must be finite and restartable; cut it with take(n).")

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # it has one
        """Put a fresh learner on its way."""
        if self.test is not None and self.test.schema.features != setting.schema.features:
            raise InputError("Holdout: the test stream must have the features of the stream.")
        if self.test is not None and self.test.schema.classes != setting.schema.classes:
            raise InputError(
                "Holdout: the test stream must have the classes of the stream, in the same order "
                f"({setting.schema.classes}, not {self.test.schema.classes}); say classes= where it is made."
            )
        return HoldoutReplica(learner, setting, self.test, self.share)

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:  # noqa: ARG002  # the role asks for it
        """Return what the trace calls a test."""
        return ["holdout"]

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""
        test = None if self.test is None else self.test.describe()
        return {"protocol": "holdout", "test": test, "share": self.share}


class HoldoutReplica(Replica):
    """One learner under holdout evaluation."""

    def __init__(self, learner: Learner, setting: Setting, test: Stream | None, share: float | None) -> None:
        super().__init__(learner)
        self._setting = setting
        self._test = test
        self._share = share
        self._aside: list[Chunk] = []
        self._n_unlabelled = self._n_abstained = self._n_nonfinite = 0
        self._time = float("nan")

    def step(self, chunk: Chunk) -> Tested | None:
        """Train on records, set some aside, test at the end of each period."""
        self.adapt(chunk)
        every = self._setting.every
        while len(chunk):
            part = chunk[: every - self.n_records % every]
            chunk = chunk[len(part) :]
            self._train(part)
            if self.n_records % every == 0:
                self._examine()
        return None

    def finish(self) -> None:
        """Test once more if records have come since the last test."""
        if self.n_records % self._setting.every or not self.n_records:
            self._examine()

    def abandon(self) -> None:
        """Report nothing more: a test would have to ask the learner."""
        self._aside = []

    def state(self) -> dict[str, Any]:
        """Return the state of the learner, and the records set aside since the last test."""
        aside = [[one.start, one.X, one.y, one.time, one.weight] for one in self._aside]
        counts = [self._n_unlabelled, self._n_abstained, self._n_nonfinite]
        return {**super().state(), "aside": aside, "counts": counts, "time": self._time}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another was."""
        super().restore(state)
        self._aside = [Chunk(self.learner.schema, *one) for one in state["aside"]]
        self._n_unlabelled, self._n_abstained, self._n_nonfinite = state["counts"]
        self._time = state["time"]

    def _train(self, chunk: Chunk) -> None:
        known = chunk.labelled
        self._n_unlabelled += int((~known).sum())
        if self._share is not None:
            aside = self._chosen(chunk)
            self._aside.append(_pick(chunk, aside & known))
            known &= ~aside
        self.train(chunk, known)
        self.n_records += len(chunk)
        if chunk.time is not None:
            self._time = float(chunk.time[-1])

    def _chosen(self, chunk: Chunk) -> npt.NDArray[np.bool_]:
        """Return which records are set aside: every (1/share)-th, whatever the cut into chunks."""
        i = np.arange(self.n_records, self.n_records + len(chunk) + 1, dtype=np.float64)
        return np.diff(np.floor(i * (self._share or 0.0) + 1e-9)) > 0

    def _examine(self) -> None:
        grid = self._setting.grid([Cumulative()])
        self.learner.now = max(0, self.n_records - 1)  # frozen as it is at the last record of the period
        for chunk in self._test_chunks():
            begun = time.perf_counter()
            try:
                scores = self.learner.scores(chunk.X)
            except Exception as error:
                raise LearnerError(f"{type(error).__name__}: {error}") from error
            asked = time.perf_counter()
            grid.update(chunk, scores)
            self.learner.clock.predict_seconds += asked - begun
            self.score_seconds += time.perf_counter() - asked
        self._aside = []
        self._passed.append(self._result(grid))

    def _test_chunks(self) -> Iterator[Chunk]:
        yield from self._aside if self._test is None else self._test.chunks()

    def _result(self, grid: Grid) -> Checkpoints:
        result = grid.checkpoint()
        counts = result.counts
        if counts.n_classes:
            bare = Counts.of_matrix(counts.matrix)
            counts = replace(counts, majority_hits=bare.majority_hits, no_change_hits=bare.no_change_hits)
        self._n_abstained += int(result.n_abstained[0])
        self._n_nonfinite += int(result.n_nonfinite[0])
        return Checkpoints(
            np.array([self.n_records], dtype=np.int64),
            np.array([self._time]),
            np.array([self._n_unlabelled], dtype=np.int64),
            np.array([self._n_abstained], dtype=np.int64),
            np.array([self._n_nonfinite], dtype=np.int64),
            counts,
        )


def _pick(chunk: Chunk, which: npt.NDArray[np.bool_]) -> Chunk:
    return replace(
        chunk,
        X=chunk.X[which],
        y=chunk.y[which],
        time=None if chunk.time is None else chunk.time[which],
        weight=None if chunk.weight is None else chunk.weight[which],
        id=None if chunk.id is None else chunk.id[which],
    )
