"""Noise on features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from prequential.errors import InputError, ParameterError, is_number
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.alteration import Alteration, chosen_features
from prequential.streams.generators.generator import checked_share
from prequential.streams.stream import Stream
from prequential.types import FloatArray


class FeatureNoise(Alteration):
    """A stream with normal noise on numeric features, and wrong values of nominal ones. What is missing stays missing.

    Parameters
    ----------
    source
        The stream.
    deviation
        Standard deviation of the noise.
    nominal
        Probability that a nominal value becomes another one of its feature, evenly among the others.
    features
        Names of the features to change; None: all.
    seed
        For the draws.
    """

    method = "feature_noise"
    parameters = ("deviation", "nominal", "features", "seed")
    takes_events = True

    def __init__(
        self,
        source: Stream,
        deviation: float = 0.0,
        *,
        nominal: float = 0.0,
        features: str | Sequence[str] | None = None,
        seed: int = 1,
    ) -> None:
        if not (is_number(deviation) and 0 <= deviation < math.inf):
            raise ParameterError("deviation", self.method, "a finite number of at least 0", deviation)
        self.deviation, self.nominal = float(deviation), checked_share(nominal, "nominal", self.method)
        schema = source.schema
        chosen = chosen_features(features, schema, self.method)
        self.features = None if features is None else [schema.features[j].name for j in chosen]
        numeric = [j for j in chosen if not schema.features[j].nominal]
        values = [j for j in chosen if schema.features[j].nominal]
        for name, wanted, found, kind in (
            ("deviation", self.deviation, numeric, "numeric"),
            ("nominal", self.nominal, values, "nominal"),
        ):
            if wanted and not found:
                raise InputError(f"{self.method}: {name} is for {kind} features, and none of the features is {kind}.")
        super().__init__(source, seed=seed, draws=b"FEAT")
        self._numeric = numeric if self.deviation else []
        self._values = values if self.nominal else []

    def _altered(self, chunk: Chunk) -> Chunk:
        X = chunk.X.copy()
        for j in self._numeric:
            X[:, j] += self.deviation * ndtri(np.maximum(self._uniforms(chunk, j), 2.0**-54))
        for j in self._values:
            values = chunk.schema.features[j].values or ()
            if len(values) > 1:
                X[:, j] = self._other(X[:, j], len(values), self._uniforms(chunk, j))
        return replace(chunk, X=X)

    def _other(self, codes: FloatArray, n: int, drawn: FloatArray) -> FloatArray:
        """Return codes of which some have become others; what is left of a draw says which."""
        move = 1 + np.minimum(np.floor(drawn / self.nominal * (n - 1)), n - 2)
        return np.where(drawn < self.nominal, (codes + move) % n, codes)
