"""Sources of records: files, arrays, tables, iterables, generators; all read in chunks."""

from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.compositions.delayed import ExponentialDelay, UniformDelay
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
from prequential.streams.readers import from_arrays, from_river, from_table, read
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Drift, Stream

__all__ = [
    "LED",
    "SEA",
    "STAGGER",
    "UNLABELLED",
    "Agrawal",
    "Chunk",
    "Drift",
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
    "UniformDelay",
    "Waveform",
    "from_arrays",
    "from_river",
    "from_table",
    "read",
]
