"""What each forgetting costs a record, and what it holds: the native grid alone, on predictions made before."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

import prequential as pq
from benchmarks.figure import Figure
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.grid import Grid
from prequential.types import FloatArray

N_RECORDS, LARGE = 4_000_000, 1_000_000
ROUNDS = 5
FORGETTING: tuple[Forgetting, ...] = (
    pq.Cumulative(),
    pq.Sliding(1000),
    pq.Sliding(LARGE),
    pq.Fading(0.999),
    pq.ExponentialHistogram(1000),
    pq.ExponentialHistogram(LARGE),
)
KINDS = {"plain": "two classes", "weighted": "two classes, weighted, with losses"}


def records(n: int = N_RECORDS, seed: int = 1) -> tuple[pq.Chunk, FloatArray, pq.Chunk]:
    """Make labels and the scores of a mediocre classifier; last, the same records with weights."""
    rng = np.random.default_rng(seed)
    schema = pq.Schema.numeric(0, (0, 1))
    y = (rng.random(n) < 0.4).astype(np.int64)
    scores = rng.random((n, 2))
    scores[np.arange(n), y] += 0.4
    nothing = np.empty((n, 0))
    return pq.Chunk(schema, 0, nothing, y), scores, pq.Chunk(schema, 0, nothing, y, None, rng.random(n) + 0.5)


def counted(
    forgetting: Sequence[Forgetting], chunk: pq.Chunk, scores: FloatArray, *, losses: bool
) -> tuple[float, int]:
    """Count all records; return the nanoseconds a record and the bytes held at the end."""
    grid = Grid(chunk.schema, forgetting, probabilities=losses, skip_abstained=False)
    begun = time.perf_counter()
    grid.update(chunk, scores)
    return (time.perf_counter() - begun) / len(chunk) * 1e9, grid.nbytes


def run() -> list[Figure]:
    """Measure, and return one row a figure; what judging the records costs is taken off."""
    plain, scores, weighted = records()
    figures: list[Figure] = []
    for kind, chunk in (("plain", plain), ("weighted", weighted)):
        losses = kind == "weighted"
        rounds = [
            [counted(part, chunk, scores, losses=losses) for part in ([], *([one] for one in FORGETTING))]
            for _ in range(ROUNDS)
        ]
        judging, *spent = (min(ns for ns, _ in column) for column in zip(*rounds, strict=True))
        held = [n_bytes for _, n_bytes in rounds[0][1:]]
        figures += [
            Figure(f"{one.label}, {KINDS[kind]}", ns - judging, "ns a record")
            for one, ns in zip(FORGETTING, spent, strict=True)
        ]
        figures.append(
            Figure(
                f"memory, {FORGETTING[5].label} against {FORGETTING[2].label}", held[5] / held[2], "×", 0.05, "at most"
            )
        )
    return figures
