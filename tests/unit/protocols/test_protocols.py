"""Prequential and holdout: which records test and train, and when."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import prequential as pq
from prequential.figures.curves import panels


class Failing:
    """Fails when it learns record ``at``."""

    def __init__(self, at: int) -> None:
        self.n, self.at = 0, at

    def predict_one(self, x: dict[str, float]) -> str:
        return "groupA"

    def learn_one(self, x: dict[str, float], y: str) -> None:
        if self.n == self.at:
            raise RuntimeError("it broke")
        self.n += 1


@pytest.mark.parametrize("chunk_size", [7, 1000, 100_000])
@pytest.mark.parametrize("protocol", [pq.Holdout(test=pq.streams.SEA(seed=9).take(50)), pq.Prequential(pretrain=3000)])
def test_a_failing_learner_fails_alone_and_at_its_record(
    protocol: pq.Holdout | pq.Prequential, chunk_size: int
) -> None:
    with pytest.warns(pq.LearnerFailedWarning, match="failed at record 1430"):
        run = pq.evaluate(
            pq.streams.SEA(seed=1).take(4000),
            {"fails": Failing(1430), "naive_bayes": "naive_bayes"},
            protocol=protocol,
            every=500,
            chunk_size=chunk_size,
        )
    assert run.status == "failed"
    assert run.failures["fails"].record == 1430
    assert run.manifest.learners["naive_bayes"].status == "complete"
    trace = run.to_pandas()
    assert trace[trace.learner == "naive_bayes"].n.max() == 4000


def first_class_share(begin: int, end: int) -> float:
    """The accuracy of `Failing`, which always predicts the first class, over some records of the stream."""
    labels = np.concatenate([chunk.y for chunk in pq.streams.SEA(seed=1).take(end).chunks()])
    return float((labels[begin:] == 0).mean())


@pytest.mark.parametrize("chunk_size", [7, 1000])
@pytest.mark.parametrize(("pretrain", "expected"), [(0, [500, 1000, 1430]), (700, [1200, 1430]), (1430, [])])
def test_a_learner_that_fails_reports_its_last_checkpoint_at_the_failure(
    pretrain: int, expected: list[int], chunk_size: int
) -> None:
    """It counts every record before the failure, and only those (convention 10)."""
    with pytest.warns(pq.LearnerFailedWarning, match="failed at record 1430"):
        run = pq.evaluate(
            pq.streams.SEA(seed=1).take(4000),
            Failing(1430),
            protocol=pq.Prequential(pretrain=pretrain),
            metrics=["accuracy"],
            forgetting=["cumulative"],
            every=500,
            chunk_size=chunk_size,
        )
    trace = run.to_pandas()
    assert trace.n.tolist() == expected
    assert trace.value.tolist() == pytest.approx([first_class_share(pretrain, n) for n in expected])


def test_a_learner_that_fails_at_a_checkpoint_reports_it_once() -> None:
    with pytest.warns(pq.LearnerFailedWarning, match="failed at record 1500"):
        run = pq.evaluate(
            pq.streams.SEA(seed=1).take(4000),
            Failing(1500),
            metrics=["accuracy"],
            forgetting=["cumulative"],
            every=500,
        )
    assert run.to_arrow()["n"].to_pylist() == [500, 1000, 1500]


def test_a_learner_that_fails_with_late_labels_reports_the_labels_before_the_failure() -> None:
    with pytest.warns(pq.LearnerFailedWarning):
        run = pq.evaluate(
            pq.streams.SEA(seed=1).take(4000).delayed(10),
            Failing(1430),
            protocol=pq.Delayed(bins=2),
            metrics=["accuracy"],
            every=500,
        )
    assert sorted(set(run.to_arrow()["n"].to_pylist())) == [500, 1000, 1431], "a label counts before it trains"


def test_a_learner_that_fails_between_two_holdout_tests_is_not_asked_again() -> None:
    with pytest.warns(pq.LearnerFailedWarning, match="failed at record 1430"):
        run = pq.evaluate(
            pq.streams.SEA(seed=1).take(4000),
            Failing(1430),
            protocol=pq.Holdout(test=pq.streams.SEA(seed=9).take(50)),
            metrics=["accuracy"],
            every=500,
        )
    assert run.to_arrow()["n"].to_pylist() == [500, 1000]


def test_holdout_has_the_time_of_the_stream_and_counts_all_abstentions() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(1000, 2)), rng.integers(0, 2, 1000)
    stream = pq.from_arrays(X, y, time=np.arange(1000.0))
    test = pq.from_arrays(X[:100], y[:100], time=np.arange(100.0))

    class Silent:
        def predict_one(self, x: dict[str, float]) -> None:
            return None

        def learn_one(self, x: dict[str, float], y: int) -> None:
            pass

    run = pq.evaluate(stream, Silent(), protocol=pq.Holdout(test=test), every=250, metrics=["accuracy"])
    trace = run.to_pandas()
    assert trace.time.tolist() == [249.0, 499.0, 749.0, 999.0]
    assert run.manifest.learners["Silent"].n_abstained == 400


def test_the_share_set_aside_is_spread_evenly_and_never_trained_on() -> None:
    seen: list[float] = []

    class Watching:
        def predict_one(self, x: dict[str, float]) -> int:
            return 0

        def learn_one(self, x: dict[str, float], y: int) -> None:
            seen.append(x["x0"])

        def __deepcopy__(self, memo: object) -> Watching:
            return self

    stream = pq.from_arrays(np.arange(100.0).reshape(-1, 1), np.arange(100) % 2)
    pq.evaluate(stream, Watching(), protocol=pq.Holdout(share=0.1), every=50, metrics=["accuracy"], chunk_size=7)
    assert len(seen) == 90
    assert sorted(set(range(100)) - {int(v) for v in seen}) == [9, 19, 29, 39, 49, 59, 69, 79, 89, 99]


@pytest.mark.parametrize("forgetting", ["cumulative", "sliding:50"])
def test_the_majority_baseline_learns_the_labels_of_pretraining(forgetting: str) -> None:
    """A majority learner is its own baseline, so its κ_m is 0 after any pretraining (convention 4)."""
    rng = np.random.default_rng(2)
    stream = pq.from_arrays(np.zeros((400, 1)), (rng.random(400) < 0.6).astype(int))
    learner = "majority_class:window_size=50" if forgetting == "sliding:50" else "majority_class"
    run = pq.evaluate(
        stream,
        [learner, "no_change"],
        protocol=pq.Prequential(pretrain=150),
        metrics=["kappa_m", "kappa_t"],
        forgetting=[forgetting],
        every=10,
    )
    trace = run.to_pandas()
    majority = trace[(trace.learner == learner) & (trace.metric == "kappa_m")].value
    assert (majority == 0).all()
    assert (trace[(trace.learner == "no_change") & (trace.metric == "kappa_t")].value == 0).all()


def test_a_stream_shorter_than_its_pretraining_reports_its_length() -> None:
    stream = pq.from_iterable(lambda: iter(pq.streams.SEA().take(200)))  # its length is known only at its end
    with pytest.warns(pq.DataWarning, match="No record was tested: pretrain=1,500"):
        run = pq.evaluate(stream, "naive_bayes", protocol=pq.Prequential(pretrain=1500))
    assert set(run.to_arrow()["n"].to_pylist()) == {200}


def test_skipped_abstentions_do_not_change_the_majority_baseline() -> None:
    labels = [0, 0, 1, 0, 1, 0, 0, 1]
    run = pq.evaluate(
        pq.from_arrays(np.zeros((8, 1)), labels),
        "majority_class",
        metrics=["kappa_m"],
        forgetting=["cumulative"],
        abstain="skip",
        every=8,
    )
    assert run.to_arrow()["value"].to_pylist() == [0.0]


class Gaps:
    """Scores that are not finite for every 5th record of a test, and abstentions for every 7th of the others."""

    def fresh(self, schema: pq.Schema, seed: int) -> Gaps:
        return self

    def scores(self, X: np.ndarray) -> np.ndarray:
        i = np.arange(1, len(X) + 1)[:, None]
        return np.where(i % 5 == 0, [np.nan, 1.0], np.where(i % 7 == 0, 0.0, [0.75, 0.25]))

    def learn(self, X: np.ndarray, y: np.ndarray) -> None:
        pass


def test_holdout_counts_abstentions_and_scores_that_are_not_finite() -> None:
    run = pq.evaluate(
        pq.streams.SEA(seed=1).take(30),
        {"gaps": Gaps()},
        protocol=pq.Holdout(test=pq.streams.SEA(seed=2).take(35)),
        every=10,
    )
    entry = run.manifest.learners["gaps"]
    assert entry.n_nonfinite == 3 * 7
    assert entry.n_abstained == 3 * (7 + 4)


@pytest.mark.parametrize(
    ("n", "n_shown", "n_tested", "partial"),
    [(10_000, 10_000, 200, None), (10_001, 10_000, 200, 0), (10_005, 10_000, 200, 1), (700, 700, 140, 140)],
)
def test_results_of_a_holdout_share_are_those_of_the_last_complete_test(
    n: int, n_shown: int, n_tested: int, partial: int | None
) -> None:
    stream = pq.streams.SEA(seed=1).take(n)
    protocol = pq.Holdout(share=0.2)
    run = pq.evaluate(stream, "naive_bayes", protocol=protocol, metrics="accuracy", every=1000)
    (row,) = run.table().to_dicts()
    assert (row["n"], row["n_tested"], row["forgetting"]) == (n_shown, n_tested, "holdout")
    shorter = pq.evaluate(stream.take(n_shown), "naive_bayes", protocol=protocol, metrics="accuracy", every=1000)
    expected = shorter.to_arrow()["value"].to_pylist()
    trace = run.to_arrow()
    assert row["value"] == expected[-1]
    assert trace["value"].to_pylist()[: len(expected)] == expected
    kinds = trace["forgetting"].to_pylist()
    assert kinds == ["holdout"] * (n // 1000) + ["holdout:partial"] * (partial is not None)
    assert f"Test on {n_tested:,} records at record {n_shown:,}" in str(run.table())
    assert ("partial" in str(run.table())) == (partial is not None)
    if n_shown < n:
        assert f"a partial test, on {partial} record" in str(run.table())
    (panel,) = panels(run.directory)
    assert panel.title.endswith(f"last test on {n_tested} records")
    assert panel.curves[0].n[-1] == n_shown


def table_of(n: int, seed: int, labels: tuple[str, ...], days: tuple[str, ...]) -> dict[str, list[object]]:
    rng = np.random.default_rng(seed)
    day = rng.integers(len(days), size=n)
    x = rng.normal(size=n) + day
    y = np.where(x > 1, labels[0], labels[-1])
    return {"x": x.tolist(), "day": [days[i] for i in day], "class": y.tolist()}


def test_a_test_set_may_lack_classes_and_nominal_values_of_the_stream() -> None:
    """As if the test set declared them all: its codes are those of the stream."""
    whole = table_of(900, 1, ("a", "b", "c"), ("mon", "tue", "wed"))
    whole["class"][::5] = ["b"] * 180
    test = table_of(200, 2, ("a", "c"), ("wed", "tue"))
    stream = pq.as_stream(pa.table(whole), target="class")
    fewer = pq.as_stream(pa.table(test), target="class")
    declared = pq.as_stream(pa.table({k: v + whole[k][:12] for k, v in test.items()}), target="class").take(200)
    assert set(fewer.schema.classes or ()) == {"a", "c"}
    learners = ["naive_bayes", "hoeffding_tree:grace_period=50"]
    values = [
        pq.evaluate(stream, learners, protocol=pq.Holdout(test=one), metrics="accuracy", every=300)
        .to_arrow()["value"]
        .to_pylist()
        for one in (fewer, declared)
    ]
    assert values[0] == values[1]
    assert max(values[0]) > 0.8


def test_a_class_of_the_test_set_that_the_stream_lacks_is_named_with_what_to_do() -> None:
    stream = pq.as_stream(pa.table(table_of(90, 1, ("a", "b"), ("mon",))), target="class")
    test = pq.as_stream(pa.table(table_of(90, 2, ("a", "z"), ("mon",))), target="class")
    with pytest.raises(pq.PrequentialError, match=r"has the class 'z'.*It has: a, b\..*classes=.*--class-label"):
        pq.evaluate(stream, "naive_bayes", protocol=pq.Holdout(test=test))


@pytest.mark.parametrize(
    ("names", "y", "difference"),
    [(["a", "c"], [0, 1], "feature 2 is 'c' here and 'b' there"), (["a", "b"], [0.5, 1.5], "")],
    ids=["another feature", "another task"],
)
def test_a_holdout_stream_of_other_features_or_another_task_is_refused(
    names: list[str], y: list[float], difference: str
) -> None:
    stream = pq.from_table(pa.table({"a": [1.0, 2.0], "b": [3.0, 4.0], "y": [0, 1]}), target="y")
    test = pq.from_table(
        pa.table({names[0]: [1.0, 2.0], names[1]: [3.0, 4.0], "y": y}),
        target="y",
        task="regression" if y[0] else "classification",
    )
    with pytest.raises(pq.InputError, match=f"the test stream must have the features and the task.*{difference}"):
        pq.evaluate(stream, "naive_bayes", protocol=pq.Holdout(test=test))
