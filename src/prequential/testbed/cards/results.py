"""The results of a learner on the testbed: plain data, from which a card is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from prequential.testbed.cards.error_counts import ErrorCounts
from prequential.testbed.cards.property import Measured, Pair, Reading
from prequential.testbed.cards.significance import Difference, difference


@dataclass(frozen=True, slots=True, eq=False)
class StreamEntry:
    """One stream of a card.

    Parameters
    ----------
    n_records
        Its length.
    digests
        A hash of the records for each seed.
    optimum
        The errors of the Bayes-optimal classifier.
    drifts
        Its known drifts: ``at``, ``width`` and ``real``.
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
        Its description in a manifest.
    errors
        Its errors by stream.
    title
        The long form of its short name, if it has one.
    reused
        Whether the errors were taken from another card.
    """

    description: Mapping[str, Any]
    errors: Mapping[str, ErrorCounts]
    title: str = ""
    reused: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Results:
    """The errors of a learner, of the reference learners, and of the optimum, by stream and seed.

    Parameters
    ----------
    learner
        The learner of the card.
    seeds
        In the order of the rows of all counts.
    streams
        By name.
    learners
        By name; the learner of the card comes first.
    versions, started, seconds
        Package versions, start time and duration of the computation.
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
        """The names of the other learners."""
        return [name for name in self.learners if name != self.learner]

    def errors(self, learner: str, stream: str) -> Measured:
        """Return the average prequential error (AE_preq) of each seed."""
        found = self.learners[learner].errors[stream]
        return Measured(found.error(), _why(stream, found))

    def regret(self, learner: str, stream: str) -> Measured:
        """Return AE_preq minus that of the optimum on the same records, for each seed."""
        found = self.learners[learner].errors[stream]
        return Measured(found.error() - self.streams[stream].optimum.error(), _why(stream, found))

    def reading(self, reading: Reading, learner: str) -> Measured:
        """Return a number of a property for each seed."""
        pairs = {name: Pair(self.learners[learner].errors[name], one.optimum) for name, one in self.streams.items()}
        return reading.of(pairs, len(self.seeds))

    def of_seeds(self, seeds: Iterable[int]) -> Results:
        """Return the results for these seeds, in this order."""
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
        """Return the results on these streams."""
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
        """Return the streams and seeds for which both have results on the same records."""
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
    """Compare two numbers measured on the same seeds; if that is impossible, the result has a reason."""
    why = first.why or second.why
    if why:
        return Difference(float("nan"), float("nan"), why)
    if first.of_all is not None and second.of_all is not None:
        reason = "computed from the average of all seeds: there is no test over the seeds"
        return Difference(first.of_all - second.of_all, float("nan"), reason)
    return difference(first.values, second.values)


def _why(stream: str, found: ErrorCounts) -> str:
    why = found.why_undefined
    return f"{stream}: {why}" if why else ""
