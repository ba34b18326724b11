"""Random records for tests of the grid, functions that count them, and comparisons of traces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from twins.counts import Record

from prequential.metrics import Counts
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.grid import Checkpoints, Grid
from prequential.streams import Chunk, Schema
from prequential.streams.chunk import UNLABELLED

WEIGHTS = {
    "none": None,
    "fractional": (0.0, 0.25, 0.5, 1.0, 3.0),
    "outliers": (0.0, 0.5, 1.0, 2.0, 1e20),
}
"""Dyadic, so that sums are exact and rounding breaks no tie."""


def random_records(
    seed: int,
    n: int,
    n_classes: int,
    *,
    scores: bool = True,
    weights: str = "none",
    abstain: float = 0.1,
    unlabelled: float = 0.1,
    late: bool = False,
) -> list[Record]:
    """Return records with autocorrelated labels; with ``late``, half of the classes appear in the second half."""
    rng = np.random.default_rng(seed)
    records: list[Record] = []
    time, label = 0.0, 0
    for i in range(n):
        known = n_classes if not late or i > n // 2 else max(1, n_classes // 2)
        if rng.random() < 0.6:
            label = int(rng.integers(known))
        silent = rng.random() < abstain
        row: tuple[float, ...] | None = None
        prediction: int | None = None
        if scores:
            row = tuple(float(v) for v in np.round(rng.random(known) * 8) / 8)  # coarse, so that there are ties
            if silent:
                row = ((0.0,) * known, (math.nan,) * known, (math.inf,) * known)[int(rng.integers(3))]
            row += (0.0,) * (n_classes - known)
        else:
            prediction = None if silent else int(rng.integers(known))
        choice = WEIGHTS[weights]
        time += float(rng.choice([0.0, 0.5, 1.0, 7.0]))
        records.append(
            Record(
                None if rng.random() < unlabelled else label,
                prediction,
                row,
                1.0 if choice is None else float(rng.choice(choice)),
                time,
            )
        )
    return records


def chunk_of(records: Sequence[Record], schema: Schema, start: int = 0, *, weighted: bool = True) -> Chunk:
    y = np.array([UNLABELLED if r.label is None else r.label for r in records], dtype=np.int64)
    return Chunk(
        schema,
        start,
        np.empty((len(records), 0)),
        y,
        np.array([r.time for r in records]),
        np.array([r.weight for r in records]) if weighted else None,
    )


def through_grid(
    records: Sequence[Record],
    forgetting: Sequence[Forgetting],
    *,
    n_classes: int,
    probabilities: bool = False,
    skip: bool = False,
    cuts: Sequence[int] = (),
    every: int = 1,
    weighted: bool = True,
    ranks: Sequence[str] = (),
) -> Checkpoints:
    """Return the checkpoints of the native grid, updated in chunks that end at ``cuts``."""
    schema = Schema.numeric(0, tuple(range(n_classes)))
    grid = Grid(schema, forgetting, probabilities=probabilities, skip_abstained=skip, ranks=ranks)
    passed: list[Checkpoints] = []
    edges = sorted({0, *cuts, len(records)})
    for first, last in pairwise(edges):
        part = records[first:last]
        has_scores = part[0].scores is not None
        scores = np.array([r.scores for r in part], dtype=np.float64) if has_scores else None
        predictions = None if has_scores else np.array([-1 if r.prediction is None else r.prediction for r in part])
        passed += grid.update(chunk_of(part, schema, first, weighted=weighted), scores, predictions, every=every)
    return Checkpoints.join(passed)


def grid_of(
    records: Sequence[Record],
    forgetting: Sequence[Forgetting],
    *,
    n_classes: int,
    probabilities: bool = False,
    skip: bool = False,
) -> Grid:
    """Return a grid that has counted some records."""
    schema = Schema.numeric(0, tuple(range(n_classes)))
    grid = Grid(schema, forgetting, probabilities=probabilities, skip_abstained=skip)
    count(grid, records, schema)
    return grid


def count(grid: Grid, records: Sequence[Record], schema: Schema, *, every: int = 0) -> list[Checkpoints]:
    """Count records with a grid, by their scores or predictions."""
    if not records:
        return []
    has_scores = records[0].scores is not None
    scores = np.array([r.scores for r in records], dtype=np.float64) if has_scores else None
    predictions = None if has_scores else np.array([-1 if r.prediction is None else r.prediction for r in records])
    return grid.update(chunk_of(records, schema), scores, predictions, every=every)


def flat(counts: Counts) -> np.ndarray:
    """Return all numbers of some counts, with one row per checkpoint and forgetting."""
    lead = counts.weight.shape
    parts = [counts.matrix.reshape(*lead, -1)]
    parts += [
        v[..., np.newaxis] for v in (counts.majority_hits, counts.no_change_hits, counts.weight, counts.n_records)
    ]
    return np.concatenate([*parts, counts.losses, counts.ranks], axis=-1)


def sorted_trace(table: pa.Table, *more: str) -> pa.Table:
    """Sort a trace: the order of its rows depends on when parts were written."""
    plain = table.cast(
        pa.schema([(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type) for f in table.schema])
    )
    keys = ("learner", "forgetting", "metric", "n", *more)
    return plain.take(pc.sort_indices(plain, [(k, "ascending") for k in keys]))


def assert_same_trace(found: pa.Table, expected: pa.Table) -> None:
    """Compare to the last bit; NaN equals NaN."""
    assert expected.num_rows > 0
    assert found.drop_columns(["time", "value"]).equals(expected.drop_columns(["time", "value"]))
    for column in ("time", "value"):
        np.testing.assert_array_equal(found[column].to_numpy(), expected[column].to_numpy())


def damaged(state: bytes, rng: np.random.Generator) -> list[bytes]:
    """Return damaged copies: truncated, with flipped bits, inserted or removed bytes, and other numbers."""
    found = [b"", state + b"\0", b"prequential", bytes(len(state)), b"\xff" * len(state)]
    found += [state[: int(k)] for k in rng.integers(len(state), size=40)]
    for k in rng.integers(len(state), size=150).tolist():
        one = bytearray(state)
        one[k] ^= 1 << int(rng.integers(8))
        found.append(bytes(one))
    for k in rng.integers(len(state) - 8, size=40).tolist():
        found.append(state[:k] + b"\xff" * 8 + state[k + 8 :])
        found.append(state[:k] + state[k + 1 :])
    return found
