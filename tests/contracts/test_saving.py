"""A saved and restored replica continues with the same results, under every protocol and with every learner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from river import drift, forest, linear_model, naive_bayes, preprocessing
from sklearn.linear_model import SGDClassifier
from support.importable_learners import Last
from support.jobs import replica_jobs
from support.native_learners import LEARNERS

import prequential as pq
from prequential.engines.job import Job
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.worker import Worker
from prequential.evaluation.event_log import EventLog
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.protocols import Protocol
from prequential.saved import UnsavableError

FORGETTINGS = ["cumulative", "sliding:100", "fading:0.99", "adaptive:0.01", "sliding:60s"]
PROTOCOLS: dict[str, Protocol] = {
    "prequential": pq.Prequential(pretrain=30),
    "holdout": pq.Holdout(share=0.2),
    "cross": pq.KFold(3, "cross"),
    "bootstrap": pq.KFold(2, "bootstrap"),
    "delayed": pq.Delayed(bins=4, reevaluate_every=3),
    "delayed with a horizon": pq.Delayed(bins=3, horizon=45, remember=20),
}
LEARNED: dict[str, Any] = {
    "river": naive_bayes.GaussianNB(),
    "pipeline": preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    "forest": forest.ARFClassifier(n_models=3, seed=None),
    "sgd": SGDClassifier(loss="log_loss"),
    "batches": SklearnLearner(SGDClassifier(loss="log_loss"), batch=7),
    "last": Last(),
    "bagged river": pq.learners.OnlineBagging(base=naive_bayes.GaussianNB(), n_models=3),
    "optimal": pq.testbed.Optimal(),
}


def chunks(protocol: Protocol, *, cuts: tuple[int, ...] = (170, 300, 410)) -> Iterator[Any]:
    """Yield the records, in chunks that end at ``cuts``."""
    stream = source(protocol)
    events = EventLog(protocol.events()) if isinstance(protocol, pq.Delayed) else None
    whole = next(stream.chunks(100_000))
    for first, last in zip((0, *cuts), (*cuts, len(whole)), strict=True):
        yield whole[first:last] if events is None else events.step(whole[first:last])


def source(protocol: Protocol) -> pq.Stream:
    stream = pq.streams.SEA(seed=2).take(500)
    return stream.delayed(40, clock="records") if isinstance(protocol, pq.Delayed) else stream


def make_jobs(learners: dict[str, Any], protocol: Protocol, **options: Any) -> list[Job]:
    stream = source(protocol)
    forgetting = None if isinstance(protocol, pq.Holdout) else FORGETTINGS[:4]
    metrics = ["accuracy"] if isinstance(protocol, pq.Delayed) else ["accuracy", "log_loss", "auc"]
    return replica_jobs(stream, learners, protocol, setting=options, metrics=metrics, forgetting=forgetting, every=90)


def content(updates: list[ReplicaUpdate]) -> list[Any]:
    """Return the content of updates, to the last bit, without times."""
    found: list[Any] = []
    for update in updates:
        found.append((update.learner, update.fold, update.n_records, update.failure, repr(update.alarms)))
        found.append(update.verdicts.tobytes())
        for passed in update.passed:
            found += [passed.n.tobytes(), passed.time.tobytes(), passed.n_abstained.tobytes()]
            found += [getattr(passed.counts, name).tobytes() for name in type(passed.counts).__dataclass_fields__]
        found += [tested.scores.tobytes() for tested in update.tested]
    return found


def uninterrupted(jobs: list[Job], protocol: Protocol) -> list[Any]:
    worker = Worker(jobs)
    found = [content(worker.step(seq, chunk)) for seq, chunk in enumerate(chunks(protocol))]
    return [*found, content(worker.finish())]


def restored_after_every_chunk(jobs: list[Job], protocol: Protocol) -> list[Any]:
    worker, found = Worker(jobs), []
    for seq, chunk in enumerate(chunks(protocol)):
        found.append(content(worker.step(seq, chunk)))
        states = worker.state()
        worker = Worker(jobs)
        worker.restore(seq + 1, states)
        assert worker.step(seq, chunk) == [], "a chunk that was processed before is ignored"
        assert worker.state() == states or not all(job.native for job in jobs)
    return [*found, content(worker.finish())]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_native_learners_continue_from_their_state(protocol: str) -> None:
    jobs = make_jobs(LEARNERS, PROTOCOLS[protocol], verdicts=not protocol.startswith(("delayed", "holdout")))
    assert restored_after_every_chunk(jobs, PROTOCOLS[protocol]) == uninterrupted(jobs, PROTOCOLS[protocol])


@pytest.mark.parametrize("learner", LEARNED)
@pytest.mark.parametrize("protocol", ["prequential", "holdout", "bootstrap", "delayed"])
def test_python_learners_continue_from_their_state(protocol: str, learner: str) -> None:
    if protocol == "delayed" and learner in ("optimal", "bagged river"):
        pytest.skip("Optimal is not for events; bags of Python learners are slow with them")
    jobs = make_jobs({learner: LEARNED[learner]}, PROTOCOLS[protocol])
    assert restored_after_every_chunk(jobs, PROTOCOLS[protocol]) == uninterrupted(jobs, PROTOCOLS[protocol])


def test_detectors_and_scores_continue_from_their_state() -> None:
    detectors = (
        pq.drift.PageHinkley(on="error", under=pq.Fading(0.99), threshold=0.5),
        pq.drift.DDM(level=1),
        pq.drift.as_detector(drift.PageHinkley(threshold=2)),
    )
    learners = {"bayes": pq.learners.NaiveBayes(), "tree": pq.learners.HoeffdingTree()}
    jobs = make_jobs(learners, pq.Prequential(), detectors=detectors, keep_scores=True)
    expected = uninterrupted(jobs, pq.Prequential())
    assert restored_after_every_chunk(jobs, pq.Prequential()) == expected
    assert any(one[4] != "()" for part in expected for one in part if isinstance(one, tuple)), "there are alarms"


def test_classes_that_have_appeared_are_restored() -> None:
    def records() -> Iterator[tuple[dict[str, Any], Any]]:
        rng = np.random.default_rng(3)
        for i in range(600):
            yield {"x": rng.normal(), "day": f"d{i // 100}"}, f"c{rng.integers(0, 1 + i // 150)}"

    stream = pq.from_iterable(records)
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree", "river": naive_bayes.GaussianNB()}
    jobs = replica_jobs(stream, learners, metrics="accuracy", forgetting=["cumulative", "sliding:50"], every=70)
    alone, again = Worker(jobs), Worker(jobs)
    for seq, chunk in enumerate(stream.chunks(80)):
        expected = content(alone.step(seq, chunk))
        assert content(again.step(seq, chunk)) == expected
        states = again.state()
        again = Worker(jobs)
        again.restore(seq + 1, states)
    assert content(again.finish()) == content(alone.finish())


def test_a_learner_that_cannot_be_pickled_is_named_with_the_reason() -> None:
    class Odd(Last):
        def __init__(self) -> None:
            self.think = lambda x: x

    jobs = make_jobs({"odd": Odd()}, pq.Prequential())
    with pytest.raises(UnsavableError, match=r"Odd cannot be pickled \(.*[Oo]dd"):
        Worker(jobs).state()
