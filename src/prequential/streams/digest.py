"""A hash that identifies the records of a stream."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from prequential.streams.chunk import Chunk


def digest(chunks: Iterable[Chunk]) -> str:
    """Return a hash of features and labels that does not depend on the chunk size.

    Features are rounded to six decimals, so that machines whose logarithms differ in the last bit agree.
    """
    features, labels = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    for chunk in chunks:
        features.update((np.round(chunk.X, 6) + 0.0).astype("<f8").tobytes())
        labels.update(chunk.y.astype("<i8").tobytes())
    return features.hexdigest() + labels.hexdigest()
