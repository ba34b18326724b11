"""The optimal classifier: it uses the true posterior of its stream and learns nothing."""

from __future__ import annotations

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError, ParameterError
from prequential.learners import MajorityClass, NaiveBayes
from prequential.learners.contract import Clock
from prequential.streams import Schema
from prequential.testbed import Optimal


def error(run: pq.Run, learner: str = "Optimal") -> float:
    rows = run.table().to_dicts()
    return 1 - next(float(row["value"]) for row in rows if row["learner"] == learner)


def evaluated(stream: pq.Stream, learners: object, **options: object) -> pq.Run:
    return pq.evaluate(stream, learners, metrics="accuracy", forgetting="cumulative", **options)  # type: ignore[arg-type]


def by_hand(stream: pq.Stream) -> float:
    """Count the records whose label is not the likeliest at their own time."""
    wrong = n = 0
    for chunk in stream.chunks(1000):
        truth = stream.posterior(chunk.X, np.arange(chunk.start, chunk.start + len(chunk)))
        assert truth is not None
        wrong += int((truth.argmax(axis=1) != chunk.y).sum())
        n += len(chunk)
    return wrong / n


@pytest.mark.parametrize("chunk_size", [1, 13, 4096])
def test_its_error_is_counted_at_the_time_of_each_record(chunk_size: int) -> None:
    stream = pq.testbed.stream("NSCX", seed=3).skip(3000).take(2000)
    run = evaluated(stream, Optimal(), chunk_size=chunk_size)
    assert error(run) == pytest.approx(by_hand(stream))


def test_records_that_only_train_do_not_put_its_clock_wrong() -> None:
    stream = pq.testbed.stream("NSGR", seed=3)
    run = evaluated(stream, Optimal(), protocol=pq.Prequential(pretrain=4000))
    assert error(run) == 0


def test_no_learner_is_better_by_more_than_chance() -> None:
    run = evaluated(pq.testbed.stream("NSGT"), [Optimal(), NaiveBayes(), "knn", "hoeffding_tree"])
    best = min(error(run, name) for name in ("NaiveBayes", "knn", "hoeffding_tree"))
    assert error(run) < best


def test_another_stream_is_another_truth() -> None:
    """The optimum of NSGT at its start is not the optimum of NSGT three times as fast."""
    stream = pq.testbed.stream("NSGT-F")
    run = evaluated(stream, {"own": Optimal(), "other": Optimal("NSGT"), "same": Optimal(pq.testbed.mixture("NSGT-F"))})
    assert error(run, "own") == error(run, "same") < 0.035
    assert error(run, "other") > 0.2


def test_holdout_freezes_it_at_the_last_record_of_a_period() -> None:
    """Every second record of a half turn is set aside; those from its beginning are predicted as at its end."""
    stream = pq.testbed.stream("NSGR").take(5000)
    run = pq.evaluate(stream, Optimal(), metrics="accuracy", protocol=pq.Holdout(share=0.5), every=5000)
    (chunk,) = stream.chunks(5000)
    aside = np.arange(1, 5000, 2)
    frozen = stream.posterior(chunk.X[aside], 4999)
    assert frozen is not None
    expected = (frozen.argmax(axis=1) != chunk.y[aside]).mean()
    assert error(run) == pytest.approx(expected)
    assert expected > 0.4


def test_it_says_of_itself_what_it_was_given() -> None:
    assert Optimal("NSGT").describe() == {"learner": "Optimal", "truth": "NSGT"}
    assert Optimal().describe() == {"learner": "Optimal", "truth": None}
    assert Optimal(pq.testbed.mixture("NSCX")).describe()["truth"] == "NSCX"


def test_binding_and_freshening_leave_the_original_alone() -> None:
    stream = pq.testbed.stream("NSGT")
    original = Optimal()
    fresh = original.bound_to(stream).fresh(stream.schema, 1)
    chunk = next(stream.chunks(100))
    fresh.test_then_train(chunk.X, chunk.y)
    assert fresh.now == 100
    assert (original.now, original._stream) == (0, None)
    again = fresh.fresh(stream.schema, 1)
    assert again.now == 0
    np.testing.assert_array_equal(again.scores(chunk.X), stream.posterior(chunk.X, 0))


def test_a_stream_without_a_known_truth_is_refused() -> None:
    stream = pq.from_arrays([[0.0], [1.0], [2.0]], ["a", "b", "a"], name="mine")
    with pytest.raises(InputError, match="the true class probabilities of mine are not known"):
        pq.evaluate(stream, Optimal())
    with pytest.raises(InputError, match="are not known"):
        pq.evaluate(pq.from_arrays([[0.0], [1.0]], [0.5, 1.5]), Optimal())


def test_without_a_stream_it_says_what_it_needs() -> None:
    with pytest.raises(InputError, match=r"Optimal\(\).bound_to\(stream\)"):
        Optimal().fresh(Schema.numeric(2, ("A", "B")), 1)


def test_a_truth_of_another_shape_is_refused() -> None:
    with pytest.raises(InputError, match="NSGT-5D has 5 features"):
        pq.evaluate(pq.testbed.stream("NSGT"), Optimal("NSGT-5D"))


def test_an_unknown_truth_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="Did you mean 'NSCX'"):
        Optimal("NSCXX")
    with pytest.raises(ParameterError, match="'truth' parameter of Optimal"):
        Optimal(3)  # type: ignore[arg-type]


def test_other_learners_do_not_care_which_stream_they_are_for() -> None:
    learner = MajorityClass()
    assert learner.bound_to(pq.testbed.stream("NSGT")) is learner


def test_a_learner_in_python_knows_which_record_is_tested() -> None:
    predicted_at: list[int] = []

    class Watcher(pq.Learner):
        def fresh(self, schema: Schema, seed: int) -> Watcher:
            made = Watcher()
            made.schema, made.clock = schema, Clock()
            return made

        def scores(self, X: np.ndarray) -> np.ndarray:
            predicted_at.append(self.now)
            return np.ones((len(X), 2))

        def learn(self, X: object, y: object, w: object = None) -> None:
            pass

    stream = pq.testbed.stream("NSGT").skip(10).take(500)
    evaluated(stream, Watcher(), protocol=pq.Prequential(pretrain=200), chunk_size=77)
    assert predicted_at == list(range(200, 500))


def test_it_is_not_for_labels_that_come_late() -> None:
    late = pq.testbed.stream("NSGT").take(100).delayed(5)
    for optimal in (Optimal(), Optimal(pq.testbed.mixture("NSGT"))):
        with pytest.raises(pq.InputError, match="come late"):
            pq.evaluate(late, {"optimum": optimal}, protocol=pq.Delayed(bins=2))
