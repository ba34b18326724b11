"""Defects found in River, CapyMOA, MOA, stream-learn and scikit-multiflow, shown to be absent here."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc
import pytest
from sklearn import metrics
from support.records import assert_same_trace

from prequential.errors import InputError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.run import Run
from prequential.learners import MajorityClass, NaiveBayes, NoChange
from prequential.metrics.forgetting import Cumulative, Fading, Forgetting, Sliding
from prequential.metrics.grid import Grid
from prequential.protocols import Holdout, Protocol
from prequential.scoring.score import score
from prequential.streams import SEA, Chunk, Schema, from_arrays

N = 4000


def drifting() -> tuple[np.ndarray, np.ndarray]:
    """Good predictions for half of the stream, then bad ones."""
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=N)
    right = rng.random(N) < np.where(np.arange(N) < N // 2, 0.9, 0.4)
    return y, np.where(right, y, (y + 1) % 3)


def last(run: Run) -> dict[tuple[str, str], float]:
    rows = run.to_arrow().to_pylist()
    return {(r["forgetting"], r["metric"]): r["value"] for r in rows if r["n"] == rows[-1]["n"]}


def test_windowed_values_are_not_cumulative_ones() -> None:
    """CapyMOA: the windowed AUC is the cumulative one."""
    y, predicted = drifting()
    found = last(
        score(y, predicted, metrics=["accuracy", "kappa", "macro_f1"], forgetting=["cumulative", "sliding:500"])
    )
    for metric, theirs in (
        ("accuracy", metrics.accuracy_score),
        ("kappa", metrics.cohen_kappa_score),
        ("macro_f1", lambda a, b: metrics.f1_score(a, b, average="macro")),
    ):
        assert found["cumulative", metric] == pytest.approx(theirs(y, predicted))
        assert found["sliding:500", metric] == pytest.approx(theirs(y[-500:], predicted[-500:]))
        assert found["cumulative", metric] - found["sliding:500", metric] > 0.1


def ranked() -> tuple[np.ndarray, np.ndarray]:
    """Scores that rank two classes well for half of the stream, then badly; coarse, so that many tie."""
    rng = np.random.default_rng(2)
    y = rng.integers(2, size=N)
    s = rng.normal(np.where(np.arange(N) < N // 2, 2.0, 0.2) * y)
    return y, np.round(1 / (1 + np.exp(-s)), 2)


def test_a_windowed_auc_is_exact_under_ties_and_not_the_cumulative_one() -> None:
    """CapyMOA: the windowed AUC is the cumulative one. River: ROCAUC() is off by .4, the rolling one under ties."""
    y, s = ranked()
    run = score(y, y_score=np.column_stack([1 - s, s]), metrics=["auc"], forgetting=["sliding:500", "cumulative"])
    found = last(run)
    assert found["sliding:500", "auc"] == pytest.approx(metrics.roc_auc_score(y[-500:], s[-500:]), abs=1e-12)
    assert abs(found["sliding:500", "auc"] - metrics.roc_auc_score(y, s)) > 0.1
    assert found["cumulative", "auc"] == pytest.approx(metrics.roc_auc_score(y, s), abs=1e-12)
    assert found["cumulative", "auc_error"] == 0


def test_the_auc_of_one_class_is_undefined() -> None:
    """River reads 0, MOA 1."""
    s = np.linspace(0.1, 0.9, 50)
    for y in (np.zeros(50, dtype=int), np.ones(50, dtype=int)):
        run = score(
            y,
            y_score=np.column_stack([1 - s, s]),
            classes=[0, 1],
            metrics=["auc", "auc_hand_till", "scored_auc"],
            forgetting=["sliding:20"],
        )
        assert np.isnan(run.to_arrow()["value"].to_numpy()).all()


def test_the_auc_does_not_depend_on_the_names_of_the_labels() -> None:
    """River's AUC reads the key True: labels that are text score 0."""
    y, s = ranked()
    values = []
    for names in ([0, 1], ["a", "b"], [False, True]):
        run = score(
            [names[c] for c in y],
            y_score=np.column_stack([1 - s, s]),
            classes=names,
            metrics=["auc"],
            forgetting=["sliding:500"],
        )
        values.append(run.to_arrow()["value"].to_pylist())
    assert values[0] == values[1] == values[2]


def test_precision_recall_and_f1_are_not_accuracy() -> None:
    """CapyMOA: all three return the accuracy."""
    y, predicted = np.array([0] * 80 + [1] * 20), np.array([0] * 75 + [1] * 15 + [0] * 10)
    found = last(score(y, predicted, metrics=["accuracy", "precision", "recall", "f1"], forgetting=["cumulative"]))
    numbers = {name: found["cumulative", name] for name in ("accuracy", "precision[1]", "recall[1]", "f1[1]")}
    assert numbers["precision[1]"] == pytest.approx(metrics.precision_score(y, predicted))
    assert numbers["recall[1]"] == pytest.approx(metrics.recall_score(y, predicted))
    assert numbers["f1[1]"] == pytest.approx(metrics.f1_score(y, predicted))
    assert len({round(v, 6) for v in numbers.values()}) == 4


def test_abstentions_do_not_vanish_from_the_denominator() -> None:
    """River: 50 abstentions of 100 give 100 %. CapyMOA: None scores as class 0."""
    y = [0, 1] * 50
    predicted = [label if i % 4 < 2 else None for i, label in enumerate(y)]
    run = score(y, predicted, metrics=["accuracy", "recall"], forgetting=["cumulative"])
    assert last(run) == {
        ("cumulative", "accuracy"): 0.5,
        ("cumulative", "recall[0]"): 0.5,
        ("cumulative", "recall[1]"): 0.5,
    }
    assert run.manifest.learners["predictions"].n_abstained == 50


def test_checkpoints_are_frozen_values() -> None:
    """River: checkpoints yield the live metric, so a list of them holds the last value many times."""
    schema = Schema.numeric(0, (0, 1))
    grid = Grid(schema, [Cumulative(), Sliding(5), Fading(0.9)], probabilities=False, skip_abstained=False)
    kept, copies = [], []
    for i in range(40):
        y = np.array([i % 2])
        kept += grid.update(Chunk(schema, i, np.empty((1, 0)), y), None, np.array([i % 3 % 2]), every=1)
        copies.append(kept[-1].counts.matrix.copy())
    for checkpoint, copy in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(checkpoint.counts.matrix, copy)
    assert [int(c.n[0]) for c in kept] == list(range(1, 41))
    assert len({c.counts.matrix.tobytes() for c in kept}) == 40


def test_one_metric_under_two_forgettings_keeps_separate_rows() -> None:
    """River: two metrics of one class collapse to one key."""
    y, predicted = drifting()
    several: list[Forgetting | str] = [
        "sliding:100",
        "sliding:1000",
        "fading:0.9",
        "fading:0.99",
        Sliding(seconds=1234567),
        Sliding(seconds=1234568),
    ]
    run = score(y, predicted, time=np.arange(N) * 1000.0, metrics=["accuracy"], forgetting=several, every=1000)
    assert len(last(run)) == 6
    assert run.to_arrow().num_rows == 6 * 4
    assert run.manifest.forgetting[-1] == "sliding:1234568s"


def test_the_last_partial_window_is_reported() -> None:
    """scikit-multiflow drops it."""
    y, predicted = drifting()
    run = score(y[:1234], predicted[:1234], metrics=["accuracy"], forgetting=["sliding:1000"], every=1000)
    assert run.to_arrow()["n"].to_pylist() == [1000, 1234]
    assert run.to_arrow()["value"].to_pylist()[-1] == (y[234:1234] == predicted[234:1234]).mean()


class Crashes:
    """Predicts well, then fails."""

    def __init__(self) -> None:
        self.n = 0

    def predict_one(self, x: dict[str, float]) -> str:
        return "groupA"

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.n += 1
        if self.n > 700:
            raise RuntimeError("broken")


def test_a_crash_is_not_a_shorter_plausible_evaluation() -> None:
    """scikit-multiflow catches every exception and returns the results so far."""
    with pytest.warns(LearnerFailedWarning, match="failed at record 700"):
        run = evaluate(SEA(seed=1).take(2000), Crashes())
    assert run.status == "failed"
    assert run.failures["Crashes"].record == 700
    assert "failed" in str(run.table()).lower()


class Memoriser:
    """Remembers every record it was trained on."""

    def __init__(self) -> None:
        self.seen: dict[float, str] = {}

    def predict_one(self, x: dict[str, float]) -> str:
        return self.seen.get(x["x0"], "a")

    def learn_one(self, x: dict[str, float], y: str) -> None:
        self.seen[x["x0"]] = y


@pytest.mark.parametrize("protocol", [None, Holdout(share=0.2)])
def test_a_memoriser_of_random_labels_scores_chance(protocol: Protocol | None) -> None:
    """stream-learn: Prequential tests on data already trained on, and a memoriser scores .90."""
    rng = np.random.default_rng(2)
    stream = from_arrays(rng.random((N, 1)), rng.choice(["a", "b"], size=N))
    run = evaluate(stream, Memoriser(), protocol=protocol, metrics=["accuracy"], every=N)
    n_tested = N if protocol is None else N // 5
    for value in run.to_arrow()["value"].to_pylist():
        assert abs(value - 0.5) < 4 * 0.5 / np.sqrt(min(n_tested, 1000))


def test_the_majority_of_kappa_m_does_not_contain_the_current_label() -> None:
    """MOA: κ_m is −inf after one record."""
    wrong = score(["b"], ["a"], classes=["a", "b"], metrics=["kappa_m"], forgetting=["cumulative"], every=1)
    assert wrong.to_arrow()["value"].to_pylist() == [0.0]  # neither the learner nor the baseline was right
    right = score(["b"], ["b"], classes=["a", "b"], metrics=["kappa_m"], forgetting=["cumulative"], every=1)
    assert right.to_arrow()["value"].to_pylist() == [1.0]


def test_kappa_m_over_a_window_has_a_baseline_over_that_window() -> None:
    """MOA's AUC evaluator mixes a window with a whole-stream baseline."""
    y = np.repeat([0, 1], 1000)
    majority = evaluate(
        from_arrays(np.zeros((2000, 1)), y),
        MajorityClass(window_size=100),
        metrics=["kappa_m"],
        forgetting=["sliding:100"],
        every=50,
    )
    found = np.array(majority.to_arrow()["value"].to_pylist())
    assert (found[~np.isnan(found)] == 0).all()


def test_evaluating_twice_gives_the_same() -> None:
    """River: a model is silently reused, not cloned. CapyMOA: the stream is not restarted between learners."""
    learners = {"bayes": NaiveBayes(), "last": NoChange(), "plain": Crashes()}
    stream = SEA(seed=4).take(600)
    first, second = (evaluate(stream, learners, every=100).to_arrow() for _ in range(2))
    assert_same_trace(second, first)
    alone = evaluate(stream, {"last": NoChange()}, every=100).to_arrow()
    beside = first.filter(pc.equal(first["learner"].cast("string"), "last"))
    assert alone["value"].to_pylist() == beside["value"].to_pylist()


def test_labels_of_any_type_have_the_same_score() -> None:
    """River: the AUC reads the key True, so labels that are text score 0."""
    y, predicted = drifting()
    tables = []
    for names in ([0, 1, 2], ["x", "y", "z"], [10.0, 20.0, 30.0]):
        coded = [[names[c] for c in codes] for codes in (y, predicted)]
        tables.append(score(*coded, metrics=["accuracy", "kappa_m", "macro_f1"]).to_arrow()["value"].to_pylist())
    assert tables[0] == tables[1] == tables[2]


def test_an_unknown_metric_is_refused_by_name() -> None:
    """CapyMOA: unknown metric names return None."""
    with pytest.raises(InputError, match=r"Unknown metric 'acuracy'\. Did you mean 'accuracy'"):
        score([0, 1], [0, 1], metrics=["acuracy"])


def test_a_holdout_stream_with_other_classes_is_refused() -> None:
    """Codes of one stream would be read as those of the other."""
    stream = from_arrays(np.zeros((10, 1)), ["a", "b"] * 5)
    with pytest.raises(InputError, match="the test stream has the class 'c', which the stream does not have"):
        evaluate(stream, NoChange(), protocol=Holdout(test=from_arrays(np.zeros((10, 1)), ["c"] * 10)))
    for classes in (None, ["a", "b"]):
        test = from_arrays(np.zeros((10, 1)), ["b"] * 10, classes=classes)
        run = evaluate(stream, NoChange(), protocol=Holdout(test=test), metrics=["accuracy"])
        assert run.to_arrow()["value"].to_pylist() == [1.0]
