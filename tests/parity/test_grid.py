"""The native grid against its Python twin, and every metric against scikit-learn, at every record."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from support.records import flat, random_records, through_grid
from twins import counts as twin

from prequential.metrics.auc import RANKS
from prequential.metrics.forgetting import Cumulative, ExponentialHistogram, Fading, Forgetting, Sliding
from prequential.metrics.grid import Checkpoints, Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams import Chunk, Schema

FORGETTINGS: dict[Forgetting, Callable[[Sequence[twin.Record], float], twin.Kept]] = {
    Cumulative(): twin.cumulative,
    Sliding(1): twin.sliding(1),
    Sliding(7): twin.sliding(7),
    Sliding(50): twin.sliding(50),
    Sliding(seconds=10): twin.seconds(10),
    Fading(0.5): twin.fading(0.5),
    Fading(0.97): twin.fading(0.97),
}


def assert_same_as_twin(
    records: Sequence[twin.Record], n_classes: int, *, probabilities: bool, skip: bool, cuts: Sequence[int] = ()
) -> None:
    found = through_grid(
        records, list(FORGETTINGS), n_classes=n_classes, probabilities=probabilities, skip=skip, cuts=cuts
    )
    assert found.n.tolist() == list(range(1, len(records) + 1))
    rows = flat(found.counts)
    for k, (forgetting, kept) in enumerate(FORGETTINGS.items()):
        grid = twin.Grid(n_classes, kept, probabilities=probabilities, skip=skip)
        for i, record in enumerate(records):
            expected = grid.update(record)
            numbers = [*np.ravel(expected.matrix), expected.majority_hits, expected.no_change_hits]
            numbers += [expected.weight, expected.n_records, *expected.losses]
            np.testing.assert_allclose(
                rows[i, k], numbers, rtol=1e-12, atol=1e-300, err_msg=f"{forgetting.label}, record {i}"
            )
            assert found.n_unlabelled[i] == expected.n_unlabelled
            assert found.n_abstained[i] == expected.n_abstained


@pytest.mark.parametrize("weights", ["none", "fractional", "outliers"])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("skip", [False, True])
def test_counts_are_those_of_the_twin_at_every_record(n_classes: int, weights: str, skip: bool) -> None:
    records = random_records(7 * n_classes, 160, n_classes, weights=weights)
    assert_same_as_twin(records, n_classes, probabilities=True, skip=skip, cuts=[1, 8, 90])


@pytest.mark.parametrize("n_classes", [2, 4, 12])
def test_counts_of_bare_predictions_are_those_of_the_twin(n_classes: int) -> None:
    records = random_records(n_classes, 160, n_classes, scores=False, unlabelled=0.05)
    assert_same_as_twin(records, n_classes, probabilities=False, skip=False)


@pytest.mark.parametrize("weights", ["none", "fractional"])
def test_classes_that_appear_late_change_no_count(weights: str) -> None:
    records = random_records(3, 160, 6, weights=weights, late=True)
    early = through_grid(records, list(FORGETTINGS), n_classes=6, probabilities=True, ranks=RANKS)
    narrow = [
        r if i > 80 else twin.Record(r.label, None, (r.scores or ())[:3], r.weight, r.time)
        for i, r in enumerate(records)
    ]
    late = through_grid(narrow, list(FORGETTINGS), n_classes=3, probabilities=True, cuts=[20, 81], ranks=RANKS)
    scored = -len(RANKS) - (len(RANKS) - RANKS.index("scored_auc"))  # it sums real numbers along a tree that is rebuilt
    found, expected = (np.delete(flat(one.counts), scored, axis=-1) for one in (late, early))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(late.counts.ranks, early.counts.ranks, rtol=1e-14)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 40),
    n_classes=st.integers(1, 4),
    weights=st.sampled_from(["none", "fractional", "outliers"]),
    abstain=st.sampled_from([0.0, 0.3, 1.0]),
    unlabelled=st.sampled_from([0.0, 0.3, 1.0]),
    scores=st.booleans(),
    skip=st.booleans(),
    cuts=st.lists(st.integers(1, 39), max_size=4),
)
def test_counts_are_those_of_the_twin_whatever_comes(
    seed: int,
    n: int,
    n_classes: int,
    weights: str,
    abstain: float,
    unlabelled: float,
    scores: bool,
    skip: bool,
    cuts: list[int],
) -> None:
    records = random_records(seed, n, n_classes, scores=scores, weights=weights, abstain=abstain, unlabelled=unlabelled)
    cuts = [c for c in cuts if c < n]
    assert_same_as_twin(records, n_classes, probabilities=scores, skip=skip, cuts=cuts)


def test_an_unlabelled_record_moves_a_window_of_seconds_on() -> None:
    records = [
        twin.Record(0, 0, time=0.0),
        twin.Record(1, 0, time=5.0),
        twin.Record(None, 0, time=12.0),
        twin.Record(None, 0, time=100.0),
        twin.Record(1, 1, time=101.0),
    ]
    found = through_grid(records, [Sliding(seconds=10)], n_classes=2)
    assert found.counts.weight[:, 0].tolist() == [1, 2, 1, 0, 1]
    assert found.counts.majority_hits[:, 0].tolist() == [0, 0, 0, 0, 0]  # nothing in the window: the majority abstains


@pytest.mark.parametrize("forgetting", [Sliding(seconds=10), ExponentialHistogram(seconds=10, error=0.1)])
@pytest.mark.parametrize("cuts", [(), (1,), (2,), (1, 2)])
def test_a_clock_that_has_moved_on_does_not_go_back(cuts: tuple[int, ...], forgetting: Forgetting) -> None:
    """Whoever moved it, and wherever the records are cut: at 100 the record of time 0 is forgotten for good."""
    records = [
        twin.Record(0, 0, time=0.0),
        twin.Record(None, 0, time=100.0),
        twin.Record(1, 1, time=5.0),
    ]
    found = through_grid(records, [forgetting], n_classes=2, cuts=cuts, every=3)
    assert found.counts.weight[:, 0].tolist() == [1]
    assert found.counts.matrix[0, 0].tolist() == [[0, 0, 0], [0, 1, 0]]
    assert found.time.tolist() == [100.0]


def test_scores_so_large_that_their_sum_overflows_are_still_probabilities() -> None:
    records = [twin.Record(0, None, (1.5e308, 0.5e308)), twin.Record(1, None, (1e308, 1e308))]
    found = through_grid(records, [Cumulative()], n_classes=2, probabilities=True)
    assert found.n_abstained.tolist() == [0, 0]
    losses = [-math.log(0.75), -math.log(0.75) - math.log(0.5)]
    np.testing.assert_allclose(found.counts.losses[:, 0, 0], losses, rtol=1e-12)
    np.testing.assert_allclose(found.counts.losses[:, 0, 1], [2 * 0.25**2, 2 * 0.25**2 + 0.5], rtol=1e-12)


# --- scikit-learn ---------------------------------------------------------------------------------------

N, W = 100, 25
SPANS: dict[Forgetting, Callable[[int], slice]] = {
    Cumulative(): lambda i: slice(0, i + 1),
    Sliding(W): lambda i: slice(max(0, i + 1 - W), i + 1),
}


def sample(seed: int, n_classes: int, *, weighted: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Labels, predictions, probabilities and weights of a mediocre classifier; it starts with one class only."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=N)
    y[:15] = 0
    raw = rng.random((N, n_classes)) + 0.7 * np.eye(n_classes)[y] * rng.random((N, 1))
    raw[:5, 0] += 9
    p = raw / raw.sum(axis=1, keepdims=True)
    w = rng.choice([0.25, 0.5, 1.0, 2.5], size=N) if weighted else np.ones(N)
    return y, p.argmax(axis=1), p, w


def checkpoints_of(y: np.ndarray, p: np.ndarray, w: np.ndarray, n_classes: int) -> Checkpoints:
    records = [twin.Record(int(a), None, tuple(b), float(c)) for a, b, c in zip(y, p.tolist(), w.tolist(), strict=True)]
    return through_grid(records, list(SPANS), n_classes=n_classes, probabilities=True)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_metrics_are_those_of_scikit_learn_at_every_prefix_and_window(n_classes: int, weighted: bool) -> None:
    y, said, p, w = sample(n_classes, n_classes, weighted=weighted)
    found = checkpoints_of(y, p, w, n_classes)
    ours = {name: REGISTRY[name](found.counts) for name in REGISTRY if REGISTRY[name].needs != "targets"}
    for k, span in enumerate(SPANS.values()):
        for i in range(N):
            part = span(i)
            expected = of_sklearn(y[part], said[part], p[part], w[part], n_classes)
            for name, value in expected.items():
                np.testing.assert_allclose(
                    ours[name][i, k], value, rtol=1e-10, atol=1e-12, err_msg=f"{name}, record {i}, forgetting {k}"
                )


def of_sklearn(
    y: np.ndarray, said: np.ndarray, p: np.ndarray, w: np.ndarray, n_classes: int
) -> dict[str, float | np.ndarray]:
    """What scikit-learn says, where it and we mean the same.

    Undefined is NaN with us. scikit-learn says so for precision, recall and F1 if asked (``zero_division``), but gives
    0 for the MCC of one class, and has κ of one class warn and be NaN. Its macro averages with ``zero_division=nan``
    leave out what is undefined, as ours do.
    """
    labels = range(n_classes)
    each = metrics.precision_recall_fscore_support(y, said, labels=labels, sample_weight=w, zero_division=np.nan)
    found: dict[str, float | np.ndarray] = {
        "accuracy": metrics.accuracy_score(y, said, sample_weight=w),
        "error": metrics.zero_one_loss(y, said, sample_weight=w),
        **dict(zip(("precision", "recall", "f1"), each, strict=False)),
        "log_loss": metrics.log_loss(y, p, labels=labels if n_classes > 1 else None, sample_weight=w),
        "brier": metrics.brier_score_loss(y, p, labels=labels, sample_weight=w, scale_by_half=False),
    }
    for name in ("precision", "recall", "f1"):
        found[f"macro_{name}"] = float(np.nanmean(found[name]))
    one_label, one_prediction = len(set(y)) == 1, len(set(said)) == 1
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
        warnings.filterwarnings("ignore", "A single label was found")
        found["balanced_accuracy"] = metrics.balanced_accuracy_score(y, said, sample_weight=w)
        found["mcc"] = metrics.matthews_corrcoef(y, said, sample_weight=w)
    if one_label or one_prediction:
        found["mcc"] = np.nan
    if one_label and one_prediction and y[0] == said[0]:
        found["kappa"] = np.nan
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            found["kappa"] = metrics.cohen_kappa_score(y, said, labels=labels, sample_weight=w)
    recalls = [r for r in np.atleast_1d(found["recall"]) if not np.isnan(r)]
    found["g_mean"] = float(np.prod(recalls) ** (1 / len(recalls)))
    found["h_mean"] = 0.0 if 0 in recalls else len(recalls) / sum(1 / r for r in recalls)
    return found


@pytest.mark.parametrize("alpha", [0.5, 0.9, 0.99])
def test_faded_metrics_are_those_of_scikit_learn_with_faded_weights(alpha: float) -> None:
    y, said, p, w = sample(11, 3, weighted=True)
    records = [twin.Record(int(a), None, tuple(b), float(c)) for a, b, c in zip(y, p.tolist(), w.tolist(), strict=True)]
    found = through_grid(records, [Fading(alpha)], n_classes=3, probabilities=True)
    for i in range(20, N, 3):
        faded = w[: i + 1] * alpha ** np.arange(i, -1, -1.0)
        expected = of_sklearn(y[: i + 1], said[: i + 1], p[: i + 1], faded, 3)
        for name, value in expected.items():
            np.testing.assert_allclose(
                REGISTRY[name](found.counts)[i, 0], value, rtol=1e-9, atol=1e-12, err_msg=f"{name}, record {i}"
            )


def test_kappa_m_and_kappa_per_follow_from_baselines_that_know_only_the_past() -> None:
    y, said, p, w = sample(5, 3, weighted=True)
    found = checkpoints_of(y, p, w, 3)
    for k, kept in enumerate((twin.cumulative, twin.sliding(W))):
        grid = twin.Grid(3, kept)
        for i in range(N):
            counts = grid.update(twin.Record(int(y[i]), int(said[i]), None, float(w[i])))
            p0 = sum(counts.matrix[c][c] for c in range(3)) / counts.weight
            for name, hits in (("kappa_m", counts.majority_hits), ("kappa_t", counts.no_change_hits)):
                np.testing.assert_allclose(
                    REGISTRY[name](found.counts)[i, k], twin.kappa(p0, hits / counts.weight), rtol=1e-9, atol=1e-12
                )


# --- undefined ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forgetting", [Cumulative(), Sliding(30), Fading(0.99), Fading(0.9)])
@pytest.mark.parametrize("weight", [1.0, 0.1, 0.3])
def test_kappa_and_mcc_of_a_single_class_are_undefined_and_not_what_rounding_leaves(
    forgetting: Forgetting, weight: float
) -> None:
    records = [twin.Record(0, 0, None, weight)] * 400
    counts = through_grid(records, [forgetting], n_classes=2).counts
    assert np.isnan(REGISTRY["kappa"](counts)).all()
    assert np.isnan(REGISTRY["mcc"](counts)).all()
    assert (REGISTRY["accuracy"](counts) == 1).all()


def test_kappas_and_mcc_are_undefined_once_all_but_one_class_has_faded_away() -> None:
    records = [twin.Record(1, 1)] + [twin.Record(0, int(i % 10 == 0)) for i in range(9_000)]
    counts = through_grid(records, [Fading(0.99)], n_classes=2, every=1000).counts
    for name in ("kappa_m", "kappa_t", "mcc"):
        assert np.isnan(REGISTRY[name](counts)[3:]).all(), name
    assert np.allclose(REGISTRY["kappa"](counts)[3:], 0, atol=1e-9)  # a tenth is predicted as a class that is not there


def test_of_no_records_everything_is_undefined() -> None:
    grid = Grid(
        Schema.numeric(0, ("a", "b")), [Cumulative(), Sliding(3), Fading(0.9)], probabilities=True, skip_abstained=False
    )
    counts = grid.checkpoint().counts
    for metric in REGISTRY.values():
        if metric.needs not in ("targets", "nothing"):
            assert np.isnan(metric(counts)).all(), metric.name


# --- regression -----------------------------------------------------------------------------------------


def regression_checkpoints(
    target: np.ndarray,
    said: np.ndarray,
    w: np.ndarray | None,
    forgetting: Sequence[Forgetting],
    cuts: Sequence[int] = (),
) -> Checkpoints:
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, forgetting, probabilities=False, skip_abstained=False)
    passed = []
    edges = sorted({0, *cuts, len(target)})
    for first, last in pairwise(edges):
        part = slice(first, last)
        chunk = Chunk(schema, first, np.empty((last - first, 0)), target[part], None, None if w is None else w[part])
        passed += grid.update(chunk, said[part, np.newaxis].copy(), every=1)
    return Checkpoints.join(passed)


@pytest.mark.parametrize("weighted", [False, True])
def test_regression_metrics_are_those_of_scikit_learn_and_of_the_twin(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    target = 1000 + np.cumsum(rng.normal(size=N))
    said = target + rng.normal(size=N) * rng.choice([0.1, 1, 10], size=N)
    w = rng.choice([0.25, 0.5, 1.0, 2.5], size=N) if weighted else np.ones(N)
    twins: dict[Forgetting, Callable[[Sequence[Any], float], twin.Kept]] = {
        **dict(zip(SPANS, (twin.cumulative, twin.sliding(W)), strict=True)),
        Fading(0.9): twin.fading(0.9),
    }
    found = regression_checkpoints(target, said, w if weighted else None, list(twins), cuts=[3, 57])
    rows = list(zip(target.tolist(), said.tolist(), w.tolist(), strict=True))
    for k, (forgetting, kept) in enumerate(twins.items()):
        for i in range(1, N):
            expected = twin.regression(rows, kept(rows[: i + 1], 0.0))
            for name, value in expected.items():
                ours = REGISTRY[name](found.counts)[i, k]
                np.testing.assert_allclose(ours, value, rtol=1e-9, err_msg=f"{name}, record {i}, {forgetting}")
            if forgetting in SPANS:
                part = SPANS[forgetting](i)
                args = {"sample_weight": w[part]}
                assert expected["mae"] == pytest.approx(metrics.mean_absolute_error(target[part], said[part], **args))
                assert expected["mse"] == pytest.approx(metrics.mean_squared_error(target[part], said[part], **args))
                assert expected["r2"] == pytest.approx(metrics.r2_score(target[part], said[part], **args))


def test_r2_is_undefined_when_all_targets_are_equal() -> None:
    target = np.full(50, 0.1)
    counts = regression_checkpoints(
        target, target + 1, np.full(50, 0.3), [Cumulative(), Sliding(7), Fading(0.9)]
    ).counts
    assert np.isnan(REGISTRY["r2"](counts)).all()
    np.testing.assert_allclose(REGISTRY["mae"](counts), 1, rtol=1e-12)


def test_predictions_of_every_magnitude_leave_no_trace_in_a_window_once_they_have_left_it() -> None:
    """A diverging learner predicts 1e10, 1e20, 1e40, 1e200 in turn; 1e200 squared is past the largest number."""
    n, w = 400, 10
    target, said = np.zeros(n), np.full(n, 0.1)
    said[[50, 51, 52, 100, 101, 150, 152]] = [1e10, 1e20, 1e40, 1e20, 1e10, 1e200, 1e5]
    counts = regression_checkpoints(target, said, None, [Sliding(w), Cumulative()]).counts
    mse, mae = REGISTRY["mse"](counts), REGISTRY["mae"](counts)
    for i in range(n):
        window = said[max(0, i + 1 - w) : i + 1]
        with np.errstate(over="ignore"):
            squares = (window**2).tolist()
        expected = math.inf if math.inf in squares else math.fsum(squares) / len(window)
        assert mse[i, 0] == pytest.approx(expected, rel=1e-12), i
        assert mae[i, 0] == pytest.approx(math.fsum(window) / len(window), rel=1e-12), i
    assert mse[149, 1] == pytest.approx(1e80 / 150)
    assert np.isinf(mse[150:, 1]).all()


def test_a_number_that_is_not_finite_is_left_out_and_counted() -> None:
    target = np.array([1.0, 2.0, np.nan, 4.0])
    found = regression_checkpoints(target, np.array([2.0, np.nan, 9.0, np.inf]), None, [Cumulative()])
    assert found.n_abstained.tolist() == [0, 1, 1, 2]
    assert found.n_unlabelled.tolist() == [0, 0, 1, 1]
    assert found.n_nonfinite.tolist() == [0, 1, 1, 2]
    assert REGISTRY["mae"](found.counts)[:, 0].tolist() == [1, 1, 1, 1]
