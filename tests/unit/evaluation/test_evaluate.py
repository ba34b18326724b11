"""The manifest of an evaluation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier

import prequential as pq
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.metrics import Counts
from prequential.metrics.metric import REGISTRY
from prequential.types import FloatArray


@pytest.mark.parametrize("protocol", [pq.Prequential(), pq.Holdout(share=0.1)])
def test_the_protocol_lists_learners_that_train_in_mini_batches(tmp_path: Path, protocol: pq.Prequential) -> None:
    learners = {"sgd": SklearnLearner(SGDClassifier(), batch=100), "one": SGDClassifier(), "bayes": "naive_bayes"}
    run = pq.evaluate(pq.streams.SEA().take(1000), learners, protocol=protocol)
    assert run.manifest.protocol == {**protocol.describe(), "mini_batches": {"sgd": 100}}
    assert "mini_batches = (sgd = 100)" in run.save_report(tmp_path / "report.html").read_text(encoding="utf-8")


def test_without_batches_the_protocol_has_no_mini_batches() -> None:
    run = pq.evaluate(pq.streams.SEA().take(100), ["naive_bayes", SGDClassifier()])
    assert run.manifest.protocol == pq.Prequential().describe()


def cost(counts: Counts) -> FloatArray:
    """What the mistakes cost."""
    return 1 - pq.metrics.accuracy.accuracy(counts)


def never(counts: Counts) -> FloatArray:
    return np.full_like(cost(counts), np.nan)


def test_a_custom_metric_is_described_in_the_manifest_and_the_table(tmp_path: Path) -> None:
    own = [
        pq.Metric("cost", cost, better="lower"),
        pq.Metric("never", never, undefined="on all days of the week"),
        pq.Metric("by_class", lambda counts: -REGISTRY["recall"](counts), better="lower", per_class=True),
    ]
    run = pq.evaluate(pq.streams.SEA().take(2000), ["naive_bayes", "no_change"], metrics=own, forgetting="cumulative")
    for read in (run, pq.load(run.save(tmp_path / "run").path)):
        bayes, no_change = read.table().rows
        assert (bayes.best, no_change.best) == ((True, False, True, True), (False, False, False, False))
        assert "never is undefined on all days of the week" in str(read.table())
        page = read.save_report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert "What the mistakes cost. Lower is better." in page
    predicted = pq.score(["a", "b"], ["a", "a"], metrics=own[0], forgetting="cumulative")
    assert predicted.table().columns[0].better == "lower"
