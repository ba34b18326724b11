"""The role every source of records plays.

The file is long because whatever can be made of a stream is a method of it; each is made elsewhere, in
``compositions``, and imported where it is called, because it is a stream itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from prequential.errors import checked_whole
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.drift import Drift, within
from prequential.streams.schema import Schema
from prequential.types import FloatArray

if TYPE_CHECKING:
    from prequential.streams.compositions.delayed import DelayGiven

__all__ = ["DEFAULT_CHUNK", "Drift", "Stream", "rechunk"]

DEFAULT_CHUNK = 4096


class Stream(ABC):
    """A restartable sequence of records that share a schema, read in chunks.

    A subclass implements ``schema`` and ``chunks``; everything else follows from these.
    """

    name: str = "stream"
    restartable: bool = True
    """Whether ``chunks`` can be called again, from the first record."""
    generated: bool = False
    """Whether its records are made, from numbers alone, so that they are the same wherever it is read."""
    endless: bool = False
    """Whether it never ends by itself."""
    events: bool = False
    """Whether records arrive without their labels, which come later, in rows with the same id."""
    n_records: int | None = None
    """Length, where it is known without reading."""
    bayes_error: float | None = None
    """The error that no learner can be below, labels' noise included; None where it is not known."""
    _drifts_forever: bool = False
    """Whether it changes again and again, without end."""
    _drifts_read: bool = False
    """Whether records must be read to find where it changes."""
    _recurs: bool = False
    """Whether changes come in it at regular distances; some of them are then expected to be beyond an end."""
    _drawn: frozenset[int] = frozenset()
    """For which purposes random numbers are drawn in it: another composition takes other ones."""

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """The changes that are known to be in the stream."""
        return ()

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: of all).

        A stream that changes again and again without end has no list of all its drifts, but it has this one.
        """
        ends = [end for end in (n, self.n_records) if end is not None]
        return within(self.drifts, 0, min(ends, default=None))

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """Features, target and classes."""

    @abstractmethod
    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, in chunks of ``size`` records, the last one as long as it happens to be.

        Where the schema is open, a record that brings a new class or nominal value starts a new chunk, which may
        leave the one before shorter: the schema of a chunk is the one known after its first record. What is learnt
        of a class or value then does not depend on ``size``. The ``schema`` of the stream itself is the one known
        before the first record.

        A bad record raises an error after all records before it have been given.
        """

    def take(self, n: int) -> Stream:
        """Return the stream of the first ``n`` records."""
        from prequential.streams.compositions import Part

        return Part(self, 0, checked_whole(n, "n", "take"))

    def skip(self, n: int) -> Stream:
        """Return the stream without its first ``n`` records."""
        from prequential.streams.compositions import Part

        return Part(self, checked_whole(n, "n", "skip"), None)

    def drift_to(self, other: Stream, *, at: int, width: int = 1, real: bool = True, seed: int = 1) -> Stream:
        """Return the stream that changes from this one to another around record ``at``.

        Parameters
        ----------
        other
            Where the records come from after the change, from its first record on.
        at
            Record index of the middle of the change.
        width
            Records the change takes; 1 for an abrupt one. In a gradual one record i comes from the other stream
            with probability 1/(1 + exp(−4(i − at)/width)), as in MOA.
        real
            Whether the boundary between the classes changes, or only the distribution of the records.
        seed
            For the mixing.
        """
        from prequential.streams.compositions import Drifting

        return Drifting(self, other, at=at, width=width, real=real, seed=seed)

    def drift_through(self, *concepts: Stream, at: int, width: int, real: bool = True) -> Stream:
        """Return the stream that changes in small steps: an incremental drift.

        Over ``width`` records around ``at`` it passes through the concepts, all but the last, in equal abrupt steps;
        then the last one stays. It is listed as one drift.

        Parameters
        ----------
        concepts
            The streams to pass through, at least two.
        at
            Record index of the middle of the change.
        width
            Records the change takes.
        real
            Whether the boundary between the classes changes, or only the distribution of the records.
        """
        from prequential.streams.compositions import Incremental

        return Incremental(self, *concepts, at=at, width=width, real=real)

    def recurring(self, *others: Stream, every: int, width: int = 1, real: bool = True, seed: int = 1) -> Stream:
        """Return the stream in which this one and others take turns: this one, the others, this one again.

        Each goes on where it was left.

        Parameters
        ----------
        others
            The other streams, in their order.
        every
            Records from change to change.
        width
            Records a change takes; 1 for an abrupt one. At most ``every``.
        real
            Whether the boundary between the classes changes, or only the distribution of the records.
        seed
            For the mixing.
        """
        from prequential.streams.compositions import Recurring

        return Recurring(self, *others, every=every, width=width, real=real, seed=seed)

    def blip(self, other: Stream, *, at: int, width: int, real: bool = True) -> Stream:
        """Return the stream into which some records of another are put; then this one goes on where it was left.

        It is listed as a drift that is temporary: a detector should not answer to it.

        Parameters
        ----------
        other
            Where the records of the blip come from, from its first record on.
        at
            Record index of the first of them.
        width
            How many they are.
        real
            Whether the boundary between the classes is another in the blip, or only the distribution of the records.
        """
        from prequential.streams.compositions import Blip

        return Blip(self, other, at=at, width=width, real=real)

    def followed_by(self, other: Stream, *, real: bool = True) -> Stream:
        """Return the stream of all records of this one, then of all records of another.

        Where the other one begins there is a drift; ``real`` says of which kind.
        """
        from prequential.streams.compositions import Concatenation

        return Concatenation(self, other, real=real)

    def repeat(self, times: int | None = None) -> Stream:
        """Return the stream that has all records of this one ``times`` times, one after the other (None: for ever).

        Where this stream has drifts, each return to its beginning is one too.
        """
        from prequential.streams.compositions import Repetition

        return Repetition(self, times=times)

    def interleave(self, *others: Stream, shares: Sequence[float] | None = None, seed: int = 1) -> Stream:
        """Return the stream whose every record comes from one of several streams, drawn by chance.

        It ends when the stream whose turn it is has ended.

        Parameters
        ----------
        others
            The other streams.
        shares
            How often each stream has its turn, this one first, in any unit; by default equally often.
        seed
            For the draws.
        """
        from prequential.streams.compositions import Interleaved

        return Interleaved(self, *others, shares=shares, seed=seed)

    def class_ratio(
        self,
        ratio: str | Sequence[float] | Mapping[Any, float],
        *,
        changes: Mapping[int, str | Sequence[float] | Mapping[Any, float]] | None = None,
        width: int = 1,
        seed: int = 1,
    ) -> Stream:
        """Return the stream with a class ratio of your choice.

        For every record the class is drawn, then this stream is read on to its next record of that class; those
        before it are passed over. What the records of a class look like, and their order, stays.

        Parameters
        ----------
        ratio
            Such as ``"1:100"`` or ``[1, 100]``, in the order of the schema's classes, or ``{"no": 1, "yes": 100}``,
            where a class that is not named has no records.
        changes
            The ratio from some record on, by its index; each change is listed as a virtual drift.
        width
            Records a change takes, with its index in the middle: the shares move evenly. 1 for an abrupt one.
        seed
            For the draws.
        """
        from prequential.streams.compositions import ClassRatio

        return ClassRatio(self, ratio, changes=changes, width=width, seed=seed)

    def label_noise(self, share: float, *, seed: int = 1) -> Stream:
        """Return the stream in which a share of the labels are wrong: another class, evenly among the others."""
        from prequential.streams.compositions import LabelNoise

        return LabelNoise(self, share, seed=seed)

    def feature_noise(
        self,
        deviation: float = 0.0,
        *,
        nominal: float = 0.0,
        features: str | Sequence[str] | None = None,
        seed: int = 1,
    ) -> Stream:
        """Return the stream with noise on its features.

        Parameters
        ----------
        deviation
            Standard deviation of the normal noise that is added to numeric features.
        nominal
            Probability that a nominal value becomes another one of its feature, evenly among the others.
        features
            The names of the features to change; by default all.
        seed
            For the draws.
        """
        from prequential.streams.compositions import FeatureNoise

        return FeatureNoise(self, deviation, nominal=nominal, features=features, seed=seed)

    def missing(self, share: float, *, features: str | Sequence[str] | None = None, seed: int = 1) -> Stream:
        """Return the stream in which a share of the values are missing, of all features or of those named."""
        from prequential.streams.compositions import MissingValues

        return MissingValues(self, share, features=features, seed=seed)

    def sparse_labels(self, share: float, *, seed: int = 1) -> Stream:
        """Return the stream in which only a share of the labels are known."""
        from prequential.streams.compositions import SparseLabels

        return SparseLabels(self, share, seed=seed)

    def delayed(
        self,
        delay: DelayGiven,
        *,
        clock: Literal["records", "time"] = "records",
        first: Literal["records", "labels"] = "records",
        rest: bool = True,
        seed: int = 1,
    ) -> Stream:
        """Return the stream of events in which records arrive without their labels, which come later.

        Parameters
        ----------
        delay
            A number, ``pq.streams.UniformDelay(50, 150)``, ``pq.streams.ExponentialDelay(100)``, the name of a feature
            that holds the delay (it is then no longer a feature), or a function that returns the delays of a chunk.
        clock
            What it is measured in: ``records``, or the stream's own ``time``.
        first
            What comes first of events at one time: ``records``, as in the streams of Grzenda et al., or ``labels``, as
            in River and with MOA's fixed delay.
        rest
            Whether labels still come that are due after the last record.
        seed
            For delays that are drawn.
        """
        from prequential.streams.compositions import Delayed

        return Delayed(self, delay, clock=clock, first=first, rest=rest, seed=seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:  # noqa: ARG002  # what a stream with a truth needs
        """Return the true probability of each class (columns) for records (rows) with these indices in the stream.

        None where the truth is not known, as of any stream that is read from a file.
        """
        return None

    def reseeded(self, seed: int) -> Stream:  # noqa: ARG002  # most streams draw nothing
        """Return the same stream with other draws; one that draws nothing, such as a file, is given back as it is.

        Each seed within it, of a generator or of a change, is replaced by one made of itself and of ``seed``: seeds
        that are equal stay so, others stay different. Who needs many streams of a kind, as alike as chance allows,
        numbers them.
        """
        return self

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {"name": self.name, "n_records": self.n_records}

    def __repr__(self) -> str:
        length = "?" if self.n_records is None else f"{self.n_records:,}"
        return f"<{type(self).__name__} {self.name!r}: {length} records, {self.schema.n_features} features>"


def rechunk(pieces: Iterable[Chunk], size: int, start: int = 0) -> Iterator[Chunk]:
    """Cut pieces of any length into chunks of ``size`` records, leaving out those before record ``start``.

    Pieces of different schemas are not joined. When the source raises an error, what is waiting is given first.
    """
    size = checked_whole(size, "size", "chunks", least=1)
    waiting: list[Chunk] = []
    n_waiting = 0
    try:
        for piece in pieces:
            if piece.start + len(piece) <= start:
                continue
            if waiting and piece.schema is not waiting[0].schema and piece.schema != waiting[0].schema:
                yield concatenate(waiting)
                waiting, n_waiting = [], 0
            at = max(0, start - piece.start)
            while at < len(piece):
                part = piece[at : at + size - n_waiting]
                waiting.append(part)
                n_waiting += len(part)
                at += len(part)
                if n_waiting == size:
                    yield concatenate(waiting)
                    waiting, n_waiting = [], 0
    except Exception:
        if waiting:
            yield concatenate(waiting)
        raise
    if waiting:
        yield concatenate(waiting)
