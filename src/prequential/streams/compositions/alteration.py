"""A stream whose records are changed one by one: what noise, missing values and sparse labels share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from prequential import _native
from prequential.errors import InputError, ParameterError, listing, suggestion
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.composed import Composed
from prequential.streams.drift import Drift
from prequential.streams.generators.generator import checked_seed
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray


class Alteration(Composed):
    """A stream whose records are changed one by one. Their number, order and drifts stay.

    A subclass says what becomes of a chunk. What is drawn for a record depends on the seed and the record's index
    alone.

    Parameters
    ----------
    source
        The stream.
    seed
        For the draws.
    draws
        Four letters that say for which purpose numbers are drawn.
    """

    def __init__(self, source: Stream, *, seed: int, draws: bytes) -> None:
        super().__init__(source)
        self.seed = checked_seed(seed, "seed", self.method)
        self._draws = self._purpose(int.from_bytes(draws) << 32, 1 << 24)
        self.endless, self.n_records = source.endless, source.n_records
        self._drifts_forever, self._drifts_read = source._drifts_forever, source._drifts_read

    @abstractmethod
    def _altered(self, chunk: Chunk) -> Chunk:
        """Return the changed records, in new arrays where something changes."""

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: of all)."""
        return self.sources[0].drifts_before(n)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on."""
        return map(self._altered, self.sources[0].chunks(size, start))

    def _uniforms(self, chunk: Chunk, which: int = 0) -> FloatArray:
        """Draw a number in [0, 1) for each record; ``which`` of several, one a feature."""
        return _native.uniforms(self.seed, self._draws + which, chunk.start, len(chunk))


def chosen_features(features: str | Sequence[str] | None, schema: Schema, caller: str) -> list[int]:
    """Return the columns of the features named; all, if none are."""
    names = [feature.name for feature in schema.features]
    if features is None:
        return list(range(len(names)))
    if not isinstance(features, str | Sequence):
        raise ParameterError("features", caller, "the name of a feature, or a list of names", features)
    wanted = [features] if isinstance(features, str) else list(features)
    for name in wanted:
        if name not in names:
            near = suggestion(name, names)
            raise InputError(f"{caller}: there is no feature {name!r}.{near} Accepted: {listing(names)}.")
    return sorted({names.index(name) for name in wanted})


def check_classes(stream: Stream, caller: str) -> int:
    """Return the number of classes, which must be declared."""
    schema = stream.schema
    if schema.classes is None:
        raise InputError(f"{caller}: {stream.name} is a regression stream. Accepted: a stream with classes.")
    if schema.open:
        raise InputError(
            f"{caller}: classes may still appear in {stream.name}. Accepted: a stream whose classes are all declared."
        )
    return schema.n_classes
