"""Noise, missing values and sparse labels: the given share changes, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import prequential as pq
from prequential.streams.chunk import UNLABELLED, Chunk, concatenate
from prequential.streams.stream import Stream

N = 100_000


def whole(stream: Stream) -> Chunk:
    return concatenate(list(stream.chunks()))


def assert_share(count: int, n: int, share: float) -> None:
    assert abs(count - n * share) <= 5 * math.sqrt(n * share * (1 - share))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.9, 1.0])
def test_labels_become_each_other_class_equally_often(share: float) -> None:
    plain = pq.streams.LED(seed=1).take(N)
    noisy = whole(plain.label_noise(share, seed=3))
    before = whole(plain)
    moved = (noisy.y - before.y) % 10
    assert_share(int((moved > 0).sum()), N, share)
    for k in range(1, 10):
        assert_share(int((moved == k).sum()), N, share / 9)
    assert (noisy.X == before.X).all()


def test_noise_does_not_depend_on_the_label_or_on_its_neighbours() -> None:
    plain = pq.streams.SEA(seed=1).take(N)
    wrong = whole(plain.label_noise(0.2)).y != whole(plain).y
    y = whole(plain).y
    for code in (0, 1):
        assert_share(int(wrong[y == code].sum()), int((y == code).sum()), 0.2)
    assert_share(int((wrong[1:] & wrong[:-1]).sum()), N - 1, 0.04)


@pytest.mark.parametrize(("e", "p"), [(0.0, 0.1), (0.1, 0.1), (0.2, 0.3)])
def test_the_bayes_error_of_two_classes_with_noise(e: float, p: float) -> None:
    stream = pq.streams.SEA(seed=1, noise=e).label_noise(p)
    assert stream.bayes_error is not None
    assert stream.bayes_error == pytest.approx(e * (1 - p) + (1 - e) * p)
    chunk = whole(stream.take(N))
    best = (chunk.X[:, 0] + chunk.X[:, 1] > 8).astype(np.int64)  # SEA's first concept
    assert_share(int((best != chunk.y).sum()), N, stream.bayes_error)


def test_the_bayes_error_of_many_classes_with_noise_is_measured() -> None:
    plain = pq.streams.LED(seed=1, noise=0.0, n_features=7)
    assert plain.bayes_error == 0
    stream = plain.label_noise(0.3).label_noise(0.2)
    right = 0.7 * 0.8 + 0.3 * 0.2 / 9
    assert stream.bayes_error == pytest.approx(1 - right)
    wrong = int((whole(stream.take(N)).y != whole(plain.take(N)).y).sum())
    assert_share(wrong, N, 1 - right)
    assert plain.label_noise(0.91).bayes_error is None, "another class than the right one is then the best guess"


def test_unknown_labels_stay_unknown() -> None:
    stream = pq.from_arrays(np.zeros((200, 1)), ["a", None] * 100, classes=["a", "b"])
    y = whole(stream.label_noise(1.0)).y
    assert y.tolist() == [1, UNLABELLED] * 100


def test_numeric_noise_is_normal_and_of_each_feature_by_itself() -> None:
    plain = pq.streams.SEA(seed=1).take(N)
    noise = whole(plain.feature_noise(0.5)).X - whole(plain).X
    for j in range(3):
        assert stats.kstest(noise[:, j] / 0.5, "norm").pvalue > 1e-4
    correlation = np.asarray(np.corrcoef(noise.T))
    assert np.abs(correlation[~np.eye(3, dtype=bool)]).max() < 5 / math.sqrt(N)
    named = whole(plain.feature_noise(0.5, features="attrib2")).X - whole(plain).X
    assert (named[:, 1] == noise[:, 1]).all()
    assert (named[:, [0, 2]] == 0).all()


def test_nominal_values_become_each_other_value_equally_often() -> None:
    plain = pq.streams.STAGGER(seed=1).take(N)
    noisy, before = whole(plain.feature_noise(nominal=0.4)), whole(plain)
    for j, feature in enumerate(plain.schema.features):
        n = len(feature.values or ())
        moved = (noisy.X[:, j] - before.X[:, j]) % n
        for k in range(1, n):
            assert_share(int((moved == k).sum()), N, 0.4 / (n - 1))
    assert (noisy.y == before.y).all()


def test_noise_of_mixed_features_leaves_missing_values_missing() -> None:
    X = np.array([[1.0, 0.0], [np.nan, np.nan]] * 50)
    stream = pq.from_arrays(X, ["a", "b"] * 50, feature_names=["x", "day"], nominal={"day": ["mon", "tue"]})
    noisy = whole(stream.feature_noise(1.0, nominal=1.0)).X
    assert (noisy[::2, 1] == 1).all()
    assert (noisy[::2, 0] != 1).all()
    assert np.isnan(noisy[1::2]).all()
    assert (X[::2, 0] == 1).all(), "the arrays of the caller are left alone"


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_the_given_share_of_values_is_missing(share: float) -> None:
    plain = pq.streams.SEA(seed=1).take(N)
    chunk, before = whole(plain.missing(share)), whole(plain)
    missing = np.isnan(chunk.X)
    for j in range(3):
        assert_share(int(missing[:, j].sum()), N, share)
    assert_share(int((missing[:, 0] & missing[:, 1]).sum()), N, share**2)
    assert (chunk.X[~missing] == before.X[~missing]).all()
    some = np.isnan(whole(plain.missing(share, features=["attrib3", "attrib1"])).X)
    assert (some[:, [0, 2]] == missing[:, [0, 2]]).all()
    assert not some[:, 1].any()


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_the_given_share_of_labels_is_known(share: float) -> None:
    plain = pq.streams.SEA(seed=1).take(N)
    chunk, before = whole(plain.sparse_labels(share)), whole(plain)
    assert_share(int(chunk.labelled.sum()), N, share)
    assert (chunk.y[chunk.labelled] == before.y[chunk.labelled]).all()
    assert chunk.y.dtype == np.int64


def test_targets_of_a_regression_stream_may_be_sparse() -> None:
    stream = pq.from_arrays(np.zeros((N, 1)), np.arange(N) + 0.5, task="regression")
    chunk = whole(stream.sparse_labels(0.25))
    known = ~np.isnan(chunk.y)
    assert_share(int(known.sum()), N, 0.25)
    assert (chunk.y[known] == np.flatnonzero(known) + 0.5).all()


def test_streams_whose_classes_appear_late_may_have_missing_values_and_sparse_labels() -> None:
    stream = pq.from_iterable([({"x": float(i), "day": "mon" if i < 50 else "tue"}, "ab"[i // 50]) for i in range(100)])
    chunks = list(stream.missing(0.5).sparse_labels(0.5).feature_noise(0.1).chunks())
    assert sum(map(len, chunks)) == 100
    assert chunks[-1].schema.classes == ("a", "b")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: s.label_noise(1.5), r"The 'share' parameter of label_noise must be in \[0, 1\]. Got 1.5 instead."),
        (lambda s: s.label_noise(math.nan), "The 'share' parameter of label_noise"),
        (lambda s: s.label_noise(0.1, seed=-1), "The 'seed' parameter of label_noise"),
        (lambda s: s.missing(-0.1), "The 'share' parameter of missing"),
        (lambda s: s.sparse_labels(2), "The 'share' parameter of sparse_labels"),
        (lambda s: s.feature_noise(-1), "The 'deviation' parameter of feature_noise must be a finite number"),
        (lambda s: s.feature_noise(math.inf), "The 'deviation' parameter of feature_noise must be a finite number"),
        (lambda s: s.feature_noise(nominal=2), "The 'nominal' parameter of feature_noise"),
        (
            lambda s: s.feature_noise(nominal=0.1),
            "nominal applies to nominal features, but none of the features is nominal",
        ),
        (
            lambda s: s.missing(0.1, features="atrib1"),
            "unknown feature 'atrib1'. Did you mean 'attrib1'\\? Accepted",
        ),
        (lambda s: s.feature_noise(0.1, features=["attrib1", "x"]), "feature_noise: unknown feature 'x'"),
        (lambda s: s.missing(0.1, features=5), "The 'features' parameter of missing must be the name of a feature"),
        (lambda s: s.feature_noise(0.1, features="attrib1").missing(0.1, features=["attrib9"]), "Did you mean"),
    ],
)
def test_impossible_noise_is_refused(make: Callable[[Stream], Stream], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        make(pq.streams.SEA())


def test_labels_that_cannot_be_wrong_are_refused() -> None:
    regression = pq.from_arrays(np.zeros((3, 1)), [0.5, 1.5, 2.5], task="regression")
    with pytest.raises(pq.InputError, match="label_noise: arrays is a regression stream"):
        regression.label_noise(0.1)
    with pytest.raises(pq.InputError, match="label_noise: arrays has only one class"):
        pq.from_arrays(np.zeros((3, 1)), ["a"] * 3).label_noise(0.1)
    with pytest.raises(pq.InputError, match="label_noise: new classes may appear"):
        pq.from_iterable([({"x": 1.0}, "a")]).label_noise(0.1)
    with pytest.raises(pq.InputError, match="deviation applies to numeric features"):
        pq.streams.STAGGER().feature_noise(0.1)
