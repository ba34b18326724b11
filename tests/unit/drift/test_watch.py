"""A detector beside a learner: what it is fed with, and that the size of the chunks does not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import prequential as pq
from prequential.drift import Alarm, Detector, PageHinkley, as_detector
from prequential.drift.watch import Watch
from prequential.errors import InputError
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY
from prequential.streams.chunk import Chunk, concatenate

N = 4000


def records(seed: int = 1, *, classes: int = 3, plain: bool = False) -> tuple[Chunk, np.ndarray]:
    """Labels and scores; the learner gets worse twice. Unless plain, with gaps of every kind."""
    rng = np.random.default_rng(seed)
    schema = pq.Schema.numeric(1, tuple("abcdef"[:classes]))
    y = rng.integers(classes, size=N)
    scores = rng.random((N, classes))
    good = rng.random(N) < np.repeat([0.9, 0.5, 0.8, 0.3], N // 4)
    scores[np.arange(N), y] += 2.0 * good
    time = np.cumsum(rng.random(N))
    weight = None
    if not plain:
        y[rng.random(N) < 0.05] = -1
        scores[rng.random(N) < 0.05] = 0
        scores[rng.random(N) < 0.02, 0] = np.nan
        weight = rng.choice([0.0, 1.0, 2.5], size=N, p=[0.05, 0.8, 0.15])
    return Chunk(schema, 0, np.zeros((N, 1)), y, time=time, weight=weight), scores


def alarms(detector: Detector, chunk: Chunk, scores: np.ndarray, size: int = N, **options: bool) -> list[Alarm]:
    watch = Watch(detector, chunk.schema, **options)
    return [a for i in range(0, len(chunk), size) for a in watch.step(chunk[i : i + size], scores[i : i + size])]


DETECTORS = {
    "raw": PageHinkley(threshold=10),
    "raw adwin": pq.drift.ADWIN(),
    "raw eddm": pq.drift.EDDM(),
    "accuracy of a record": PageHinkley(on="accuracy", threshold=10),
    "log-loss of a record": PageHinkley(on="log_loss", threshold=20),
    "error, fading": PageHinkley(delta=0.02, threshold=5, under=pq.Fading(0.99)),
    "error, sliding": pq.drift.DDM(under=pq.Sliding(100)),
    "kappa, sliding": PageHinkley(on="kappa", threshold=10, under=pq.Sliding(200)),
    "kappa, seconds": PageHinkley(on="kappa", threshold=10, under=pq.Sliding(seconds=100)),
    "recall of a class": PageHinkley(on="recall[b]", threshold=10, under=pq.Fading(0.99)),
    "ratio, fading": pq.drift.Ratio(short=pq.Fading(0.98), long=pq.Fading(0.998), threshold=10),
    "ratio of log-loss": pq.drift.Ratio(on="log_loss", short=pq.Sliding(50), long=pq.Sliding(800), threshold=10),
    "adwin on kappa": pq.drift.ADWIN(on="kappa_m", under=pq.Sliding(50)),
}
each = pytest.mark.parametrize("detector", DETECTORS.values(), ids=DETECTORS)


@each
@pytest.mark.parametrize("skip_abstained", [False, True])
def test_chunk_sizes_do_not_change_an_alarm(detector: Detector, skip_abstained: bool) -> None:
    chunk, scores = records()
    whole = [(a.record, a.time) for a in alarms(detector, chunk, scores, skip_abstained=skip_abstained)]
    assert whole
    for size in (1, 7, 1000):
        found = alarms(detector, chunk, scores, size, skip_abstained=skip_abstained)
        assert [(a.record, a.time) for a in found] == whole


@each
def test_a_watch_continues_from_its_bytes(detector: Detector) -> None:
    chunk, scores = records()
    first, second = (Watch(detector, chunk.schema) for _ in range(2))
    first.step(chunk[:1700], scores[:1700])
    second.load_bytes(first.to_bytes())
    assert second.to_bytes() == first.to_bytes()
    rest = [a.record for a in first.step(chunk[1700:], scores[1700:])]
    assert [a.record for a in second.step(chunk[1700:], scores[1700:])] == rest
    assert second.to_bytes() == first.to_bytes()


def test_damaged_bytes_are_refused() -> None:
    chunk, scores = records()
    watch = Watch(PageHinkley(under=pq.Fading(0.9)), chunk.schema)
    watch.step(chunk[:100], scores[:100])
    good = watch.to_bytes()
    for bad in (b"", good[:-1], good + b"x", good[:40] + bytes([good[40] ^ 1]) + good[41:]):
        with pytest.raises(ValueError, match=r"damaged|bytes"):
            watch.load_bytes(bad)
        assert watch.to_bytes() == good


def by_hand(detector: Detector, chunk: Chunk, scores: np.ndarray) -> list[int]:
    """Record by record: a fresh grid and a fresh detector after each alarm, and no reading ahead."""
    metric = REGISTRY[str(detector.on)]

    def begin() -> tuple[Grid, object]:
        return Grid(chunk.schema, detector.forgetting, probabilities=True, skip_abstained=False), detector.fresh()

    grid, state = begin()
    found = []
    for i in range(len(chunk)):
        (passed,) = grid.update(chunk[i : i + 1], scores[i : i + 1], every=1)
        if chunk.y[i] < 0 or (chunk.weight is not None and chunk.weight[i] == 0):
            continue
        value = metric(passed.counts)[:, 0]
        if len(state.update(1 - value if metric.better == "higher" else value)):  # type: ignore[attr-defined]
            found.append(i)
            grid, state = begin()
    return found


@pytest.mark.parametrize(
    "detector",
    [
        PageHinkley(delta=0.02, threshold=5, under=pq.Fading(0.99)),
        PageHinkley(on="kappa", threshold=10, under=pq.Sliding(200)),
        PageHinkley(on="log_loss", threshold=20, under=pq.Fading(0.99)),
    ],
    ids=lambda d: d.label,
)
def test_detector_and_estimate_start_again_after_an_alarm(detector: Detector) -> None:
    chunk, scores = records()
    found = [a.record for a in alarms(detector, chunk, scores)]
    assert found == by_hand(detector, chunk, scores)
    assert len(found) >= 2


def test_without_a_forgetting_it_sees_the_loss_of_each_record() -> None:
    chunk, scores = records(plain=True)
    wrong = (scores.argmax(axis=1) != chunk.y).astype(np.float64)
    for detector in (PageHinkley(threshold=10), pq.drift.ADWIN(), pq.drift.DDM(), pq.drift.EDDM()):
        assert [a.record for a in alarms(detector, chunk, scores)] == detector.detect(wrong).tolist()
    losses = [a.record for a in alarms(PageHinkley(on="accuracy", threshold=10), chunk, scores)]
    assert losses == PageHinkley(threshold=10).detect(wrong).tolist()


@pytest.mark.parametrize("skip_abstained", [False, True])
def test_the_quick_way_to_the_error_is_that_of_the_grid(skip_abstained: bool) -> None:
    """The error under a window of one record takes the general way."""
    for seed in range(5):
        chunk, scores = records(seed)
        scores[5] = [np.inf, 1, 0]
        scores[6] = [-np.inf, 1, 0]
        scores[7] = [1e308, 1e308, 0]
        slow = PageHinkley(threshold=3, under=pq.Sliding(1))
        quick = [a.record for a in alarms(PageHinkley(threshold=3), chunk, scores, skip_abstained=skip_abstained)]
        assert quick == [a.record for a in alarms(slow, chunk, scores, skip_abstained=skip_abstained)]


def test_the_ratio_of_errors_is_the_ratio_over_the_losses() -> None:
    chunk, scores = records(plain=True)
    wrong = (scores.argmax(axis=1) != chunk.y).astype(np.float64)
    for detector in (DETECTORS["ratio, fading"], pq.drift.Ratio(short="sliding:50", long="sliding:800", threshold=10)):
        assert [a.record for a in alarms(detector, chunk, scores)] == detector.detect(wrong).tolist()


def test_predictions_without_scores_are_accepted() -> None:
    chunk, scores = records(plain=True)
    said = scores.argmax(axis=1)
    said[::50] = -1
    for detector in (PageHinkley(threshold=10), PageHinkley(threshold=10, under=pq.Sliding(1))):
        watch = Watch(detector, chunk.schema)
        found = [a.record for a in watch.step(chunk, None, said)]
        wrong = (said != chunk.y).astype(np.float64)
        assert found == PageHinkley(threshold=10).detect(wrong).tolist()


def test_the_record_is_the_streams_and_the_time_too() -> None:
    chunk, scores = records(plain=True)
    later = replace(chunk, start=10_000)
    found = alarms(PageHinkley(threshold=10), later, scores)
    assert found[0].record >= 10_000
    assert found[0].time == chunk.time[found[0].record - 10_000]  # type: ignore[index]
    untimed = alarms(PageHinkley(threshold=10), replace(chunk, time=None), scores)
    assert np.isnan(untimed[0].time)


def test_a_detector_of_river_watches_any_metric() -> None:
    drift = pytest.importorskip("river.drift")
    chunk, scores = records()
    river = as_detector(drift.PageHinkley(threshold=10, mode="up"), on="kappa", under="sliding:200")
    ours = PageHinkley(on="kappa", under="sliding:200", threshold=10, convention="river")
    found = [a.record for a in alarms(river, chunk, scores)]
    assert found == [a.record for a in alarms(ours, chunk, scores)]
    assert found


def test_regression_errors_are_watched() -> None:
    rng = np.random.default_rng(1)
    target = rng.normal(size=N)
    said = target + rng.normal(size=N) * np.repeat([1.0, 4.0], N // 2)
    said[10], target[20] = np.nan, np.nan
    schema = pq.Schema.numeric(1, None)
    chunk = Chunk(schema, 0, np.zeros((N, 1)), target)
    for detector in (PageHinkley(on="mae"), PageHinkley(on="rmse", under=pq.Fading(0.99))):
        found = alarms(detector, chunk, said[:, None])
        assert N // 2 < found[0].record < N // 2 + 300
        assert [a.record for a in alarms(detector, chunk, said[:, None], 7)] == [a.record for a in found]


def test_a_metric_that_the_stream_does_not_have_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"'error' does not fit a regression stream. Metrics of a regression stream: mae"
    ):
        Watch(PageHinkley(), pq.Schema.numeric(1, None))
    with pytest.raises(InputError, match="'mae' does not fit a classification stream"):
        Watch(PageHinkley(on="mae"), pq.Schema.numeric(1, ("a", "b")))
    with pytest.raises(InputError, match=r"watches the class 'z', which does not exist. Accepted: a, b"):
        Watch(PageHinkley(on="recall[z]", under="sliding:9"), pq.Schema.numeric(1, ("a", "b")))


def test_a_metric_that_a_detector_cannot_use_is_refused() -> None:
    chunk, scores = records(plain=True)
    with pytest.raises(
        InputError, match=r"ddm:.*among the records from 0 on, the value .* Accepted: numbers from 0 to 1"
    ):
        alarms(pq.drift.DDM(on="log_loss"), chunk, scores)


def test_a_window_in_seconds_needs_a_time() -> None:
    chunk, scores = records(plain=True)
    with pytest.raises(InputError, match="has a window in seconds, but the stream has no times: name the column"):
        alarms(PageHinkley(under="sliding:60s"), replace(chunk, time=None), scores)


def test_a_class_that_appears_later_is_watched_from_then_on() -> None:
    """Records of an open schema: class c comes in the second half."""
    chunk, scores = records(plain=True)
    some = pq.Schema(chunk.schema.features, ("a", "b"), open=True)
    more = some.with_classes(("a", "b", "c"))
    early = chunk.y < 2
    first = replace(chunk, schema=some, X=chunk.X[early], y=chunk.y[early], time=None)
    second = replace(chunk, schema=more, start=len(first), time=None)
    detector = PageHinkley(on="recall[c]", threshold=10, under="sliding:100")
    watch = Watch(detector, some)
    assert watch.step(first, scores[early][:, :2]) == []
    found = watch.step(second, scores)
    assert found
    assert found[0].record >= len(first)


def test_a_negative_score_is_refused() -> None:
    chunk, scores = records(plain=True)
    scores[17, 1] = -1
    with pytest.raises(pq.LearnerError, match="is negative"):
        alarms(PageHinkley(), chunk, scores)


def test_the_alarms_on_a_stream_are_near_its_drift() -> None:
    stream = pq.streams.SEA(concept=3, seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=10_000).take(20_000)
    chunks = list(stream.chunks())
    learner = pq.learners.NaiveBayes().fresh(stream.schema, 1)
    watch = Watch(PageHinkley(delta=0.02, threshold=20, under=pq.Fading(0.995)), stream.schema)
    found = [a for c in chunks for a in watch.step(c, learner.test_then_train(c.X, c.y, c.weight))]
    assert len(concatenate(chunks)) == 20_000
    score = pq.drift.score_alarms(found, stream.drifts, 20_000, tolerance=2000)
    assert score.n_detected == 1


@each
def test_a_chunk_without_records_changes_nothing(detector: Detector) -> None:
    chunk, scores = records()
    watch = Watch(detector, chunk.schema)
    found = [*watch.step(chunk[:500], scores[:500]), *watch.step(chunk[500:500], scores[500:500])]
    found += watch.step(chunk[500:], scores[500:])
    assert [a.record for a in found] == [a.record for a in alarms(detector, chunk, scores)]


@each
def test_an_empty_chunk_changes_nothing(detector: Detector) -> None:
    chunk, scores = records()
    watch = Watch(detector, chunk.schema)
    watch.step(chunk[:500], scores[:500])
    before = watch.to_bytes()
    assert list(watch.step(chunk[500:500], scores[500:500])) == []
    assert watch.to_bytes() == before
