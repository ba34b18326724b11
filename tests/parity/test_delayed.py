"""Delayed labels against the paper, the program of its authors, MOA and River."""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from river import evaluate as river_evaluate
from river import metrics, naive_bayes, tree

import prequential as pq
from prequential.learners import HoeffdingTree, as_learner
from prequential.streams import Stream
from prequential.streams.chunk import UNLABELLED

METRICS = {
    "accuracy": "classifications correct (percent)",
    "kappa": "Kappa Statistic (percent)",
    "kappa_t": "Kappa Temporal Statistic (percent)",
    "kappa_m": "Kappa M Statistic (percent)",
}


def events(folder: Path, name: str) -> Stream:
    """Electricity has a date as text; MOA takes it for a number."""
    target = {"electricity": "ValueToPredict", "hyperplane_sample": "class"}[name]
    numeric = {"electricity": ["trueDate"], "hyperplane_sample": []}[name]
    path = folder / f"delayed_{name}.parquet"
    return pq.read(path, target=target, id="instanceId", time="timeStamp", numeric=numeric)


# --- the paper ------------------------------------------------------------------------------------------

TABLE_2 = {
    ("electricity", "no_change"): (49.78, 48.33, 85.37, 51.93),
    ("electricity", "majority_class"): (57.51, 57.49, 57.56, 57.51),
    ("hyperplane_sample", "no_change"): (49.60, 56.40, 46.40, 50.70),
    ("hyperplane_sample", "majority_class"): (52.40, 48.40, 46.80, 49.57),
    ("hyperplane_sample", "naive_bayes:densities=moa"): (75.60, 85.20, 92.40, 83.43),
    ("hyperplane_sample", "knn:n_neighbors=10,window_size=1000"): (73.20, 82.80, 92.80, 81.07),
}
"""Grzenda, Gomes and Bifet, IJCNN 2020, Table II: initial, bin 50, final, Ψ with α = 2. The other learners' figures are
in docs/late-labels.md."""


@cache
def table_2(folder: Path, name: str) -> dict[str, tuple[float, ...]]:
    """The four figures of each learner, in percent."""
    run = pq.evaluate(
        events(folder, name),
        [learner for stream, learner in TABLE_2 if stream == name],
        protocol=pq.Delayed(bins=100, psi_alpha=2, reevaluate_every=10, first_class=True),
        metrics="accuracy",
        forgetting="cumulative",
        every=10**6,
    )
    bins = {(row["learner"], row["bin"]): 100 * row["value"] for row in run.delays.bins().to_pylist()}
    psi = {r["learner"]: 100 * r["value"] for r in run.to_arrow().to_pylist() if r["metric"] == "accuracy_psi_2"}
    return {one: (bins[one, 0], bins[one, 50], bins[one, 101], psi[one]) for one in run.learners}


@pytest.mark.parametrize(("name", "learner"), TABLE_2)
def test_table_2_of_the_paper_comes_out_digit_for_digit(shared_data: Path, name: str, learner: str) -> None:
    found = table_2(shared_data, name)[learner]
    assert tuple(f"{value:.2f}" for value in found) == tuple(f"{value:.2f}" for value in TABLE_2[name, learner])


# --- the program of the authors -------------------------------------------------------------------------

LEARNERS = {
    "no_change": "NoChange",
    "majority_class": "MajorityClass",
    "naive_bayes:densities=moa": "NaiveBayes",
    "hoeffding_tree:densities=moa": "HoeffdingTree",
}
SAME = ["no_change", "majority_class", "naive_bayes:densities=moa", "hoeffding_tree:densities=moa"]
ALPHAS = [1.0, 2.0, 4.0, 8.0, 10.0, 100.0, 1000.0, 1e4, 1e5]
"""Its summary 0.5 is our Ψ with α = 2. Its summary 0.3 is left out: 1/0.3 is no number that we could name."""
N_LABELS = {200: 50, 300: 100, 400: 150, 500: 200, 600: 250}
"""It counts events. After 100 records without a label, every second event is a label."""


Group = dict[tuple[int, str], float]


@cache
def authors(folder: Path, learner: str, period: int) -> dict[str, Group]:
    """What the program of the authors gives: group to (labels, metric) to value, in percent."""
    found: dict[str, Group] = {}
    names = {theirs: ours for ours, theirs in METRICS.items()}
    with gzip.open(folder / "reference" / "delayed_reevaluation_moa.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            n = N_LABELS.get(int(row["instances"]))
            if (row["learner"], int(row["K"])) == (learner, period) and n and row["measure"] in names:
                found.setdefault(row["group"], {})[n, names[row["measure"]]] = float(row["value"])
    assert all(len(group) == len(N_LABELS) * len(METRICS) for group in found.values())
    return found


@cache
def hyperplane(folder: Path, period: int) -> dict[str, tuple[dict[tuple[int, str, int], float], Any]]:
    """Our figures of every learner: those of the bins, and of the trace; in percent."""
    run = pq.evaluate(
        events(folder, "hyperplane_sample"),
        list(LEARNERS),
        protocol=pq.Delayed(bins=10, psi_alpha=ALPHAS, reevaluate_every=period, first_class=True),
        metrics=list(METRICS),
        forgetting="cumulative",
        every=50,
    )
    bins: dict[str, dict[tuple[int, str, int], float]] = {learner: {} for learner in LEARNERS}
    trace: dict[str, dict[tuple[int, str], float]] = {learner: {} for learner in LEARNERS}
    for row in run.delays.bins().to_pylist():
        bins[row["learner"]][row["n"], row["metric"], row["bin"]] = 100 * row["value"]
    for row in run.to_arrow().to_pylist():
        trace[row["learner"]][row["n"], row["metric"]] = 100 * row["value"]
    return {learner: (bins[learner], trace[learner]) for learner in LEARNERS}


@cache
def baselines(folder: Path) -> dict[int, dict[str, tuple[float, float]]]:
    """What the two baselines score, by our rules and by those of MOA, in percent, after so many labels.

    MOA's last label starts as the first class, and its majority already contains the label it is asked for; ours
    abstains before the first label, and its majority is that of the labels before.
    """
    (chunk,) = events(folder, "hyperplane_sample").chunks(1000)
    y = chunk.y[chunk.y != UNLABELLED].tolist()
    hits: dict[str, list[list[bool]]] = {"kappa_t": [[], []], "kappa_m": [[], []]}
    for i, label in enumerate(y):
        hits["kappa_t"][0].append(i > 0 and y[i - 1] == label)
        hits["kappa_t"][1].append((y[i - 1] if i > 0 else 0) == label)
        for rule, known in enumerate((y[:i], y[: i + 1])):
            majority = max((0, 1), key=lambda c: (known.count(c), -c))  # used at once
            hits["kappa_m"][rule].append(bool(known) and majority == label)
    return {
        n: {m: (100 * float(np.mean(ours[:n])), 100 * float(np.mean(moas[:n]))) for m, (ours, moas) in hits.items()}
        for n in N_LABELS.values()
    }


def by_the_rules_of_moa(value: float, metric: str, n: int, folder: Path) -> float:
    """Put MOA's baseline into the place of ours: accuracy out of our kappa, and their kappa out of accuracy."""
    if metric in ("accuracy", "kappa"):
        return value
    ours, theirs = baselines(folder)[n][metric]
    accuracy = ours + value * (100 - ours) / 100
    return 100 * (accuracy - theirs) / (100 - theirs)


@pytest.mark.parametrize("period", [1, 10])
@pytest.mark.parametrize("learner", SAME)
def test_every_bin_is_that_of_the_authors_program(shared_data: Path, learner: str, period: int) -> None:
    expected = authors(shared_data, LEARNERS[learner], period)
    bins, _ = hyperplane(shared_data, period)[learner]
    compared = 0
    for b in range(12):
        for (n, metric), value in expected[f"bin {b}"].items():
            found = by_the_rules_of_moa(bins[n, metric, b], metric, n, shared_data)
            assert found == pytest.approx(value, abs=1e-6), (b, n, metric)
            compared += 1
    assert compared == 12 * 5 * 4
    for (n, metric), value in expected["test-then-train"].items():
        assert value == expected["bin 11"][n, metric]
    for (n, metric), value in expected["maxperf"].items():
        assert value == max(expected[f"bin {b}"][n, metric] for b in range(12))


@pytest.mark.parametrize("period", [1, 10])
@pytest.mark.parametrize("learner", SAME)
def test_initial_final_and_summary_are_those_of_the_authors_program(
    shared_data: Path, learner: str, period: int
) -> None:
    """Ψ is a weighted mean of the bins, so MOA's baseline takes the place of ours in it as in each bin."""
    expected = authors(shared_data, LEARNERS[learner], period)
    _, trace = hyperplane(shared_data, period)[learner]
    groups = {"initial": "bin 0", "final": "test-then-train"}
    for alpha in ALPHAS:
        groups[f"psi_{alpha:g}"] = f"summary {1 / alpha}" if alpha < 1e4 else f"summary 1.0E-{math.log10(alpha):.0f}"
    assert set(groups.values()) <= set(expected)
    for stage, group in groups.items():
        for (n, metric), value in expected[group].items():
            found = by_the_rules_of_moa(trace[n, f"{metric}_{stage}"], metric, n, shared_data)
            assert found == pytest.approx(value, abs=1e-6), (stage, n, metric)


def test_the_tree_of_the_authors_program_splits_once(shared_data: Path) -> None:
    """Otherwise the tests above would prove less than they say."""
    stream = events(shared_data, "hyperplane_sample")
    (chunk,) = stream.chunks(1000)
    model = as_learner("hoeffding_tree:densities=moa").fresh(stream.schema, 1)
    assert isinstance(model, HoeffdingTree)
    assert chunk.id is not None
    record = {one: x for one, x, y in zip(chunk.id, chunk.X, chunk.y, strict=True) if y == UNLABELLED}
    n_leaves = []
    for one, y in zip(chunk.id, chunk.y, strict=True):
        if y != UNLABELLED:
            model.learn(record[one][np.newaxis], np.array([y]))
            n_leaves.append(model.facts["n_leaves"])
    assert (n_leaves[198], n_leaves[199], n_leaves[-1]) == (1, 2, 2)


# --- a fixed delay: MOA ---------------------------------------------------------------------------------


@cache
def moa_fixed(folder: Path, delay: int) -> dict[str, dict[int, float]]:
    """EvaluatePrequentialDelayed on Electricity with NoChange: metric to records to value, in percent."""
    found: dict[str, dict[int, float]] = {}
    with gzip.open(folder / "reference" / "electricity_moa_cv_delayed.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["task"] == "EvaluatePrequentialDelayed" and row["setting"] == f"k={delay}, p=0":
                assert row["learner"] == "NoChange"
                found.setdefault(row["measure"], {})[int(row["instances"])] = float(row["value"])
    return found


@pytest.mark.parametrize("delay", [1, 100, 1000])
def test_a_fixed_delay_is_that_of_moa(shared_data: Path, delay: int) -> None:
    """MOA scores a record when it arrives, whether its label will be learned or not: our initial prediction.

    Its delay of k has k records wait, the new one among them: a label is learned before the k-th record after its own
    is asked for, so k = 1 is no delay at all. With a fixed delay labels come in the order of the records, so that n
    labels are n records; the labels that MOA no longer learns come after the last record with us, when all initial
    predictions are made.
    """
    stream = pq.read(shared_data / "electricity.parquet")
    run = pq.evaluate(
        stream.delayed(delay, first="labels"),
        "no_change",
        protocol=pq.Delayed(bins=1, first_class=True),
        metrics=["accuracy", "kappa"],
        forgetting="cumulative",
        every=1000,
    )
    found = {(row["metric"], row["n"]): 100 * row["value"] for row in run.to_arrow().to_pylist()}
    for metric in ("accuracy", "kappa"):
        expected = moa_fixed(shared_data, delay)[METRICS[metric]]
        assert len(expected) == 10
        for n, value in expected.items():
            assert found[f"{metric}_initial", n] == pytest.approx(value, abs=1e-9), (metric, n)


# --- a moment and a delay: River ------------------------------------------------------------------------


def timed(n: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Records that can be learned, their times, some of them equal, and a delay for each."""
    rng = np.random.default_rng(8)
    y = rng.integers(2, size=n)
    y[0] = 0  # of equal scores River takes the class it saw first, we the lowest
    X = rng.normal(y[:, np.newaxis] * 0.8, 1.0, size=(n, 3))
    return X, y, np.cumsum(rng.integers(3, size=n)).astype(float), rng.integers(40, size=n).astype(float)


def river_accuracy(model: Any, delay: Any) -> float:
    X, y, time, delays = timed()

    def dataset() -> Iterator[tuple[dict[str, float], int]]:
        for x, label, t, d in zip(X.tolist(), y.tolist(), time.tolist(), delays.tolist(), strict=True):
            yield {"a": x[0], "b": x[1], "c": x[2], "t": t, "d": d}, label

    metric = metrics.Accuracy()
    river_evaluate.progressive_val_score(dataset(), model, metric, moment="t", delay=delay)
    return float(metric.get())


@pytest.mark.parametrize("make", [naive_bayes.GaussianNB, lambda: tree.HoeffdingTreeClassifier(grace_period=20)])
@pytest.mark.parametrize("delay", [0.0, 1.0, 17.0, "d"])
def test_a_moment_and_a_delay_give_the_accuracy_of_river(make: Any, delay: float | str) -> None:
    """River scores what the model said when it was asked: our initial prediction. Silence is not scored there.

    The model sees the time and the delay as features, because River leaves them in; so both do.
    """
    X, y, time, delays = timed()
    names = ["a", "b", "c", "t", "d"]
    stream = pq.from_arrays(np.column_stack([X, time, delays]), y, time=time, feature_names=names)
    given = delay if isinstance(delay, float) else lambda chunk: chunk.X[:, 4]
    run = pq.evaluate(
        stream.delayed(given, clock="time", first="labels"),
        {"model": make()},
        protocol=pq.Delayed(bins=1),
        metrics="accuracy",
        forgetting="cumulative",
        abstain="skip",
    )
    found = {row["metric"]: row["value"] for row in run.to_arrow().to_pylist()}
    assert found["accuracy_initial"] == pytest.approx(river_accuracy(make(), delay), abs=1e-12)
    assert found["accuracy_initial"] > 0.6
