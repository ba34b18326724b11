"""Pure-Python twins of learners with one base: short, slow, and meant to be read as their specification."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import Protocol

from twins.counts import WORD, philox, uniform


class Twin(Protocol):
    def scores(self, x: Sequence[float]) -> list[float]: ...

    def learn(self, x: Sequence[float], y: int, w: float) -> None: ...


def best(scores: Sequence[float]) -> int | None:
    """Return the class with the highest score, the lowest code in a tie; None for an abstention."""
    return max(range(len(scores)), key=lambda c: (scores[c], -c)) if any(scores) else None


class DriftReset:
    """Replaces the base by a fresh one when ``detect`` finds an alarm in the errors since the last one."""

    def __init__(self, make: Callable[[], Twin], detect: Callable[[Sequence[float]], list[int]]) -> None:
        self.make, self.detect = make, detect
        self.base, self.errors = make(), list[float]()

    def scores(self, x: Sequence[float]) -> list[float]:
        return self.base.scores(x)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.errors.append(float(best(self.base.scores(x)) != y))
        if self.detect(self.errors):
            self.base, self.errors = self.make(), []
        self.base.learn(x, y, w)


class SelfTraining:
    """Learns a record without a label as the class that the base predicts, if its share is at least ``threshold``."""

    def __init__(self, base: Twin, threshold: float) -> None:
        self.base, self.threshold = base, threshold

    def scores(self, x: Sequence[float]) -> list[float]:
        return self.base.scores(x)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.base.learn(x, y, w)

    def learn_unlabelled(self, x: Sequence[float]) -> None:
        scores = self.base.scores(x)
        predicted = best(scores)
        if predicted is not None and scores[predicted] >= self.threshold * sum(scores):
            self.base.learn(x, predicted, 1.0)


class NoiseFilter:
    """With probability p, the predicted class is swapped with another learned class."""

    def __init__(self, base: Twin, p: float, seed: int) -> None:
        self.base, self.p, self.seed = base, p, seed
        self.labels: list[int] = []

    def scores(self, x: Sequence[float]) -> list[float]:
        scores = self.base.scores(x)
        predicted = best(scores)
        others = sorted(set(self.labels) - {predicted})
        first, second = philox([len(self.labels), hashed(x), 0, 0], [self.seed, int.from_bytes(b"NOISE")])[:2]
        if predicted is None or not others or uniform(first) >= self.p:
            return scores
        other = others[int(uniform(second) * len(others))]
        scores[predicted], scores[other] = scores[other], scores[predicted]
        if best(scores) != other:
            scores[other] = math.nextafter(scores[other], math.inf)
        return scores

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.base.learn(x, y, w)
        self.labels.append(y)


def hashed(x: Sequence[float]) -> int:
    """Return FNV-1a over the bits of the values; all NaNs are equal, and both zeros."""
    found = 0xCBF29CE484222325
    for value in x:
        bits = struct.unpack("<Q", struct.pack("<d", math.nan if math.isnan(value) else value + 0.0))[0]
        found = ((found ^ bits) * 0x100000001B3) & WORD
        found ^= found >> 32
    return found
