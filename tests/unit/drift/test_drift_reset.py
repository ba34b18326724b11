"""A learner that resets when a drift is detected."""

from __future__ import annotations

import gc
import json
import weakref

import numpy as np
import pytest
from river import drift as river_drift

import prequential as pq
from prequential.drift.watch import Watch
from prequential.learners import DriftReset, Learner, NaiveBayes, NoChange, as_learner
from prequential.learners.catalogue import LEARNERS
from prequential.learners.contract import Clock
from prequential.streams import Schema

DETECTORS = [
    "page_hinkley:delta=0.005,threshold=20",
    "page_hinkley:delta=0.01,threshold=5,under=fading:0.97",
    "page_hinkley:delta=0.01,threshold=5,under=sliding:30",
    "page_hinkley:delta=0.01,threshold=5,under=cumulative",
    "page_hinkley:threshold=20,on=accuracy",
    "ratio:short=fading:0.9,long=fading:0.99,threshold=10",
    "ratio:short=sliding:10,long=sliding:100,threshold=10",
    "adwin",
    "ddm",
    "eddm",
]
SCHEMA = Schema.numeric(1, (0, 1))


def turned(n: int = 1000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Records whose labels flip half-way."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    X = rng.normal(2.0 * np.where(np.arange(n) < n // 2, y, 1 - y))[:, np.newaxis]
    return X, y


def alarms(detector: str, learner: Learner, X: np.ndarray, y: np.ndarray) -> list[int]:
    """The alarms of a watch on the learner alone."""
    watch = Watch(pq.drift.as_detector(detector), SCHEMA)
    scores = learner.fresh(SCHEMA, 1).test_then_train(X, y)
    return [alarm.record for alarm in watch.step(pq.Chunk(SCHEMA, 0, X, y), scores)]


@pytest.mark.parametrize("detector", DETECTORS)
def test_the_first_reset_comes_with_the_first_alarm_of_a_watch_on_the_base(detector: str) -> None:
    X, y = turned(4000)
    plain = NaiveBayes().fresh(SCHEMA, 1).test_then_train(X, y)
    found = DriftReset(detector=detector).fresh(SCHEMA, 1).test_then_train(X, y)
    at = alarms(detector, NaiveBayes(), X, y)[0]
    np.testing.assert_array_equal(found[: at + 1], plain[: at + 1])
    restarted = NaiveBayes().fresh(SCHEMA, 1)
    restarted.learn(X[at : at + 1], y[at : at + 1])
    np.testing.assert_array_equal(found[at + 1 : at + 2], restarted.scores(X[at + 1 : at + 2]))


@pytest.mark.parametrize("detector", ["page_hinkley:threshold=20", "ddm", "eddm", "adwin"])
def test_it_recovers_from_a_change_that_its_base_does_not(detector: str) -> None:
    X, y = turned(4000)
    late = slice(3000, None)
    plain = NaiveBayes().fresh(SCHEMA, 1).test_then_train(X, y)[late].argmax(axis=1)
    found = DriftReset(detector=detector).fresh(SCHEMA, 1).test_then_train(X, y)[late].argmax(axis=1)
    assert (plain == y[late]).mean() < 0.6
    assert (found == y[late]).mean() > 0.8


def test_an_abstention_is_an_error() -> None:
    class Silent(Learner):
        n: int

        def fresh(self, schema: Schema, seed: int) -> Silent:
            learner = Silent()
            learner.schema, learner.clock = schema, Clock()
            learner.n = 0
            births.append(learner)
            return learner

        def scores(self, X: np.ndarray) -> np.ndarray:
            return np.zeros((len(X), 2)) if self.n >= 50 else np.eye(2)[np.zeros(len(X), dtype=int)]

        def learn(self, X: np.ndarray, y: np.ndarray, w: np.ndarray | None = None) -> None:
            self.n += len(X)

    births: list[Silent] = []
    learner = DriftReset(base=Silent()).fresh(SCHEMA, 1)
    before = len(births)
    learner.test_then_train(np.zeros((70, 1)), np.zeros(70, dtype=np.int64))
    assert len(births) == before + 1


def test_weights_do_not_reach_the_detector() -> None:
    X, y = turned()
    plain = DriftReset(base=NoChange()).fresh(SCHEMA, 1)
    weighted = DriftReset(base=NoChange()).fresh(SCHEMA, 1)
    expected = plain.test_then_train(X, y)
    w = np.random.default_rng(1).uniform(0.1, 9, len(y))
    np.testing.assert_array_equal(weighted.test_then_train(X, y, w), expected)


def test_rivers_detector_gives_the_result_of_ours_with_its_convention() -> None:
    X, y = turned(4000)
    rivers = DriftReset(detector=river_drift.PageHinkley(threshold=20, mode="up"))
    ours = DriftReset(detector="page_hinkley:convention=river,threshold=20")
    assert not rivers.native
    assert ours.native
    found, expected = (one.fresh(SCHEMA, 1).test_then_train(X, y) for one in (rivers, ours))
    np.testing.assert_array_equal(found, expected)


def test_a_detector_written_in_python_is_collected_with_the_learner_that_holds_it() -> None:
    model = river_drift.ADWIN()
    learner = DriftReset(detector=model)
    replica = learner.fresh(SCHEMA, 1)
    model.holder = replica  # a cycle through the compiled learner
    gone = weakref.ref(replica)
    replica.learn(*turned(100))
    del model, learner, replica
    gc.collect()
    assert gone() is None


def test_the_state_of_a_python_detector_is_saved_with_its_learner() -> None:
    X, y = turned(400)
    learner = DriftReset(detector=river_drift.ADWIN())
    first, second = learner.fresh(SCHEMA, 1), learner.fresh(SCHEMA, 1)
    first.learn(X[:250], y[:250])
    second.load_bytes(first.to_bytes())
    found, expected = (one.test_then_train(X[250:], y[250:]) for one in (second, first))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("detector", "message"),
    [
        (
            "ddm:under=adaptive",
            "cannot read the error under adaptive:0.002. Accepted: detectors on the error of each record",
        ),
        ("ddm:under=sliding:60s", "cannot read the error under sliding:60s"),
        ("page_hinkley:on=kappa,under=sliding:100", "cannot watch kappa. Accepted: detectors on=error"),
        ("page_hinkley:on=log_loss", "cannot watch log_loss"),
        ("ddn", "Unknown detector 'ddn'"),
        (NaiveBayes(), "is not a drift detector"),
    ],
)
def test_detectors_it_cannot_use_are_refused(detector: object, message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        DriftReset(detector=detector)  # type: ignore[arg-type]


def test_the_catalogue_reads_and_writes_it() -> None:
    text = "drift_reset:base=(majority_class:window_size=50),detector=(page_hinkley:delta=0.005,threshold=9,on=error)"
    learner = as_learner(text)
    assert LEARNERS.text_of(learner) == text
    json.dumps(learner.describe())
    assert learner.describe()["detector"] == "page_hinkley:delta=0.005,threshold=9,on=error"
    with pytest.raises(pq.InputError, match="detector of DriftReset: Unknown detector '5'"):
        as_learner("drift_reset:detector=5")
    nested = as_learner(f"online_bagging:n_models=2,base=({text})")
    assert nested.native


def test_states_of_other_detectors_are_refused() -> None:
    X, y = turned(200)
    learners = {text: DriftReset(detector=text).fresh(SCHEMA, 1) for text in DETECTORS if "accuracy" not in text}
    for learner in learners.values():
        learner.learn(X, y)
    for text, learner in learners.items():
        for other, target in learners.items():
            if text != other:
                with pytest.raises(ValueError, match="state"):
                    target.load_bytes(learner.to_bytes())
