"""Changes between two cards of a learner on the same records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prequential.testbed.cards.property import PROPERTIES, Measured, Reading
from prequential.testbed.cards.results import Results, compared
from prequential.testbed.cards.significance import Difference


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A number on the last card and on this one.

    Parameters
    ----------
    key
        The name of the number in files: ``"error NSGT"``, or the key of a reading.
    reading
        The number of a property, or None for the average error on a stream.
    last, now
        Its values.
    difference
        Now minus last, with Wilcoxon's test over the seeds.
    """

    key: str
    reading: Reading | None
    last: Measured
    now: Measured
    difference: Difference

    @property
    def verdict(self) -> Literal["better", "worse", ""]:
        """Whether it has become better or worse; empty if the change is not significant."""
        return self.difference.verdict("lower" if self.reading is None else self.reading.better)


def changes(now: Results, last: Results) -> tuple[Change, ...]:
    """Compare two cards: the errors by stream, then the numbers of the properties.

    Regrets of whole streams are omitted: on the same records, a difference of regrets is a difference of errors. Only
    streams and seeds whose records are the same on both cards are compared, so that the test is paired.
    """
    streams, seeds = now.same_records(last)
    now, last = (one.of_seeds(seeds).of_streams(streams) for one in (now, last))
    found = []
    for stream in streams:
        pair = last.errors(last.learner, stream), now.errors(now.learner, stream)
        found.append(Change(f"error {stream}", None, *pair, compared(pair[1], pair[0])))
    for reading in (reading for one in PROPERTIES for reading in one.readings):
        repeated = reading.key == f"regret {reading.streams[0]}"
        if not repeated and all(stream in streams for stream in reading.streams):
            both = last.reading(reading, last.learner), now.reading(reading, now.learner)
            found.append(Change(reading.key, reading, *both, compared(both[1], both[0])))
    return tuple(found)
