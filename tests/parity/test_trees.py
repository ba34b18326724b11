"""Trees, forests and naive Bayes against those of MOA and of River, on real streams and on MOA's own."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from river import forest, tree

from prequential.evaluation.evaluate import evaluate
from prequential.learners import AdaptiveRandomForest, HoeffdingAdaptiveTree, HoeffdingTree, Learner, NaiveBayes
from prequential.learners.adapters.river import RiverLearner
from prequential.streams import Schema, Stream, read

STREAMS = {"electricity": "electricity.parquet", "moa_unit_test_stream": "reference/moa_unit_test_stream.parquet"}


def accuracy(stream: Stream, learners: Mapping[str, Learner], seed: int = 1) -> dict[str, float]:
    """In percent, over the whole stream."""
    run = evaluate(stream, learners, metrics=["accuracy"], forgetting=["cumulative"], every=10**6, seed=seed)
    found = {row["learner"]: 100 * row["value"] for row in run.to_arrow().to_pylist()}
    assert list(found) == list(learners)
    return found


@cache
def moa_accuracy(folder: Path, stream: str) -> dict[str, float]:
    with (folder / "reference" / "moa_learner_accuracy.csv").open() as file:
        return {r["learner"]: float(r["accuracy_percent"]) for r in csv.DictReader(file) if r["stream"] == stream}


# --- MOA ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", STREAMS)
def test_with_the_densities_of_moa_a_tree_is_as_accurate_as_that_of_moa_within_a_hundredth(
    shared_data: Path, stream: str
) -> None:
    """With majority classes equal; the others on Electricity −0.009 and +0.002 points, on MOA's stream −0.003 twice."""
    expected = moa_accuracy(shared_data, stream)
    trees = {f"HT_{leaf}": HoeffdingTree(leaf_prediction=leaf, densities="moa") for leaf in ("mc", "nb", "nba")}
    for name, found in accuracy(read(shared_data / STREAMS[stream]), trees).items():
        assert found == pytest.approx(expected[name], abs=0.01), name


@pytest.mark.parametrize("stream", STREAMS)
def test_with_the_densities_of_moa_a_tree_that_splits_sooner_comes_nearer_to_that_of_moa(
    shared_data: Path, stream: str
) -> None:
    """+0.14 points on Electricity for +0.59, −0.01 on MOA's for +0.11: how the gain is measured differs still."""
    name = "HT_nba_g100_c01"
    tree = HoeffdingTree(grace_period=100, delta=0.01, densities="moa")
    found = accuracy(read(shared_data / STREAMS[stream]), {name: tree})[name]
    assert found == pytest.approx(moa_accuracy(shared_data, stream)[name], abs=0.15)


def test_a_tree_that_splits_sooner_is_no_worse_than_that_of_moa_on_a_real_stream(shared_data: Path) -> None:
    """With our own rules. On MOA's stream, a random tree over nominal features, one branch per value is better."""
    stream, name = "electricity", "HT_nba_g100_c01"
    found = accuracy(read(shared_data / STREAMS[stream]), {name: HoeffdingTree(grace_period=100, delta=0.01)})[name]
    assert found > moa_accuracy(shared_data, stream)[name] - 0.3


@pytest.mark.parametrize(
    ("stream", "name", "learner", "n_seeds"),
    [
        ("electricity", "HAT", HoeffdingAdaptiveTree(), 5),
        ("moa_unit_test_stream", "HAT", HoeffdingAdaptiveTree(densities="moa"), 5),
        ("electricity", "ARF10", AdaptiveRandomForest(), 3),
        ("moa_unit_test_stream", "ARF10", AdaptiveRandomForest(densities="moa"), 2),
    ],
)
def test_an_adaptive_learner_is_on_average_no_worse_than_that_of_moa_by_a_point(
    shared_data: Path, stream: str, name: str, learner: Learner, n_seeds: int
) -> None:
    """Means of five seeds: HAT 83.8 (MOA 83.4) and 89.4 (89.5), ARF 90.7 (89.3) and 89.6 (90.0)."""
    records = read(shared_data / STREAMS[stream])
    found = [accuracy(records, {name: learner}, seed)[name] for seed in range(1, n_seeds + 1)]
    assert np.mean(found) > moa_accuracy(shared_data, stream)[name] - 1


POINTS = range(10_000, 100_001, 10_000)


@cache
def moa_unit_tests(folder: Path, command: str) -> dict[int, dict[str, float]]:
    found: dict[int, dict[str, float]] = {n: {} for n in POINTS}
    with gzip.open(folder / "reference" / "moa_unit_test_refs.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["cli"] == command:
                found[int(row["index"])][row["measure"]] = float(row["value"])
    return found


@cache
def unit_test_records(folder: Path) -> tuple[Schema, np.ndarray, np.ndarray]:
    stream = read(folder / STREAMS["moa_unit_test_stream"])
    chunks = [(chunk.X.copy(), chunk.y.copy()) for chunk in stream.chunks()]
    return stream.schema, np.concatenate([X for X, _ in chunks]), np.concatenate([y for _, y in chunks])


def as_moa_counts(said: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """MOA's rules: the last label starts as class 0, and the majority already contains the current label."""
    p0 = (said == y).mean()
    chance = sum((said == c).mean() * (y == c).mean() for c in (0, 1))
    no_change = (np.concatenate([[0], y[:-1]]) == y).mean()
    majority = (np.where(np.cumsum(y == 1) > np.cumsum(y == 0), 1, 0) == y).mean()
    return {
        "classified instances": len(y),
        "classifications correct (percent)": 100 * p0,
        "Kappa Statistic (percent)": 100 * (p0 - chance) / (1 - chance),
        "Kappa Temporal Statistic (percent)": 100 * (p0 - no_change) / (1 - no_change),
        "Kappa M Statistic (percent)": 100 * (p0 - majority) / (1 - majority),
    }


def test_naive_bayes_with_the_densities_of_moa_passes_its_unit_test(shared_data: Path) -> None:
    """MOA trains on the first record and counts from the second on; all 99,999 predictions are its own."""
    schema, X, y = unit_test_records(shared_data)
    said = NaiveBayes(densities="moa").fresh(schema, 1).test_then_train(X, y).argmax(axis=1)
    for n, expected in moa_unit_tests(shared_data, "moa.classifiers.bayes.NaiveBayes").items():
        found = as_moa_counts(said[1:n], y[1:n])
        for metric, value in found.items():
            assert value == pytest.approx(expected[metric], abs=1e-6), (metric, n)


@pytest.mark.parametrize(("options", "tau", "off", "n_leaves"), [("", 0.05, 0.3, 1), (" -t 0.2", 0.2, 0.4, 5)])
def test_a_tree_passes_the_unit_test_of_moa_within_tenths_of_a_point(
    shared_data: Path, options: str, tau: float, off: float, n_leaves: int
) -> None:
    """Accuracy is 0.24 points above MOA's at 10,000 records and 0.09 at 100,000, with a looser tie 0.33 at most.

    It has MOA's leaves at nine of ten points, and one less at the other; with the looser tie 329 for MOA's 334.
    """
    schema, X, y = unit_test_records(shared_data)
    learner = HoeffdingTree(tau=tau, densities="moa").fresh(schema, 1)
    said = np.empty(0, dtype=np.int64)
    for n, expected in moa_unit_tests(shared_data, f"moa.classifiers.trees.HoeffdingTree{options}").items():
        new = slice(len(said), n)
        said = np.concatenate([said, learner.test_then_train(X[new], y[new]).argmax(axis=1)])
        found = as_moa_counts(said[1:], y[1:n])
        assert found["classified instances"] == expected["classified instances"]
        for metric, value in found.items():
            assert value == pytest.approx(expected[metric], abs=off if "correct" in metric else 3 * off), (metric, n)
        assert abs(learner.facts["n_leaves"] - expected["tree size (leaves)"]) <= n_leaves, n
        assert abs(learner.facts["depth"] - expected["tree depth"]) <= (tau > 0.05), n


# --- River ----------------------------------------------------------------------------------------------

RIVERS: dict[str, tuple[Learner, Callable[[list[str]], Any]]] = {
    "tree": (HoeffdingTree(), lambda nominal: tree.HoeffdingTreeClassifier(nominal_attributes=nominal)),
    "adaptive tree": (
        HoeffdingAdaptiveTree(),
        lambda nominal: tree.HoeffdingAdaptiveTreeClassifier(nominal_attributes=nominal),
    ),
    "forest": (
        AdaptiveRandomForest(),
        lambda nominal: forest.ARFClassifier(n_models=10, max_features=0.6, nominal_attributes=nominal),
    ),
}


@pytest.mark.parametrize("stream", ["electricity", "airlines", "insects_gradual_balanced"])
@pytest.mark.parametrize("name", RIVERS)
def test_a_learner_is_no_worse_than_that_of_river_by_a_point(shared_data: Path, stream: str, name: str) -> None:
    """With the same parameters, on the first records; a forest of River takes milliseconds for each."""
    ours, rivers = RIVERS[name]
    records = read(shared_data / f"{stream}.parquet").take(2_000 if name == "forest" else 10_000)
    nominal = [feature.name for feature in records.schema.features if feature.nominal]
    found = accuracy(records, {"ours": ours, "River": RiverLearner(rivers(nominal))})
    assert found["ours"] > found["River"] - 1
