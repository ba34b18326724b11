"""Pure-Python twins of learners around one other: short, slow, and meant to be read as their specification."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import Protocol

from twin import WORD, philox, uniform


class Twin(Protocol):
    def scores(self, x: Sequence[float]) -> list[float]: ...

    def learn(self, x: Sequence[float], y: int, w: float) -> None: ...


def best(scores: Sequence[float]) -> int | None:
    """The class of the highest score, the lowest code among equals; None: it abstains."""
    return max(range(len(scores)), key=lambda c: (scores[c], -c)) if any(scores) else None


class DriftReset:
    """A fresh base from the record on at which ``detect`` finds an alarm in the errors since the last one."""

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


class NoiseFilter:
    """With probability p the predicted class changes places with another that was learned."""

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
    """FNV-1a over the values' bits, with one NaN and one zero."""
    found = 0xCBF29CE484222325
    for value in x:
        bits = struct.unpack("<Q", struct.pack("<d", math.nan if math.isnan(value) else value + 0.0))[0]
        found = ((found ^ bits) * 0x100000001B3) & WORD
        found ^= found >> 32
    return found
