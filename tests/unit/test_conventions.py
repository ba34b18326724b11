"""Tests of the conventions, each by whole evaluations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.records import assert_same_trace

from prequential.conventions import CONVENTIONS
from prequential.drift import score_alarms
from prequential.errors import InputError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.run import Run
from prequential.learners import MajorityClass, NaiveBayes, NoChange
from prequential.metrics import names
from prequential.metrics.forgetting import Cumulative, Fading, Forgetting, Sliding
from prequential.metrics.metric import REGISTRY
from prequential.protocols import Holdout, Prequential
from prequential.scoring.score import score
from prequential.streams import SEA, Stream, from_arrays


def values(run: Run, metric: str, forgetting: str = "cumulative", learner: str | None = None) -> list[float]:
    """The values of a metric, checkpoint by checkpoint."""
    return [
        row["value"]
        for row in run.to_arrow().to_pylist()
        if (row["metric"], row["forgetting"]) == (metric, forgetting) and learner in (None, row["learner"])
    ]


def stream_of(y: Sequence[object], **options: Any) -> Stream:
    return from_arrays(np.arange(len(y), dtype=np.float64)[:, np.newaxis], list(y), **options)


class Answers:
    """A plain learner that predicts given answers, record by record."""

    def __init__(self, answers: Sequence[object]) -> None:
        self.answers = list(answers)

    def predict_one(self, x: dict[str, float]) -> object:
        answer = self.answers[int(x["x0"])]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def learn_one(self, x: dict[str, float], y: object) -> None:
        pass


def test_conventions_are_different_whole_sentences() -> None:
    assert len(set(CONVENTIONS)) == len(CONVENTIONS) == 11
    assert all(text[0].isupper() and text.endswith(".") for text in CONVENTIONS)


# 1. Values are fractions 0–1, never percent.


def test_shares_are_fractions_never_percent() -> None:
    run = evaluate(SEA(seed=1).take(3000), [NaiveBayes(), NoChange()], metrics=names("classification"))
    table = run.to_arrow().to_pandas()
    shares = table[~table.metric.isin(["log_loss", "brier", "width", "alarms"])]
    assert shares.value.max() <= 1
    assert table[table.metric == "accuracy"].value.between(0.4, 1).all()
    assert score([0, 1, 1, 0], [0, 1, 1, 0], metrics=["accuracy"], every=4).to_arrow()["value"].to_pylist() == [
        1.0,
        1.0,
    ]


# 2. Undefined is NaN with a reason, never 0 or 1.


@pytest.mark.parametrize("forgetting", [Cumulative(), Sliding(10), Fading(0.9)])
@pytest.mark.parametrize("metric", ["kappa", "mcc", "kappa_t"])
def test_agreement_relative_to_a_baseline_is_undefined_for_a_single_class(metric: str, forgetting: Forgetting) -> None:
    run = score(["a"] * 50, ["a"] * 50, classes=["a", "b"], metrics=[metric], forgetting=[forgetting], every=1)
    found = np.array(run.to_arrow()["value"].to_pylist())
    first = 1 if metric == "kappa_t" else 0  # the first label is not known before, so no-change misses it
    if isinstance(forgetting, Sliding):
        assert np.isnan(found[10:]).all()
    elif metric == "kappa_t":
        assert found[0] == 1
    else:
        assert np.isnan(found[first:]).all()


def test_before_the_first_label_every_metric_is_undefined() -> None:
    run = score([None, None, "a", "b"], ["a", "b", "a", "a"], metrics=["accuracy", "kappa", "macro_f1"], every=2)
    first = [row["value"] for row in run.to_arrow().to_pylist() if row["n"] == 2]
    assert len(first) == 6
    assert all(map(math.isnan, first))


def test_a_class_that_was_never_predicted_has_no_precision_and_one_without_label_no_recall() -> None:
    run = score(["a", "a", "b"], ["a", "a", "a"], classes=["a", "b", "c"], metrics=["precision", "recall", "f1"])
    found = {r["metric"]: r["value"] for r in run.to_arrow().to_pylist() if r["forgetting"] == "cumulative"}
    assert found["precision[a]"] == 2 / 3
    assert math.isnan(found["precision[b]"])
    assert found["recall[b]"] == 0
    assert math.isnan(found["recall[c]"])
    assert math.isnan(found["f1[c]"])


def test_every_metric_states_when_it_is_undefined() -> None:
    assert all(metric.undefined for metric in REGISTRY.values())


def test_probability_metrics_of_bare_predictions_are_refused_rather_than_made_up() -> None:
    with pytest.raises(InputError, match="log_loss needs one score per class: y_score="):
        score([0, 1, 1], [0, 1, 0], metrics=["accuracy", "log_loss"])


# 3. A learner that gives no prediction abstains: wrong by default, left out with "skip", and counted.

SILENT = [
    [0.0, 0.0],
    [math.nan, 1.0],
    [math.inf, 1.0],
]


@pytest.mark.parametrize("silent", SILENT)
def test_an_abstention_is_wrong_or_left_out_and_always_counted(silent: list[float]) -> None:
    scores = [[1.0, 0.0], silent, [0.0, 1.0], silent]
    y = [0, 0, 1, 1]
    wrong = score(y, y_score=scores, metrics=["accuracy"], every=4)
    skipped = score(y, y_score=scores, metrics=["accuracy"], abstain="skip", every=4)
    assert values(wrong, "accuracy") == [0.5]
    assert values(skipped, "accuracy") == [1.0]
    for run in (wrong, skipped):
        entry = run.manifest.learners["predictions"]
        assert entry.n_abstained == 2
        assert entry.n_nonfinite == (0 if silent == [0.0, 0.0] else 2)


def test_none_is_an_abstention_of_a_python_learner() -> None:
    answers = ["a", None, "b", None]
    run = evaluate(stream_of("aabb"), {"says": Answers(answers)}, metrics=["accuracy", "recall"], every=4)
    assert values(run, "accuracy") == [0.5]
    assert values(run, "recall[a]") == [0.5]
    assert run.manifest.learners["says"].n_abstained == 2
    skipped = evaluate(stream_of("aabb"), {"says": Answers(answers)}, metrics=["accuracy"], abstain="skip", every=4)
    assert values(skipped, "accuracy") == [1.0]


# 4. Baselines are causal.


def test_the_baselines_know_only_labels_before_the_record() -> None:
    """Labels a a b b b a: the majority predicts – a a a a b (a tie goes to a), no-change predicts – a a b b b."""
    y = list("aabbba")
    majority, last = [None, "a", "a", "a", "a", "b"], [None, "a", "a", "b", "b", "b"]
    for predicted, metric in ((majority, "kappa_m"), (last, "kappa_t")):
        run = score(y, predicted, metrics=["accuracy", metric], forgetting=["cumulative"], every=1)
        assert values(run, metric) == [0.0] * 6
    right = score(y, y, metrics=["kappa_m"], forgetting=["cumulative"], every=1)
    assert values(right, "kappa_m") == [1.0] * 6


@pytest.mark.parametrize("forgetting", [Cumulative(), Sliding(100), Fading(0.99)])
def test_a_majority_learner_scores_zero_against_the_majority_and_no_change_against_the_last_label(
    forgetting: Forgetting,
) -> None:
    window = 100 if isinstance(forgetting, Sliding) else None
    learners = {"majority": MajorityClass(window_size=window), "last": NoChange()}
    stream = SEA(seed=3).take(2000)
    run = evaluate(stream, learners, metrics=["kappa_m", "kappa_t"], forgetting=[forgetting], every=100)
    assert max(map(abs, values(run, "kappa_t", forgetting.label, "last"))) < (
        1e-12 if isinstance(forgetting, Fading) else 1e-300
    )
    if not isinstance(forgetting, Fading):  # there is no majority learner that fades
        assert set(values(run, "kappa_m", forgetting.label, "majority")) == {0.0}


# 5. A tied score picks the lowest class code.


def test_a_tied_score_picks_the_lowest_code() -> None:
    scores = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [1.0, 1.0, 1.0]]
    run = score([0, 1, 0], y_score=scores, classes=[0, 1, 2], metrics=["accuracy"], every=3)
    assert values(run, "accuracy") == [1.0]


# 6. The last partial window and the last checkpoint are always reported.


@pytest.mark.parametrize("n", [1, 7, 999, 1000, 1001, 2500])
def test_the_last_checkpoint_is_reported_once(n: int) -> None:
    run = evaluate(SEA(seed=1).take(n), NoChange(), metrics=["accuracy"], forgetting=["sliding:1000"], every=1000)
    expected = [*range(1000, n + 1, 1000)]
    assert run.to_arrow()["n"].to_pylist() == (expected if n % 1000 == 0 else [*expected, n])


def test_a_window_that_is_not_full_counts_its_records() -> None:
    run = score([0, 0, 1], [0, 1, 1], metrics=["accuracy"], forgetting=["sliding:1000"], every=1)
    assert values(run, "accuracy", "sliding:1000") == [1.0, 0.5, 2 / 3]


def test_holdout_reports_the_last_period_too() -> None:
    stream = SEA(seed=1).take(2500)
    run = evaluate(stream, NaiveBayes(), protocol=Holdout(test=SEA(seed=2).take(500)), metrics=["accuracy"], every=1000)
    assert run.to_arrow()["n"].to_pylist() == [1000, 2000, 2500]


# 7. Learners are never changed in place; the stream restarts for each.


class Remembering:
    """Its predictions show whether it was trained before."""

    def __init__(self) -> None:
        self.n = 0

    def predict_one(self, x: dict[str, float]) -> str:
        return "a" if self.n % 3 else "b"

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.n += 1


def test_learners_are_cloned_and_not_changed() -> None:
    bayes, mine = NaiveBayes(), Remembering()
    stream = SEA(seed=5).take(1500)
    relabelled = from_arrays(
        next(stream.chunks(1500)).X, np.where(next(stream.chunks(1500)).y == 1, "a", "b"), name="relabelled"
    )
    first = evaluate(relabelled, {"bayes": bayes, "mine": mine, "again": mine})
    second = evaluate(relabelled, {"bayes": bayes, "mine": mine, "again": mine})
    assert_same_trace(second.to_arrow(), first.to_arrow())
    assert mine.n == 0
    assert not hasattr(bayes, "_model")
    assert values(first, "accuracy", learner="mine") == values(first, "accuracy", learner="again")


# 8. Predicting, learning and scoring are timed separately.


def test_predicting_learning_and_scoring_are_timed_separately() -> None:
    stream = stream_of(["a", "b"] * 2500)
    run = evaluate(stream, {"native": NaiveBayes(), "python": Remembering()}, every=100)
    for entry in run.manifest.learners.values():
        used = entry.resources
        assert min(used.predict_seconds, used.learn_seconds, used.score_seconds) > 0
        total = used.predict_seconds + used.learn_seconds + used.score_seconds
        assert total <= run.manifest.seconds


# 9. A drift is detected once; the mean delay is over detected drifts; every score comes with that of a dummy.


def test_a_drift_is_detected_once_and_the_score_comes_with_a_dummy() -> None:
    found = score_alarms([400, 1010, 1030], [1000, 2000], 3000, tolerance=100)
    assert (found.n_detected, found.n_missed, found.n_false, found.n_repeats) == (1, 1, 1, 1)
    assert found.delay_mean == 10
    assert found.dummy is not None
    assert found.dummy.n_alarms == found.n_alarms


# 10. A failing learner fails its run, with record index and traceback; the others continue.


@pytest.mark.parametrize("chunk_size", [1, 3, 1000])
def test_a_failing_learner_is_reported_with_record_and_traceback_and_the_others_continue(chunk_size: int) -> None:
    answers: list[object] = ["a"] * 10
    answers[6] = RuntimeError("out of luck")
    learners = {"bad": Answers(answers), "good": NoChange()}
    with pytest.warns(LearnerFailedWarning, match="bad failed at record 6"):
        run = evaluate(stream_of("aabbaabbaa"), learners, metrics=["accuracy"], every=2, chunk_size=chunk_size)
    assert run.status == "failed"
    failure = run.failures["bad"]
    assert failure.record == 6
    assert "out of luck" in failure.message
    assert "predict_one" in failure.traceback
    assert run.manifest.learners["good"].status == "complete"
    by_learner = {name: [r["n"] for r in run.to_arrow().to_pylist() if r["learner"] == name] for name in learners}
    assert sorted(set(by_learner["bad"])) == [2, 4, 6]
    assert sorted(set(by_learner["good"])) == [2, 4, 6, 8, 10]


def test_a_learner_that_fails_while_it_is_pretrained_fails_alone_too() -> None:
    class Stubborn(Remembering):
        def learn_one(self, x: dict[str, float], y: object) -> None:
            raise RuntimeError("I will not")

    learners = {"bad": Stubborn(), "good": NoChange()}
    with pytest.warns(LearnerFailedWarning, match="bad failed at record 0: RuntimeError: I will not"):
        run = evaluate(SEA(seed=1).take(100), learners, protocol=Prequential(pretrain=20), every=10)
    assert run.manifest.learners["good"].status == "complete"
    assert run.manifest.learners["good"].n_records == 100


# 11. Labels that never arrive are counted as unlabelled.


def test_records_without_a_label_are_counted_and_neither_scored_nor_learned() -> None:
    y = ["a", None, "b", None, "b"]
    run = evaluate(stream_of(y), {"last": NoChange()}, metrics=["accuracy"], every=1)
    assert run.manifest.learners["last"].n_unlabelled == 2
    assert run.manifest.learners["last"].n_records == 5
    found = values(run, "accuracy")
    assert found == [0.0, 0.0, 0.0, 0.0, 1 / 3]


def test_an_invalid_score_loses_no_checkpoint_for_any_chunk_size() -> None:
    class Negative:
        """Gives a negative score at the 5,001st record."""

        def __init__(self) -> None:
            self.n = 0

        def predict_proba_one(self, x: dict[str, float]) -> dict[str, float]:
            return {"groupA": -1.0 if self.n == 5000 else 0.5, "groupB": 0.5}

        def predict_one(self, x: dict[str, float]) -> str:
            return "groupA"

        def learn_one(self, x: dict[str, float], y: str) -> None:
            self.n += 1

    traces = []
    for chunk_size in (100, 8192):
        with pytest.warns(LearnerFailedWarning, match="failed at record 5000"):
            run = evaluate(SEA(seed=1).take(9000), Negative(), every=1000, chunk_size=chunk_size, predictions=True)
        assert run.predictions("Negative").num_rows == 5000
        traces.append(run.to_arrow())
    assert sorted(set(traces[0]["n"].to_pylist())) == [1000, 2000, 3000, 4000, 5000]
    assert traces[0].drop_columns(["value"]).equals(traces[1].drop_columns(["value"]))
    np.testing.assert_array_equal(traces[0]["value"].to_numpy(), traces[1]["value"].to_numpy())
