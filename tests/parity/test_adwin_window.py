"""ADWIN as a forgetting against its Python twin, against MOA's evaluator, and against what a window must do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.records import flat, random_records, through_grid
from twins import counts as twin

from prequential.metrics.forgetting import AdaptiveWindow, Cumulative
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams import Chunk, Schema

DELTA = 0.05


def changing_records(
    n: int, n_classes: int, *, weights: str = "none", abstain: float = 0.0, seed: int = 1
) -> list[twin.Record]:
    """A learner that is mostly right, then mostly wrong, then mostly right."""
    rng = np.random.default_rng(seed)
    found = []
    for i, r in enumerate(random_records(seed, n, n_classes, weights=weights, abstain=abstain, unlabelled=0.05)):
        good = (i // (n // 3)) % 2 == 0
        scores = r.scores
        if r.label is not None and twin.predicted(r) is not None and rng.random() < 0.8:
            said = r.label if good else (r.label + 1) % n_classes
            scores = tuple(float(c == said) for c in range(n_classes))
        found.append(twin.Record(r.label, None, scores, r.weight, r.time))
    return found


@pytest.mark.parametrize("weights", ["none", "fractional", "outliers"])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("bound", ["variance", "theorem3"])
def test_counts_are_those_of_the_twin(n_classes: int, weights: str, skip: bool, bound: Any) -> None:
    records = changing_records(900, n_classes, weights=weights, abstain=0.1 if n_classes > 2 else 0.0)
    options: dict[str, Any] = {"n_classes": n_classes, "probabilities": True, "skip": skip}
    found = through_grid(records, [AdaptiveWindow(DELTA, bound=bound)], **options, cuts=[1, 100, 733])
    grid = twin.Grid(n_classes, twin.adwin(DELTA, skip=skip, bound=bound), probabilities=True, skip=skip)
    rows = flat(found.counts)
    for i, record in enumerate(records):
        expected = grid.update(record)
        if i % 13 == 0 or i > 850:
            numbers = [*np.ravel(expected.matrix), expected.majority_hits, expected.no_change_hits]
            numbers += [expected.weight, expected.n_records, *expected.losses]
            np.testing.assert_allclose(rows[i, 0], numbers, rtol=1e-12, atol=1e-300, err_msg=f"record {i}")
    scored = [r for r in records if r.label is not None and r.weight > 0]
    losses = [float(twin.predicted(r) != r.label) for r in scored if not (skip and twin.predicted(r) is None)]
    start, alarms = twin.adwin_start(losses, DELTA, bound)
    assert found.counts.n_alarms[-1, 0] == alarms >= 2  # the test has seen the window shrink
    assert found.counts.n_records[-1, 0] == len(losses) - start


def test_records_whose_class_appears_late_are_counted_alike() -> None:
    records = changing_records(900, 6, weights="fractional")
    first = [twin.Record(r.label and r.label % 3, None, (r.scores or ())[:3], r.weight, r.time) for r in records[:300]]
    wide = [twin.Record(r.label, None, (*(r.scores or ()), 0.0, 0.0, 0.0), r.weight, r.time) for r in first]
    early = through_grid(wide + records[300:], [AdaptiveWindow(DELTA)], n_classes=6, probabilities=True)
    late = through_grid(first + records[300:], [AdaptiveWindow(DELTA)], n_classes=3, probabilities=True, cuts=[300])
    np.testing.assert_array_equal(flat(late.counts), flat(early.counts))


def test_without_a_change_it_is_cumulative() -> None:
    records = random_records(4, 3000, 3, unlabelled=0, abstain=0)
    found = through_grid(records, [Cumulative(), AdaptiveWindow(1e-6)], n_classes=3, probabilities=True, every=500)
    rows = flat(found.counts)
    np.testing.assert_allclose(rows[:, 1], rows[:, 0], rtol=1e-13)
    np.testing.assert_array_equal(found.counts.n_alarms, 0)


def test_memory_grows_with_the_logarithm_of_the_width() -> None:
    """O(classes² log width): a million records of seven classes in the window take less than 150 kB."""
    rng = np.random.default_rng(5)
    schema = Schema.numeric(0, tuple(range(7)))
    grid = Grid(schema, [AdaptiveWindow(1e-9)], probabilities=True, skip_abstained=False)
    sizes = []
    for k in range(10):
        y = rng.integers(7, size=100_000)
        grid.update(Chunk(schema, k * 100_000, np.empty((100_000, 0)), y), rng.random((100_000, 7)))
        sizes.append(grid.nbytes)
    assert grid.checkpoint().counts.n_records[0, 0] == 1_000_000
    assert sizes[-1] < 150_000
    assert sizes[-1] < 1.5 * sizes[0]


def test_an_error_that_jumps_is_all_that_the_window_holds_soon_after() -> None:
    rng = np.random.default_rng(6)
    n, at = 20_000, 12_000
    wrong = rng.random(n) < np.where(np.arange(n) < at, 0.1, 0.4)
    y = np.zeros(n, np.int64)
    schema = Schema.numeric(0, (0, 1))
    grid = Grid(schema, [AdaptiveWindow()], probabilities=False, skip_abstained=False)
    passed = grid.update(Chunk(schema, 0, np.empty((n, 0)), y), None, wrong.astype(np.int64), every=100)[0]
    width, alarms = (REGISTRY[name](passed.counts)[:, 0] for name in ("width", "alarms"))
    assert width[at // 100 - 1] == at
    assert alarms[at // 100 - 1] == 0
    soon = at // 100 + 4  # 500 records after the change
    assert alarms[soon] >= 1
    assert width[soon] < 700
    error = REGISTRY["error"](passed.counts)[:, 0]
    assert abs(error[-1] - 0.4) < 0.02
    assert not math.isclose(error[-1], wrong.mean(), abs_tol=0.1)


def test_a_regression_stream_is_watched_by_its_absolute_error() -> None:
    rng = np.random.default_rng(7)
    n, at = 6000, 3000
    target = rng.normal(size=n)
    said = target + rng.normal(size=n) * np.where(np.arange(n) < at, 1.0, 4.0)
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, [AdaptiveWindow(largest=10), Cumulative()], probabilities=False, skip_abstained=False)
    grid.update(Chunk(schema, 0, np.empty((n, 0)), target), said[:, np.newaxis].copy())
    counts = grid.checkpoint().counts
    start, alarms = twin.adwin_start(np.minimum(1, np.abs(said - target) / 10).tolist(), 0.002)
    assert counts.n_alarms[0, 0] == alarms >= 1
    kept = slice(start, None)
    assert counts.n_records[0, 0] == n - start
    assert REGISTRY["mae"](counts)[0, 0] == pytest.approx(np.abs(said - target)[kept].mean(), rel=1e-12)
    spread = ((target[kept] - target[kept].mean()) ** 2).sum()
    expected = 1 - ((said - target)[kept] ** 2).sum() / spread
    assert REGISTRY["r2"](counts)[0, 0] == pytest.approx(expected, rel=1e-9)


def test_a_learner_that_abstains_for_long_costs_no_memory() -> None:
    """Records that only tell their labels go together with the next one that counts."""
    schema = Schema.numeric(0, tuple(range(5)))
    grid = Grid(schema, [AdaptiveWindow()], probabilities=True, skip_abstained=True)
    rng = np.random.default_rng(8)
    sizes = []
    for k in range(5):
        y = rng.integers(5, size=20_000)
        scores = np.zeros((20_000, 5))
        scores[:10] = 1 / 5
        grid.update(Chunk(schema, k * 20_000, np.empty((20_000, 0)), y), scores)
        sizes.append(grid.nbytes)
    assert max(sizes) < 50_000
    assert grid.checkpoint().counts.n_records[0, 0] == 50
