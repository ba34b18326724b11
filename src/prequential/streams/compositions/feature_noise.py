"""Noise on features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from prequential.arguments import is_number
from prequential.elementary import normal_quantile
from prequential.errors import InputError, ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.alteration import Alteration, chosen_features, with_other_codes
from prequential.streams.generators.generator import checked_share
from prequential.streams.stream import Stream


class FeatureNoise(Alteration):
    """A stream with normal noise on numeric features and wrong values of nominal ones; missing values stay missing.

    Parameters
    ----------
    source
        The stream.
    deviation
        Standard deviation of the noise.
    nominal
        Probability that a nominal value is replaced by another value of its feature, drawn uniformly.
    features
        Names of the features to change; None for all.
    seed
        Seed of the draws.
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
                raise InputError(
                    f"{self.method}: {name} applies to {kind} features, but none of the features is {kind}."
                )
        super().__init__(source, seed=seed, draws=b"FEAT")
        self._numeric = numeric if self.deviation else []
        self._values = values if self.nominal else []

    def _altered(self, chunk: Chunk) -> Chunk:
        X = chunk.X.copy()
        for j in self._numeric:
            X[:, j] += self.deviation * normal_quantile(np.maximum(self._uniforms(chunk, j), 2.0**-54))
        for j in self._values:
            values = chunk.schema.features[j].values or ()
            if len(values) > 1:
                X[:, j] = with_other_codes(X[:, j], len(values), self.nominal, self._uniforms(chunk, j))
        return replace(chunk, X=X)
