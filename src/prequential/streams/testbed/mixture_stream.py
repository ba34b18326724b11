"""The records of a mixture as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from prequential.errors import ParameterError, checked_whole
from prequential.streams.chunk import Chunk
from prequential.streams.generators.generator import another_seed, checked_seed
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Drift, Stream
from prequential.streams.testbed.gaussian import Gaussian
from prequential.streams.testbed.mixture import Mixture
from prequential.streams.testbed.toml import table_of
from prequential.types import FloatArray

_MOMENTS = (0.0, 0.137, 0.382, 0.618, 0.863, 1.0)
"""Where in a change the truth is looked at; no even parts, between which whole turns could hide."""
_LOOKS = 256
"""Records drawn at each of these moments."""
_SAME = 1e-9
"""Posteriors nearer than this are the same."""


class MixtureStream(Stream):
    """Draws a record from a mixture at the time of its index.

    Record i of a seed is computed alone, so skipping costs nothing, and chunks of any size give the same records. The
    drifts are the changes of the model: an instant transform, or a Gaussian that appears, is abrupt; one that takes
    its time has its width. Equal ones of several Gaussians are one. A change is real unless the posterior stays as it
    is wherever records fall.

    Parameters
    ----------
    mixture
        The model.
    seed
        Which records.
    n
        How many records; as many as the model says by default. Changes keep their places, whatever the length.
    """

    generated = True

    def __init__(self, mixture: Mixture, *, seed: int = 1, n: int | None = None) -> None:
        if not isinstance(mixture, Mixture):
            raise ParameterError("mixture", "MixtureStream", "a Mixture", mixture)
        if n is not None:
            mixture = replace(mixture, n_records=checked_whole(n, "n", "MixtureStream", least=1))
        self.mixture = mixture
        self.name = mixture.name
        self.seed = checked_seed(seed, "seed", "MixtureStream")
        self.n_records: int = mixture.n_records
        self._schema = Schema.numeric(mixture.n_features, [one.name for one in mixture.classes])
        self.drifts = drifts_of(mixture)

    @property
    def schema(self) -> Schema:
        """Features x0, x1 … and the classes of the model."""
        return self._schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Draw records from ``start`` on."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        for first in range(start, self.n_records, size):
            at = np.arange(first, min(first + size, self.n_records))
            yield Chunk(self._schema, first, *self.mixture.sample(at, seed=self.seed, first=first))

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:
        """Return the true probability of each class, given each record and its index."""
        return self.mixture.posterior(X, at)

    def reseeded(self, seed: int) -> MixtureStream:
        """Return the stream with another seed, made of its own and of this one."""
        return MixtureStream(self.mixture, seed=another_seed(self.seed, seed))

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {**super().describe(), "seed": self.seed, "mixture": table_of(self.mixture)}


@lru_cache(maxsize=64)
def drifts_of(mixture: Mixture) -> tuple[Drift, ...]:
    """Return the changes of a mixture, in order of their middles."""
    spans = {span for gaussian in mixture.gaussians for span in _spans(gaussian)}
    found = []
    for begin, end in sorted(spans):
        width = max(1, end - begin)
        at = begin + (end - begin + 1) // 2
        if at < mixture.n_records:
            changed, real = _look(mixture, begin, min(end, mixture.n_records - 1))
            if changed:
                found.append(Drift(at, width, real=real))
    return tuple(sorted(found, key=lambda drift: (drift.at, drift.width)))


def _spans(gaussian: Gaussian) -> Iterator[tuple[int, int]]:
    """Return first and last record of each change of a Gaussian; what is complete at record 0 is none."""
    if gaussian.start > 0:
        yield gaussian.start, gaussian.start
    for one in gaussian.transforms:
        if one.begin + one.duration > 0:
            yield one.begin, one.begin + one.duration


def _look(mixture: Mixture, begin: int, end: int) -> tuple[bool, bool]:
    """Return whether density and posterior change between two records, at points drawn before, during and after."""
    first = begin - 1 if begin == end else begin
    times = [first + share * (end - first) for share in ((0.0, 1.0) if begin == end else _MOMENTS)]
    X = np.concatenate([mixture.sample([t] * _LOOKS, first=k * _LOOKS)[0] for k, t in enumerate(times)])
    densities = np.stack([mixture.density(X, t) for t in times])
    posteriors = np.stack([mixture.posterior(X, t) for t in times])
    real = bool(np.ptp(posteriors, axis=0).max() > _SAME)
    return real or bool((np.ptp(densities, axis=0) > _SAME * densities.max(axis=0)).any()), real
