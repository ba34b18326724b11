"""What all streams made of streams share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from prequential.errors import InputError, ParameterError
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift
from prequential.streams.generators.generator import another_seed
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream

T = TypeVar("T")


class Composed(Stream):
    """A stream made of one or several others.

    A subclass says what its records are, and where its drifts are. It names the method that makes it and its
    parameters, which messages and manifests then use.

    Parameters
    ----------
    sources
        The streams; several must have the same schema.
    """

    method: ClassVar[str]
    """The method of a stream that makes it."""
    parameters: ClassVar[tuple[str, ...]] = ()
    """The names of its settings, as a manifest lists them."""
    takes_events: ClassVar[bool] = False
    """Whether it makes sense of events, where a record and its label are two rows tied together by an id."""

    def __init__(self, *sources: Stream) -> None:
        first = sources[0]
        late = next((source for source in sources if source.events), None)
        if late is not None and not self.takes_events:
            raise InputError(
                f"{self.method}: {late.name} is a stream of events, where a record and its label are two rows. "
                "Accepted: a stream whose records have their labels; let them come late afterwards: "
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
        self._recurs = self._recurs or any(source._recurs for source in sources)
        self._drawn = frozenset[int]().union(*(source._drawn for source in sources))

    @property
    def schema(self) -> Schema:
        """The schema all the streams share."""
        return self.sources[0].schema

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """The changes that are known to be in the stream; where they must be found by reading, it is read now."""
        if self._drifts_forever:
            raise self._endless_drifts()
        return self.drifts_before(None)

    @abstractmethod
    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: of all)."""

    def reseeded(self, seed: int) -> Stream:
        """Return the same composition of the same streams, all with other draws."""
        return self._remade([source.reseeded(seed) for source in self.sources], seed)

    def _remade(self, sources: Sequence[Stream], seed: int) -> Stream:
        """Make the same of other streams."""
        settings: dict[str, Any] = {name: getattr(self, name) for name in self.parameters}
        if "seed" in settings:
            settings["seed"] = another_seed(settings["seed"], seed)
        return type(self)(*sources, **settings)

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        told = {name: getattr(self, name) for name in self.parameters}
        made_of: dict[str, object] = {"of": self.sources[0].describe()}
        if len(self.sources) > 1:
            made_of = {"of": [source.describe() for source in self.sources]}
        return {**super().describe(), "composition": self.method, **told, **made_of}

    def _endless_drifts(self) -> InputError:
        return InputError(
            f"{self.name} changes again and again and its end is not known, so that its drifts cannot all be listed. "
            "Accepted: a part of it, stream.take(n); or stream.drifts_before(n)."
        )

    def _purpose(self, first: int, step: int = 1) -> int:
        """Return for which purpose this stream draws numbers: ``first``, or if its sources draw for it a later one.

        So two layers of noise with one seed are not the same noise.
        """
        purpose = first
        while purpose in self._drawn:
            purpose += step
        self._drawn |= {purpose}
        return purpose

    def _read(self, source: Stream, size: int, start: int, first: int) -> Iterator[Chunk]:
        """Read a stream from its record ``start`` on, as records of this one, where its record 0 is ``first``.

        Times and identifiers are left out, because those of two streams do not fit together.
        """
        schema = self.schema
        for chunk in source.chunks(size, start):
            check_closed(chunk, source, self.method)
            yield replace(chunk, schema=schema, start=first + chunk.start, time=None, id=None)


def check_stream(stream: object, name: str, caller: str) -> None:
    """Refuse what is no stream."""
    if not isinstance(stream, Stream):
        raise ParameterError(name, caller, "a stream", stream)


def checked_flag(value: object, name: str, caller: str) -> bool:
    """Return a truth value, if it is one."""
    if not isinstance(value, bool):
        raise ParameterError(name, caller, "True or False", value)
    return value


def check_closed(chunk: Chunk, stream: Stream, caller: str) -> None:
    """Refuse classes and values that appear as a stream goes on: two streams would give them different codes."""
    if chunk.schema is not stream.schema and chunk.schema != stream.schema:
        raise InputError(
            f"{caller}: record {chunk.start} of {stream.name} brings a class or value that its schema does not have. "
            "Accepted: streams whose classes and values are declared."
        )


def same_bayes_error(sources: tuple[Stream, ...]) -> float | None:
    """Return the Bayes error of streams that all have the same."""
    errors = {source.bayes_error for source in sources}
    return errors.pop() if len(errors) == 1 else None


def counted(stream: Stream) -> int | None:
    """Return the length of a stream, counted where it is not known; None where it cannot be counted."""
    if stream.n_records is not None or stream.endless or not stream.restartable:
        return stream.n_records
    try:
        return sum(len(chunk) for chunk in stream.chunks())
    except Exception:  # what is wrong with a record is said when its turn comes
        return None


def until_fault(items: Iterator[T]) -> Iterator[T]:
    """Give items up to a fault: what is wrong with a record is said when its turn comes."""
    with suppress(Exception):
        yield from items
