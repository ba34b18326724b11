"""SGD against scikit-learn's SGDClassifier, step by step, and against MOA's final accuracy."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import SGDClassifier

from prequential.evaluation.evaluate import evaluate
from prequential.learners import SGD
from prequential.streams import Schema, read


@pytest.mark.parametrize("l2", [0.0, 0.05])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", ["log", "hinge"])
def test_scores_are_those_of_scikit_learn_after_every_record(loss: str, n_classes: int, l2: float) -> None:
    """Constant rate, raw numbers, weights. Scores are the logistic function of its margins, relative to their sum.

    A class takes part in ours from its first label on, so each is shown once with a weight that moves nothing. A record
    of weight 3 shrinks our weights as three records do, scikit-learn's as one: with a penalty, all weights are 1.
    """
    rng = np.random.default_rng(1)
    y = rng.integers(n_classes, size=300)
    X = rng.normal(y[:, np.newaxis] - (n_classes - 1) / 2, [1.0, 2.0, 0.5], size=(300, 3))
    w = np.ones(300) if l2 else rng.choice([0.5, 1.0, 3.0], size=300)
    ours = SGD(loss=loss, learning_rate=0.05, l2=l2, standardise=False).fresh(  # type: ignore[arg-type]
        Schema.numeric(3, tuple(range(n_classes))), 1
    )
    ours.learn(np.zeros((n_classes, 3)), np.arange(n_classes), np.full(n_classes, 1e-30))
    theirs = SGDClassifier(
        loss={"log": "log_loss", "hinge": "hinge"}[loss],
        penalty="l2" if l2 else None,
        alpha=l2,
        learning_rate="constant",
        eta0=0.05,
    )
    for i in range(300):
        theirs.partial_fit(X[i : i + 1], y[i : i + 1], classes=np.arange(n_classes), sample_weight=w[i : i + 1])
        ours.learn(X[i : i + 1], y[i : i + 1], w[i : i + 1])
        margin = theirs.decision_function(X)
        expected = expit(np.column_stack([-margin, margin]) if n_classes == 2 else margin)
        np.testing.assert_allclose(
            ours.scores(X), expected / expected.sum(axis=1, keepdims=True), rtol=1e-9, err_msg=f"record {i}"
        )


@pytest.mark.parametrize("stream", ["electricity", "moa_unit_test_stream"])
def test_with_the_parameters_of_moa_it_is_no_worse_than_moas_and_with_its_own_far_better(
    shared_data: Path, stream: str
) -> None:
    """A comparison, not a parity: the programs differ in detail."""
    with (shared_data / "reference" / "moa_learner_accuracy.csv").open() as file:
        row = next(r for r in csv.DictReader(file) if (r["stream"], r["learner"]) == (stream, "SGD_hinge"))
    folder = shared_data if stream == "electricity" else shared_data / "reference"
    learners = {
        "moa": SGD(loss="hinge", learning_rate=0.0001, l2=0.0001, standardise=False),
        "hinge": SGD(loss="hinge"),
        "default": SGD(),
    }
    run = evaluate(read(folder / f"{stream}.parquet"), learners, metrics=["accuracy"], every=10**6)
    found = {r["learner"]: 100 * r["value"] for r in run.to_arrow().to_pylist() if r["forgetting"] == "cumulative"}
    assert found["moa"] > float(row["accuracy_percent"])
    assert min(found["hinge"], found["default"]) > float(row["accuracy_percent"]) + 10
