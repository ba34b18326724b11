"""The LED display."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from prequential import _native
from prequential.streams.generators.generator import Generator, checked_between, checked_one_of, checked_share
from prequential.streams.schema import Feature, Schema
from prequential.streams.seed import checked_seed
from prequential.types import FloatArray

SEGMENTS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)
"""The display of each digit: top, upper left and right, middle, lower left and right, bottom."""
_SCHEMAS = {
    n: Schema(tuple(Feature(f"att{j + 1}", ("0", "1")) for j in range(n)), tuple(map(str, range(10)))) for n in (7, 24)
}


class LED(Generator):
    """The seven segments of a digit, each inverted at random, and seventeen irrelevant segments.

    A record depends only on the seed and its index, so skipping is free. The Bayes error, computed from the definition,
    is 26 % at 10 % noise.

    Parameters
    ----------
    n_features
        24, or 7 for the relevant segments only.
    noise
        Probability that a segment is inverted, in [0, 0.5].
    n_drifting
        Number of relevant segments that are swapped with irrelevant ones. Only with 24
        features. ``LED().drift_to(LED(n_drifting=7, seed=2), at=...)`` is the drift used in the literature.
    model_seed
        Seed of which segments are swapped: ``n_drifting`` in a row with as many irrelevant ones in a row. None: the
        first with the first, as in MOA.
    seed
        Seed of the records.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*, 1984.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.LED(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (24, ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'))
    """

    parameters = ("n_features", "noise", "n_drifting", "model_seed")

    def __init__(
        self,
        *,
        n_features: int = 24,
        noise: float = 0.1,
        n_drifting: int = 0,
        model_seed: int | None = None,
        seed: int = 1,
    ) -> None:
        self.n_features = checked_one_of(n_features, "n_features", "LED", (7, 24))
        self.noise = checked_share(noise, "noise", "LED", 0.5)
        self.n_drifting = checked_between(n_drifting, "n_drifting", "LED", 0, 7 if self.n_features > 7 else 0)
        self.model_seed = None if model_seed is None else checked_seed(model_seed, "model_seed", "LED")
        self.bayes_error = _bayes_error(self.noise)
        super().__init__(_SCHEMAS[self.n_features], seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each digit; all 0 for a display that no digit can show."""
        places = self._maker().places[:7]
        truth = np.empty((len(X), len(SEGMENTS)))
        likelihood = np.array(_likelihoods(self.noise))
        for digit, shown in enumerate(SEGMENTS):
            wrong = np.zeros(len(X), np.int64)
            for segment, place in zip(shown, places, strict=True):
                wrong += X[:, place] != float(segment)
            truth[:, digit] = likelihood[wrong]
        total = truth.sum(axis=1, keepdims=True)
        np.divide(truth, total, out=truth, where=total > 0)
        return truth

    def _maker(self) -> _native.Led:
        return _native.Led(self.seed, self.model_seed, self.n_features, self.noise, self.n_drifting)


def _likelihoods(noise: float) -> list[float]:
    """Return the probability of a display with 0 to 7 given wrong segments."""
    return [math.prod([noise] * wrong + [1 - noise] * (7 - wrong)) for wrong in range(8)]


def _bayes_error(noise: float) -> float:
    """Return the error of predicting the most likely digit of each display."""
    right, likelihood = [], _likelihoods(noise)
    for shown in product("01", repeat=7):
        wrong = [sum(a != b for a, b in zip(digit, shown, strict=True)) for digit in SEGMENTS]
        right.append(max(likelihood[k] for k in wrong))
    return 1 - math.fsum(right) / 10
