"""A stream with some values made missing at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from prequential.streams.chunk import Chunk
from prequential.streams.compositions.alteration import Alteration, chosen_features
from prequential.streams.generators.generator import checked_share
from prequential.streams.stream import Stream


class MissingValues(Alteration):
    """A stream in which each value is missing with some probability, independently of the others.

    Parameters
    ----------
    source
        The stream.
    share
        The probability.
    features
        Names of the features that may be missing; None for all.
    seed
        Seed of the draws.
    """

    method = "missing"
    parameters = ("share", "features", "seed")
    takes_events = True

    def __init__(
        self, source: Stream, share: float, *, features: str | Sequence[str] | None = None, seed: int = 1
    ) -> None:
        self.share = checked_share(share, "share", self.method)
        self._chosen = chosen_features(features, source.schema, self.method)
        self.features = None if features is None else [source.schema.features[j].name for j in self._chosen]
        super().__init__(source, seed=seed, draws=b"MISS")

    def _altered(self, chunk: Chunk) -> Chunk:
        X = chunk.X.copy()
        for j in self._chosen:
            X[self._uniforms(chunk, j) < self.share, j] = np.nan
        return replace(chunk, X=X)
