"""Our learners on the same records."""

from __future__ import annotations

import time
from importlib.metadata import version

import numpy as np

import prequential as pq
from benchmarks.quality.arena import Arena
from benchmarks.quality.cell import Cell
from benchmarks.quality.entrant import Entrant
from prequential.learners.native import NativeLearner


def our_cell(entrant: Entrant, arena: Arena, seed: int) -> Cell:
    """Test and train on each record, in chunks."""
    learner = pq.as_learner(entrant.ours).fresh(arena.stream.schema, seed)
    assert isinstance(learner, NativeLearner)
    X, y = arena.records
    said = np.empty(len(y), dtype=np.int64)
    began = time.process_time()
    for i in range(0, len(y), 1000):
        part = slice(i, i + 1000)
        scores = learner.test_then_train(X[part], y[part])
        said[part] = np.where(scores.any(axis=1), scores.argmax(axis=1), -1)
    seconds = time.process_time() - began
    return cell_of("prequential", version("prequential"), entrant, arena, seed, said, seconds, learner.nbytes)


def cell_of(
    library: str, release: str, entrant: Entrant, arena: Arena, seed: int, said: np.ndarray, seconds: float, nbytes: int
) -> Cell:
    """Count predictions (−1 is an abstention, which is an error)."""
    _, y = arena.records
    accuracy = float((said == y).mean())
    chance = sum(float((said == c).mean()) * float((y == c).mean()) for c in np.unique(y))
    kappa = (accuracy - chance) / (1 - chance) if chance < 1 else float("nan")
    key = entrant.name, arena.name, arena.n_records, seed
    return Cell(library, release, *key, 100 * accuracy, 100 * kappa, seconds, nbytes)
