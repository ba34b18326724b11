"""Sources of records: files, arrays, tables, iterables, generators; all read in chunks."""

from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.generators import SEA
from prequential.streams.readers import from_arrays, from_river, from_table, read
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Drift, Stream

__all__ = [
    "SEA",
    "UNLABELLED",
    "Chunk",
    "Drift",
    "Feature",
    "Schema",
    "Stream",
    "from_arrays",
    "from_river",
    "from_table",
    "read",
]
