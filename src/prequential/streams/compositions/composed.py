"""The base of streams composed of other streams."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from prequential.errors import InputError, ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema
from prequential.streams.seed import another_seed
from prequential.streams.stream import Stream

T = TypeVar("T")


class Composed(Stream):
    """A stream composed of one or several others.

    A subclass defines its records and drifts. It names the method of `Stream` that creates it and its parameters, for
    messages and manifests.

    Parameters
    ----------
    sources
        The streams; several must have the same schema.
    """

    method: ClassVar[str]
    """The method of `Stream` that creates it."""
    parameters: ClassVar[tuple[str, ...]] = ()
    """The names of its parameters, as listed in a manifest."""
    takes_events: ClassVar[bool] = False
    """Whether it accepts events, where a record and its label are two rows with the same id."""

    def __init__(self, *sources: Stream) -> None:
        first = sources[0]
        late = next((source for source in sources if source.events), None)
        if late is not None and not self.takes_events:
            raise InputError(
                f"{self.method}: {late.name} is a stream of events, where a record and its label are two rows. "
                "Accepted: a stream whose records have their labels; delay them afterwards: "
                f"stream.{self.method}(…).delayed(…)."
            )
        for other in sources[1:]:
            difference = first.schema.difference(other.schema)
            if difference is not None:
                raise InputError(
                    f"{self.method}: the streams must have the same features, target and classes. Of {first.name} "
                    f"(here) and {other.name} (there), {difference}."
                )
        self.sources = sources
        self.name = first.name
        self.restartable = all(source.restartable for source in sources)
        self.generated = all(source.generated for source in sources)
        self.events = any(source.events for source in sources)
        self._noisy_labels = any(source._noisy_labels for source in sources)
        self._recurs = self._recurs or any(source._recurs for source in sources)
        self._drawn = frozenset[int]().union(*(source._drawn for source in sources))

    @property
    def schema(self) -> Schema:
        """The schema of all the streams."""
        return self.sources[0].schema

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """The known drifts of the stream; if they must be found by reading, it is read now."""
        if self._drifts_forever:
            raise self._endless_drifts()
        return self.drifts_before(None)

    @abstractmethod
    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""

    def reseeded(self, seed: int) -> Stream:
        """Return the same composition of the same streams, all with other random draws."""
        sources = [source.reseeded(seed) for source in self.sources]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were issued when this stream was made
            return self._remade(sources, seed)

    def _remade(self, sources: Sequence[Stream], seed: int) -> Stream:
        """Return the same composition of other streams."""
        settings: dict[str, Any] = {name: getattr(self, name) for name in self.parameters}
        if "seed" in settings:
            settings["seed"] = another_seed(settings["seed"], seed)
        return type(self)(*sources, **settings)

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        parameters = {name: getattr(self, name) for name in self.parameters}
        sources = [source.describe() for source in self.sources]
        made_of = {"of": sources if len(sources) > 1 else sources[0]}
        return {**super().describe(), "composition": self.method, **parameters, **made_of}

    def _endless_drifts(self) -> InputError:
        return InputError(
            f"{self.name} never ends, or its end is not known, so its drifts cannot all be listed. Use a part of it, "
            "stream.take(n), or stream.drifts_before(n)."
        )

    def _draw_key(self, first: int, step: int = 1) -> int:
        """Return the key of the random draws of this stream: ``first``, or the next one that no source uses.

        So two layers of noise with one seed are different noise.
        """
        key = first
        while key in self._drawn:
            key += step
        self._drawn |= {key}
        return key

    def _read(self, source: Stream, size: int, start: int, first: int) -> Iterator[Chunk]:
        """Read a source from its record ``start`` on; its record 0 is record ``first`` of this stream.

        Times and identifiers are dropped, because those of two streams do not fit together.
        """
        schema = self.schema
        for chunk in source.chunks(size, start):
            check_closed(chunk, source, self.method)
            yield replace(chunk, schema=schema, start=first + chunk.start, time=None, id=None)


def check_stream(stream: object, name: str, caller: str) -> None:
    """Refuse anything except a stream."""
    if not isinstance(stream, Stream):
        raise ParameterError(name, caller, "a stream", stream)


def checked_flag(value: object, name: str, caller: str) -> bool:
    """Return a bool; anything else is refused."""
    if not isinstance(value, bool):
        raise ParameterError(name, caller, "True or False", value)
    return value


def check_closed(chunk: Chunk, stream: Stream, caller: str) -> None:
    """Refuse classes and values that are not in the schema: two streams would give them different codes."""
    if chunk.schema is not stream.schema and chunk.schema != stream.schema:
        raise InputError(
            f"{caller}: record {chunk.start} of {stream.name} has a class or value that is not in its schema. "
            "Accepted: streams whose classes and values are declared."
        )


def same_bayes_error(sources: tuple[Stream, ...]) -> float | None:
    """Return the Bayes error if all streams have the same; else None."""
    errors = {source._constant_bayes_error for source in sources}
    return errors.pop() if len(errors) == 1 else None


def counted(stream: Stream) -> int | None:
    """Return the length of a stream, counted if it is unknown; None if it cannot be counted."""
    if stream.n_records is not None or stream.endless or not stream.restartable:
        return stream.n_records
    try:
        return sum(len(chunk) for chunk in stream.chunks())
    except Exception:  # a bad record is reported when it is read
        return None


def until_fault(items: Iterator[T]) -> Iterator[T]:
    """Yield items up to an error; a bad record is reported when it is read."""
    with suppress(Exception):
        yield from items
