"""The eight properties of the paper's testbed, each with the numbers that measure it.

Cervantes, Gagné, Isasi and Parizeau, "Evaluating and characterizing incremental learning from non-stationary data",
section 3.2. A number is computed for each seed; a card shows the mean, and its tests are over the seeds. Only a
recovery is computed from the curve averaged over the seeds, and has no test.

In the formulas E(S; a, b) is the average error on stream S from record a up to b, by default over all records; R is the
regret, E minus that of the optimum on the same records. Errors are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from prequential.testbed.cards.error_counts import WINDOW, ErrorCounts
from prequential.testbed.cards.inertia import BEFORE, THRESHOLD, peak, recovery, rise
from prequential.types import FloatArray

HALF = 5000
"""The middle of a stream: where the distributions of NSLC meet, NSGT-I starts again, and NSPC-A changes."""
TURN = 2500
"""Where the centres of NSGR have rotated by 90°, and new records begin to contradict old ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A number measured for a learner.

    Parameters
    ----------
    values
        One value per seed; NaN where it is undefined.
    why
        Why it is undefined; empty if it is defined.
    of_all
        The number for all seeds together, if there is none per seed.
    bounded
        Whether it is a lower bound.
    """

    values: FloatArray
    why: str = ""
    of_all: float | None = None
    bounded: bool = False

    @property
    def mean(self) -> float:
        """The mean over the seeds, NaN if one is undefined; or the number for all seeds together."""
        if self.of_all is not None:
            return self.of_all
        return float(self.values.mean()) if len(self.values) else float("nan")

    @property
    def sd(self) -> float:
        """The standard deviation over the seeds (n − 1); NaN for fewer than two values."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The errors of a learner and of the optimum on the same records of one stream."""

    learner: ErrorCounts
    optimum: ErrorCounts

    def regret(self, begin: int = 0, end: int | None = None) -> FloatArray:
        """Return the learner's error minus that of the optimum, from record ``begin`` up to ``end``."""
        return self.learner.error(begin, end) - self.optimum.error(begin, end)


Compute = Callable[[Mapping[str, Pair]], Measured]


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that measures a property of a learner.

    Parameters
    ----------
    key
        Its name in files.
    title, formula, range
        Its name, formula and range for readers.
    streams
        The streams it is computed on.
    compute
        The function that computes it from the pairs of these streams.
    unit
        ``"fraction"`` or ``"records"``.
    better
        Which direction is better.
    """

    key: str
    title: str
    formula: str
    range: str
    streams: tuple[str, ...]
    compute: Compute
    unit: Literal["fraction", "records"] = "fraction"
    better: Literal["higher", "lower"] = "lower"

    def of(self, pairs: Mapping[str, Pair], n_seeds: int) -> Measured:
        """Compute it; NaN with a reason if a stream is not on the card, or the learner failed on it."""
        absent = [name for name in self.streams if name not in pairs]
        if absent:
            return Measured(np.full(n_seeds, np.nan), f"the card has no {' and '.join(absent)}")
        for name in self.streams:
            if why := pairs[name].learner.why_undefined:
                return Measured(np.full(n_seeds, np.nan), f"{name}: {why}")
        return self.compute(pairs)


@dataclass(frozen=True, slots=True)
class Property:
    """One of the eight properties: its name, its question, and the numbers that answer it."""

    name: str
    question: str
    readings: tuple[Reading, ...]


def _regret(stream: str) -> Reading:
    return Reading(
        key=f"regret {stream}",
        title=f"regret on {stream}",
        formula=f"R({stream})",
        range="-1 to 1",
        streams=(stream,),
        compute=lambda pairs: Measured(pairs[stream].regret()),
    )


def _later_regret(stream: str, title: str) -> Reading:
    return Reading(
        key=f"regret {stream} from {HALF}",
        title=title,
        formula=f"R({stream}; {HALF:,}, end)",
        range="-1 to 1",
        streams=(stream,),
        compute=lambda pairs: Measured(pairs[stream].regret(HALF)),
    )


def _peak(stream: str, at: int) -> Reading:
    return Reading(
        key=f"peak {stream}",
        title=f"inertia on {stream}: peak",
        formula=f"the highest rise after record {at:,}, at least 0, where the rise at n is the regret of the last "
        f"{WINDOW} of n records minus R({stream}; {at - BEFORE:,}, {at:,}), averaged over the seeds",
        range="0 to 2",
        streams=(stream,),
        compute=lambda pairs: Measured(peak(rise(pairs[stream].learner, pairs[stream].optimum, at)[1])),
    )


def _recovery(stream: str, at: int) -> Reading:
    def compute(pairs: Mapping[str, Pair]) -> Measured:
        records, bounded = recovery(*rise(pairs[stream].learner, pairs[stream].optimum, at))
        return Measured(np.empty(0), of_all=records, bounded=bounded)

    return Reading(
        key=f"recovery {stream}",
        title=f"inertia on {stream}: recovery",
        formula=f"records from {at:,} until the same rise, after its peak, is {THRESHOLD:g} or less; 0 if it is never "
        "above; if it does not come back, records up to the end of the stream, as a lower bound",
        range=f"0 to {10_000 - at:,}",
        streams=(stream,),
        compute=compute,
        unit="records",
    )


def _memory(title: str, skipped: int) -> Reading:
    first, second = (skipped, HALF), (HALF + skipped, 2 * HALF)

    def compute(pairs: Mapping[str, Pair]) -> Measured:
        pair = pairs["NSGT-I"]
        return Measured(pair.regret(*first) - pair.regret(*second))

    return Reading(
        key=f"memory NSGT-I from {skipped}" if skipped else "memory NSGT-I",
        title=title,
        formula="R(NSGT-I; {:,}, {:,}) - R(NSGT-I; {:,}, {:,})".format(*first, *second),
        range="-2 to 2",
        streams=("NSGT-I",),
        compute=compute,
        better="higher",
    )


def _sensitivity(stream: str, title: str) -> Reading:
    return Reading(
        key=f"{stream} less NSGT",
        title=title,
        formula=f"R({stream}) - R(NSGT)",
        range="-2 to 2",
        streams=(stream, "NSGT"),
        compute=lambda pairs: Measured(pairs[stream].regret() - pairs["NSGT"].regret()),
    )


PROPERTIES: tuple[Property, ...] = (
    Property(
        "contradiction, global change",
        "All distributions move in the same way, so that new records contradict old ones. Does it forget the old ones?",
        (_regret("NSGT"), _regret("NSGR"), _peak("NSGR", TURN), _recovery("NSGR", TURN)),
    ),
    Property(
        "contradiction, local change",
        "The classes move in different ways and change places. Does it follow the rotating boundary?",
        (_regret("NSLC"), _later_regret("NSLC", "regret on NSLC, second half")),
    ),
    Property(
        "long-term memory",
        "Old knowledge becomes useful again. Is it still there? At the start of the second phase a learner must forget "
        "what came in between; its memory shows later.",
        (
            _memory("gain when NSGT-I repeats", 0),
            _memory("gain, second half of each phase", HALF // 2),
        ),
    ),
    Property(
        "change of frequency",
        "The shares of the distributions change slowly. Does it mistake that for a change of the classes?",
        (_regret("NSPC"),),
    ),
    Property(
        "appearing concepts",
        "A new distribution abruptly replaces another. How much does the error rise, and for how long?",
        (
            _later_regret("NSPC-A", f"regret on NSPC-A, from {HALF:,} on"),
            _peak("NSPC-A", HALF),
            _recovery("NSPC-A", HALF),
        ),
    ),
    Property(
        "speed of change",
        "The same change, three times as fast. How much worse does it get?",
        (_sensitivity("NSGT-F", "regret on NSGT-F minus NSGT"),),
    ),
    Property(
        "dimension",
        "The same kind of change in five dimensions instead of two. How much worse does it get?",
        (_sensitivity("NSGT-5D", "regret on NSGT-5D minus NSGT"),),
    ),
    Property(
        "all at once",
        "Translation, rotation, growth, changing shares and a new class together, at times without a linear boundary.",
        (_regret("NSCX"),),
    ),
)
