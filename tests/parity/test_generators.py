"""The generators against their twins, record by record, and against counts of records that MOA made.

``moa_generators.json`` holds, for 100,000 records of each of MOA's generators (the jar of CapyMOA 0.15.1, by
``WriteStreamToARFFFile -s (…) -m 100000``), how often a feature lay between two edges in each class.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from twins import generator as twin

from prequential import streams
from prequential.streams import read

TWINS: dict[str, Callable[..., twin.Record]] = {
    "LED": twin.led,
    "Waveform": twin.waveform,
    "Hyperplane": twin.hyperplane,
    "RandomRBF": twin.random_rbf,
    "RandomTree": twin.random_tree,
    "Agrawal": twin.agrawal,
    "STAGGER": twin.stagger,
    "Sine": twin.sine,
    "Mixed": twin.mixed,
    "RotatingGaussian": twin.rotating_gaussian,
}
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in TWINS),
    ("LED", {"n_features": 7, "noise": 0.3}),
    *(("LED", {"n_drifting": k}) for k in (1, 7)),
    *(("LED", {"n_drifting": k, "model_seed": s}) for k, s in ((3, 1), (7, 2), (7, 11))),
    ("Waveform", {"n_features": 40}),
    *(("Waveform", {"n_drifting": k}) for k in (1, 21)),
    *(("Waveform", {"n_drifting": 21, "model_seed": s}) for s in (2, 9)),
    *(("Waveform", {"n_features": 40, "n_drifting": k}) for k in (5, 20, 21)),
    ("Hyperplane", {"speed": 0.01, "n_drifting": 10, "noise": 0.0}),
    ("Hyperplane", {"speed": 0.1, "reversal": 0.5, "n_features": 3, "n_drifting": 3}),
    *(("RandomRBF", {"speed": speed, "n_centroids": 5, "n_features": 4}) for speed in (0.001, 0.3, 1.0)),
    ("RandomRBF", {"speed": 0.1, "n_drifting": 3, "n_classes": 5, "model_seed": 10}),
    ("RandomTree", {"model_seed": 7, "n_classes": 4, "n_values": 3, "max_depth": 8, "leaf_share": 0.4}),
    ("RandomTree", {"n_nominal": 2, "n_numeric": 0, "max_depth": 4}),
    *(("Agrawal", {"concept": k, "perturbation": p}) for k in range(1, 11) for p in (0.0, 0.3)),
    *(("STAGGER", {"concept": k}) for k in (2, 3)),
    *(("Sine", {"concept": k, "n_features": n}) for k, n in ((2, 2), (3, 4), (4, 2))),
    ("Mixed", {"concept": 2}),
    ("RotatingGaussian", {"period": 30, "spread": 0.2}),
    ("RotatingGaussian", {"period": None}),
]


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_a_generator_makes_the_records_of_its_twin(name: str, settings: dict[str, Any]) -> None:
    stream = getattr(streams, name)(**settings, seed=5)
    for start, n in ((0, 60), (153, 20)):
        chunk = next(stream.chunks(n, start))
        for i in range(n):
            x, label = TWINS[name](5, start + i, **settings)
            np.testing.assert_allclose(chunk.X[i], x, rtol=1e-9, atol=1e-12, err_msg=f"record {start + i}")
            assert chunk.y[i] == label, f"record {start + i}"


def test_the_marginals_of_random_tree_are_those_of_moa(shared_data: Path) -> None:
    """The records of MOA's unit tests. Shares of classes depend on the tree; those of features do not."""
    theirs = read(shared_data / "reference" / "moa_unit_test_stream.parquet")
    ours = streams.RandomTree(seed=1)
    assert ours.schema.features == theirs.schema.features
    (one,), (other,) = (list(stream.take(100_000).chunks(100_000)) for stream in (ours, theirs))
    for j, feature in enumerate(ours.schema.features):
        if feature.nominal:
            counts = [np.bincount(chunk.X[:, j].astype(int), minlength=5) for chunk in (one, other)]
            assert stats.chi2_contingency(counts).pvalue > 0.01
        else:
            assert stats.ks_2samp(one.X[:, j], other.X[:, j]).pvalue > 0.01


MOA = json.loads((Path(__file__).parent / "moa_generators.json").read_text())


@pytest.mark.parametrize("theirs", MOA, ids=lambda theirs: theirs["moa"].removeprefix("generators."))
def test_classes_and_the_features_within_them_are_distributed_as_in_moa(theirs: dict[str, Any]) -> None:
    """Two-sample tests of all counts; the smallest p-value is corrected for their number in all streams."""
    ours = getattr(streams, theirs["generator"])(**theirs["settings"], seed=7)
    assert list(ours.schema.classes or ()) == theirs["classes"]
    assert [feature.name for feature in ours.schema.features] == list(theirs["features"])
    (chunk,) = ours.take(100_000).chunks(100_000)
    first = next(iter(theirs["features"].values()))
    found = [same([np.bincount(chunk.y), np.sum(first["counts"], axis=1)])]
    by_class = theirs["generator"] != "Hyperplane"  # its classes depend on a hyperplane drawn from the seed
    for j, feature in enumerate(theirs["features"].values()):
        bins = np.searchsorted(feature["edges"], chunk.X[:, j], side="right")
        counts = [
            np.bincount(bins[chunk.y == k], minlength=len(feature["edges"]) + 1) for k in range(len(first["counts"]))
        ]
        if by_class:
            found += [same([a, b]) for a, b in zip(counts, feature["counts"], strict=True)]
        else:
            found.append(same([np.sum(counts, axis=0), np.sum(feature["counts"], axis=0)]))
    assert min(found) * len(found) * len(MOA) > 0.01


def same(counts: list[Any]) -> float:
    """The p-value of the hypothesis that two samples have one distribution; bins empty in both do not count."""
    table = np.array(counts)[:, np.sum(counts, axis=0) > 0]
    return float(stats.chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0
