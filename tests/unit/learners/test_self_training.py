"""Learning from records without labels: when a learner gets them, and what self-training makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from river import naive_bayes

import prequential as pq
from prequential.errors import ParameterError
from prequential.protocols.setting import Setting
from prequential.testing import check_learner

N = 600


def stream(n_labelled: float = 0.3) -> pq.Stream:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(N, 2))
    y = (X[:, 0] + 0.7 * rng.normal(size=N) > 0).astype(int)
    labels: list[Any] = [int(label) if rng.random() < n_labelled else None for label in y]
    return pq.from_arrays(X, labels, classes=[0, 1])


def by_hand(source: pq.Stream, base: pq.Learner, threshold: float, trains: Any) -> list[int]:
    """Return the predictions of a plain loop around the base."""
    (chunk,) = source.chunks(N)
    found = []
    for i in range(N):
        x, y = chunk.X[i : i + 1], chunk.y[i : i + 1]
        scores = base.scores(x)[0]
        sure = scores.sum() > 0 and scores.max() >= threshold * scores.sum()
        found.append(int(scores.argmax()) if scores.sum() > 0 else -1)
        if trains(i) and y[0] >= 0:
            base.learn(x, y)
        elif trains(i) and sure:
            base.learn(x, np.array([found[-1]]))
    return found


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
@pytest.mark.parametrize("base", ["naive_bayes", "hoeffding_tree", "river"])
@pytest.mark.parametrize("threshold", [0.6, 0.9])
def test_a_plain_loop_gives_the_same_predictions(base: str, threshold: float, chunk_size: int) -> None:
    inner: Any = naive_bayes.GaussianNB() if base == "river" else base
    learner = pq.learners.SelfTraining(base=inner, threshold=threshold)
    run = pq.evaluate(stream(), learner, predictions=True, chunk_size=chunk_size, engine="serial")
    said = run.predictions(run.learners[0])["prediction"].to_pylist()
    fresh = pq.as_learner(inner).fresh(stream().schema, 1)
    found = [-1 if one is None else int(one) for one in said]
    assert found == by_hand(stream(), fresh, threshold, lambda _: True)
    alone = by_hand(stream(), pq.as_learner(inner).fresh(stream().schema, 1), 2.0, lambda _: True)
    assert found != alone


class Logging:
    """Writes down what it gets."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def __deepcopy__(self, memo: object) -> Logging:
        return self

    def predict_one(self, x: dict[str, float]) -> int:
        return 0

    def learn_one(self, x: dict[str, float], y: int) -> None:
        self.calls.append(("label", int(x["x0"])))

    def learn_unlabelled_one(self, x: dict[str, float]) -> None:
        self.calls.append(("none", int(x["x0"])))


def numbered(share: float) -> pq.Stream:
    labels = [i % 2 if i % 10 < 10 * share else None for i in range(60)]
    return pq.from_arrays(np.arange(60.0).reshape(-1, 1), labels, classes=[0, 1])


@pytest.mark.parametrize(
    ("protocol", "trains"),
    [
        (pq.Prequential(), lambda i: True),
        (pq.Prequential(pretrain=25), lambda i: True),
        (pq.Prequential(batch=20), lambda i: True),
        (pq.KFold(2, "split", "trained"), None),
    ],
)
@pytest.mark.parametrize("chunk_size", [7, 100])
def test_each_record_without_a_label_is_passed_once_in_order(protocol: Any, trains: Any, chunk_size: int) -> None:
    learner = Logging()
    if trains is None:  # the replica of one fold only
        source = numbered(0.4)
        shared = Setting(source.schema, (pq.Cumulative(),), False, False, 100, seed=3)
        replica = protocol.replica(pq.as_learner(learner).fresh(source.schema, 1), shared, 2)
        for chunk in source.chunks(chunk_size):
            replica.step(chunk)
        times = protocol.draws(2, 3, 0, 60)[1]
        chosen = [i for i in range(60) if times[i]]
    else:
        pq.evaluate(numbered(0.4), learner, protocol=protocol, chunk_size=chunk_size, engine="serial")
        chosen = [i for i in range(60) if trains(i)]
    assert learner.calls == [("label" if i % 10 < 4 else "none", i) for i in chosen]


@pytest.mark.parametrize("chunk_size", [7, 1000])
def test_under_delayed_a_record_is_passed_when_it_arrives_and_learned_when_its_label_comes(chunk_size: int) -> None:
    learner = Logging()
    pq.evaluate(numbered(1).delayed(5), learner, protocol=pq.Delayed(bins=2), chunk_size=chunk_size, engine="serial")
    arrived = [i for what, i in learner.calls if what == "none"]
    assert arrived == list(range(60))
    for i in range(5, 60):  # the label of i - 5 has come when i arrives, or just after
        at = learner.calls.index(("none", i))
        assert ("label", i) not in learner.calls[:at]
        assert ("label", i - 6) in learner.calls[:at] or i == 5


def test_under_delayed_native_and_wrapped_python_agree() -> None:
    source = pq.streams.SEA(seed=2, noise=0.1).take(1500).delayed(80)

    class InPython:
        def __init__(self) -> None:
            self.base: Any = pq.learners.SelfTraining(base=pq.learners.NaiveBayes(), threshold=0.8)

        def fresh(self, schema: pq.Schema, seed: int) -> InPython:
            other = InPython()
            other.base = self.base.fresh(schema, seed)
            return other

        def scores(self, X: Any) -> Any:
            return self.base.scores(X)

        def learn(self, X: Any, y: Any, w: Any = None) -> None:
            self.base.learn(X, y, w)

        def learn_unlabelled(self, X: Any) -> None:
            self.base.learn_unlabelled(X)

    learners = {
        "native": pq.learners.SelfTraining(base=pq.learners.NaiveBayes(), threshold=0.8),
        "python": InPython(),
        "alone": "naive_bayes",
    }
    run = pq.evaluate(source, learners, protocol=pq.Delayed(bins=4), metrics="accuracy", engine="serial")
    table = run.to_pandas()
    values = {name: table[table.learner == name].value.tolist() for name in learners}
    assert values["native"] == values["python"] != values["alone"]


def test_the_contract_holds_and_is_checked() -> None:
    check_learner(pq.learners.SelfTraining(threshold=0.7))
    check_learner(pq.learners.SelfTraining(base=naive_bayes.GaussianNB(), threshold=0.7))

    class Cheating(pq.learners.SelfTraining):
        def test_then_train(self, X: Any, y: Any, w: Any = None) -> Any:
            self.learn(X, np.abs(y))  # before it is tested
            return super().test_then_train(X, y, w)

    with pytest.raises(AssertionError, match="learn or learn_unlabelled"):
        check_learner(Cheating(threshold=0.7))


@pytest.mark.parametrize("threshold", [0, 1.1, -1, "a"])
def test_a_bad_threshold_is_refused(threshold: Any) -> None:
    with pytest.raises(ParameterError, match=r"'threshold' parameter of SelfTraining must be a number in \(0, 1\]"):
        pq.learners.SelfTraining(threshold=threshold)
