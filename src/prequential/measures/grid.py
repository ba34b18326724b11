"""The grid of measures × forgettings: counts kept natively, measures computed from them at the checkpoints."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError, LearnerError, ParameterError, listing
from prequential.learners.native import NativeLearner
from prequential.measures.auc import RANKS
from prequential.measures.counts import Counts
from prequential.measures.forgetting import Forgetting
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray

_MOST_NUMBERS = 1 << 20
"""Numbers that the checkpoints of one native call may take: memory stays constant however often one looks."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """What was counted at some moments: values, never live objects.

    Parameters
    ----------
    n, time
        Records seen, and the time of the last (NaN without a clock), one number a checkpoint.
    n_unlabelled, n_abstained
        Records without a label and labelled records without a prediction, so far.
    n_nonfinite
        Of the abstentions, those that came as scores of NaN or infinity.
    counts
        The counts, with the axes (checkpoint, forgetting).
    """

    n: IntArray
    time: FloatArray
    n_unlabelled: IntArray
    n_abstained: IntArray
    n_nonfinite: IntArray
    counts: Counts

    def __len__(self) -> int:
        return len(self.n)

    @classmethod
    def join(cls, parts: Sequence[Checkpoints]) -> Checkpoints:
        """Put checkpoints behind one another; where classes have appeared, earlier matrices have zeros for them."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([p.n for p in parts]),
            np.concatenate([p.time for p in parts]),
            np.concatenate([p.n_unlabelled for p in parts]),
            np.concatenate([p.n_abstained for p in parts]),
            np.concatenate([p.n_nonfinite for p in parts]),
            Counts.join([p.counts for p in parts]),
        )


class BadScoreError(LearnerError):
    """A score that cannot be; it carries the checkpoints that were passed before it."""

    def __init__(self, message: str, passed: list[Checkpoints]) -> None:
        super().__init__(message)
        self.passed = passed


class Grid:
    """Counts under several forgettings at once, from one native pass.

    Parameters
    ----------
    schema
        The stream's schema; more classes may appear later.
    forgetting
        The forgettings, in the order in which checkpoints list them.
    probabilities
        Whether to keep what log-loss and Brier score need.
    skip_abstained
        Whether abstentions are left out instead of counted wrong (convention 3).
    ranks
        The measures of the order of scores to keep in sliding windows, of ``auc.RANKS``.
    verdicts
        Whether to keep of each record whether it was predicted right, until ``take_verdicts`` takes it away.
    """

    def __init__(
        self,
        schema: Schema,
        forgetting: Sequence[Forgetting],
        *,
        probabilities: bool,
        skip_abstained: bool,
        ranks: Collection[str] = (),
        verdicts: bool = False,
    ) -> None:
        self.forgetting = tuple(forgetting)
        self.regression = schema.classes is None
        bits = sum(1 << RANKS.index(name) for name in set(ranks))
        self._n_ranks = len(RANKS) if bits and not self.regression else 0
        self._parameters = (schema.n_classes, self.regression, probabilities, skip_abstained, bits)
        self._verdicts = verdicts
        self._native = self._empty()

    def update(
        self, chunk: Chunk, scores: FloatArray | None, prediction: IntArray | None = None, *, every: int = 0
    ) -> list[Checkpoints]:
        """Count some records; return the checkpoints passed on the way.

        Raises
        ------
        BadScoreError
            For a negative score; the records before it have been counted.
        """
        passed: list[Checkpoints] = []
        for part in self._parts(len(chunk), every):
            labels = chunk.y[part]
            head, counts, fault = self._native.update(
                None if self.regression else labels,
                labels if self.regression else None,
                None if scores is None else scores[part],
                None if prediction is None else prediction[part],
                None if chunk.weight is None else chunk.weight[part],
                None if chunk.time is None else chunk.time[part],
                every,
            )
            if len(head):
                passed.append(self._checkpoints(head, counts))
            if fault:
                raise BadScoreError(fault, passed)
        return passed

    def prime(self, chunk: Chunk) -> None:
        """Tell the baselines labels that came before the first record to be counted."""
        if not self.regression:
            self._native.prime(chunk.y, chunk.weight, chunk.time)

    def test(self, learner: NativeLearner, chunk: Chunk, *, every: int = 0) -> tuple[list[Checkpoints], float]:
        """Let a native learner test and train on some records and count its scores at once, all in native code.

        Returns
        -------
        The checkpoints passed on the way, and the seconds spent on counting.
        """
        passed: list[Checkpoints] = []
        seconds = 0.0
        for part in self._parts(len(chunk), every):
            records = chunk[part]
            head, counts, spent = learner.test_and_count(
                self._native, records.X, records.y, records.weight, records.time, every
            )
            seconds += spent
            if len(head):
                passed.append(self._checkpoints(head, counts))
        return passed, seconds

    def checkpoint(self) -> Checkpoints:
        """Return the counts as they are now."""
        return self._checkpoints(*self._native.snapshot())

    def take_verdicts(self) -> npt.NDArray[np.uint8]:
        """Take away what was kept of each record since the last call: 0 wrong, 1 right, 2 not counted."""
        return self._native.take_verdicts()

    def merge(self, later: Grid) -> None:
        """Go on as if the records of ``later`` had come after those of this grid; both began empty.

        All counts are those of one pass over both parts, but for the hits of the majority class: those of the later
        part were judged without knowing the earlier labels. They are NaN, and so is κ_m, for as long as records count
        that had earlier labels in their window: under ``Cumulative`` and ``Fading`` for good, under windows until they
        have left. ``ExponentialHistogram`` stays within its error. ADWIN windows cannot be merged.

        ``later`` is not changed; where the two do not fit, neither is this grid.

        Raises
        ------
        ParameterError
            If the grids have different forgettings.
        InputError
            If they count different things, if one of the forgettings cannot be merged, or if ``later`` begins before
            this one ends.
        """
        mine, its = ([one.label for one in grid.forgetting] for grid in (self, later))
        if mine != its:
            raise ParameterError("later", "Grid.merge", f"a grid under {listing(mine, 40)}", its)
        try:
            self._native.merge(later._native)
        except ValueError as fault:
            raise InputError(f"Grid.merge: {fault}.") from None

    def grow(self, n_classes: int) -> None:
        """Know of so many classes, if they are more than before."""
        if not self.regression:
            self._native.grow(n_classes)

    @property
    def n_classes(self) -> int:
        """The number of classes seen or declared so far."""
        return self._native.n_classes

    @property
    def n_seen(self) -> int:
        """The number of records counted, labelled or not."""
        return self._native.n_seen

    @property
    def nbytes(self) -> int:
        """Bytes held, whatever the number of records."""
        return self._native.nbytes

    def to_bytes(self) -> bytes:
        """Return the whole state."""
        return self._native.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Take over the state of a grid of the same kind; where it does not fit, nothing is changed."""
        loaded = self._empty()
        loaded.load_bytes(state)
        self._native = loaded

    def _empty(self) -> _native.Grid:
        grid = _native.Grid(*self._parameters)
        for one in self.forgetting:
            one.join(grid)
        if self._verdicts:
            grid.keep_verdicts()
        return grid

    def _parts(self, n: int, every: int) -> Iterator[slice]:
        """Cut ``n`` records so that the checkpoints of a part take a bounded number of numbers."""
        width = max(1, len(self.forgetting) * (self._native.n_classes + 1) ** 2)
        step = max(1, every * max(1, _MOST_NUMBERS // width)) if every else max(1, n)
        return (slice(first, min(n, first + step)) for first in range(0, n, step))

    def _checkpoints(self, head: FloatArray, counts: FloatArray) -> Checkpoints:
        return Checkpoints(
            head[:, 0].astype(np.int64),
            head[:, 1],
            head[:, 2].astype(np.int64),
            head[:, 3].astype(np.int64),
            head[:, 4].astype(np.int64),
            Counts.unpack(counts, self._native.n_classes, self._n_ranks),
        )
