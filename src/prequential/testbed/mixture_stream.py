"""The records of a mixture as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from prequential.arguments import checked_call, checked_whole
from prequential.errors import ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema
from prequential.streams.seed import another_seed, checked_seed
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture_model import MixtureModel
from prequential.testbed.optimal_error import optimal_error
from prequential.testbed.toml_text import table_of
from prequential.types import FloatArray

if TYPE_CHECKING:
    from prequential.testbed.mixture import Mixture

_MOMENTS = (0.0, 0.137, 0.382, 0.618, 0.863, 1.0)
"""Where in a change the posterior is compared; not evenly spaced, so that a full turn in between is not missed."""
_N_DRAWN = 256
"""Records drawn at each of these times."""
_SAME = 1e-9
"""Posteriors closer than this are equal."""


@checked_call
class MixtureStream(Stream):
    """A stream whose record i is drawn from a mixture at time i.

    A record depends only on the seed and its index, so skipping costs nothing, and the chunk size does not matter. The
    drifts are the changes of the model: an instant transform, or a Gaussian that appears, is abrupt; a longer transform
    is gradual. Simultaneous changes of several Gaussians are one drift. A drift is real unless the posterior stays the
    same at all records.

    Parameters
    ----------
    mixture
        The model.
    seed
        Seed of the records.
    n
        Number of records; by default that of the model. The drifts stay at the same records.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.testbed.stream("NSCX", seed=1, n=1000)
    >>> stream.n_records, stream.schema.n_features
    (1000, 2)
    """

    generated = True
    _bayes_error_changes = True

    def __init__(self, mixture: MixtureModel, *, seed: int = 1, n: int | None = None) -> None:
        if not isinstance(mixture, MixtureModel):
            raise ParameterError("mixture", "MixtureStream", "a Mixture", mixture)
        if n is not None:
            mixture = replace(mixture, n_records=checked_whole(n, "n", "MixtureStream", least=1))
        self.mixture: Mixture = mixture  # type: ignore[assignment]  # the models that users make
        self.name = mixture.name
        self.seed = checked_seed(seed, "seed", "MixtureStream")
        self.n_records: int = mixture.n_records
        self._schema = Schema.numeric(mixture.n_features, [one.name for one in mixture.classes])
        self.drifts = drifts_of(mixture)

    @property
    def bayes_error(self) -> float | None:  # type: ignore[override]  # computed, which takes seconds, if it is read
        """The mean of the optimal error over the records, computed by ``optimal_error`` at the first use."""
        return _bayes_error(self.mixture)

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
        """Return the true probability of each class given each record and its index."""
        return self.mixture.posterior(X, at)

    def reseeded(self, seed: int) -> MixtureStream:
        """Return the stream with another seed, derived from its own and this one."""
        return MixtureStream(self.mixture, seed=another_seed(self.seed, seed))

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {**super().describe(), "seed": self.seed, "mixture": table_of(self.mixture)}


@lru_cache(maxsize=64)
def _bayes_error(mixture: MixtureModel) -> float:
    return optimal_error(mixture).mean


@lru_cache(maxsize=64)
def drifts_of(mixture: MixtureModel) -> tuple[Drift, ...]:
    """Return the drifts of a mixture, in order of their middles."""
    spans = {span for gaussian in mixture.gaussians for span in _spans(gaussian)}
    found = []
    for begin, end in sorted(spans):
        width = max(1, end - begin)
        at = begin + (end - begin + 1) // 2
        if at < mixture.n_records:
            changed, real = _compare(mixture, begin, min(end, mixture.n_records - 1))
            if changed:
                found.append(Drift(at, width, real=real))
    return tuple(sorted(found, key=lambda drift: (drift.at, drift.width)))


def _spans(gaussian: Gaussian) -> Iterator[tuple[int, int]]:
    """Yield the first and last record of each change of a Gaussian, except those complete at record 0."""
    if gaussian.start > 0:
        yield gaussian.start, gaussian.start
    for one in gaussian.transforms:
        if one.begin + one.duration > 0:
            yield one.begin, one.begin + one.duration


def _compare(mixture: MixtureModel, begin: int, end: int) -> tuple[bool, bool]:
    """Return whether density or posterior, and whether the posterior, change between two records.

    They are compared at points drawn before, during and after the change.
    """
    first = begin - 1 if begin == end else begin
    times = [first + share * (end - first) for share in ((0.0, 1.0) if begin == end else _MOMENTS)]
    X = np.concatenate([mixture.sample([t] * _N_DRAWN, first=k * _N_DRAWN)[0] for k, t in enumerate(times)])
    densities = np.stack([mixture.density(X, t) for t in times])
    posteriors = np.stack([mixture.posterior(X, t) for t in times])
    real = bool(np.ptp(posteriors, axis=0).max() > _SAME)
    return real or bool((np.ptp(densities, axis=0) > _SAME * densities.max(axis=0)).any()), real
