"""The digest of records."""

from __future__ import annotations

import numpy as np

from prequential.streams import SEA
from prequential.streams.digest import digest
from prequential.streams.readers import from_arrays


def test_a_digest_depends_on_the_records_and_not_on_the_chunk_size() -> None:
    stream = SEA(seed=1).take(1000)
    assert digest(stream.chunks(7)) == digest(stream.chunks(1000)) == "72c01873d8416da86e5c08344096e390"
    assert digest(stream.chunks()) != digest(SEA(seed=2).take(1000).chunks())
    flipped, same = digest(SEA(seed=1, noise=0.2).take(1000).chunks()), digest(stream.chunks())
    assert flipped[:16] == same[:16], "the features are the same"
    assert flipped[16:] != same[16:], "the labels are not"


def test_numeric_targets_are_digested_as_numbers_and_may_be_missing() -> None:
    def targets(*y: float) -> str:
        return digest(from_arrays(np.zeros((2, 1)), list(y), task="regression").chunks())

    assert targets(0.25, float("nan")) == targets(0.25, float("nan"))
    assert targets(0.25, float("nan")) != targets(0.75, float("nan")), "a fraction is part of the target"
