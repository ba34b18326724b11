"""Merging two grids is counting the records of both in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.records import chunk_of, count, flat, grid_of, random_records
from twins.counts import Record

from prequential.errors import InputError, ParameterError
from prequential.metrics import Counts
from prequential.metrics.auc import RANKS
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, ExponentialHistogram, Fading, Forgetting, Sliding
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams import Chunk, Schema

FORGETTINGS: list[Forgetting] = [
    Cumulative(),
    Sliding(1),
    Sliding(7),
    Sliding(40),
    Sliding(seconds=10),
    Fading(0.9),
    Fading(0.999),
]
HISTOGRAMS = [
    ExponentialHistogram(60, 0.2),
    ExponentialHistogram(30, 0.01),
    ExponentialHistogram(seconds=50, error=0.1),
]
METRICS = [m for m in REGISTRY.values() if m.needs != "targets" and m.name != "kappa_m"]
seeds = st.integers(0, 10**6)
weightings = st.sampled_from(["none", "fractional", "outliers"])


def majority_of(counts: Counts) -> np.ndarray:
    last: np.ndarray = counts.majority_hits[-1]
    return last


def assert_same(found: Counts, expected: Counts, *, rtol: float = 1e-11) -> None:
    """All but the hits of the majority, which are the same where they are known."""
    known = ~np.isnan(found.majority_hits)
    np.testing.assert_allclose(found.majority_hits[known], expected.majority_hits[known], rtol=rtol, atol=1e-300)
    a, b = (np.delete(flat(c), c.n_classes * (c.n_classes + 1), axis=-1) for c in (found, expected))
    np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-300)
    for metric in METRICS:
        if metric.needs == "probabilities" and found.losses.shape[-1] == 0:
            continue
        # A κ whose baseline is nearly always right divides by nearly 0, which multiplies the rounding of the counts.
        np.testing.assert_allclose(metric(found), metric(expected), rtol=1e-6, atol=1e-9, err_msg=metric.name)


def merged(parts: Sequence[Sequence[Record]], forgetting: Sequence[Forgetting], **options: Any) -> Grid:
    first, *rest = (grid_of(part, forgetting, **options) for part in parts)
    for later in rest:
        first.merge(later)
    return first


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=seeds,
    n=st.integers(0, 160),
    at=st.floats(0, 1),
    n_classes=st.integers(1, 4),
    weights=weightings,
    skip=st.booleans(),
    scores=st.booleans(),
    unlabelled=st.sampled_from([0.0, 0.2, 1.0]),
)
def test_merging_two_parts_is_one_pass_over_both(
    seed: int, n: int, at: float, n_classes: int, weights: str, skip: bool, scores: bool, unlabelled: float
) -> None:
    records = random_records(seed, n + 50, n_classes, weights=weights, scores=scores, unlabelled=unlabelled)
    cut = round(at * n)
    options: dict[str, Any] = {"n_classes": n_classes, "probabilities": scores, "skip": skip}
    one = grid_of(records[:n], FORGETTINGS, **options)
    two = merged([records[:cut], records[cut:n]], FORGETTINGS, **options)
    found, expected = two.checkpoint(), one.checkpoint()
    for field in ("n", "time", "n_unlabelled", "n_abstained", "n_nonfinite"):
        np.testing.assert_array_equal(getattr(found, field), getattr(expected, field))
    assert_same(found.counts, expected.counts)
    schema = Schema.numeric(0, tuple(range(n_classes)))
    for found, expected in zip(
        *(count(g, records[n:], schema, every=1) for g in (two, one)), strict=True
    ):  # and it goes on as one pass would
        assert_same(found.counts, expected.counts)


@pytest.mark.parametrize("weights", [("none", "none"), ("none", "fractional"), ("fractional", "none")])
def test_long_parts_of_which_only_one_may_be_weighted_are_one_pass_over_both(weights: tuple[str, str]) -> None:
    """Long enough for windows to turn several times, and for a fading factor's scale to be folded."""
    records: list[Record] = []
    for k, kind in enumerate(weights):
        part = random_records(k, 900, 2, weights=kind, abstain=0.05)
        records += [Record(r.label, None, r.scores, r.weight, r.time + 1e4 * k) for r in part]
    several = [*FORGETTINGS, Fading(0.5), Sliding(200), Sliding(1000), Sliding(seconds=12_000)]
    options: dict[str, Any] = {"n_classes": 2, "probabilities": True}
    for n in (900, 1000, 1150, 1800):
        one = grid_of(records[:n], several, **options)
        two = merged([records[:900], records[900:n]], several, **options)
        assert_same(two.checkpoint().counts, one.checkpoint().counts)
        for grid in (one, two):
            count(grid, records[n : n + 300], Schema.numeric(0, (0, 1)))
        assert_same(two.checkpoint().counts, one.checkpoint().counts)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, cuts=st.lists(st.integers(0, 150), min_size=2, max_size=2), weights=weightings, skip=st.booleans())
def test_merging_is_associative(seed: int, cuts: list[int], weights: str, skip: bool) -> None:
    records = random_records(seed, 150, 3, weights=weights)
    first, second = sorted(cuts)
    options: dict[str, Any] = {"n_classes": 3, "probabilities": True, "skip": skip}
    parts = [records[:first], records[first:second], records[second:]]
    a, b, c = (grid_of(part, FORGETTINGS, **options) for part in parts)
    b.merge(c)
    a.merge(b)
    left = merged(parts, FORGETTINGS, **options)
    np.testing.assert_allclose(flat(left.checkpoint().counts), flat(a.checkpoint().counts), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("weights", ["none", "fractional"])
@pytest.mark.parametrize("n", [0, 5, 100])
def test_merging_with_an_empty_grid_changes_nothing(weights: str, n: int) -> None:
    options: dict[str, Any] = {"n_classes": 3, "probabilities": True}
    records = random_records(n, n, 3, weights=weights)
    several = [*FORGETTINGS, *HISTOGRAMS]
    expected = grid_of(records, several, **options)
    for parts in ([records, []], [[], records], [[], [], records, []]):
        assert merged(parts, several, **options).to_bytes() == expected.to_bytes()


def test_records_without_labels_before_a_merge_hide_no_majority() -> None:
    records = random_records(1, 30, 3, unlabelled=1.0) + random_records(2, 60, 3)
    records = [Record(r.label, None, r.scores, 1.0, float(i)) for i, r in enumerate(records)]
    several = [*FORGETTINGS, *HISTOGRAMS]
    one, two = (merged(parts, several, n_classes=3) for parts in ([records], [records[:30], records[30:]]))
    np.testing.assert_array_equal(flat(two.checkpoint().counts), flat(one.checkpoint().counts))


# --- the majority ---------------------------------------------------------------------------------------


def test_majority_hits_are_unknown_until_the_records_that_lack_the_earlier_labels_have_left() -> None:
    """A window of 7: the first 7 later records had earlier labels in their window; all are gone after 14."""
    records = [Record(i * i % 3 % 2, 0, None, 1.0, float(i)) for i in range(100)]
    several = [Cumulative(), Sliding(7), Sliding(seconds=7), Fading(0.9), ExponentialHistogram(7)]
    for n_later in (1, 6, 7, 8, 13, 14, 15, 30):
        one = grid_of(records[: 20 + n_later], several, n_classes=2)
        two = merged([records[:20], records[20 : 20 + n_later]], several, n_classes=2)
        hits, exact = (majority_of(g.checkpoint().counts) for g in (two, one))
        gone = n_later >= 14
        assert np.isnan(hits).tolist() == [True, not gone, n_later >= 1 and n_later < 13, True, not gone], n_later
        known = ~np.isnan(hits)
        np.testing.assert_array_equal(hits[known], exact[known])
        assert np.isnan(REGISTRY["kappa_m"](two.checkpoint().counts))[0, 0]


def test_a_window_of_seconds_that_has_run_empty_before_the_seam_hides_no_majority() -> None:
    early, late = ([Record(i % 2, 0, None, 1.0, start + i) for i in range(9)] for start in (0.0, 1000.0))
    several = [Sliding(seconds=20), ExponentialHistogram(seconds=20)]
    one, two = (merged(parts, several, n_classes=2) for parts in ([early + late], [early, late]))
    np.testing.assert_array_equal(flat(two.checkpoint().counts), flat(one.checkpoint().counts))


# --- exponential histograms -----------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, cuts=st.lists(st.integers(0, 600), max_size=5), weights=weightings)
def test_merged_histograms_stay_within_their_error(seed: int, cuts: list[int], weights: str) -> None:
    records = random_records(seed, 700, 3, weights=weights)
    exact = [Sliding(60), Sliding(30), Sliding(seconds=50)]
    edges = [0, *sorted(cuts), 600]
    parts = [records[a:b] for a, b in pairwise(edges)]
    grids = [merged(parts, HISTOGRAMS, n_classes=3, probabilities=True)]
    grids.append(grid_of(records[:600], exact, n_classes=3, probabilities=True))
    schema = Schema.numeric(0, tuple(range(3)))
    passed = [[g.checkpoint(), *count(g, records[600:], schema, every=1)] for g in grids]
    for found, truth in zip(*passed, strict=True):
        for k, error in enumerate(h.error for h in HISTOGRAMS):
            a, b = found.counts, truth.counts
            tolerance: dict[str, Any] = {
                "rtol": error * (1 + 1e-9),
                "atol": 1e-9 * float(b.weight[..., k].max(initial=1.0)),
            }
            np.testing.assert_allclose(a.matrix[:, k], b.matrix[:, k], **tolerance)
            np.testing.assert_allclose(a.losses[:, k], b.losses[:, k], **tolerance)
            np.testing.assert_allclose(a.n_records[:, k], b.n_records[:, k], rtol=error * (1 + 1e-9))
            ours, theirs = (c.weight[:, k] - c.no_change_hits[:, k] for c in (a, b))
            np.testing.assert_allclose(ours, theirs, **tolerance)


# --- regression -----------------------------------------------------------------------------------------


def regression_grid(rows: np.ndarray, forgetting: Sequence[Forgetting]) -> Grid:
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, forgetting, probabilities=False, skip_abstained=False)
    target, said, weight = (np.ascontiguousarray(column) for column in rows.T)
    time = np.arange(len(rows), dtype=np.float64)
    grid.update(Chunk(schema, 0, np.empty((len(rows), 0)), target, time * 0, weight), said[:, np.newaxis].copy())
    return grid


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, n=st.integers(1, 120), at=st.floats(0, 1), weighted=st.booleans())
def test_merged_regressions_are_one_pass_although_targets_are_relative_to_the_first(
    seed: int, n: int, at: float, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    target = 50 + np.cumsum(rng.normal(size=n))
    said = np.where(rng.random(n) < 0.1, np.nan, target + rng.normal(size=n))
    rows = np.column_stack([target, said, rng.choice([0.5, 1.0, 2.0], size=n) if weighted else np.ones(n)])
    cut = round(at * n)
    several = [Cumulative(), Sliding(5), Sliding(30), Fading(0.95)]
    one, two, later = (regression_grid(part, several) for part in (rows, rows[:cut], rows[cut:]))
    two.merge(later)
    found, expected = two.checkpoint().counts, one.checkpoint().counts
    np.testing.assert_allclose(flat(found), flat(expected), rtol=1e-9, atol=1e-9)
    for name in ("mae", "mse", "rmse", "r2"):
        np.testing.assert_allclose(REGISTRY[name](found), REGISTRY[name](expected), rtol=1e-7, err_msg=name)


@pytest.mark.parametrize("weighted", [False, True])
def test_merged_histograms_of_a_regression_stay_within_their_error(weighted: bool) -> None:
    rng = np.random.default_rng(10)
    rows = rng.normal(size=(900, 3)) * [100.0, 100.0, 0.0] + [0, 0, 1]
    if weighted:
        rows[:, 2] = rng.choice([0.5, 1.0, 2.0], size=900)
    for cut in (0, 1, 500, 899, 900):
        two, later = (regression_grid(part, [ExponentialHistogram(300, 0.05)]) for part in (rows[:cut], rows[cut:]))
        two.merge(later)
        one = regression_grid(rows, [Sliding(300)])
        for name in ("mae", "mse"):
            found, exact = (REGISTRY[name](g.checkpoint().counts).item() for g in (two, one))
            assert found == pytest.approx(exact, rel=0.11 if weighted else 0.05)


# --- what does not fit ----------------------------------------------------------------------------------


def test_a_part_that_knows_fewer_classes_is_no_obstacle() -> None:
    records = random_records(8, 120, 4, scores=False)
    early = [Record(None if r.label is None else r.label % 2, 0, None, r.weight, r.time) for r in records[:60]]
    for few, many in ((early, records[60:]), (early, early)):
        parts = [grid_of(few, FORGETTINGS, n_classes=2), grid_of([], FORGETTINGS, n_classes=4)]
        shifted = [Record(r.label, r.prediction, None, r.weight, r.time + 1e6) for r in many]
        parts[1] = grid_of(shifted, FORGETTINGS, n_classes=4)
        parts[0].merge(parts[1])
        one = grid_of([*few, *shifted], FORGETTINGS, n_classes=4)
        assert parts[0].n_classes == 4
        assert_same(parts[0].checkpoint().counts, one.checkpoint().counts)
    narrow = grid_of(shifted, FORGETTINGS, n_classes=2)
    wide = grid_of(early, FORGETTINGS, n_classes=5)
    before = narrow.to_bytes()
    wide.merge(narrow)
    assert narrow.to_bytes() == before, "the later grid is not changed"
    assert_same(wide.checkpoint().counts, grid_of([*early, *shifted], FORGETTINGS, n_classes=5).checkpoint().counts)


def test_grids_that_do_not_fit_are_refused_with_what_differs_and_left_as_they_were() -> None:
    schema = Schema.numeric(0, (0, 1))
    records = random_records(9, 50, 2)
    grid = grid_of(records, [Cumulative(), Sliding(7)], n_classes=2)
    before = grid.to_bytes()

    def other(forgetting: Sequence[Forgetting], schema: Schema = schema, **changed: Any) -> Grid:
        return Grid(schema, forgetting, **{"probabilities": False, "skip_abstained": False, **changed})

    mine = [Cumulative(), Sliding(7)]
    for later, error, message in (
        (
            other([Cumulative(), Sliding(8)]),
            ParameterError,
            "the same forgettings .cumulative, sliding:7.. Got",
        ),
        (other([Cumulative()]), ParameterError, "the same forgettings .cumulative, sliding:7.. Got"),
        (other(mine, probabilities=True), InputError, "one grid keeps other losses than the other"),
        (other(mine, skip_abstained=True), InputError, "one grid leaves abstentions out"),
        (other(mine, Schema.numeric(0, None)), InputError, "one grid counts classes, the other numbers"),
        (grid_of(records[:5], mine, n_classes=2), InputError, "the later grid begins at time"),
    ):
        with pytest.raises(error, match=message):
            grid.merge(later)
        assert grid.to_bytes() == before


@pytest.mark.parametrize("n_classes", [2, 3])
def test_merged_windows_rank_the_scores_of_both_parts(n_classes: int) -> None:
    records = random_records(9, 200, n_classes, weights="fractional", unlabelled=0.05)
    schema = Schema.numeric(0, tuple(range(n_classes)))
    scores = np.array([r.scores for r in records])

    def ranked(part: slice) -> Grid:
        grid = Grid(schema, [Sliding(60), Sliding(500)], probabilities=False, skip_abstained=False, ranks=RANKS)
        grid.update(chunk_of(records[part], schema), scores[part])
        return grid

    for at in (0, 30, 120, 200):
        found, later = ranked(slice(0, at)), ranked(slice(at, 200))
        later.checkpoint()
        before = later.to_bytes()
        found.merge(later)
        assert later.to_bytes() == before
        np.testing.assert_allclose(
            found.checkpoint().counts.ranks, ranked(slice(0, 200)).checkpoint().counts.ranks, rtol=1e-12
        )


def test_grids_that_rank_by_different_metrics_are_not_merged() -> None:
    schema = Schema.numeric(0, (0, 1))
    options: dict[str, Any] = {"probabilities": False, "skip_abstained": False}
    ranked, plain = Grid(schema, [Sliding(5)], **options, ranks=RANKS), Grid(schema, [Sliding(5)], **options)
    chunk = Chunk(schema, 0, np.empty((3, 0)), np.array([0, 1, 1]))
    for grid in (ranked, plain):
        grid.update(chunk, np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]]))
    for one, other in ((ranked, plain), (plain, ranked)):
        with pytest.raises(InputError, match="rank scores by different metrics"):
            one.merge(other)


def test_an_adwin_window_is_not_merged_and_says_why() -> None:
    schema = Schema.numeric(0, (0, 1))
    grids = [Grid(schema, [AdaptiveWindow()], probabilities=False, skip_abstained=False) for _ in range(2)]
    for grid in grids:
        grid.update(Chunk(schema, 0, np.empty((3, 0)), np.array([0, 1, 1])), None, np.array([0, 1, 0]))
    with pytest.raises(InputError, match="depends on the order of its cuts"):
        grids[0].merge(grids[1])
