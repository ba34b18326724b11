"""Classes and values that appear late are known when they appear, for any chunk size."""

import sys

import numpy as np
import pyarrow as pa
import pytest
from river import tree
from sklearn.linear_model import SGDClassifier
from support.records import assert_same_trace

import prequential as pq
from prequential.streams.chunk import concatenate, rechunk
from prequential.streams.readers import from_iterable


def late_pairs() -> list[tuple[dict[str, object], object]]:
    """Records with new values and classes throughout; the first have no label."""
    rng = np.random.default_rng(3)
    pairs: list[tuple[dict[str, object], object]] = []
    for i in range(2500):
        colour = int(rng.integers(1 + i // 300))
        label = (colour + int(rng.integers(2))) % (1 + i // 600)
        unlabelled = i < 3 or rng.random() < 0.05
        pairs.append(({"x": float(rng.normal(label)), "colour": f"c{colour}"}, None if unlabelled else f"k{label}"))
    return pairs


LEARNERS = {
    "naive_bayes": "naive_bayes",
    "no_change": "no_change",
    "majority_class": "majority_class",
    "sgd": "sgd",
    "river": tree.HoeffdingTreeClassifier(grace_period=50),
}


@pytest.mark.parametrize("metrics", [None, ["accuracy", "log_loss", "macro_f1", "brier", "recall"]])
def test_chunk_size_does_not_change_a_trace(metrics: list[str] | None) -> None:
    def trace(size: int) -> pa.Table:
        stream = from_iterable(late_pairs())
        assert stream.schema.classes == ()
        run = pq.evaluate(stream, LEARNERS, metrics=metrics, every=50, chunk_size=size)
        assert run.status == "complete"
        assert run.manifest.schema["classes"] == ["k0", "k1", "k2", "k3", "k4"]
        return run.to_arrow()

    expected = trace(1)
    for size in (7, 1000, 100_000):
        assert_same_trace(trace(size), expected)


def test_chunk_size_does_not_change_the_trace_of_a_learner_that_needs_declared_classes() -> None:
    def trace(size: int) -> pa.Table:
        stream = from_iterable(late_pairs(), classes=["k0", "k1", "k2", "k3", "k4"]).take(800)
        run = pq.evaluate(stream, SGDClassifier(random_state=1), every=50, chunk_size=size)
        assert run.status == "complete"
        return run.to_arrow()

    expected = trace(1)
    for size in (7, 1000, 100_000):
        assert_same_trace(trace(size), expected)


def test_the_manifest_has_the_classes_and_values_that_appeared() -> None:
    run = pq.evaluate(from_iterable(late_pairs()), "naive_bayes")
    assert run.manifest.schema["classes"] == ["k0", "k1", "k2", "k3", "k4"]
    x, colour = run.manifest.schema["features"]
    assert (x["n_values"], colour["n_values"]) == (0, len({x["colour"] for x, _ in late_pairs()}))


def test_a_learner_that_takes_no_late_class_does_not_hide_it_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prequential.evaluation.recorder._MOST_WAITING", 0)  # everything is written at once
    stream = from_iterable(late_pairs(), classes=["k0", "k1"]).take(1500)
    learners = {"naive_bayes": "naive_bayes", "sgd": SGDClassifier(random_state=1)}
    with pytest.warns(pq.LearnerFailedWarning, match="'k2' has appeared"):
        run = pq.evaluate(stream, learners, metrics="recall", every=1)
    assert run.manifest.learners["naive_bayes"].status == "complete"
    assert run.manifest.schema["classes"] == ["k0", "k1", "k2"]


def test_metrics_by_class_wait_for_the_first_class() -> None:
    run = pq.evaluate(from_iterable(late_pairs()).take(4), "naive_bayes", metrics="recall", every=1, chunk_size=1)
    assert run.status == "complete"
    unlabelled = pq.evaluate(from_iterable(late_pairs()).take(3), "naive_bayes", metrics="recall", every=1)
    assert (unlabelled.status, len(unlabelled.to_arrow())) == ("complete", 0)


def test_too_many_classes_are_refused_when_they_appear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["prequential.evaluation.settings"], "MOST_CLASSES", 3)
    with pytest.raises(pq.InputError, match="'class' has 4 classes; a confusion matrix holds at most 3") as caught:
        pq.evaluate(from_iterable(late_pairs()), "naive_bayes")
    first = next(i for i, (_, label) in enumerate(late_pairs()) if label == "k3")
    run = caught.value.run
    assert isinstance(run, pq.Run)
    assert run.manifest.n_records == first
    assert run.status == "partial"


def test_pieces_of_different_schemas_are_never_joined() -> None:
    chunks = list(from_iterable(late_pairs()).chunks(13))
    for size in (1, 100, 10_000):
        for start in (0, 5, 1111):
            again = list(rechunk(chunks, size, start))
            assert sum(map(len, again)) == 2500 - start
            known = [c.schema for c in chunks for _ in range(len(c))]
            assert [c.schema for c in again for _ in range(len(c))] == known[start:]
    with pytest.raises(ValueError, match="different schemas"):
        concatenate(chunks)


@pytest.mark.parametrize("learner", ["naive_bayes", "hoeffding_tree", "sgd", "knn"])
def test_a_nominal_feature_without_declared_values_is_not_taken_for_numbers(learner: str) -> None:
    """The codes alternate between the classes: as numbers they tell nothing."""
    rng = np.random.default_rng(1)
    pairs = [({"colour": letter}, "uv"[k % 2]) for k, letter in enumerate("abcdef")]
    pairs += [pairs[k] for k in rng.integers(6, size=1000)]
    run = pq.evaluate(from_iterable(pairs, classes=["u", "v"]), {"learner": learner}, metrics=["accuracy"])
    assert run.to_pandas()["value"].iloc[-1] > 0.95
