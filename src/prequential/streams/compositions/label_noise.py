"""Wrong labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prequential.errors import InputError
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.compositions.alteration import Alteration, check_classes, with_other_codes
from prequential.streams.generators.generator import checked_share
from prequential.streams.stream import Stream


class LabelNoise(Alteration):
    """A stream in which a label is replaced by another class with some probability, drawn uniformly.

    With c classes and noise p below (c − 1)/c the best prediction stays the best, so a Bayes error e becomes
    1 − [(1 − e)(1 − p) + e p/(c − 1)]. With more noise it is unknown. A record without a label stays unlabelled.

    Parameters
    ----------
    source
        The stream.
    share
        The probability.
    seed
        Seed of the draws.
    """

    method = "label_noise"
    parameters = ("share", "seed")
    takes_events = True

    def __init__(self, source: Stream, share: float, *, seed: int = 1) -> None:
        self.share = checked_share(share, "share", self.method)
        self._n_classes = check_classes(source, self.method)
        if self._n_classes < 2:
            raise InputError(f"{self.method}: {source.name} has only one class. Accepted: at least two classes.")
        super().__init__(source, seed=seed, draws=b"LABL")
        self._noisy_labels |= self.share > 0
        if source._constant_bayes_error is not None and self.share < (self._n_classes - 1) / self._n_classes:
            right = 1 - source._constant_bayes_error
            self.bayes_error = 1 - (right * (1 - self.share) + (1 - right) * self.share / (self._n_classes - 1))

    def _altered(self, chunk: Chunk) -> Chunk:
        y = with_other_codes(chunk.y, self._n_classes, self.share, self._uniforms(chunk))
        return replace(chunk, y=np.where(chunk.y == UNLABELLED, UNLABELLED, y))
