"""What an evaluation says of itself in its manifest, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.linear_model import SGDClassifier

import prequential as pq
from prequential.learners.adapters.sklearn import SklearnLearner


@pytest.mark.parametrize("protocol", [pq.Prequential(), pq.Holdout(share=0.1)])
def test_the_protocol_says_which_learners_train_in_mini_batches(tmp_path: Path, protocol: pq.Prequential) -> None:
    learners = {"sgd": SklearnLearner(SGDClassifier(), batch=100), "one": SGDClassifier(), "bayes": "naive_bayes"}
    run = pq.evaluate(pq.streams.SEA().take(1000), learners, protocol=protocol)
    assert run.manifest.protocol == {**protocol.describe(), "mini_batches": {"sgd": 100}}
    assert "mini_batches = (sgd = 100)" in run.report(tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_protocol_that_goes_record_by_record_has_no_mini_batches() -> None:
    run = pq.evaluate(pq.streams.SEA().take(100), ["naive_bayes", SGDClassifier()])
    assert run.manifest.protocol == pq.Prequential().describe()
