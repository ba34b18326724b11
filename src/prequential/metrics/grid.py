"""The grid of metrics × forgettings: native code counts, and metrics are computed from the counts at checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.metrics.auc import RANKS
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.loss import computed
from prequential.metrics.metric import Metric
from prequential.metrics.probabilities import probabilities
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing

_MOST_NUMBERS = 1 << 20
"""Maximum number of values in the checkpoints of one native call, so that memory stays bounded with any ``every``."""
_NO_POSITIVE, _NOT_SEEN = -1, -2
"""Used instead of the code of the positive class: there is no such class, or it has not appeared yet."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The counts at some moments: values, never live objects.

    Parameters
    ----------
    n, time
        Records seen, and the time of the last one (NaN without a clock), one number per checkpoint.
    n_unlabelled, n_abstained
        Records without a label and labelled records without a prediction, so far.
    n_nonfinite
        Abstentions because of scores that are NaN or infinite.
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
        """Concatenate checkpoints; earlier matrices get zeros for classes that appeared later."""
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

    def until(self, n: int) -> Checkpoints:
        """Return the checkpoints up to record ``n``."""
        keep = self.n <= n
        counts = Counts(*(getattr(self.counts, name)[keep] for name in Counts.__dataclass_fields__))
        heads = {name: getattr(self, name)[keep] for name in Checkpoints.__dataclass_fields__ if name != "counts"}
        return Checkpoints(**heads, counts=counts)


class BadScoreError(LearnerError):
    """A score that is not allowed; ``passed`` holds the checkpoints before it."""

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
        The rank-based metrics to keep, from ``auc.RANKS``.
    positive
        The positive class of rank-based metrics, in the spelling of the schema; it may appear later. By default the
        second of two classes, and with more classes each in turn.
    ties
        How tied pairs count in the AUC: ``"half"``, or ``"paper"`` (the older record is ranked higher).
    verdicts
        Whether to keep for each record whether it was predicted right, until ``take_verdicts``.
    losses
        User-defined losses (``pq.loss``), whose sums follow the others in ``Counts.losses``.
    """

    def __init__(
        self,
        schema: Schema,
        forgetting: Sequence[Forgetting],
        *,
        probabilities: bool,
        skip_abstained: bool,
        ranks: Collection[str] = (),
        positive: Label | None = None,
        ties: Literal["half", "paper"] = "half",
        verdicts: bool = False,
        losses: Sequence[Metric] = (),
    ) -> None:
        self.forgetting = tuple(forgetting)
        self.losses = tuple(losses)
        self._n_own = sum(one.n_sums for one in self.losses)
        self.regression = schema.classes is None
        bits = sum(1 << RANKS.index(name) for name in set(ranks))
        self._n_ranks = 2 * len(RANKS) if bits and not self.regression else 0
        self._positive = positive if bits and not self.regression else None
        self._first_code = _NO_POSITIVE if self._positive is None else self._code_of_positive(schema)
        flags = (self.regression, probabilities, skip_abstained)
        self._parameters = (
            schema.n_classes,
            *flags,
            bits,
            self._first_code,
            ties == "paper",
            schema.open,
            self._n_own,
        )
        self._verdicts = verdicts
        self._awaits_positive = False
        self._native = self._empty()

    def update(
        self,
        chunk: Chunk,
        scores: FloatArray | None,
        prediction: IntArray | None = None,
        *,
        tested: npt.NDArray[np.uint8] | None = None,
        margin: FloatArray | None = None,
        margin_of: int = 1,
        every: int = 0,
    ) -> list[Checkpoints]:
        """Count some records; return the checkpoints passed.

        Records whose flag in ``tested`` is 0 were not predicted: they are seen, but do not count. Instead of scores,
        there may be a ``margin`` between two classes, higher for the class ``margin_of``.

        Raises
        ------
        BadScoreError
            For a negative score; the records before it have been counted.
        """
        self.meet(chunk.schema)
        passed: list[Checkpoints] = []
        for part in self._parts(len(chunk), every):
            labels = chunk.y[part]
            updated = self._native.update(
                None if self.regression else labels,
                labels if self.regression else None,
                None if scores is None else scores[part],
                None if prediction is None else prediction[part],
                None if chunk.weight is None else chunk.weight[part],
                None if chunk.time is None else chunk.time[part],
                every,
                None if tested is None else tested[part],
                None if margin is None else margin[part],
                margin_of,
                self._own(chunk[part], scores, prediction, tested, part) if self.losses else None,
            )
            passed += self._checkpoints(updated)
            if updated.fault:
                raise BadScoreError(updated.fault, passed)
        return passed

    def prime(self, chunk: Chunk) -> None:
        """Give the baselines the labels that came before the first record to be counted."""
        if not self.regression:
            self._native.prime(chunk.y, chunk.weight, chunk.time)

    def meet(self, schema: Schema) -> None:
        """Look for the positive class among the classes of a chunk, if it has not appeared yet."""
        if self._awaits_positive and (code := self._code_of_positive(schema)) != _NOT_SEEN:
            self._native.set_positive(code)
            self._awaits_positive = False

    def counted(
        self, step: Callable[[_native.Grid, slice, int], _native.Counted], chunk: Chunk, *, every: int = 0
    ) -> tuple[list[Checkpoints], float]:
        """Count the scores that ``step`` makes of the records of a chunk.

        Parameters
        ----------
        step
            Called with the native grid, a part of the records and ``every``, such as ``NativeLearner.counting``.
        chunk
            The records.
        every
            Records between two checkpoints; 0 for none.

        Returns
        -------
        The checkpoints passed, and the seconds spent on counting.
        """
        self.meet(chunk.schema)
        passed: list[Checkpoints] = []
        seconds = 0.0
        for part in self._parts(len(chunk), every):
            counted = step(self._native, part, every)
            passed += self._checkpoints(counted)
            seconds += counted.seconds.count
        return passed, seconds

    def roc_groups(self, part: int, code: int) -> _native.ScoreGroups:
        """Return the scores of a class in the window of a forgetting, with the weights of both classes at each.

        Raises
        ------
        ValueError
            If the forgetting keeps no order of scores.
        """
        return self._native.groups(part, code)

    def checkpoint(self) -> Checkpoints:
        """Return the current counts."""
        return self._checkpoints(self._native.snapshot())[0]

    def take_verdicts(self) -> npt.NDArray[np.uint8]:
        """Return and drop the verdict on each record since the last call: 0 wrong, 1 right, 2 not counted."""
        return self._native.take_verdicts()

    def merge(self, later: Grid) -> None:
        """Append the records of ``later`` to those of this grid; both began empty.

        All counts equal those of one pass over both parts, except the hits of the majority class: the later part was
        judged without the earlier labels. They are NaN, and so is κ_m, as long as such records count: for ever under
        ``Cumulative`` and ``Fading``, until they have left the window otherwise. ``ExponentialHistogram`` stays within
        its error. ADWIN windows cannot be merged.

        ``later`` is not changed; neither is this grid if the two do not fit.

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
            raise ParameterError("later", "Grid.merge", f"a grid with the same forgettings ({listing(mine, 40)})", its)
        try:
            self._native.merge(later._native)
        except ValueError as fault:
            raise InputError(f"Grid.merge: {fault}.") from None

    def grow(self, n_classes: int) -> None:
        """Make room for ``n_classes`` classes, if that is more than now."""
        if not self.regression:
            self._native.grow(n_classes)

    @property
    def native(self) -> _native.Grid:
        """The native grid, to count single records; ``load_bytes`` replaces it."""
        return self._native

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
        """Bytes held; they do not grow with the number of records."""
        return self._native.nbytes

    def to_bytes(self) -> bytes:
        """Return the whole state."""
        return self._native.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Restore from ``to_bytes`` of a grid of the same kind; if they do not fit, nothing is changed."""
        loaded = self._empty()
        loaded.load_bytes(state)
        self._native = loaded

    def _own(
        self,
        chunk: Chunk,
        scores: FloatArray | None,
        prediction: IntArray | None,
        tested: npt.NDArray[np.uint8] | None,
        part: slice,
    ) -> FloatArray:
        """Return the user-defined losses of some records, 0 for those that do not count."""
        counted = chunk.labelled
        if tested is not None:
            counted = counted & (tested[part] != 0)
        given = None if scores is None else scores[part]
        if self.regression:
            assert given is not None
            numbers = given[:, 0]
            return computed(self.losses, chunk.y, numbers, counted & np.isfinite(numbers), chunk.start)
        codes = None if prediction is None else prediction[part]
        p = probabilities(given, codes, max(chunk.schema.n_classes, self.n_classes))
        return computed(self.losses, chunk.y, p, counted, chunk.start)

    def _code_of_positive(self, schema: Schema) -> int:
        code = schema.code_of(self._positive)
        return _NOT_SEEN if code is None else code

    def _empty(self) -> _native.Grid:
        self._awaits_positive = self._first_code == _NOT_SEEN
        grid = _native.Grid(*self._parameters)
        for one in self.forgetting:
            one.join(grid)
        if self._verdicts:
            grid.keep_verdicts()
        return grid

    def _parts(self, n: int, every: int) -> Iterator[slice]:
        """Cut ``n`` records into parts whose checkpoints hold a bounded number of numbers."""
        width = max(1, len(self.forgetting) * ((self._native.n_classes + 1) ** 2 + self._n_own))
        step = max(1, every * max(1, _MOST_NUMBERS // width)) if every else max(1, n)
        return (slice(first, min(n, first + step)) for first in range(0, n, step))

    def _checkpoints(self, snapshots: _native.Snapshots) -> list[Checkpoints]:
        """Return the checkpoints as values; none if none was passed."""
        head = snapshots.head
        if not len(head):
            return []
        return [
            Checkpoints(
                head[:, 0].astype(np.int64),
                head[:, 1],
                head[:, 2].astype(np.int64),
                head[:, 3].astype(np.int64),
                head[:, 4].astype(np.int64),
                Counts.unpack(snapshots.counts, self._native.n_classes, self._n_ranks),
            )
        ]
