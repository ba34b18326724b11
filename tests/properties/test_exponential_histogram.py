"""What holds of an exponential histogram: its error, its memory, and where it has no error at all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.records import flat, random_records, through_grid
from twins.counts import Record

from prequential import _native
from prequential.metrics import Counts
from prequential.metrics.forgetting import Cumulative, ExponentialHistogram, Fading, Sliding
from prequential.metrics.grid import Checkpoints, Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams import Chunk, Schema

ROUNDING = 1e-9


def bursts(seed: int, n: int, n_classes: int, magnitudes: float) -> list[Record]:
    """Labels, predictions and losses in bursts, cells that come once in a while, weights of very different size."""
    rng = np.random.default_rng(seed)
    records: list[Record] = []
    time = 0.0
    while len(records) < n:
        label, said = rng.integers(n_classes, size=2).tolist()
        size = 10.0 ** rng.uniform(-magnitudes, magnitudes)
        for _ in range(int(rng.choice([1, 2, 5, 30, 100]))):
            row = np.full(n_classes, 0.1 ** rng.uniform(0, 6))
            row[int(rng.integers(n_classes)) if rng.random() < 0.02 else said] = 1.0
            time += float(rng.choice([0.0, 0.25, 3.0]))
            weight = size * float(rng.random() + 0.5) if magnitudes else 1.0
            records.append(Record(label, None, tuple(row.tolist()), weight, time))
    return records[:n]


def of_two(counts: Counts) -> tuple[np.ndarray, np.ndarray]:
    """All sums that have a bound, of a histogram and of the exact window: the misses of no-change, not its hits."""
    parts = [counts.matrix.reshape(*counts.weight.shape, -1), counts.losses]
    parts += [v[..., np.newaxis] for v in (counts.weight, counts.n_records, counts.weight - counts.no_change_hits)]
    rows = np.concatenate(parts, axis=-1)
    return rows[:, 0], rows[:, 1]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.integers(1, 4),
    length=st.integers(1, 500),
    timed=st.booleans(),
    error=st.sampled_from([0.01, 0.05, 0.1, 0.3, 0.9]),
    magnitudes=st.sampled_from([0.0, 1.0, 3.0]),
)
def test_every_sum_is_within_the_stated_error_of_the_exact_window(
    seed: int, n_classes: int, length: int, timed: bool, error: float, magnitudes: float
) -> None:
    kind = {"seconds": length} if timed else {"window_size": length}
    forgetting = [ExponentialHistogram(error=error, **kind), Sliding(**kind)]
    found, exact = of_two(
        through_grid(
            bursts(seed, 1500, n_classes, magnitudes), forgetting, n_classes=n_classes, probabilities=True
        ).counts
    )
    # the misses of no-change are the difference of two sums in both
    assert (np.abs(found - exact) <= error * np.abs(exact) + ROUNDING * exact.max(axis=1, keepdims=True)).all()


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 4), w=st.integers(50, 500))
def test_metrics_are_within_what_the_docstring_says(seed: int, n_classes: int, w: int) -> None:
    error = 0.05
    forgetting = [ExponentialHistogram(w, error), Sliding(w)]
    counts = through_grid(
        bursts(seed, 1500, n_classes, 1.0), forgetting, n_classes=n_classes, probabilities=True
    ).counts
    factor = (1 + error) / (1 - error)
    for name, power in {
        "accuracy": 1,
        "error": 1,
        "recall": 1,
        "precision": 1,
        "log_loss": 1,
        "brier": 1,
        "kappa": 2,
        "kappa_t": 1,
    }.items():
        values = REGISTRY[name](counts)
        if name.startswith("kappa"):
            values = 1 - values
        found, exact = values[:, 0], values[:, 1]
        defined = ~np.isnan(exact)
        assert (np.isnan(found) == ~defined).all(), name
        most = factor**power * (1 + 1e-7)
        assert (found[defined] <= exact[defined] * most + ROUNDING).all(), name
        assert (found[defined] >= exact[defined] / most - ROUNDING).all(), name


@pytest.mark.parametrize("weights", ["none", "fractional", "outliers"])
@pytest.mark.parametrize("forgetting", [ExponentialHistogram(400, 0.5), ExponentialHistogram(seconds=1e6, error=0.5)])
def test_before_the_window_is_full_it_is_all_history(weights: str, forgetting: ExponentialHistogram) -> None:
    records = random_records(1, 400, 3, weights=weights)
    rows = flat(through_grid(records, [forgetting, Cumulative()], n_classes=3, probabilities=True).counts)
    np.testing.assert_allclose(rows[:, 0], rows[:, 1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize(("w", "error"), [(1, 0.9), (3, 0.3), (20, 0.05), (99, 0.01), (100, 0.01)])
def test_counts_of_a_small_window_are_exact(w: int, error: float, skip: bool) -> None:
    records = random_records(2, 1000, 3)
    forgetting = [ExponentialHistogram(w, error), Sliding(w)]
    counts = through_grid(records, forgetting, n_classes=3, skip=skip).counts
    np.testing.assert_array_equal(flat(counts)[:, 0], flat(counts)[:, 1])


def test_a_huge_weight_leaves_no_trace_once_it_has_left() -> None:
    records = [Record(0, 0, None, 1e20 if i % 300 == 50 else 1.0, float(i)) for i in range(1000)]
    for forgetting, exact in (
        (ExponentialHistogram(100, 0.1), Sliding(100)),
        (ExponentialHistogram(seconds=100, error=0.1), Sliding(seconds=100)),
    ):
        counts = through_grid(records, [forgetting, exact], n_classes=1).counts
        np.testing.assert_allclose(counts.weight[:, 0], counts.weight[:, 1], rtol=0.1)
        assert counts.weight[:, 0].min() == 1


def test_infinite_losses_leave_no_trace_once_they_have_left() -> None:
    n = 2000
    said = np.full((n, 1), 0.5)
    said[[300, 310, 900]] = 1e200
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, [ExponentialHistogram(200, 0.1), Sliding(200)], probabilities=False, skip_abstained=False)
    passed = grid.update(Chunk(schema, 0, np.empty((n, 0)), np.zeros(n)), said, every=1)
    counts = Checkpoints.join(passed).counts
    mse = REGISTRY["mse"](counts)
    np.testing.assert_array_equal(np.isinf(mse[:, 0]), np.isinf(mse[:, 1]))
    finite = np.isfinite(mse[:, 1])
    np.testing.assert_allclose(mse[finite, 0], mse[finite, 1], rtol=0.1)


@pytest.mark.parametrize("weighted", [False, True])
def test_errors_of_regression_are_within_the_stated_error_and_r2_is_undefined(weighted: bool) -> None:
    rng = np.random.default_rng(3)
    n, w, error = 3000, 500, 0.05
    target = np.cumsum(rng.normal(size=n))
    said = target + rng.normal(size=n) * 10.0 ** rng.uniform(-3, 3, size=n)
    weight = rng.choice([0.25, 1.0, 4.0], size=n) if weighted else None
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, [ExponentialHistogram(w, error), Sliding(w)], probabilities=False, skip_abstained=False)
    chunk = Chunk(schema, 0, np.empty((n, 0)), target, None, weight)
    counts = Checkpoints.join(grid.update(chunk, said[:, np.newaxis].copy(), every=1)).counts
    for name in ("mae", "mse"):
        values = REGISTRY[name](counts)
        np.testing.assert_allclose(
            values[:, 0], values[:, 1], rtol=(1 + error) / (1 - error) - 1 if weighted else error
        )
    assert np.isnan(REGISTRY["r2"](counts)[:, 0]).all()


@pytest.mark.parametrize("bursting", [False, True])
def test_ten_million_records_fit_into_a_megabyte_within_one_percent(bursting: bool) -> None:
    """Three windows' length passes through; a kept window would take 170 MB."""
    w, n, size, error = 10**7, 3 * 10**7, 10**6, 0.01
    rng = np.random.default_rng(4)
    grid = _native.Grid(2, False, False, False)
    grid.add_exponential_histogram(w, math.inf, error)
    cells = np.empty(n, dtype=np.uint8)
    most = 0
    for start in range(0, n, size):
        if bursting:
            y = np.repeat(rng.integers(2, size=size // 1000), 1000)
            said = np.where(np.repeat(rng.random(size // 1000) < 0.01, 1000), 1 - y, y)
        else:
            y = (rng.random(size) < 0.3).astype(np.int64)
            said = np.where(rng.random(size) < 1e-4, 1 - y, y)
        cells[start : start + size] = 2 * y + said
        grid.update(y, None, None, said, None, None, 0)
        most = max(most, grid.nbytes)
        end = start + size
        exact = np.bincount(cells[max(0, end - w) : end], minlength=4)
        row = grid.snapshot().counts[0, 0]
        np.testing.assert_allclose(row[[0, 1, 3, 4]], exact, rtol=error)
        assert row[9] == min(w, end)
    assert most < 1_000_000


def test_memory_grows_with_the_logarithm_of_the_window() -> None:
    held = []
    for w in (10**4, 10**5, 10**6):
        grid = _native.Grid(2, False, False, False)
        grid.add_exponential_histogram(w, math.inf, 0.01)
        y = np.random.default_rng(5).integers(2, size=2 * w)
        grid.update(y, None, None, 1 - y[::-1].copy(), None, None, 0)
        held.append(grid.nbytes)
    assert held[2] < 2 * held[0], "a hundredfold window"


def test_cells_get_memory_when_they_get_a_record() -> None:
    grid = _native.Grid(1000, False, False, False)
    grid.add_exponential_histogram(10**6, math.inf, 0.01)
    y = np.zeros(1000, dtype=np.int64)
    grid.update(y, None, None, y, None, None, 0)
    assert grid.nbytes < 1001 * 1000 * 4 + 500_000


def test_classes_that_appear_late_change_no_count() -> None:
    several = [ExponentialHistogram(40, 0.1), ExponentialHistogram(seconds=60, error=0.2)]
    records = random_records(3, 160, 6, weights="fractional", late=True)
    early = through_grid(records, several, n_classes=6, probabilities=True)
    narrow = [
        r if i > 80 else Record(r.label, None, (r.scores or ())[:3], r.weight, r.time) for i, r in enumerate(records)
    ]
    late = through_grid(narrow, several, n_classes=3, probabilities=True, cuts=[20, 81])
    np.testing.assert_array_equal(flat(late.counts), flat(early.counts))


def test_an_infinite_histogram_is_all_history_to_the_last_bit() -> None:
    records = random_records(6, 100, 3, weights="fractional")
    rows = flat(through_grid(records, [ExponentialHistogram(math.inf), Fading(1)], n_classes=3).counts)
    np.testing.assert_array_equal(rows[:, 0], rows[:, 1])
