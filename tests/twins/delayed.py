"""Algorithm 1 of Grzenda, Gomes and Bifet 2020, event by event: short, slow, and meant to be read as the specification.

Every prediction is kept until the label arrives, and only then assigned to a bin. Times are fractions, so that ties are
exact.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np

from prequential.runs.events import KINDS


class Model(Protocol):
    """A learner that returns the predicted class; −1 for an abstention."""

    def predict(self, x: np.ndarray) -> int: ...

    def learn(self, x: np.ndarray, y: int, w: float) -> None: ...


@dataclass(frozen=True)
class Event:
    """A record that arrives or a new version of it (label None), or a label."""

    id: int
    time: float
    label: int | None
    x: np.ndarray
    weight: float = 1.0


@dataclass
class Record:
    """A waiting record: the initial prediction, and every later prediction with its time."""

    x: np.ndarray
    arrived: float
    since: float
    born: int
    first: int
    answers: list[tuple[float, int]] = field(default_factory=list)

    def ask(self, model: Model, time: float) -> None:
        self.answers.append((time, model.predict(self.x)))

    def bins(self, end: float, n_bins: int) -> list[int]:
        """Return the predictions in bins 0 to B, given the time of the label."""
        waited = Fraction(end) - Fraction(self.arrived)
        if waited <= 0:
            return [self.first] * (n_bins + 1)
        shares = [
            (min((Fraction(time) - Fraction(self.arrived)) / waited, Fraction(1)), said) for time, said in self.answers
        ]
        found, in_force = [self.first], self.first
        for b in range(1, n_bins + 1):
            inside = [(share, said) for share, said in shares if min(1 + math.floor(n_bins * share), n_bins) == b]
            if len(inside) < 2:
                found.append(inside[0][1] if inside else in_force)
            else:
                spans = [(Fraction(b - 1, n_bins), in_force), *inside, (Fraction(b, n_bins), in_force)]
                held: defaultdict[int, Fraction] = defaultdict(Fraction)
                for (begin, said), (until, _) in pairwise(spans):
                    held[said] += until - begin
                found.append(min(held, key=lambda said: (-held[said], said)))
            in_force = inside[-1][1] if inside else in_force
        return found


@dataclass
class Twin:
    """Evaluates a model event by event."""

    model: Model
    n_bins: int
    period: int
    horizon: float = math.inf
    remember: int = 100_000
    n_labels: int = 0
    n_versions: int = 0
    waiting: dict[int, Record] = field(default_factory=dict)
    judged: list[tuple[int, list[int], float]] = field(default_factory=list)
    """Number of the event with the label, predictions in bins 0 to B + 1, latency."""
    irregular: list[tuple[str, int, int, float]] = field(default_factory=list)
    """Kind, id, number of the event, time."""

    def live(self, events: Sequence[Event]) -> None:
        clock = -math.inf
        past: dict[int, int | str | tuple[str, int]] = {}  # a label, "expired", or an early label

        def keep(id: int, what: int | str | tuple[str, int]) -> None:
            past[id] = what
            while len(past) > self.remember:
                del past[next(iter(past))]

        for n, event in enumerate(events):

            def wrong(kind: str, id: int = event.id, time: float = event.time, n: int = n) -> None:
                assert kind in KINDS
                self.irregular.append((kind, id, n, time))

            if event.time < clock:
                wrong("time runs backwards")
            clock = max(clock, event.time)
            for one in [one for one, record in self.waiting.items() if clock - record.since > self.horizon]:
                wrong("expired record", one, self.waiting.pop(one).arrived)
                keep(one, "expired")
            before = past.get(event.id)
            if event.id in self.waiting:
                record = self.waiting[event.id]
                if event.label is None:
                    record.x = event.x
                    record.ask(self.model, clock)
                    self.n_versions += 1
                else:
                    if event.time < record.arrived:
                        wrong("label before its record's time")
                    final = self.model.predict(record.x)
                    bins = record.bins(event.time, self.n_bins)
                    self.judged.append((n, [*bins, final], event.time - record.arrived))
                    keep(event.id, event.label)
                    del self.waiting[event.id]
                    for other in self.waiting.values():
                        learned = self.n_labels - other.born
                        if learned > 0 and learned % self.period == 0:
                            other.ask(self.model, clock)
                    if event.weight > 0:
                        self.model.learn(record.x, event.label, event.weight)
                    self.n_labels += 1
            elif event.label is None:
                if before is None:
                    first = self.model.predict(event.x)
                    self.waiting[event.id] = Record(event.x, event.time, clock, self.n_labels, first)
                elif before == "expired":
                    wrong("expired record again")
                else:
                    wrong("record after its label" if isinstance(before, tuple) else "record again after its label")
            elif before is None:
                wrong("label without a record")
                keep(event.id, ("early", event.label))
            elif before == "expired":
                wrong("label of an expired record")
            else:
                known = before[1] if isinstance(before, tuple) else before
                wrong("second label, the same" if known == event.label else "second label, another one")
