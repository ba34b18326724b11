"""What holds of windows of ranks, whatever the records: cuts, looks, bytes, monotone scores, depth, time."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from support.records import damaged, random_records, through_grid
from support.rolling_auc import RollingAUC

from prequential.metrics.auc import RANKS, RankMetric
from prequential.metrics.forgetting import Sliding
from prequential.metrics.grid import Grid
from prequential.streams import Chunk, Schema

Ties: TypeAlias = Literal["half", "paper"]

seeds = st.integers(0, 10**6)
WEIGHTS = {"none": None, "real": (0.1, 0.7, 1.3), "outliers": (0.5, 1.0, 1e20)}


def sample(seed: int, n: int, n_classes: int, weights: str) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    p = np.round(rng.random((n, n_classes)), 1) + 0.1 * np.eye(n_classes)[y]
    p[rng.random(n) < 0.05] = 0.0
    choice = WEIGHTS[weights]
    return y, p, None if choice is None else rng.choice(choice, size=n)


def part_of(weight: np.ndarray | None, part: slice) -> np.ndarray | None:
    return None if weight is None else weight[part]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=seeds,
    n_classes=st.integers(2, 4),
    weights=st.sampled_from(sorted(WEIGHTS)),
    metric=st.sampled_from(RANKS),
    ties=st.sampled_from(["half", "paper"]),
    w=st.integers(1, 80),
    cuts=st.lists(st.integers(1, 149), max_size=8),
)
def test_cuts_and_restarts_change_no_bit(
    seed: int, n_classes: int, weights: str, metric: RankMetric, ties: Ties, w: int, cuts: list[int]
) -> None:
    y, p, weight = sample(seed, 150, n_classes, weights)
    options: dict[str, Any] = {"classes": range(n_classes), "metric": metric, "ties": ties}
    whole = RollingAUC(w, **options).after_each(y, p, weight)
    one, found = RollingAUC(w, **options), []
    for first, last in pairwise(sorted({0, *cuts, 150})):
        part = slice(first, last)
        found.append(one.after_each(y[part], p[part], part_of(weight, part)))
        state = one.to_bytes()
        one = RollingAUC(w, **options)
        one.load_bytes(state)
        assert one.to_bytes() == state
    np.testing.assert_array_equal(np.concatenate(found), whole)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seed=seeds,
    n_classes=st.integers(2, 4),
    weights=st.sampled_from(["none", "fractional", "outliers"]),
    w=st.integers(1, 60),
)
def test_how_often_one_looks_changes_nothing(seed: int, n_classes: int, weights: str, w: int) -> None:
    """Looked at rarely, the orders are sorted again; at every record, they are kept. Whole numbers agree to a bit."""
    records = random_records(seed, 150, n_classes, weights=weights)
    often = through_grid(records, [Sliding(w)], n_classes=n_classes, ranks=RANKS, every=1).counts.ranks
    for every in (3, 25, 75):
        rarely = through_grid(records, [Sliding(w)], n_classes=n_classes, ranks=RANKS, every=every).counts.ranks
        if weights == "none":
            np.testing.assert_array_equal(rarely[..., :3], often[every - 1 :: every, :, :3])
        np.testing.assert_allclose(rarely, often[every - 1 :: every], rtol=1e-13, atol=1e-15)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds, w=st.integers(2, 60))
def test_the_order_of_scores_alone_decides(seed: int, w: int) -> None:
    """A monotone change of the scores changes nothing; turned round, with the classes changed, nothing either."""
    rng = np.random.default_rng(seed)
    y, s = rng.integers(2, size=150), rng.integers(10, size=150) / 10
    plain = RollingAUC(w).after_each(y, s)
    for other in (np.exp(5 * s) - 40, s * 1e300, s * 1e-300, s**3):
        np.testing.assert_array_equal(RollingAUC(w).after_each(y, other), plain)
    np.testing.assert_array_equal(RollingAUC(w).after_each(1 - y, -s), plain)
    np.testing.assert_allclose(RollingAUC(w).after_each(1 - y, s), 1 - plain, rtol=1e-14)


def whole(y: np.ndarray, s: np.ndarray) -> float:
    ranks, n_positive = rankdata(s), int(y.sum())
    return float(ranks[y == 1].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * (len(y) - n_positive))


SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "any order": lambda rng, n: rng.random(n),
    "ascending": lambda rng, n: np.arange(n) / n,
    "descending": lambda rng, n: -np.arange(n) / n,
    "to and fro": lambda rng, n: np.sin(np.arange(n) / 700),
    "many, then few": lambda rng, n: np.where(np.arange(n) < n // 2, rng.random(n), rng.integers(3, size=n) / 3),
    "few, then many": lambda rng, n: np.where(np.arange(n) >= n // 2, rng.random(n), rng.integers(3, size=n) / 3),
    "denser and denser": lambda rng, n: rng.random(n) ** (1 + np.arange(n) / 2000),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("metric", ["auc", "scored_auc"])
@pytest.mark.parametrize("ties", ["half", "paper"])
def test_trees_of_any_depth_and_history_are_right(shape: str, metric: RankMetric, ties: Ties) -> None:
    """A window of 20,000 scores: three levels that split, empty and are laid out again."""
    rng = np.random.default_rng(1)
    n, w = 60_000, 20_000
    y, s = rng.integers(2, size=n), SHAPES[shape](rng, n)
    found = RollingAUC(w, metric=metric, ties=ties).after_each(y, s)
    for i in [*range(100, n, 7919), n - 1]:
        part = slice(max(0, i + 1 - w), i + 1)
        labels, scores = y[part], s[part]
        if metric == "scored_auc":
            order = np.argsort(scores, kind="stable")
            ranked, negative = scores[order], labels[order] == 0
            below, below_sum = np.cumsum(negative), np.cumsum(np.where(negative, ranked, 0))
            gains = np.where(negative, 0, ranked * below - below_sum).sum()
            assert found[i] == pytest.approx(gains / (negative.sum() * (~negative).sum()), rel=1e-11), i
        elif ties == "half":
            assert found[i] == pytest.approx(whole(labels, scores), abs=1e-14), i
        else:  # the older of two ties is the higher
            arrival = np.arange(len(scores))
            order = np.lexsort((-arrival, scores))
            ranks = np.empty(len(scores))
            ranks[order] = arrival
            assert found[i] == pytest.approx(whole(labels, ranks), abs=1e-14), i


def test_a_window_does_not_grow_with_the_number_of_records() -> None:
    rng = np.random.default_rng(2)
    rolling = RollingAUC(500)
    sizes = []
    for _ in range(20):
        rolling.after_each(rng.integers(2, size=20_000), rng.random(20_000) ** rng.integers(1, 9))
        sizes.append(rolling.nbytes)
    assert max(sizes[5:]) <= 1.5 * max(sizes[:5])
    assert rolling.n_records == 500


def test_real_weights_do_not_drift() -> None:
    """Three million weights of twelve magnitudes through ties: the error is the same at the start and at the end."""
    rng = np.random.default_rng(3)
    n, w = 3_000_000, 200
    y, s = rng.integers(2, size=n), rng.integers(5, size=n) / 5
    weight = 10.0 ** rng.uniform(-6, 6, size=n)
    weight[rng.integers(n, size=2000)] = 1e20
    for ties in ("half", "paper"):
        found = RollingAUC(w, ties=ties).after_each(y, s, weight)
        for last in (1000, n // 2, n - 1):
            for i in range(last - 50, last):
                part = slice(i + 1 - w, i + 1)
                exact = exactly(y[part], s[part], weight[part], ties)
                assert found[i] == pytest.approx(exact, rel=1e-11), (ties, i)


def exactly(y: np.ndarray, s: np.ndarray, weight: np.ndarray, ties: str) -> float:
    positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    products = weight[positive, np.newaxis] * weight[negative]
    same = s[positive, np.newaxis] == s[negative]
    tied = 0.5 if ties == "half" else positive[:, np.newaxis] < negative
    right = np.where(same, tied, s[positive, np.newaxis] > s[negative])
    return math.fsum((products * right).ravel()) / math.fsum(products.ravel())


@pytest.mark.parametrize("metric", RANKS)
def test_damaged_bytes_are_refused_and_leave_a_window_as_it_was(metric: RankMetric) -> None:
    rng = np.random.default_rng(11)
    y, p, weight = sample(1, 200, 3, "real")
    source, target = (RollingAUC(50, classes=range(3), metric=metric) for _ in range(2))
    source.after_each(y, p, weight)
    target.after_each(y[:70], p[:70], part_of(weight, slice(70)))
    before = target.to_bytes()
    for bad in damaged(source.to_bytes(), rng):
        with pytest.raises(ValueError, match=r"state|bytes"):
            target.load_bytes(bad)
    assert target.to_bytes() == before


def test_the_state_of_another_window_is_refused() -> None:
    y, p, _ = sample(1, 100, 3, "none")
    made = {
        "same": RollingAUC(50, classes=range(3)),
        "longer": RollingAUC(60, classes=range(3)),
        "classes": RollingAUC(50, classes=range(4)),
        "ties": RollingAUC(50, classes=range(3), ties="paper"),
        "metric": RollingAUC(50, classes=range(3), metric="scored_auc"),
    }
    source = RollingAUC(50, classes=range(3))
    source.after_each(y, p)
    for name, other in made.items():
        if name == "same":
            other.load_bytes(source.to_bytes())
            assert other.value() == source.value()
        else:
            with pytest.raises(ValueError, match="state"):
                other.load_bytes(source.to_bytes())


def test_a_grid_is_restored_whose_classes_appeared_after_the_last_look() -> None:
    """What was ordered for two classes is of no use for three, and is not saved."""
    rng = np.random.default_rng(16)
    schema = Schema.numeric(0, (0, 1))
    one, other = (Grid(schema, [Sliding(50)], probabilities=False, skip_abstained=False, ranks=RANKS) for _ in range(2))
    y, p = rng.integers(2, size=40), rng.random((40, 3))
    one.update(Chunk(schema, 0, np.empty((40, 0)), y), p[:, :2].copy(), every=1)
    one.update(Chunk(schema, 40, np.empty((5, 0)), np.array([0, 1, 2, 2, 0])), p[:5])
    other.load_bytes(one.to_bytes())
    rest = Chunk(schema, 45, np.empty((30, 0)), rng.integers(3, size=30))
    expected, found = (g.update(rest, p[:30], every=1)[0] for g in (one, other))
    np.testing.assert_array_equal(found.counts.ranks, expected.counts.ranks)
    assert not np.isnan(found.counts.ranks).all()
