"""The matrices of all bins, counted together, are those of a grid a bin, to the last bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential import _native
from prequential.metrics.binned import Binned
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.grid import Checkpoints
from prequential.protocols.binned_grids import BinnedGrids
from prequential.protocols.setting import Setting

FORGETTINGS = (
    pq.Cumulative(),
    pq.Sliding(1),
    pq.Sliding(7),
    pq.Sliding(seconds=5),
    pq.Fading(0.9),
    pq.Fading(1.0),
)
OTHERS = (pq.AdaptiveWindow(), pq.ExponentialHistogram(20))


def setting(forgetting: tuple[Forgetting, ...], every: int, *, n_classes: int, skip: bool = False) -> Setting:
    return Setting(pq.Schema((), tuple(range(n_classes)), open=True), forgetting, False, skip, every)


def predictions_of(rng: np.random.Generator, n: int, n_bins: int, n_classes: int) -> np.ndarray:
    """Predictions that change a few times over the bins, some of them none."""
    out = np.empty((n, n_bins), dtype=np.int32)
    for row in out:
        edges = [0, *sorted(rng.integers(0, n_bins, size=rng.integers(0, 4))), n_bins]
        for a, b in pairwise(edges):
            row[a:b] = rng.integers(-1, n_classes)
    return out


def one_by_one(
    how: Setting, y: np.ndarray, time: np.ndarray, weight: np.ndarray | None, said: np.ndarray
) -> list[Checkpoints]:
    """A grid a bin."""
    grids = [how.grid() for _ in range(said.shape[1])]
    chunk = pq.Chunk(how.schema, 0, np.empty((len(y), 0)), y, time, weight)
    found = []
    for b, grid in enumerate(grids):
        passed = grid.update(chunk, None, said[:, b].astype(np.int64), every=how.every)
        if len(y) % how.every or not len(y):
            passed.append(grid.checkpoint())
        found.append(Checkpoints.join(passed))
    return found


@settings(max_examples=120, deadline=None)
@example(seed=0, n=20, bins=1, every=2, n_classes=2, cut=1, kind="weighted")  # time runs back after a weight of 0
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 60),
    bins=st.integers(1, 6),
    every=st.integers(1, 20),
    n_classes=st.integers(1, 4),
    cut=st.integers(1, 25),
    kind=st.sampled_from(["plain", "weighted", "skip", "others"]),
)
def test_bins_counted_together_are_grids_counted_one_by_one(
    seed: int, n: int, bins: int, every: int, n_classes: int, cut: int, kind: str
) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    said = predictions_of(rng, n, bins + 2, n_classes)
    time = np.cumsum(rng.integers(-1, 4, n)).astype(float)  # it may run backwards
    weight = rng.integers(0, 3, n).astype(float) if kind == "weighted" else None
    how = setting(FORGETTINGS + (OTHERS if kind == "others" else ()), every, n_classes=n_classes, skip=kind == "skip")
    grids = BinnedGrids(Binned(bins, (2.0,)), how)
    passed = []
    for at in range(0, n, cut):
        part = slice(at, at + cut)
        rows = np.flatnonzero(np.ones(len(y[part])))
        chunk = pq.Chunk(
            how.schema, at, np.empty((len(rows), 0)), y[part], time[part], None if weight is None else weight[part]
        )
        passed += grids.update(chunk, rows, said[part])
    passed += grids.last()
    ours = Checkpoints.join(passed)
    expected = one_by_one(how, y, time, weight, said)
    assert (grids._matrices is not None) == (kind == "plain")
    assert np.array_equal(ours.n, expected[0].n)
    for name in Counts.__dataclass_fields__:
        theirs = np.stack([getattr(one.counts, name) for one in expected], axis=1)
        assert np.array_equal(getattr(ours.counts, name), theirs, equal_nan=True), name


def test_a_fading_scale_that_starts_again_stays_the_same_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    n = 6000  # 0.9 ** -2185 is past 1e100
    how = setting((pq.Fading(0.9),), n, n_classes=3)
    y, said, time = rng.integers(0, 3, n), predictions_of(rng, n, 5, 3), np.arange(n, dtype=float)
    grids = BinnedGrids(Binned(3, (2.0,)), how)
    [ours] = grids.update(pq.Chunk(how.schema, 0, np.empty((n, 0)), y, time), np.arange(n), said)
    theirs = np.stack([one.counts.matrix for one in one_by_one(how, y, time, None, said)], axis=1)
    assert np.array_equal(ours.counts.matrix, theirs)


def test_a_class_that_appears_late_is_in_every_bin() -> None:
    how = setting((pq.Cumulative(), pq.Sliding(2), pq.Fading(0.5)), 2, n_classes=1)
    grids = BinnedGrids(Binned(1, (2.0,)), how)
    first = pq.Chunk(how.schema, 0, np.empty((2, 0)), np.array([0, 0]), np.arange(2.0))
    wider = how.schema.with_classes((0, 1, 2))
    later = pq.Chunk(wider, 2, np.empty((2, 0)), np.array([0, 1]), np.arange(2.0, 4.0))
    said = np.array([[0, -1, 0], [-1, 0, 0], [0, 2, 1], [0, 1, -1]], dtype=np.int32)
    passed = grids.update(first, np.arange(2), said[:2]) + grids.update(later, np.arange(2), said[2:])
    matrix = Checkpoints.join(passed).counts.matrix
    assert matrix.shape == (2, 3, 3, 3, 4)
    assert matrix[1, 1, 0, 0].tolist() == [1, 0, 1, 1]  # bin 1: none, 0 and 2 for the three labels of class 0
    assert matrix[1, 2, 1].tolist() == [[0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]  # the last two, final prediction


def test_weights_that_come_only_later_are_refused() -> None:
    how = setting((pq.Cumulative(),), 10, n_classes=2)
    grids = BinnedGrids(Binned(1, (2.0,)), how)
    said = np.zeros((1, 3), dtype=np.int32)
    grids.update(pq.Chunk(how.schema, 0, np.empty((1, 0)), np.array([0])), np.arange(1), said)
    with pytest.raises(pq.InputError, match="earlier ones have none"):
        grids.update(
            pq.Chunk(how.schema, 1, np.empty((1, 0)), np.array([0]), None, np.array([2.0])), np.arange(1), said
        )


def filled(seed: int = 3) -> tuple[_native.BinnedMatrices, np.random.Generator]:
    made = empty()
    rng = np.random.default_rng(seed)
    made.update(predictions_of(rng, 50, 4, 2), rng.integers(0, 2, 50), np.arange(50.0), 0)
    return made, rng


def empty() -> _native.BinnedMatrices:
    made = _native.BinnedMatrices(2, 4)
    made.add_cumulative()
    made.add_sliding(10, float("inf"))
    made.add_sliding(float("inf"), 7.5)
    made.add_fading(0.8)
    return made


def test_matrices_go_on_from_their_bytes() -> None:
    one, rng = filled()
    other = empty()
    other.load_bytes(one.to_bytes())
    more = predictions_of(rng, 30, 4, 2), rng.integers(0, 2, 30), np.arange(50.0, 80.0), 7
    assert np.array_equal(one.update(*more), other.update(*more))
    assert one.to_bytes() == other.to_bytes()


def test_bytes_of_other_matrices_are_refused() -> None:
    other = _native.BinnedMatrices(2, 5)
    with pytest.raises(ValueError, match="other bins"):
        other.load_bytes(filled()[0].to_bytes())
    other = _native.BinnedMatrices(2, 4)
    with pytest.raises(ValueError, match="other forgettings"):
        other.load_bytes(filled()[0].to_bytes())
    state = bytearray(filled()[0].to_bytes())
    state[60] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        empty().load_bytes(bytes(state))


@pytest.mark.parametrize(
    ("said", "y", "message"),
    [
        (np.zeros((2, 3), np.int32), np.zeros(2, np.int64), "one column per bin"),
        (np.zeros((2, 4), np.int32), np.zeros(3, np.int64), "3 records where 2"),
        (np.full((2, 4), 4096, np.int32), np.zeros(2, np.int64), "codes run from 0"),
        (np.full((2, 4), -2, np.int32), np.zeros(2, np.int64), "codes run from 0"),
        (np.zeros((2, 4), np.int32), np.array([0, -1]), "lacks a label"),
    ],
)
def test_matrices_refuse_values_that_cannot_be(said: np.ndarray, y: np.ndarray, message: str) -> None:
    made = empty()
    with pytest.raises(ValueError, match=message):
        made.update(said, y, None, 0)
    assert made.n_seen == 0
