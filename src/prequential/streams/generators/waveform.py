"""The waveforms."""

from __future__ import annotations

from prequential import _native
from prequential.streams.generators.generator import (
    Generator,
    Maker,
    checked_between,
    checked_one_of,
    numbered_classes,
    numeric,
)
from prequential.streams.schema import Schema
from prequential.streams.seed import checked_seed

_SCHEMAS = {n: Schema(numeric(n), numbered_classes(3)) for n in (21, 40)}


class Waveform(Generator):
    """A random mixture of two of three triangular waves with normal noise, and optionally nineteen noise features.

    A record depends only on the seed and its index, so skipping is free. The Bayes error is 13.2933 %, by integration:
    the classes differ only in the plane of the three waves, where a class is an edge of a triangle with normal noise
    around it. (The literature says 14 %, probably from a sample of 5,000 records, with a standard error of half a
    point.)

    Parameters
    ----------
    n_features
        21 for the wave only, or 40.
    n_drifting
        Number of features, in a row, that are swapped one after the other with others in a row.
    model_seed
        Seed of where the two rows begin: which features are swapped.
    seed
        Seed of the records.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*, 1984.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.Waveform(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (21, ('class1', 'class2', 'class3'))
    """

    parameters = ("n_features", "n_drifting", "model_seed")
    bayes_error = 0.132933

    def __init__(self, *, n_features: int = 21, n_drifting: int = 0, model_seed: int = 1, seed: int = 1) -> None:
        self.n_features = checked_one_of(n_features, "n_features", "Waveform", (21, 40))
        self.n_drifting = checked_between(n_drifting, "n_drifting", "Waveform", 0, self.n_features)
        self.model_seed = checked_seed(model_seed, "model_seed", "Waveform")
        super().__init__(_SCHEMAS[self.n_features], seed)

    def _maker(self) -> Maker:
        return _native.Waveform(self.seed, self.model_seed, self.n_features, self.n_drifting)
