"""What is known after a learner has been through the testbed: plain data, from which a card is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from prequential.cards.error_counts import ErrorCounts
from prequential.cards.property import Measured, Pair, Reading
from prequential.cards.significance import Difference, difference
from prequential.streams.chunk import Chunk


@dataclass(frozen=True, slots=True, eq=False)
class StreamEntry:
    """One stream of a card.

    Parameters
    ----------
    n_records
        Its length.
    digests
        What identifies the records, for each seed.
    optimum
        The errors of the Bayes-optimal classifier.
    drifts
        Its known changes: ``at``, ``width`` and ``real``.
    """

    n_records: int
    digests: tuple[str, ...]
    optimum: ErrorCounts
    drifts: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LearnerEntry:
    """One learner of a card.

    Parameters
    ----------
    description
        What a manifest says of it.
    errors
        Its errors by stream.
    title
        What its short name stands for, if it has one.
    reused
        Whether the errors were taken from another card.
    """

    description: Mapping[str, Any]
    errors: Mapping[str, ErrorCounts]
    title: str = ""
    reused: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Results:
    """The errors of a learner, of the learners beside it, and of the optimum, by stream and seed.

    Parameters
    ----------
    learner
        Whose card it is.
    seeds
        In the order of the rows of all counts.
    streams
        By name.
    learners
        By name; the one whose card it is comes first.
    versions, started, seconds
        With what, when, and for how long it was computed.
    """

    learner: str
    seeds: tuple[int, ...]
    streams: Mapping[str, StreamEntry]
    learners: Mapping[str, LearnerEntry]
    versions: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    seconds: float = 0.0

    @property
    def references(self) -> list[str]:
        """The names of the learners beside it."""
        return [name for name in self.learners if name != self.learner]

    def errors(self, learner: str, stream: str) -> Measured:
        """Return AE_preq of each seed."""
        found = self.learners[learner].errors[stream]
        return Measured(found.error(), _why(stream, found))

    def regret(self, learner: str, stream: str) -> Measured:
        """Return AE_preq less that of the optimum on the same records, of each seed."""
        found = self.learners[learner].errors[stream]
        return Measured(found.error() - self.streams[stream].optimum.error(), _why(stream, found))

    def reading(self, reading: Reading, learner: str) -> Measured:
        """Return one of the numbers of a property, of each seed."""
        pairs = {name: Pair(self.learners[learner].errors[name], one.optimum) for name, one in self.streams.items()}
        return reading.of(pairs, len(self.seeds))

    def of_seeds(self, seeds: Iterable[int]) -> Results:
        """Return the results of some of the seeds, in the order asked for."""
        chosen = tuple(seeds)
        rows = [self.seeds.index(seed) for seed in chosen]
        streams = {
            name: replace(one, digests=tuple(one.digests[k] for k in rows), optimum=one.optimum.of_seeds(rows))
            for name, one in self.streams.items()
        }
        learners = {
            name: replace(one, errors={stream: found.of_seeds(rows) for stream, found in one.errors.items()})
            for name, one in self.learners.items()
        }
        return replace(self, seeds=chosen, streams=streams, learners=learners)

    def of_streams(self, names: Iterable[str]) -> Results:
        """Return the results on some of the streams."""
        chosen = list(names)
        return replace(
            self,
            streams={name: self.streams[name] for name in chosen},
            learners={
                name: replace(one, errors={stream: one.errors[stream] for stream in chosen})
                for name, one in self.learners.items()
            },
        )

    def same_records(self, other: Results) -> tuple[list[str], list[int]]:
        """Return the streams and seeds of which both have results, on the very same records."""
        seeds = [seed for seed in self.seeds if seed in other.seeds]
        streams = [
            name
            for name, one in self.streams.items()
            if name in other.streams
            and [one.digests[self.seeds.index(s)] for s in seeds]
            == [other.streams[name].digests[other.seeds.index(s)] for s in seeds]
        ]
        return streams, seeds


def compared(first: Measured, second: Measured) -> Difference:
    """Compare two measured numbers of the same seeds; where that is not possible, the reason says why."""
    why = first.why or second.why
    if why:
        return Difference(float("nan"), float("nan"), why)
    if first.of_all is not None and second.of_all is not None:
        reason = "read off the average of all seeds: there is no test over the seeds"
        return Difference(first.of_all - second.of_all, float("nan"), reason)
    return difference(first.values, second.values)


def digest(chunks: Iterable[Chunk]) -> str:
    """Return what identifies records, whatever chunks they come in: a hash of features and labels.

    Features count to six decimals, so that two machines whose logarithms differ in the last bit agree.
    """
    features, labels = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    for chunk in chunks:
        features.update((np.round(chunk.X, 6) + 0.0).astype("<f8").tobytes())
        labels.update(chunk.y.astype("<i8").tobytes())
    return features.hexdigest() + labels.hexdigest()


def _why(stream: str, found: ErrorCounts) -> str:
    why = found.why_undefined
    return f"{stream}: {why}" if why else ""
