"""A stream whose records are changed one by one: the base of noise, missing values and sparse labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import InputError, ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.composed import Composed
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema
from prequential.streams.seed import checked_seed
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray
from prequential.wording import listing, suggestion


class Alteration(Composed):
    """A stream whose records are changed one by one; their number, order and drifts stay the same.

    A subclass changes a chunk. The draws for a record depend only on the seed and the record's index.

    Parameters
    ----------
    source
        The stream.
    seed
        Seed of the draws.
    draws
        Four letters, the key of the draws.
    """

    def __init__(self, source: Stream, *, seed: int, draws: bytes) -> None:
        super().__init__(source)
        self.seed = checked_seed(seed, "seed", self.method)
        self._draws = self._draw_key(int.from_bytes(draws) << 32, 1 << 24)
        self.endless, self.n_records = source.endless, source.n_records
        self._drifts_forever, self._drifts_read = source._drifts_forever, source._drifts_read

    @abstractmethod
    def _altered(self, chunk: Chunk) -> Chunk:
        """Return the changed records, in new arrays."""

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        return self.sources[0].drifts_before(n)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on."""
        return map(self._altered, self.sources[0].chunks(size, start))

    def _uniforms(self, chunk: Chunk, which: int = 0) -> FloatArray:
        """Draw a number in [0, 1) for each record; ``which`` numbers several draws per record, one per feature."""
        return _native.uniforms(self.seed, self._draws + which, chunk.start, len(chunk))


def with_other_codes(codes: npt.NDArray[Any], n: int, share: float, draws: FloatArray) -> npt.NDArray[Any]:
    """Return codes below ``n`` of which a share is replaced by others, uniformly.

    The draw of a record, in [0, 1), decides whether its code is replaced and by which one.

    Examples
    --------
    >>> with_other_codes(np.array([0, 0, 0, 0]), 3, 0.5, np.array([0.1, 0.3, 0.49, 0.5]))
    array([1, 2, 2, 0])
    """
    replaced = np.flatnonzero(draws < share)
    move = 1 + np.minimum(np.floor(draws[replaced] / share * (n - 1)), n - 2)
    found = codes.copy()
    found[replaced] = (codes[replaced] + move) % n
    return found


def chosen_features(features: str | Sequence[str] | None, schema: Schema, caller: str) -> list[int]:
    """Return the columns of these features; None for all."""
    names = [feature.name for feature in schema.features]
    if features is None:
        return list(range(len(names)))
    if not isinstance(features, str | Sequence):
        raise ParameterError("features", caller, "the name of a feature, or a list of names", features)
    wanted = [features] if isinstance(features, str) else list(features)
    for name in wanted:
        if name not in names:
            near = suggestion(name, names)
            raise InputError(f"{caller}: unknown feature {name!r}.{near} Accepted: {listing(names)}.")
    return sorted({names.index(name) for name in wanted})


def check_classes(stream: Stream, caller: str) -> int:
    """Return the number of classes, which must be declared."""
    schema = stream.schema
    if schema.classes is None:
        raise InputError(f"{caller}: {stream.name} is a regression stream. Accepted: a stream with classes.")
    if schema.open:
        raise InputError(
            f"{caller}: new classes may appear in {stream.name}. Accepted: a stream whose classes are all declared."
        )
    return schema.n_classes
