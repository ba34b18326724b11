"""How a run is executed."""

from __future__ import annotations

import pytest

import prequential as pq
from prequential.evaluation.execution import default_chunk


@pytest.mark.parametrize(
    ("n_features", "n"), [(0, 262_144), (1, 262_144), (16, 262_144), (32, 131_072), (1000, 4194), (10_000, 1024)]
)
def test_a_chunk_has_about_32_megabytes(n_features: int, n: int) -> None:
    assert default_chunk(pq.Schema.numeric(n_features, ("a", "b"))) == n
