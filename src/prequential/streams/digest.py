"""A hash that identifies the records of a stream."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from prequential.streams.chunk import Chunk
from prequential.types import FloatArray


def digest(chunks: Iterable[Chunk]) -> str:
    """Return a hash of features and labels that does not depend on the chunk size.

    Features and numeric targets are rounded to six decimals, so that machines whose logarithms differ in the last bit
    agree.
    """
    features, labels = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    for chunk in chunks:
        features.update(_rounded(chunk.X))
        labels.update(_rounded(chunk.y) if chunk.y.dtype.kind == "f" else chunk.y.astype("<i8").tobytes())
    return features.hexdigest() + labels.hexdigest()


def _rounded(values: FloatArray) -> bytes:
    return (np.round(values, 6) + 0.0).astype("<f8").tobytes()
