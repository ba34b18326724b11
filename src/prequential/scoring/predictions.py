"""Predictions made elsewhere, in any language, as sources for the driver."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from prequential.scoring.predicted import Predicted
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.inference import in_order
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, IntArray, Label, Labels


class Predictions(Stream):
    """A source of predictions: a stream whose chunks are `Predicted`."""

    has_scores: bool
    """Whether there is one score per class."""
    _schema: Schema

    @property
    def schema(self) -> Schema:
        """The target and the classes; there are no features."""
        return self._schema

    @abstractmethod
    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read from record ``start`` on, in chunks of ``size`` records."""

    def _predicted(self, chunk: Chunk, y: Labels, scores: FloatArray | None, prediction: IntArray | None) -> Predicted:
        """Return the records of a chunk with their predictions, without features."""
        no_features = np.empty((len(chunk), 0))
        columns = (chunk.time, chunk.weight, chunk.id)
        return Predicted(self.schema, chunk.start, no_features, y, *columns, self.name, scores, prediction)


class SeveralPredictions(Stream):
    """The predictions of several learners, one source after the other.

    Parameters
    ----------
    sources
        The sources by the names of their learners, all with the same classes.
    """

    def __init__(self, sources: Mapping[str, Predictions]) -> None:
        self._sources = dict(sources)
        self.name = next(iter(sources.values())).name
        lengths = [source.n_records for source in sources.values()]
        self.n_records = None if None in lengths else sum(n for n in lengths if n is not None)

    @property
    def schema(self) -> Schema:
        """The target and the classes; there are no features."""
        return next(iter(self._sources.values())).schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read one source after the other; each chunk has the name of its learner."""
        before = 0
        for learner, source in self._sources.items():
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
                    yield replace(part, start=before + part.start, learner=learner)
            before += n_read


def sorted_classes(values: Sequence[Label]) -> Sequence[Label]:
    """Return classes in order; a mix of text and numbers is sorted by type, then as text."""
    try:
        return in_order(values)
    except TypeError:  # a mix of text and numbers
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))


def recoded(codes: IntArray, table: IntArray) -> IntArray:
    """Replace codes by the entries of a table; missing values stay missing."""
    return np.append(table, UNLABELLED)[codes]  # a missing value has code -1, the last entry
