"""AUC and what is akin to it: against SciPy's ranks and scikit-learn at every record, the Python twin, and MOA."""

from __future__ import annotations

import csv
import gzip
import math
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import rankdata
from sklearn import metrics
from support.records import random_records, through_grid
from support.rolling_auc import RollingAUC
from twins import counts as twin

from prequential.metrics.auc import RANKS, RankMetric
from prequential.metrics.forgetting import AdaptiveWindow, ExponentialHistogram, Sliding
from prequential.metrics.metric import REGISTRY
from prequential.scoring.score import score

N = 100_000

# --- SciPy ----------------------------------------------------------------------------------------------


def windows(values: np.ndarray, w: int) -> np.ndarray:
    """The last w values at every record; before there are so many, NaN in front."""
    padded = np.concatenate([np.full(w - 1, np.nan), values.astype(float)])
    return np.lib.stride_tricks.sliding_window_view(padded, w)


def brute_force(y: np.ndarray, s: np.ndarray, weight: np.ndarray, w: int) -> np.ndarray:
    """The AUC at every record by the ranks of its window: the weight of the negatives below, and half of those beside.

    A record that is not there yet (NaN) has no weight.
    """
    found = []
    for first in range(0, len(y), 4000):
        part = slice(first, first + 4000)
        here = windows(s, w)[part]
        here = np.where(np.isnan(here), -1.0, here)
        positive = np.nan_to_num(windows(weight * (y == 1), w)[part])
        negative = np.nan_to_num(windows(weight * (y == 0), w)[part])
        below, at_most = (rankdata(here, method, axis=1).astype(int) for method in ("min", "max"))
        order = np.argsort(here, axis=1)
        sums = np.concatenate([np.zeros((len(here), 1)), np.take_along_axis(negative, order, 1).cumsum(axis=1)], axis=1)
        less, less_or_equal = np.take_along_axis(sums, below - 1, 1), np.take_along_axis(sums, at_most, 1)
        with np.errstate(invalid="ignore"):
            pairs = positive.sum(axis=1) * negative.sum(axis=1)
            found.append((positive * (less + less_or_equal) / 2).sum(axis=1) / pairs)
    return np.concatenate(found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("w", "n_scores"), [(10, 4), (40, 20), (100, 10**9)])
def test_sliding_auc_is_that_of_the_ranks_of_scipy_at_each_of_100_000_records(
    w: int, n_scores: int, weighted: bool
) -> None:
    """Heavy ties (4 and 20 different scores), and none; the classes drift from 1:1 to 1:20 and back."""
    rng = np.random.default_rng(w + weighted)
    y = (rng.random(N) < 0.05 + 0.45 * np.cos(np.linspace(0, 2 * np.pi, N)) ** 2).astype(np.int64)
    s = np.floor(np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 0.999) * n_scores) / n_scores
    weight = rng.choice([0.1, 0.5, 1.0, 2.7, 30.0], size=N) if weighted else np.ones(N)
    found = RollingAUC(w).after_each(y, s, weight if weighted else None)
    expected = brute_force(y, s, weight, w)
    assert np.isfinite(expected).mean() > 0.5
    if weighted:
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    else:
        np.testing.assert_array_equal(found, expected)


# --- scikit-learn ---------------------------------------------------------------------------------------


def sample(n_classes: int, n: int = 400, *, weighted: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, coarse probabilities with ties, weights; at first one class is missing."""
    rng = np.random.default_rng(n_classes)
    y = rng.integers(n_classes, size=n)
    y[:60] = rng.integers(n_classes - 1, size=60)
    votes = rng.multinomial(10, np.full(n_classes, 1 / n_classes), size=n) + 2 * np.eye(n_classes, dtype=int)[y]
    weight = rng.choice([0.25, 0.7, 1.0, 3.0], size=n) if weighted else np.ones(n)
    return y, votes / votes.sum(axis=1, keepdims=True), weight


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_are_those_of_scikit_learn(weighted: bool) -> None:
    y, p, weight = sample(2, weighted=weighted)
    ours = {name: RollingAUC(50, metric=name).after_each(y, p, weight) for name in ("auc", "average_precision")}
    for i in range(0, len(y), 2):
        part = slice(max(0, i - 49), i + 1)
        if len(set(y[part])) == 1:
            assert math.isnan(ours["auc"][i])
            continue
        expected = metrics.roc_auc_score(y[part], p[part, 1], sample_weight=weight[part])
        assert ours["auc"][i] == pytest.approx(expected, abs=1e-12)
        expected = metrics.average_precision_score(y[part], p[part, 1], sample_weight=weight[part])
        assert ours["average_precision"][i] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_several_classes_are_those_of_scikit_learn(n_classes: int) -> None:
    """Only where all classes are present: scikit-learn refuses the rest, where we average over those that are."""
    y, p, _ = sample(n_classes, weighted=False)
    ours = {name: RollingAUC(90, classes=range(n_classes), metric=name).after_each(y, p) for name in RANKS}
    n_compared = 0
    for i in range(0, len(y), 4):
        part = slice(max(0, i - 89), i + 1)
        if len(set(y[part])) < n_classes:
            continue
        n_compared += 1
        ovr = metrics.roc_auc_score(y[part], p[part], multi_class="ovr", average="macro")
        ovo = metrics.roc_auc_score(y[part], p[part], multi_class="ovo", average="macro")
        precision = metrics.average_precision_score(y[part], p[part], average="macro")
        assert ours["auc"][i] == pytest.approx(ovr, abs=1e-12)
        assert ours["auc_hand_till"][i] == pytest.approx(ovo, abs=1e-12)
        assert ours["average_precision"][i] == pytest.approx(precision, abs=1e-12)
    assert n_compared > 75


def test_weights_against_the_rest_are_those_of_scikit_learn() -> None:
    y, p, weight = sample(4)
    found = RollingAUC(90, classes=range(4)).after_each(y, p, weight)
    for i in range(150, len(y), 10):
        part = slice(i - 89, i + 1)
        expected = metrics.roc_auc_score(
            y[part], p[part], multi_class="ovr", average="macro", sample_weight=weight[part]
        )
        assert found[i] == pytest.approx(expected, abs=1e-12)


def test_the_roc_curve_is_that_of_scikit_learn() -> None:
    y, p, weight = sample(2)
    rolling = RollingAUC(120)
    values = rolling.after_each(y, p, weight)
    curve = rolling.roc()
    part = slice(len(y) - 120, None)
    false, true, threshold = metrics.roc_curve(y[part], p[part, 1], sample_weight=weight[part], drop_intermediate=False)
    np.testing.assert_allclose(curve.false_positive_rate, false, atol=1e-14)
    np.testing.assert_allclose(curve.true_positive_rate, true, atol=1e-14)
    np.testing.assert_array_equal(curve.threshold, threshold)
    assert curve.area == pytest.approx(values[-1], abs=1e-13)


def test_the_roc_curve_of_one_of_several_classes_is_that_of_scikit_learn() -> None:
    y, p, _ = sample(3, weighted=False)
    rolling = RollingAUC(len(y), classes=("a", "b", "c"))
    rolling.after_each(np.array(["a", "b", "c"])[y], p)
    for code, label in enumerate("abc"):
        false, true, _ = metrics.roc_curve(y == code, p[:, code], drop_intermediate=False)
        curve = rolling.roc(label)
        np.testing.assert_allclose(curve.false_positive_rate, false, atol=1e-14)
        np.testing.assert_allclose(curve.true_positive_rate, true, atol=1e-14)


# --- the twin -------------------------------------------------------------------------------------------

FORGETTINGS = {
    Sliding(1): twin.sliding(1),
    Sliding(7): twin.sliding(7),
    Sliding(30): twin.sliding(30),
    Sliding(seconds=10): twin.seconds(10),
}


@pytest.mark.parametrize("weights", ["none", "fractional", "outliers"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("skip", [False, True])
def test_the_ranks_of_a_grid_are_those_of_the_twin_at_every_record(n_classes: int, weights: str, skip: bool) -> None:
    """Abstentions, records without a label or weight, ties, huge weights: in exact arithmetic."""
    records = random_records(n_classes, 120, n_classes, weights=weights)
    found = through_grid(records, list(FORGETTINGS), n_classes=n_classes, skip=skip, ranks=RANKS, cuts=[1, 50])
    for k, (forgetting, kept) in enumerate(FORGETTINGS.items()):
        past: list[twin.Record] = []
        for i, record in enumerate(records):
            if record.label is not None and record.weight > 0:
                past.append(record)
            rows = [past[j] for j, _ in kept(past, record.time)]
            if skip:
                rows = [r for r in rows if twin.predicted(r) is not None]
            np.testing.assert_allclose(
                found.counts.ranks[i, k, : len(RANKS)],
                twin.ranks(rows, n_classes),
                rtol=1e-12,
                atol=1e-15,
                err_msg=f"{forgetting.label}, record {i}",
            )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", ["auc", "scored_auc"])
def test_the_rule_of_the_paper_breaks_ties_by_arrival(weighted: bool, metric: RankMetric) -> None:
    rng = np.random.default_rng(4)
    y, s = rng.integers(2, size=600), rng.integers(6, size=600) / 8
    weight = rng.choice([0.3, 1.0, 2.0, 1e9], size=600) if weighted else np.ones(600)
    found = RollingAUC(25, ties="paper", metric=metric).after_each(y, s, weight)
    for i in range(0, 600, 3):
        part = slice(max(0, i - 24), i + 1)
        rows = list(zip(s[part].tolist(), (y[part] == 1).tolist(), weight[part].tolist(), strict=True))
        expected = twin.auc(rows, paper=True) if metric == "auc" else twin.scored_auc(rows)
        np.testing.assert_allclose(found[i], expected, rtol=1e-11, atol=1e-15)


def test_the_rule_of_the_paper_is_its_algorithm_1() -> None:
    """Scores in descending order, the older first: each negative adds the positives before it."""
    rng = np.random.default_rng(5)
    y, s = rng.integers(2, size=500), rng.integers(5, size=500) / 4
    found = RollingAUC(40, ties="paper").after_each(y, s)
    for i in range(500):
        window = range(max(0, i - 39), i + 1)
        c = area = 0
        for k in sorted(window, key=lambda k: (-s[k], k)):
            if y[k]:
                c += 1
            else:
                area += c
        pairs = c * (len(window) - c)
        assert (math.isnan(found[i]) and pairs == 0) or found[i] == area / pairs


def test_huge_weights_leave_nothing_behind() -> None:
    """1e20, 1e40 and 1e-9 next to 1, in the same tied scores: to twelve digits, once they have gone and before."""
    rng = np.random.default_rng(6)
    n, w = 4000, 12
    y, s = rng.integers(2, size=n), rng.integers(3, size=n) / 4
    weight = rng.choice([0.1, 0.7, 1.0, 1e-9, 1e20, 1e40], size=n, p=[0.3, 0.3, 0.33, 0.03, 0.03, 0.01])
    found = RollingAUC(w).after_each(y, s, weight)
    for i in range(0, n, 2):
        part = slice(max(0, i + 1 - w), i + 1)
        rows = list(zip(s[part].tolist(), (y[part] == 1).tolist(), weight[part].tolist(), strict=True))
        np.testing.assert_allclose(found[i], twin.auc(rows), rtol=1e-12, err_msg=str(i))


def test_weights_whose_products_are_no_numbers_are_undefined_and_not_wrong() -> None:
    found = RollingAUC(2).after_each([0, 1, 0, 1], [0.1, 0.9, 0.1, 0.9], [1e200, 1e200, 1e-200, 1e-200])
    assert np.isnan(found[[1, 3]]).all()


# --- where nothing is ranked ----------------------------------------------------------------------------


def test_under_a_forgetting_that_keeps_no_order_nothing_is_ranked() -> None:
    records = random_records(1, 80, 2)
    keeps_none = [AdaptiveWindow(), ExponentialHistogram(20)]
    found = through_grid(records, [Sliding(20), *keeps_none], n_classes=2, ranks=RANKS)
    assert np.isnan(found.counts.ranks[:, 1:]).all()
    assert np.isfinite(found.counts.ranks[40:, 0]).all()
    for name in RANKS:
        assert "adaptive window" in REGISTRY[name].undefined
        np.testing.assert_array_equal(REGISTRY[name](found.counts), found.counts.ranks[..., RANKS.index(name)])


def test_what_is_not_asked_for_is_not_computed() -> None:
    records = random_records(2, 50, 3)
    found = through_grid(records, [Sliding(20)], n_classes=3, ranks=["average_precision"]).counts.ranks
    assert np.isnan(found[:, 0, [0, 1, 3]]).all()
    assert np.isfinite(found[30:, 0, 2]).all()
    assert through_grid(records, [Sliding(20)], n_classes=3).counts.ranks.shape == (50, 1, 0)


def test_an_abstention_is_wrong_in_each_of_its_pairs() -> None:
    """So that it never pays to say nothing where a record is hard: the positives and negatives are ranked perfectly."""
    y, s = [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]
    assert RollingAUC(4).after_each(y, s)[-1] == 1.0
    for silent in range(4):
        said = [np.nan if k == silent else v for k, v in enumerate(s)]
        assert RollingAUC(4).after_each(y, said)[-1] == 0.5
        assert RollingAUC(4, metric="scored_auc").after_each(y, said)[-1] > 0
    assert RollingAUC(4).after_each(y, [np.nan] * 4)[-1] == 0.0


def test_equal_probabilities_stay_equal_whatever_the_others_add_up_to() -> None:
    """0.2 + 0.7 + 0.1 and 0.3 + 0.6 + 0.1 differ in the last bit; a division by them would part what was tied."""
    p = np.array([[0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.9, 0.0, 0.1], [1 / 3, 1 / 3, 1 / 3]])
    assert len(set(p.sum(axis=1).tolist())) > 1
    y = [0, 2, 1, 0]
    rolling = RollingAUC(3, classes=range(3))
    rolling.after_each(y[:3], p[:3])
    assert rolling.roc(2).threshold.tolist() == [np.inf, 0.1]
    votes = np.round(p[:3] * 30)
    counted = RollingAUC(3, classes=range(3))
    counted.after_each(y[:3], votes)
    assert counted.value() == rolling.value()


# --- MOA ------------------------------------------------------------------------------------------------

LEARNERS = ["NoChange", "HoeffdingTree"]


@cache
def reference(folder: Path) -> dict[tuple[str, str, str], dict[int, float]]:
    found: dict[tuple[str, str, str], dict[int, float]] = {}
    with gzip.open(folder / "reference" / "electricity_moa_evaluators.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["evaluator"].startswith("WindowAUC"):
                key = (row["learner"], row["evaluator"], row["measure"])
                found.setdefault(key, {})[int(row["instances"])] = float(row["value"])
    return found


@cache
def moa_scores(folder: Path, learner: str) -> tuple[np.ndarray, np.ndarray]:
    table = pq.read_table(folder / "reference" / "electricity_moa_predictions.parquet")
    return table["y"].to_numpy(), table[f"{learner}_score1"].to_numpy()


@pytest.mark.parametrize("w", [500, 1000])
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_auc_of_a_run_is_that_of_moa(shared_data: Path, learner: str, w: int) -> None:
    expected = reference(shared_data)[learner, f"WindowAUC(w={w})", "AUC"]
    y, s = moa_scores(shared_data, learner)
    run = score(y, y_score=np.column_stack([1 - s, s]), metrics=["auc"], forgetting=[Sliding(w)], every=1000)
    found = dict(zip(*(run.to_arrow()[k].to_pylist() for k in ("n", "value")), strict=True))
    assert list(found) == list(expected)
    assert len(found) == 46
    rolling = RollingAUC(w).after_each(y, s)
    for n, value in expected.items():
        assert found[n] == pytest.approx(value, abs=1e-9), n
        assert rolling[n - 1] == pytest.approx(value, abs=1e-9), n


@pytest.mark.parametrize("w", [500, 1000])
@pytest.mark.parametrize("learner", LEARNERS)
def test_scored_auc_differs_from_moa_by_half_the_score_of_each_tied_pair(
    shared_data: Path, learner: str, w: int
) -> None:
    """MOA's sAUC is a difference of two sums over pairs, R⁺ − R⁻: of the positives' scores and of the negatives'.

    By its order of ties (positives first) a tied pair adds half of its score to R⁺ and the whole of it to R⁻, so it
    costs half a score. By the definition of Wu, Flach and Ferri a tied pair is 0 apart and adds nothing. NoChange,
    whose scores are 0 or 1, ties most pairs; the tree hardly any.
    """
    expected = reference(shared_data)[learner, f"WindowAUC(w={w})", "sAUC"]
    y, s = moa_scores(shared_data, learner)
    found = RollingAUC(w, metric="scored_auc").after_each(y, s)
    gaps = []
    for n, value in expected.items():
        window = slice(max(0, n - w), n)
        positive, negative = s[window][y[window] == 1], s[window][y[window] == 0]
        tied = math.fsum(one * (negative == one).sum() for one in positive.tolist())
        gaps.append(tied / 2 / (len(positive) * len(negative)))
        assert found[n - 1] == pytest.approx(value + gaps[-1], abs=1e-9), n
    assert max(gaps) > (0.1 if learner == "NoChange" else 0)
    assert min(gaps) == 0 or learner == "NoChange"


def test_no_warning_is_given_where_a_value_is_undefined() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rolling = RollingAUC(5)
        assert math.isnan(rolling.value())
        assert math.isnan(rolling.roc().area)
        rolling.after_each([1, 1], [0.2, 0.3])
        assert math.isnan(rolling.value())
