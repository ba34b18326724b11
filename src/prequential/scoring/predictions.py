"""Predictions made elsewhere, in any language, as sources for the driver."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError
from prequential.scoring.predicted import Predicted
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.inference import in_order
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, IntArray, Label, Labels


class Predictions(Stream):
    """A source of predictions: a stream whose chunks are `Predicted`."""

    learners: tuple[str, ...]
    """The learners that predicted."""
    unscored: tuple[str, ...]
    """The learners without scores."""
    where_scores: str
    """How a caller gives scores, for error messages."""
    _schema: Schema

    @property
    def schema(self) -> Schema:
        """The target and the classes; there are no features."""
        return self._schema

    @abstractmethod
    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read from record ``start`` on, in chunks of ``size`` records."""

    @abstractmethod
    def descriptions(self) -> dict[str, dict[str, Any]]:
        """Return the entry of each learner in the manifest."""

    def _predicted(
        self, chunk: Chunk, y: Labels, scores: Mapping[str, FloatArray], prediction: Mapping[str, IntArray]
    ) -> Predicted:
        """Return the records of a chunk with the predictions for them, without features."""
        no_features = np.empty((len(chunk), 0))
        return Predicted(
            self.schema, chunk.start, no_features, y, chunk.time, chunk.weight, chunk.id, scores, prediction
        )


class SeveralPredictions(Predictions):
    """Several sources of predictions, one after the other: each learner has its own records.

    Parameters
    ----------
    sources
        The sources, with different learners and the same classes.
    """

    def __init__(self, sources: Sequence[Predictions]) -> None:
        self._sources = list(sources)
        self._schema = sources[0].schema
        self.name, self.where_scores = sources[0].name, sources[0].where_scores
        self.learners = tuple(name for source in sources for name in source.learners)
        self.unscored = tuple(name for source in sources for name in source.unscored)
        lengths = [source.n_records for source in sources]
        self.n_records = None if None in lengths else sum(n for n in lengths if n is not None)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read one source after the other."""
        before = 0
        for source in self._sources:
            known = source.n_records
            skip = max(0, start - before)
            if known is not None and skip >= known > 0:
                before += known
                continue
            n_read = 0
            for chunk in source.chunks(size, 0 if known is None else skip):
                n_read = chunk.start + len(chunk)
                if n_read > skip:
                    part = chunk[max(0, skip - chunk.start) :]
                    yield replace(part, start=before + part.start)
            before += n_read

    @property
    def n_counted(self) -> int | None:
        """The number of records of the first learner."""
        return self._sources[0].n_records

    def descriptions(self) -> dict[str, dict[str, Any]]:
        """Return the entry of each learner in the manifest."""
        return {name: entry for source in self._sources for name, entry in source.descriptions().items()}


class SideBySide(Predictions):
    """Several sources of predictions for the same records, read in parallel.

    Parameters
    ----------
    sources
        The sources, with different learners, the same classes and the same records; see ``same_records``.
    """

    def __init__(self, sources: Sequence[Predictions]) -> None:
        self._sources = list(sources)
        self._schema = sources[0].schema
        self.name, self.where_scores = sources[0].name, sources[0].where_scores
        self.learners = tuple(name for source in sources for name in source.learners)
        self.unscored = tuple(name for source in sources for name in source.unscored)
        self.n_records = sources[0].n_records

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read all sources at once, from record ``start`` on."""
        for parts in zip(*(source.chunks(size, start) for source in self._sources), strict=False):
            n = min(map(len, parts))  # a source with a fault yields the records before it
            yield replace(
                parts[0][:n],
                scores={name: values[:n] for part in parts for name, values in part.scores.items()},
                prediction={name: values[:n] for part in parts for name, values in part.prediction.items()},
            )

    def descriptions(self) -> dict[str, dict[str, Any]]:
        """Return the entry of each learner in the manifest."""
        return {name: entry for source in self._sources for name, entry in source.descriptions().items()}


def same_records(sources: Sequence[Predictions]) -> bool:
    """Return whether all sources have the same labels, times, weights and identifiers, in the same order."""
    try:
        for parts in zip(*(source.chunks() for source in sources), strict=True):
            first = parts[0]
            for other in parts[1:]:
                for name in ("y", "time", "weight", "id"):
                    one, same = getattr(first, name), getattr(other, name)
                    if (one is None) != (same is None) or (one is not None and not _equal(one, same)):
                        return False
    except (ValueError, InputError):  # of different lengths, or with a fault, which the run reports
        return False
    return True


def _equal(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())


def sorted_classes(values: Sequence[Label]) -> Sequence[Label]:
    """Return classes in order; a mix of text and numbers is sorted by type, then as text."""
    try:
        return in_order(values)
    except TypeError:  # a mix of text and numbers
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))


def recoded(codes: IntArray, table: IntArray) -> IntArray:
    """Replace codes by the entries of a table; missing values stay missing."""
    return np.append(table, UNLABELLED)[codes]  # a missing value has code -1, the last entry
