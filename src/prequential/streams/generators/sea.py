"""The SEA concepts."""

from __future__ import annotations

from collections.abc import Iterator

from prequential import _native
from prequential.errors import ParameterError, checked_whole, is_number, is_whole
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream

_SCHEMA = Schema(tuple(Feature(f"attrib{j}") for j in (1, 2, 3)), ("groupA", "groupB"))


class SEA(Stream):
    """Three features in [0, 10); class groupA if the first two sum to at most a threshold; labels flipped at random.

    Record i of a seed is computed alone, so skipping costs nothing. Its Bayes error is ``noise``.

    Parameters
    ----------
    concept
        1, 2, 3 or 4: threshold 8, 9, 7 or 9.5.
    noise
        Probability that a label is flipped, in [0, 0.5].
    seed
        Which records.

    References
    ----------
    Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification", KDD 2001.
    """

    endless = True

    def __init__(self, concept: int = 1, *, noise: float = 0.1, seed: int = 1) -> None:
        if not is_whole(concept, 1) or concept > 4:
            raise ParameterError("concept", "SEA", "1, 2, 3 or 4", concept)
        if not (is_number(noise) and 0 <= noise <= 0.5):
            raise ParameterError("noise", "SEA", "in [0, 0.5]", noise)
        self.concept, self.noise, self.seed = concept, noise, checked_whole(seed, "seed", "SEA")
        self.name = "SEA"

    @property
    def schema(self) -> Schema:
        """Three numeric features, two classes."""
        return _SCHEMA

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Make records from ``start`` on, without end."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        while True:
            X, y = _native.sea(self.seed, start, size, self.concept, self.noise)
            yield Chunk(_SCHEMA, start, X, y)
            start += size

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {**super().describe(), "concept": self.concept, "noise": self.noise, "seed": self.seed}
