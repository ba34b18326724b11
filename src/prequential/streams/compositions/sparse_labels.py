"""A stream with only some of its labels known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.compositions.alteration import Alteration
from prequential.streams.generators.generator import checked_share
from prequential.streams.stream import Stream


class SparseLabels(Alteration):
    """A stream in which each label is known with some probability; the other records are unlabelled.

    Parameters
    ----------
    source
        The stream.
    share
        The probability.
    seed
        Seed of the draws.
    """

    method = "sparse_labels"
    parameters = ("share", "seed")

    def __init__(self, source: Stream, share: float, *, seed: int = 1) -> None:
        self.share = checked_share(share, "share", self.method)
        super().__init__(source, seed=seed, draws=b"SPAR")
        self.bayes_error = source._constant_bayes_error

    def _altered(self, chunk: Chunk) -> Chunk:
        unknown = np.nan if chunk.schema.classes is None else UNLABELLED
        return replace(chunk, y=np.where(self._uniforms(chunk) < self.share, chunk.y, unknown))
