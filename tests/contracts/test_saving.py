"""A replica that is saved and made anew goes on as if nothing had been, under every protocol and with every learner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from kept_learners import Last
from native_learners import LEARNERS
from river import drift, forest, linear_model, naive_bayes, preprocessing
from sklearn.linear_model import SGDClassifier

import prequential as pq
from prequential.engines import Job, Report, Worker
from prequential.experiment.event_log import EventLog
from prequential.experiment.settings import checked_setting
from prequential.learners import as_learner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.saved import UnsavableError

FORGETTINGS = ["cumulative", "sliding:100", "fading:0.99", "adwin:0.01", "sliding:60s"]
PROTOCOLS: dict[str, pq.Protocol] = {
    "prequential": pq.Prequential(pretrain=30),
    "holdout": pq.Holdout(share=0.2),
    "cross": pq.KFold(3, "cross"),
    "bootstrap": pq.KFold(2),
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
    "bagged river": pq.learners.OnlineBagging(base=naive_bayes.GaussianNB(), size=3),
    "optimal": pq.learners.Optimal(),
}


def chunks(protocol: pq.Protocol, *, cuts: tuple[int, ...] = (170, 300, 410)) -> Iterator[Any]:
    """The records, with a time, cut somewhere."""
    stream = source(protocol)
    events = EventLog(protocol) if isinstance(protocol, pq.Delayed) else None
    whole = next(stream.chunks(100_000))
    for first, last in zip((0, *cuts), (*cuts, len(whole)), strict=True):
        yield whole[first:last] if events is None else events.step(whole[first:last])


def source(protocol: pq.Protocol) -> pq.Stream:
    stream = pq.streams.SEA(seed=2).take(500)
    return stream.delayed(40, clock="records") if isinstance(protocol, pq.Delayed) else stream


def made(learners: dict[str, Any], protocol: pq.Protocol, **options: Any) -> list[Job]:
    stream = source(protocol)
    kept = None if isinstance(protocol, pq.Holdout) else FORGETTINGS[:4]
    _, _, setting = checked_setting(stream.schema, ["accuracy", "log_loss", "auc"], kept, 90, "wrong")
    for name, value in options.items():
        object.__setattr__(setting, name, value)
    bound = {name: as_learner(one).bound_to(stream) for name, one in learners.items()}
    return [Job(name, k, one, protocol, setting, 1) for name, one in bound.items() for k in protocol.folds]


def told(reports: list[Report]) -> list[Any]:
    """All that reports say, to the last bit, but for the time it took."""
    found: list[Any] = []
    for report in reports:
        found.append((report.learner, report.fold, report.n_records, report.failure, repr(report.alarms)))
        found.append(report.verdicts.tobytes())
        for passed in report.passed:
            found += [passed.n.tobytes(), passed.time.tobytes(), passed.n_abstained.tobytes()]
            found += [getattr(passed.counts, name).tobytes() for name in type(passed.counts).__dataclass_fields__]
        found += [tested.scores.tobytes() for tested in report.tested]
    return found


def unbroken(jobs: list[Job], protocol: pq.Protocol) -> list[Any]:
    worker = Worker(jobs)
    found = [told(worker.step(seq, chunk)) for seq, chunk in enumerate(chunks(protocol))]
    return [*found, told(worker.finish())]


def saved_again_and_again(jobs: list[Job], protocol: pq.Protocol) -> list[Any]:
    worker, found = Worker(jobs), []
    for seq, chunk in enumerate(chunks(protocol)):
        found.append(told(worker.step(seq, chunk)))
        states = worker.state()
        worker = Worker(jobs)
        worker.restore(seq + 1, states)
        assert worker.step(seq, chunk) == [], "a chunk that was taken before is passed over"
        assert worker.state() == states or not all(job.learner.native for job in jobs)
    return [*found, told(worker.finish())]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_native_learners_go_on_where_they_were_saved(protocol: str) -> None:
    jobs = made(LEARNERS, PROTOCOLS[protocol], verdicts=not protocol.startswith(("delayed", "holdout")))
    assert saved_again_and_again(jobs, PROTOCOLS[protocol]) == unbroken(jobs, PROTOCOLS[protocol])


@pytest.mark.parametrize("learner", LEARNED)
@pytest.mark.parametrize("protocol", ["prequential", "holdout", "bootstrap", "delayed"])
def test_learners_in_python_go_on_where_they_were_saved(protocol: str, learner: str) -> None:
    if protocol == "delayed" and learner in ("optimal", "bagged river"):
        pytest.skip("Optimal is not for events; bags of Python learners are slow with them")
    jobs = made({learner: LEARNED[learner]}, PROTOCOLS[protocol])
    assert saved_again_and_again(jobs, PROTOCOLS[protocol]) == unbroken(jobs, PROTOCOLS[protocol])


def test_detectors_and_scores_go_on_where_they_were_saved() -> None:
    detectors = (
        pq.PageHinkley(on="error", under=pq.Fading(0.99), threshold=0.5),
        pq.Ddm(level=1),
        pq.drift.as_detector(drift.PageHinkley(threshold=2)),
    )
    learners = {"bayes": pq.learners.NaiveBayes(), "tree": pq.learners.HoeffdingTree()}
    jobs = made(learners, pq.Prequential(), detectors=detectors, keep_scores=True)
    expected = unbroken(jobs, pq.Prequential())
    assert saved_again_and_again(jobs, pq.Prequential()) == expected
    assert any(one[4] != "()" for part in expected for one in part if isinstance(one, tuple)), "there are alarms"


def test_classes_that_have_appeared_are_known_again() -> None:
    def records() -> Iterator[tuple[dict[str, Any], Any]]:
        rng = np.random.default_rng(3)
        for i in range(600):
            yield {"x": rng.normal(), "day": f"d{i // 100}"}, f"c{rng.integers(0, 1 + i // 150)}"

    stream = pq.from_river(records)
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree", "river": naive_bayes.GaussianNB()}
    _, _, setting = checked_setting(stream.schema, ["accuracy"], ["cumulative", "sliding:50"], 70, "wrong")
    jobs = [Job(name, 0, as_learner(one), pq.Prequential(), setting, 1) for name, one in learners.items()]
    alone, again = Worker(jobs), Worker(jobs)
    for seq, chunk in enumerate(stream.chunks(80)):
        expected = told(alone.step(seq, chunk))
        assert told(again.step(seq, chunk)) == expected
        states = again.state()
        again = Worker(jobs)
        again.restore(seq + 1, states)
    assert told(again.finish()) == told(alone.finish())


def test_a_learner_that_cannot_be_pickled_says_what_and_why() -> None:
    class Odd(Last):
        def __init__(self) -> None:
            self.think = lambda x: x

    jobs = made({"odd": Odd()}, pq.Prequential())
    with pytest.raises(UnsavableError, match=r"Odd cannot be pickled \(.*[Oo]dd"):
        Worker(jobs).state()
