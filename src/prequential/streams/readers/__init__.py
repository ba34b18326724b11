"""Streams from files, arrays, tables and iterables."""

from prequential.streams.readers.arff import ArffStream
from prequential.streams.readers.arrays import from_arrays
from prequential.streams.readers.csv import CsvStream
from prequential.streams.readers.events import from_events
from prequential.streams.readers.file import READERS, read
from prequential.streams.readers.iterable import from_iterable
from prequential.streams.readers.jsonl import JsonLinesStream
from prequential.streams.readers.parquet import ParquetStream
from prequential.streams.readers.table import from_table

__all__ = [
    "READERS",
    "ArffStream",
    "CsvStream",
    "JsonLinesStream",
    "ParquetStream",
    "from_arrays",
    "from_events",
    "from_iterable",
    "from_table",
    "read",
]
