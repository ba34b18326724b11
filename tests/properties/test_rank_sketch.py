"""What holds of the order of scores in constant memory: its bounds, exactness, chunks, looks, bytes and merging."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from scipy.stats import rankdata
from support.records import damaged

from prequential.metrics.auc import RANKS
from prequential.metrics.forgetting import Cumulative, Fading, Forgetting, Sliding
from prequential.metrics.grid import Grid
from prequential.streams import Chunk, Schema
from prequential.types import FloatArray, IntArray

SCHEMA = Schema((), ("no", "yes"))
Scores: TypeAlias = Callable[[np.random.Generator, IntArray], FloatArray]

HARD: dict[str, Scores] = {
    "all distinct": lambda rng, y: 1 / (1 + np.exp(-rng.normal(size=len(y)) - y)),
    "ascending": lambda rng, y: np.sort(rng.random(len(y))),
    "descending": lambda rng, y: np.sort(rng.random(len(y)))[::-1].copy(),
    "drifting": lambda rng, y: np.arange(len(y)) / len(y) * 0.8 + rng.random(len(y)) * 0.1 + y * 0.05,
    "clustered": lambda rng, y: np.where(rng.random(len(y)) < 0.5, 0.3 + 1e-9 * rng.random(len(y)), 0.7),
    "extremes": lambda rng, y: np.exp(-700 * rng.random(len(y))),
    "spread, then clustered": lambda rng, y: np.where(
        np.arange(len(y)) < len(y) // 3, rng.random(len(y)), 0.5 + 1e-6 * rng.random(len(y))
    ),
}


def grid(*forgetting: Forgetting, schema: Schema = SCHEMA) -> Grid:
    return Grid(schema, forgetting, probabilities=False, skip_abstained=False, ranks=RANKS)


def chunk(y: IntArray, weight: FloatArray | None = None, schema: Schema = SCHEMA) -> Chunk:
    return Chunk(schema, 0, np.zeros((len(y), 0)), y, None, weight)


def two(s: FloatArray) -> FloatArray:
    return np.column_stack([1 - s, s])


def brute_force(s: FloatArray, y: IntArray, w: FloatArray) -> tuple[float, float, float]:
    """AUC, average precision and scored AUC by their definitions, for weighted records."""
    _, group = np.unique(s, return_inverse=True)
    n, p = np.bincount(group, w * (y == 0)), np.bincount(group, w * (y == 1))
    score = np.unique(s)
    below, below_scores = np.cumsum(n) - n, np.cumsum(n * score) - n * score
    pairs = n.sum() * p.sum()
    above_n, above_p = np.cumsum(n[::-1])[::-1], np.cumsum(p[::-1])[::-1]
    precision = np.divide(above_p, above_n + above_p, out=np.zeros(len(p)), where=above_n + above_p > 0)
    return (
        float((p * (below + n / 2)).sum() / pairs),
        float((p / p.sum() * precision).sum()),
        float((p * (score * below - below_scores)).sum() / pairs),
    )


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_true_value_is_within_the_bound_at_every_checkpoint(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    n, alpha = 20_000, 0.9995
    y = (rng.random(n) < (0.5, 0.1)[seed - 1]).astype(np.int64)
    s = HARD[kind](rng, y)
    for found in grid(Cumulative(), Fading(alpha)).update(chunk(y), two(s), every=5000):
        for at, seen in enumerate(found.n.tolist()):
            fading = alpha ** np.arange(seen - 1, -1, -1.0)
            for place, w in enumerate((np.ones(seen), fading)):
                values, bounds = np.split(found.counts.ranks[at, place], 2)
                for rank, true in zip((0, 2, 3), brute_force(s[:seen], y[:seen], w), strict=True):
                    assert abs(values[rank] - true) <= bounds[rank] + 1e-12, (kind, seen, RANKS[rank])
                assert bounds[0] <= 2e-3


@pytest.mark.parametrize("weighted", [False, True])
def test_few_different_scores_are_exact(weighted: bool) -> None:
    """SciPy's ranks give the AUC of equal weights (Mann and Whitney)."""
    rng = np.random.default_rng(3)
    n, alpha = 100_000, 0.9999
    y = rng.integers(2, size=n)
    s = np.round(rng.random(n) * 0.8 + 0.2 * y, 3).astype(np.float64)
    w = rng.random(n) + 0.5 if weighted else np.ones(n)
    for found in grid(Cumulative(), Fading(alpha)).update(chunk(y, w if weighted else None), two(s), every=25_000):
        for at, seen in enumerate(found.n.tolist()):
            values = found.counts.ranks[at]
            assert (values[:, 4:] == 0).all()
            fading = alpha ** np.arange(seen - 1, -1, -1.0)
            assert values[0, 0] == pytest.approx(brute_force(s[:seen], y[:seen], w[:seen])[0], abs=1e-12)
            assert values[1, 0] == pytest.approx(brute_force(s[:seen], y[:seen], w[:seen] * fading)[0], abs=1e-12)
            if not weighted:
                p = int(y[:seen].sum())
                area = (rankdata(s[:seen])[y[:seen] == 1].sum() - p * (p + 1) / 2) / (p * (seen - p))
                assert values[0, 0] == pytest.approx(area, abs=1e-12)


def test_chunks_looks_and_bytes_change_no_bit() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(2, size=30_000)
    s = rng.random(30_000)
    forgetting = (Cumulative(), Fading(0.999))
    whole = grid(*forgetting)
    whole.update(chunk(y), two(s))
    parts = grid(*forgetting)
    for first in range(0, len(y), 777):
        part = slice(first, first + 777)
        parts.update(chunk(y[part]), two(s[part]), every=100)
        restored = grid(*forgetting)
        restored.load_bytes(parts.to_bytes())
        parts = restored
    np.testing.assert_array_equal(parts.checkpoint().counts.ranks, whole.checkpoint().counts.ranks)
    assert whole.nbytes < 4_000_000


def test_damaged_bytes_are_refused() -> None:
    rng = np.random.default_rng(5)
    one = grid(Cumulative())
    one.update(chunk(rng.integers(2, size=9000)), two(rng.random(9000)))
    state = one.to_bytes()
    for bad in damaged(state, rng)[5:65]:
        with pytest.raises(ValueError):  # noqa: PT011  # one of several messages
            grid(Cumulative()).load_bytes(bad)


def test_merged_parts_are_within_the_bound_of_the_whole() -> None:
    rng = np.random.default_rng(6)
    n, alpha = 30_000, 0.9999
    y, s = rng.integers(2, size=n), rng.random(n)
    first, later = grid(Cumulative(), Fading(alpha)), grid(Cumulative(), Fading(alpha))
    first.update(chunk(y[:20_000]), two(s[:20_000]))
    later.update(chunk(y[20_000:]), two(s[20_000:]))
    first.merge(later)
    ranks = first.checkpoint().counts.ranks[0]
    for place, w in enumerate((np.ones(n), alpha ** np.arange(n - 1, -1, -1.0))):
        for rank, true in zip((0, 2, 3), brute_force(s, y, w), strict=True):
            assert abs(ranks[place, rank] - true) <= ranks[place, 4 + rank] + 1e-12


def test_a_class_that_appears_late_had_the_score_zero() -> None:
    """The same as a window that keeps all records, which takes the scores of a class from its first record on."""
    rng = np.random.default_rng(7)
    y = np.concatenate([rng.integers(2, size=300), rng.integers(3, size=300)])
    p = np.round(rng.dirichlet(np.ones(3), size=600), 2)
    p[:300, 2] = 0
    early, late = (Schema((), classes, open=True) for classes in (("a", "b"), ("a", "b", "c")))
    both = grid(Cumulative(), Sliding(10_000), schema=early)
    both.update(chunk(y[:300], schema=early), p[:300, :2])
    both.update(chunk(y[300:], schema=late), p[300:])
    ranks = both.checkpoint().counts.ranks[0]
    np.testing.assert_allclose(ranks[0], ranks[1], atol=1e-12)
