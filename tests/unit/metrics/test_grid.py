"""How a grid hands over the checkpoints that it passes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

import prequential as pq
from prequential.metrics import grid
from prequential.metrics.auc import RANKS
from prequential.metrics.grid import Grid
from prequential.streams.chunk import Chunk

N = 2000


@pytest.mark.parametrize("n_classes", [2, 20])
def test_checkpoints_come_in_parts_of_bounded_size(n_classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "_MOST_NUMBERS", 20_000)
    y = np.arange(N) % n_classes
    chunk = Chunk(pq.Schema.numeric(0, tuple(range(n_classes))), 0, np.zeros((N, 0)), y)
    forgetting = [pq.Cumulative(), pq.Sliding(10)]
    counted = Grid(chunk.schema, forgetting, probabilities=False, skip_abstained=False)
    parts = counted.update(chunk, None, y, every=1)
    assert np.concatenate([part.n for part in parts]).tolist() == list(range(1, N + 1))
    per_checkpoint = len(forgetting) * (n_classes + 1) ** 2
    assert {len(part) for part in parts[:-1]} == {20_000 // per_checkpoint}
    assert len(parts[-1]) <= 20_000 // per_checkpoint


def test_without_checkpoints_all_records_are_one_part() -> None:
    chunk = Chunk(pq.Schema.numeric(0, ("a", "b")), 0, np.zeros((N, 0)), np.zeros(N, np.int64))
    counted = Grid(chunk.schema, [pq.Cumulative()], probabilities=False, skip_abstained=False)
    assert counted.update(chunk, None, chunk.y, every=0) == []
    assert counted.checkpoint().n.tolist() == [N]


def test_average_precision_is_that_of_the_positive_class() -> None:
    schema = pq.Schema.numeric(0, ("no", "yes"))
    y, p = np.array([0, 1, 1, 0, 1, 0, 0]), np.array([0.1, 0.9, 0.3, 0.4, 0.7, 0.8, 0.85])
    chunk = Chunk(schema, 0, np.zeros((7, 0)), y)
    for positive, labels, scores in (("yes", y, p), ("no", 1 - y, 1 - p)):
        counted = Grid(
            schema,
            [pq.Cumulative()],
            probabilities=False,
            skip_abstained=False,
            ranks=["average_precision"],
            positive=positive,
        )
        counted.update(chunk, np.column_stack([1 - p, p]))
        found = counted.checkpoint().counts.ranks[0, 0, RANKS.index("average_precision")]
        assert found == pytest.approx(average_precision_score(labels, scores))
