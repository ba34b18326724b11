"""The base of generators: endless streams whose records are computed from a seed and their index."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_whole, is_number
from prequential.errors import ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Feature, Schema
from prequential.streams.seed import another_seed, checked_seed
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, Labels

MOST_CLASSES = 4096
"""The largest number of classes that metrics support."""


class Maker(Protocol):
    """The native part of a generator."""

    def records(self, start: int, n: int) -> tuple[FloatArray, Labels]:
        """Return features and label codes of ``n`` records from ``start`` on."""


class Generator(Stream):
    """A synthetic stream. A subclass names its parameters and creates its native part.

    Parameters
    ----------
    schema
        Features and classes of the records.
    seed
        Seed of the records.

    Examples
    --------
    >>> import prequential as pq
    >>> isinstance(pq.streams.SEA(), pq.streams.Generator)
    True
    """

    endless = True
    generated = True
    parameters: ClassVar[tuple[str, ...]]
    """The names of its parameters, without the seed, as listed in a manifest."""

    @classmethod
    def defaults(cls) -> dict[str, object]:
        """Return all parameters with their defaults, including the seed."""
        signature = inspect.signature(cls.__init__)
        return {name: one.default for name, one in signature.parameters.items() if name != "self"}

    def __init__(self, schema: Schema, seed: int) -> None:
        self.name = type(self).__name__
        self._schema = schema
        self.seed = checked_seed(seed, "seed", self.name)

    @property
    def schema(self) -> Schema:
        """Features and classes."""
        return self._schema

    @abstractmethod
    def _maker(self) -> Maker:
        """Create the native part, which one reader uses at a time."""

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Generate records from ``start`` on, without end."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        maker = self._maker()
        while True:
            X, y = maker.records(start, size)
            yield Chunk(self._schema, start, X, y)
            start += size

    def reseeded(self, seed: int) -> Generator:
        """Return the generator with another seed, derived from its own and this one."""
        settings: dict[str, Any] = {name: getattr(self, name) for name in self.parameters}
        return type(self)(**settings, seed=another_seed(self.seed, seed))

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {**super().describe(), **{name: getattr(self, name) for name in (*self.parameters, "seed")}}


def either(first: npt.NDArray[np.bool_], noise: float = 0.0) -> FloatArray:
    """Return the probabilities of two classes, given where the first one is correct and the label noise.

    Examples
    --------
    >>> either(np.array([True, False]), noise=0.1)
    array([[0.9, 0.1],
           [0.1, 0.9]])
    """
    return np.stack([np.where(first, 1 - noise, noise), np.where(first, noise, 1 - noise)], axis=1)


def numeric(n: int) -> tuple[Feature, ...]:
    """Return ``n`` numeric features, named as MOA names them."""
    return tuple(Feature(f"att{j + 1}") for j in range(n))


def numbered_classes(n: int) -> tuple[str, ...]:
    """Return the names of ``n`` classes, as MOA names them."""
    return tuple(f"class{k + 1}" for k in range(n))


def checked_between(value: int, name: str, caller: str, least: int, most: int) -> int:
    """Return a whole number in a range."""
    if not is_number(value) or value != value // 1 or not least <= value <= most:
        raise ParameterError(name, caller, f"a whole number from {least} to {most}", value)
    return int(value)


def checked_one_of(value: int, name: str, caller: str, accepted: tuple[int, ...]) -> int:
    """Return one of a few whole numbers."""
    if not is_number(value) or value not in accepted:
        *first, last = map(str, accepted)
        raise ParameterError(name, caller, f"{', '.join(first)} or {last}", value)
    return int(value)


def checked_share(value: float, name: str, caller: str, most: float = 1) -> float:
    """Return a number in [0, most]."""
    if not (is_number(value) and 0 <= value <= most):
        raise ParameterError(name, caller, f"in [0, {most}]", value)
    return value
