"""The interface of every source of records.

The file is long because each transformation of a stream is a method with its documentation here. The classes that
implement them are streams too and import this file, so they are registered here instead of imported.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from prequential.arguments import checked_call, checked_whole
from prequential.data_frame import data_frame
from prequential.errors import CallError, InputError
from prequential.namespace import NotIndexed, Suggesting
from prequential.streams.arrow_table import arrow_table
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift, within
from prequential.streams.head import Head
from prequential.streams.record import records
from prequential.streams.schema import Schema
from prequential.types import FloatArray

if TYPE_CHECKING:
    import pandas as pd

    from prequential.streams.compositions.delayed import DelayGiven

DEFAULT_CHUNK = 4096
_COMPOSITIONS: dict[str, Callable[..., Stream]] = {}


def register_compositions(compositions: Mapping[str, Callable[..., Stream]]) -> None:
    """Set the classes behind the methods of `Stream`, by method; ``prequential.streams.compositions`` calls it."""
    _COMPOSITIONS.update(compositions)


class Stream(Suggesting, NotIndexed, ABC):
    """A sequence of records with one schema, read in chunks.

    A subclass implements ``schema`` and ``chunks``; the other methods are derived from these.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(1000)
    >>> stream.n_records, stream.schema.n_features
    (1000, 3)
    >>> x, y = next(iter(stream))
    >>> sorted(x), y
    (['attrib1', 'attrib2', 'attrib3'], 'groupB')
    """

    name: str = "stream"
    restartable: bool = True
    """Whether ``chunks`` can be called more than once."""
    generated: bool = False
    """Whether its records are computed from parameters alone, so that every machine reads the same ones."""
    endless: bool = False
    """Whether it has no last record."""
    events: bool = False
    """Whether records arrive without labels; labels follow later, in rows with the same id."""
    n_records: int | None = None
    """Length, if known without reading."""
    bayes_error: float | None = None
    """The lowest possible error, label noise included; its mean over the records if it changes; None if unknown."""
    _bayes_error_changes: bool = False
    """Whether ``bayes_error`` is a mean over records with different ones: then it is not that of a part."""
    _drifts_forever: bool = False
    """Whether the number of its drifts is infinite."""
    _drifts_read: bool = False
    """Whether records must be read to locate its drifts."""
    _recurs: bool = False
    """Whether drifts recur at regular distances; then some lie beyond any end, and no warning is needed."""
    _noisy_labels: bool = False
    """Whether some of its labels were replaced by wrong ones."""
    _drawn: frozenset[int] = frozenset()
    """Keys of the random draws already used in it; a further composition uses other keys."""

    @property
    def n_counted(self) -> int | None:
        """Number of records that checkpoints count, if known without reading; of events, about half are labels."""
        return self.n_records // 2 if self.events and self.n_records is not None else self.n_records

    @property
    def _constant_bayes_error(self) -> float | None:
        """The Bayes error of every record, and so of every part; None if it changes or is unknown."""
        return None if self._bayes_error_changes else self.bayes_error

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """The known drifts of the stream."""
        return ()

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records).

        It also works for a stream whose drifts never end.
        """
        ends = [end for end in (n, self.n_records) if end is not None]
        return within(self.drifts, 0, min(ends, default=None))

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """Features, target and classes."""

    @abstractmethod
    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, in chunks of ``size`` records; the last chunk may be shorter.

        With an open schema, a record with a new class or nominal value starts a new chunk, so the chunk before it may
        be shorter. The schema of a chunk is the one known after its first record; it does not depend on ``size``. The
        ``schema`` of the stream is the one known before the first record.

        A bad record raises an error after all records before it have been yielded.
        """

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Any]]:
        """Yield the records one by one, as River does: a dict of the features and the label.

        Missing values are left out of the dict, and an unknown label is None. Times, weights and identifiers are in
        ``chunks``, which is also much faster. An endless stream never stops: use ``take(n)``, or leave the loop.

        Examples
        --------
        >>> from prequential.streams import SEA
        >>> for x, y in SEA(seed=1).take(2):
        ...     print(sorted(x), y)
        ['attrib1', 'attrib2', 'attrib3'] groupB
        ['attrib1', 'attrib2', 'attrib3'] groupA
        """
        return (record for chunk in self.chunks() for record in records(chunk))

    def __length_hint__(self) -> int:
        """Refuse ``list(stream)`` of an endless stream, which would fill the memory."""
        check_finite(self)
        return NotImplemented if self.n_records is None else self.n_records

    @checked_call
    def head(self, n: float = 5) -> Head:
        """Return the first ``n`` records, which print as a table.

        Examples
        --------
        >>> from prequential.streams import STAGGER
        >>> STAGGER(seed=1).head(2)
        size   color  shape     class
        large  red    triangle  false
        large  green  triangle  false
        """
        n = checked_whole(n, "n", "head")
        if not self.restartable:
            raise InputError(
                f"{self.name} can be read only once, and its first records would be lost. Make the stream from a list, "
                "or from a function that returns an iterator."
            )
        return Head(self.take(n).to_arrow())

    def to_arrow(self) -> pa.Table:
        """Return all records as an Arrow table: features, time, weight and id if present, and the target last.

        Nominal columns are dictionaries with all their values in the order of their codes.

        Examples
        --------
        >>> from prequential.streams import SEA
        >>> SEA(seed=1).take(100).to_arrow().shape
        (100, 4)
        """
        check_finite(self)
        return arrow_table(self.chunks(), self.schema)

    def __len__(self) -> int:
        if self.n_records is None:
            raise CallError(f"The number of records of {self.name} is not known before they are read.")
        return self.n_records

    def __bool__(self) -> bool:
        return True

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> pd.DataFrame:
        """Return all records as a pandas DataFrame, nominal columns as categories; see ``to_arrow``.

        Examples
        --------
        >>> from prequential.streams import SEA
        >>> SEA(seed=1).take(100).to_pandas()["class"].cat.categories.tolist()
        ['groupA', 'groupB']
        """
        return data_frame(self.to_arrow(), "stream.to_pandas()")

    @checked_call
    def take(self, n: float) -> Stream:
        """Return the first ``n`` records (1e6 is accepted)."""
        return _COMPOSITIONS["take"](self, 0, checked_whole(n, "n", "take"))

    @checked_call
    def skip(self, n: float) -> Stream:
        """Return the stream without its first ``n`` records."""
        return _COMPOSITIONS["take"](self, checked_whole(n, "n", "skip"), None)

    @checked_call
    def drift_to(self, other: Stream, *, at: int, width: int = 1, real: bool = True, seed: int = 1) -> Stream:
        """Return a stream that drifts from this one to another around record ``at``.

        Parameters
        ----------
        other
            The stream after the drift, read from its first record.
        at
            Record index of the middle of the drift.
        width
            Length of the drift in records; 1 for an abrupt drift. In a gradual drift, record i comes from the other
            stream with probability 1/(1 + exp(−4(i − at)/width)), as in MOA.
        real
            Whether the boundary between the classes changes (real drift) or only the distribution of the records.
        seed
            Seed of the mixing.
        """
        return _COMPOSITIONS["drift_to"](self, other, at=at, width=width, real=real, seed=seed)

    @checked_call
    def drift_through(self, *concepts: Stream, at: int, width: int, real: bool = True) -> Stream:
        """Return a stream with an incremental drift: a change in small steps.

        Over ``width`` records around ``at`` it passes through all concepts except the last in equal abrupt steps; after
        that, all records come from the last one. It is listed as one drift.

        Parameters
        ----------
        concepts
            The streams to pass through, at least two.
        at
            Record index of the middle of the drift.
        width
            Length of the drift in records.
        real
            Whether the boundary between the classes changes (real drift) or only the distribution of the records.
        """
        return _COMPOSITIONS["drift_through"](self, *concepts, at=at, width=width, real=real)

    @checked_call
    def recurring(self, *others: Stream, every: int, width: int = 1, real: bool = True, seed: int = 1) -> Stream:
        """Return a stream in which this one and others take turns: this one, the others, this one again.

        Each stream continues after its last record read.

        Parameters
        ----------
        others
            The other streams, in order.
        every
            Records between two drifts.
        width
            Length of a drift in records; 1 for an abrupt drift. At most ``every``.
        real
            Whether the boundary between the classes changes (real drift) or only the distribution of the records.
        seed
            Seed of the mixing.
        """
        return _COMPOSITIONS["recurring"](self, *others, every=every, width=width, real=real, seed=seed)

    @checked_call
    def blip(self, other: Stream, *, at: int, width: int, real: bool = True) -> Stream:
        """Return this stream with a few records of another one inserted.

        The blip is listed as a temporary drift, to which a detector should not react.

        Parameters
        ----------
        other
            The stream whose first records are inserted.
        at
            Record index of the first inserted record.
        width
            Number of inserted records.
        real
            Whether the boundary between the classes differs in the blip, or only the distribution of the records.
        """
        return _COMPOSITIONS["blip"](self, other, at=at, width=width, real=real)

    @checked_call
    def followed_by(self, other: Stream, *, real: bool = True) -> Stream:
        """Return all records of this stream, followed by all records of another.

        A drift is listed where the other stream begins; ``real`` says whether it is a real or a virtual one.
        """
        return _COMPOSITIONS["followed_by"](self, other, real=real)

    @checked_call
    def repeat(self, times: int | None = None) -> Stream:
        """Return this stream repeated ``times`` times (None: without end).

        If this stream has drifts, each return to its beginning is a drift too.
        """
        return _COMPOSITIONS["repeat"](self, times=times)

    @checked_call
    def interleave(self, *others: Stream, shares: Sequence[float] | None = None, seed: int = 1) -> Stream:
        """Return a stream in which each record comes from one of several streams, chosen at random.

        It ends when the chosen stream has no more records.

        Parameters
        ----------
        others
            The other streams.
        shares
            Relative frequency of each stream, this one first; equal by default.
        seed
            Seed of the draws.
        """
        return _COMPOSITIONS["interleave"](self, *others, shares=shares, seed=seed)

    @checked_call
    def class_ratio(
        self,
        ratio: str | Sequence[float] | Mapping[Any, float],
        *,
        changes: Mapping[int, str | Sequence[float] | Mapping[Any, float]] | None = None,
        width: int = 1,
        seed: int = 1,
        scale: Literal["shares", "ratio", "logarithmic"] = "shares",
    ) -> Stream:
        """Return this stream with another class ratio.

        The class of each record is drawn at random; then this stream is read up to its next record of that class, and
        the records before it are skipped. The distribution and order of the records within a class stay the same.

        Parameters
        ----------
        ratio
            For example ``"1:100"`` or ``[1, 100]``, in the order of the schema's classes, or ``{"no": 1, "yes": 100}``;
            a class that is not named gets no records.
        changes
            Later ratios, by the record index at which they start; each change is listed as a virtual drift.
        width
            Length of a change in records, centred at its index. 1 for an abrupt change. Changes that follow one
            another without a pause, ``width`` records apart, are listed as one drift.
        seed
            Seed of the draws.
        scale
            What moves linearly during a change: the ``"shares"`` of the classes; the numbers of the ``"ratio"``, with
            the smallest of them as 1, so from 1:1 to 1:100 the r of 1:r, as in Brzezinski and Stefanowski (2014); or
            the logarithms of these numbers, ``"logarithmic"``.
        """
        return _COMPOSITIONS["class_ratio"](self, ratio, changes=changes, width=width, seed=seed, scale=scale)

    @checked_call
    def label_noise(self, share: float, *, seed: int = 1) -> Stream:
        """Return this stream with a share of wrong labels, drawn uniformly from the other classes."""
        return _COMPOSITIONS["label_noise"](self, share, seed=seed)

    @checked_call
    def feature_noise(
        self,
        deviation: float = 0.0,
        *,
        nominal: float = 0.0,
        features: str | Sequence[str] | None = None,
        seed: int = 1,
    ) -> Stream:
        """Return this stream with noise on its features.

        Parameters
        ----------
        deviation
            Standard deviation of the normal noise added to numeric features.
        nominal
            Probability that a nominal value is replaced by another value of its feature, drawn uniformly.
        features
            Names of the features to change; all by default.
        seed
            Seed of the draws.
        """
        return _COMPOSITIONS["feature_noise"](self, deviation, nominal=nominal, features=features, seed=seed)

    @checked_call
    def missing(self, share: float, *, features: str | Sequence[str] | None = None, seed: int = 1) -> Stream:
        """Return this stream with a share of missing values, in all features or in those named."""
        return _COMPOSITIONS["missing"](self, share, features=features, seed=seed)

    @checked_call
    def sparse_labels(self, share: float, *, seed: int = 1) -> Stream:
        """Return this stream with only a share of its labels known."""
        return _COMPOSITIONS["sparse_labels"](self, share, seed=seed)

    @checked_call
    def delayed(
        self,
        delay: DelayGiven,
        *,
        clock: Literal["records", "time"] = "records",
        first: Literal["records", "labels"] = "records",
        rest: bool = True,
        seed: int = 1,
    ) -> Stream:
        """Return a stream of events: records arrive without labels, and the labels follow later.

        Parameters
        ----------
        delay
            A number, ``pq.streams.UniformDelay(50, 150)``, ``pq.streams.ExponentialDelay(100)``, the name of a feature
            that holds the delay (it is then no longer a feature), or a function that returns the delays of a chunk.
        clock
            Unit of the delay: ``records``, or the stream's own ``time``.
        first
            Order of events at the same time: ``records`` first, as in the streams of Grzenda et al., or ``labels``
            first, as in River and with MOA's fixed delay.
        rest
            Whether labels that are due after the last record still arrive.
        seed
            Seed of random delays.
        """
        return _COMPOSITIONS["delayed"](self, delay, clock=clock, first=first, rest=rest, seed=seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:  # noqa: ARG002  # for subclasses that know it
        """Return the true probability of each class (columns) for records (rows) with these indices in the stream.

        None if it is unknown, as for any stream read from a file.
        """
        return None

    def reseeded(self, seed: int) -> Stream:  # noqa: ARG002  # most streams draw nothing
        """Return the same stream with other random draws; a stream without draws, such as a file, returns itself.

        Each seed in it, of a generator or of a composition, is replaced by one derived from itself and ``seed``: equal
        seeds stay equal, different ones stay different. Use seeds 1, 2, … for many independent streams of one kind.
        """
        return self

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {"name": self.name, "n_records": self.n_records}

    def __repr__(self) -> str:
        length = "?" if self.n_records is None else f"{self.n_records:,}"
        return f"<{type(self).__name__} {self.name!r}: {length} records, {self.schema.n_features} features>"


def check_finite(stream: Stream) -> None:
    """Refuse an endless stream where all records are needed."""
    if stream.endless:
        raise InputError(f"{stream.name} never ends. Use a part of it, such as stream.take(100_000) (--n 100000).")
