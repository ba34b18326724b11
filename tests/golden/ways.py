"""Ways of running a golden case. None of them may change a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import prequential as pq


@dataclass(frozen=True, slots=True)
class Way:
    """One way of running a case.

    Parameters
    ----------
    engine
        Where the learners work; with two workers unless it is serial.
    chunk_size
        Records read at a time; None: the default.
    stopped
        Who interrupts the run before it is resumed, if anyone does.
    saved
        Whether the run is copied to another directory and loaded from there.
    """

    engine: Literal["serial", "threads", "processes"] = "serial"
    chunk_size: int | None = None
    stopped: Literal["", "by stream", "by learner"] = ""
    saved: bool = False


WAYS = {
    "serial": Way(),
    "threads": Way("threads"),
    "processes": Way("processes"),
    "chunks-1": Way(chunk_size=1),
    "chunks-7": Way(chunk_size=7),
    "chunks-1000": Way(chunk_size=1000),
    "resumed": Way(stopped="by stream"),
    "resumed-threads": Way("threads", stopped="by stream"),
    "resumed-processes": Way("processes", stopped="by stream"),
    "resumed-learner": Way(stopped="by learner"),
    "saved": Way(saved=True),
}
"""All ways by name; ``serial`` is the one that wrote the expected files."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Where one case is run: the way, and an empty folder for its files."""

    way: Way
    folder: Path


class InterruptedStream(pq.Stream):
    """A stream that raises KeyboardInterrupt at a record."""

    def __init__(self, source: pq.Stream, at: int) -> None:
        self._source, self._at = source, at
        self.name, self.n_records, self.events = source.name, source.n_records, source.events
        self.drifts = source.drifts

    @property
    def schema(self) -> pq.Schema:
        return self._source.schema

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[pq.Chunk]:
        for chunk in self._source.chunks(min(size, 37), start):
            if chunk.start + len(chunk) > self._at:
                raise KeyboardInterrupt
            yield chunk

    def describe(self) -> dict[str, object]:
        return self._source.describe()
