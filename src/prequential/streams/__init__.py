"""Sources of records: files, arrays, tables, iterables and generators, all read in chunks; and writers of files."""

from typing import TYPE_CHECKING

from prequential.namespace import namespace
from prequential.streams.as_stream import StreamLike, as_stream, names
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.delayed import ExponentialDelay, UniformDelay, as_delay
from prequential.streams.data_warning import DataWarning
from prequential.streams.drift import Drift, DriftBeyondEndWarning
from prequential.streams.generators import (
    LED,
    SEA,
    STAGGER,
    Agrawal,
    Generator,
    Hyperplane,
    Mixed,
    RandomRBF,
    RandomTree,
    RotatingGaussian,
    Sine,
    Waveform,
)
from prequential.streams.presets.catalogue import preset, presets
from prequential.streams.readers import from_arrays, from_events, from_iterable, from_table, read
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream
from prequential.streams.writers import write

__all__ = [
    "LED",
    "SEA",
    "STAGGER",
    "Agrawal",
    "Chunk",
    "DataWarning",
    "Drift",
    "DriftBeyondEndWarning",
    "ExponentialDelay",
    "Feature",
    "Generator",
    "Hyperplane",
    "Mixed",
    "RandomRBF",
    "RandomTree",
    "RotatingGaussian",
    "Schema",
    "Sine",
    "Stream",
    "StreamLike",
    "UniformDelay",
    "Waveform",
    "as_delay",
    "as_stream",
    "from_arrays",
    "from_events",
    "from_iterable",
    "from_table",
    "names",
    "preset",
    "presets",
    "read",
    "write",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
