"""What holds of the grid and of whole evaluations, whatever the records."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.records import assert_same_trace, chunk_of, damaged, flat, random_records, sorted_trace, through_grid

from prequential.evaluation.evaluate import evaluate
from prequential.learners import KNN, SGD, MajorityClass, NaiveBayes, NoChange
from prequential.learners.native import NativeLearner
from prequential.metrics.auc import RANKS
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, ExponentialHistogram, Fading, Forgetting, Sliding
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY
from prequential.scoring.score import score
from prequential.streams import Chunk, Feature, Schema, Stream, from_arrays

FORGETTINGS: list[Forgetting] = [
    Cumulative(),
    Sliding(7),
    Sliding(40),
    Sliding(seconds=10),
    Fading(0.9),
    ExponentialHistogram(40, 0.1),
    ExponentialHistogram(seconds=50, error=0.05),
    AdaptiveWindow(0.3),
]
METRICS = [name for name, metric in REGISTRY.items() if metric.needs != "targets"]
seeds = st.integers(0, 10**6)
weightings = st.sampled_from(["none", "fractional", "outliers"])


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds, n_classes=st.integers(1, 5), weights=weightings, w=st.integers(1, 60))
def test_a_window_is_what_its_records_alone_would_give(seed: int, n_classes: int, weights: str, w: int) -> None:
    """Except for the baselines, which may look back further than the window: to the label before its first record.

    Records of weight 0 do not count, so they take no place in the window.
    """
    records = random_records(seed, 90, n_classes, weights=weights, unlabelled=0.0, abstain=0.1)
    slid = through_grid(records, [Sliding(w)], n_classes=n_classes, probabilities=True).counts
    for i in range(0, 90, 7):
        part = [r for r in records[: i + 1] if r.weight > 0][-w:]
        if not part:
            continue
        alone = through_grid(part, [Cumulative()], n_classes=n_classes, probabilities=True).counts
        np.testing.assert_allclose(slid.matrix[i, 0], alone.matrix[-1, 0], rtol=1e-12)
        np.testing.assert_allclose(slid.losses[i, 0], alone.losses[-1, 0], rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(slid.weight[i, 0], alone.weight[-1, 0], rtol=1e-12)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds, n_classes=st.integers(1, 5), weights=weightings, skip=st.booleans())
def test_alpha_one_and_an_infinite_window_are_cumulative_to_the_last_bit(
    seed: int, n_classes: int, weights: str, skip: bool
) -> None:
    records = random_records(seed, 60, n_classes, weights=weights)
    several = [Cumulative(), Sliding(math.inf), Fading(1), Sliding(60), Sliding(10**6)]
    rows = flat(through_grid(records, several, n_classes=n_classes, probabilities=True, skip=skip).counts)
    for k in (1, 2):
        np.testing.assert_array_equal(rows[:, k], rows[:, 0])
    for k in (3, 4):  # a window that never fills; sums of losses may differ in the last bit
        np.testing.assert_allclose(rows[:, k], rows[:, 0], rtol=1e-14)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds, n_classes=st.integers(2, 5), data=st.data())
def test_renaming_labels_permutes_metrics_of_a_class_and_changes_no_other(
    seed: int, n_classes: int, data: st.DataObject
) -> None:
    """κ_m is left out: a tie of the majority goes to the lowest code (convention 5), so it may see names.

    So is the average precision of two classes, which is that of the second.
    """
    order = data.draw(st.permutations(range(n_classes)))
    rng = np.random.default_rng(seed)
    y, said = rng.integers(n_classes, size=(2, 80))
    scores = rng.random((80, n_classes))
    renamed = np.empty_like(scores)
    renamed[:, order] = scores
    new = np.array(order)

    def counts(labels: np.ndarray, predictions: np.ndarray, p: np.ndarray) -> Counts:
        names = tuple(range(n_classes))
        grid = Grid(Schema.numeric(0, names), FORGETTINGS, probabilities=True, skip_abstained=False, ranks=RANKS)
        records = random_records(seed, 80, n_classes, unlabelled=0)
        chunk = chunk_of(records, Schema.numeric(0, names))
        object.__setattr__(chunk, "y", labels)
        grid.update(chunk, p, predictions)
        return grid.checkpoint().counts

    before, after = counts(y, said, scores), counts(new[y], new[said], renamed)
    for name in METRICS:
        if name == "kappa_m" or (name == "average_precision" and n_classes == 2):
            continue
        old, fresh = REGISTRY[name](before), REGISTRY[name](after)
        if REGISTRY[name].per_class:
            fresh = fresh[..., new]
        np.testing.assert_allclose(fresh, old, rtol=1e-12, atol=1e-14, err_msg=name)


@pytest.mark.parametrize("size", [30, 250, 4000])
def test_an_abstention_leaves_a_window_of_plain_records_as_it_came(size: int) -> None:
    """Two classes, all predicted, are counted many at a time; not so as long as an abstention is in the window."""
    rng = np.random.default_rng(15)
    n, w = 4000, 300
    y, said = rng.integers(2, size=n), rng.integers(2, size=n)
    scores = np.eye(2)[said] * 0.6 + 0.2
    nothing = rng.choice(n // size * size, size=12, replace=False)
    scores[nothing] = 0
    said[nothing] = 2
    schema = Schema.numeric(0, (0, 1))
    grid = Grid(schema, [Sliding(w), AdaptiveWindow(1e-9), Cumulative()], probabilities=False, skip_abstained=False)
    for start in range(0, n, size):
        part = slice(start, min(n, start + size))
        grid.update(Chunk(schema, start, np.empty((part.stop - start, 0)), y[part]), scores[part])
        for k, first in enumerate((max(0, part.stop - w), 0, 0)):
            expected = np.zeros((2, 3))
            np.add.at(expected, (y[first : part.stop], said[first : part.stop]), 1)
            np.testing.assert_array_equal(grid.checkpoint().counts.matrix[0, k], expected, err_msg=f"{k}, {start}")


# --- chunks ---------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=seeds,
    n_classes=st.integers(1, 5),
    weights=weightings,
    scores=st.booleans(),
    cuts=st.lists(st.integers(1, 119), max_size=8),
    every=st.integers(1, 50),
)
def test_cuts_into_chunks_change_no_bit(
    seed: int, n_classes: int, weights: str, scores: bool, cuts: list[int], every: int
) -> None:
    records = random_records(seed, 120, n_classes, weights=weights, scores=scores)
    options: dict[str, Any] = {"n_classes": n_classes, "probabilities": scores, "every": every, "ranks": RANKS}
    whole = through_grid(records, FORGETTINGS, **options)
    cut = through_grid(records, FORGETTINGS, cuts=cuts, **options)
    np.testing.assert_array_equal(flat(cut.counts), flat(whole.counts))
    for field in ("n", "time", "n_unlabelled", "n_abstained", "n_nonfinite"):
        np.testing.assert_array_equal(getattr(cut, field), getattr(whole, field))


def test_weights_that_start_late_do_not_let_chunks_matter() -> None:
    """Until the first weight other than 1 whole numbers are counted, afterwards sums are compensated."""
    rng = np.random.default_rng(3)
    records = random_records(3, 3000, 2, unlabelled=0, abstain=0)
    odd = rng.choice([1.0, 0.1, 0.7], size=3000)
    records = [
        type(r)(r.label, None, r.scores, 1.0 if i < 1234 else float(odd[i]), r.time) for i, r in enumerate(records)
    ]
    options: dict[str, Any] = {"n_classes": 2, "every": 10, "ranks": RANKS}
    whole = through_grid(records, FORGETTINGS, **options)
    for cuts in ([1000, 2000], list(range(7, 3000, 7)), [1234]):
        np.testing.assert_array_equal(
            flat(through_grid(records, FORGETTINGS, cuts=cuts, **options).counts), flat(whole.counts)
        )


class Frequent:
    """A plain Python learner: the most frequent label so far."""

    def __init__(self) -> None:
        self.seen: Counter[object] = Counter()

    def predict_one(self, x: dict[str, object]) -> object:
        return max(self.seen, key=lambda c: (self.seen[c], str(c)), default=None)

    def learn_one(self, x: dict[str, object], y: object) -> None:
        self.seen[y] += 1


def small_stream(n: int, *, weighted: bool) -> Stream:
    rng = np.random.default_rng(8)
    y = rng.integers(3, size=n)
    X = np.column_stack([rng.normal(y, 1.0), rng.integers(4, size=n), rng.normal(size=n)])
    X[rng.random(n) < 0.05, 0] = np.nan
    labels = y.astype(object)
    labels[rng.random(n) < 0.05] = None
    return from_arrays(
        X,
        labels,
        nominal={1: ("a", "b", "c", "d")},
        weight=rng.choice([0.5, 1.0, 2.0], size=n) if weighted else None,
        time=np.cumsum(rng.integers(3, size=n)).astype(float),
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("every", "n"), [(100, 2345), (1, 150)])
def test_chunk_sizes_do_not_change_a_trace(weighted: bool, every: int, n: int) -> None:
    learners: dict[str, object] = {"bayes": NaiveBayes(), "majority": MajorityClass(window_size=50), "last": NoChange()}
    learners |= {"sgd": SGD(), "knn": KNN(n_neighbors=5, window_size=60)}
    if not weighted:
        learners["python"] = Frequent()
    stream = small_stream(n, weighted=weighted)
    forgetting = ["cumulative", "sliding:100", "sliding:60s", "fading:0.99", "adaptive:0.3"]
    forgetting += ["histogram:300:0.05", "histogram:90s:0.1"]
    traces = [
        evaluate(stream, learners, metrics=METRICS, forgetting=forgetting, every=every, chunk_size=size).to_arrow()
        for size in (100_000, 1, 7, 1000)
    ]
    assert not np.isnan(traces[0]["value"].to_numpy()).all()
    for trace in traces[1:]:
        assert_same_trace(sorted_trace(trace), sorted_trace(traces[0]))


def test_chunk_sizes_do_not_change_the_score_of_predictions_made_elsewhere() -> None:
    rng = np.random.default_rng(9)
    y, said = rng.integers(3, size=(2, 2500))
    traces = [
        score(y, said, metrics=["accuracy", "kappa_m", "recall"], forgetting=["sliding:333"], every=77, chunk_size=size)
        for size in (1, 7, 1000, 100_000)
    ]
    for trace in traces[1:]:
        assert_same_trace(trace.to_arrow(), traces[0].to_arrow())


# --- bytes ----------------------------------------------------------------------------------------------


def new_grid(n_classes: int = 4) -> Grid:
    schema = Schema.numeric(0, tuple(range(n_classes)))
    return Grid(schema, FORGETTINGS, probabilities=True, skip_abstained=False, ranks=RANKS)


@pytest.mark.parametrize("weights", ["none", "fractional", "outliers"])
@pytest.mark.parametrize("at", [0, 1, 33, 120])
def test_a_grid_restored_in_the_middle_continues_as_if_nothing_had_happened(weights: str, at: int) -> None:
    records = random_records(at, 200, 4, weights=weights)
    schema = Schema.numeric(0, tuple(range(4)))
    scores = np.array([r.scores for r in records])
    one, other = new_grid(), new_grid()
    one.update(chunk_of(records[:at], schema), scores[:at])
    other.load_bytes(one.to_bytes())
    assert other.to_bytes() == one.to_bytes()
    assert other.n_seen == at
    rest = chunk_of(records[at:], schema, at)
    expected, found = (g.update(rest, scores[at:], every=1) for g in (one, other))
    np.testing.assert_array_equal(flat(found[0].counts), flat(expected[0].counts))


def test_a_grid_of_late_classes_is_restored_into_one_that_knows_fewer() -> None:
    records = random_records(5, 100, 4)
    schema = Schema.numeric(0, tuple(range(4)))
    scores = np.array([r.scores for r in records])
    one, other = new_grid(2), new_grid(2)
    one.update(chunk_of(records[:50], schema), scores[:50])
    other.load_bytes(one.to_bytes())
    rest = chunk_of(records[50:], schema, 50)
    expected, found = (g.update(rest, scores[50:], every=1) for g in (one, other))
    np.testing.assert_array_equal(flat(found[0].counts), flat(expected[0].counts))


SCHEMA = Schema((Feature("a"), Feature("b", ("u", "v", "w")), Feature("c")), (0, 1, 2))
NATIVE: dict[str, NativeLearner] = {
    "majority": MajorityClass(),
    "majority-10": MajorityClass(window_size=10),
    "no-change": NoChange(),
    "bayes": NaiveBayes(),
    "sgd": SGD(l2=0.01),
    "sgd-hinge": SGD(loss="hinge"),
    "knn": KNN(n_neighbors=3, window_size=100),
}


def learner_records(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(10)
    y = rng.integers(3, size=n)
    X = np.column_stack([rng.normal(y), rng.integers(3, size=n), rng.normal(size=n)])
    return X, y, rng.choice([0.5, 1.0, 1.5], size=n)


@pytest.mark.parametrize("at", [0, 1, 5, 150])
@pytest.mark.parametrize("name", NATIVE)
def test_a_learner_restored_in_the_middle_continues_as_if_nothing_had_happened(name: str, at: int) -> None:
    X, y, w = learner_records(300)
    one, other = (NATIVE[name].fresh(SCHEMA, 1) for _ in range(2))
    one.learn(X[:at], y[:at], w[:at])
    other.load_bytes(one.to_bytes())
    expected, found = (g.test_then_train(X[at:], y[at:], w[at:]) for g in (one, other))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", NATIVE)
def test_equal_learners_have_equal_bytes(name: str) -> None:
    X, y, w = learner_records(100)
    states = set()
    for _ in range(5):
        learner = NATIVE[name].fresh(SCHEMA, 1)
        learner.learn(X, y, w)
        states.add(learner.to_bytes())
    assert len(states) == 1


@pytest.mark.parametrize("weights", ["none", "fractional"])
def test_damaged_bytes_of_a_grid_are_refused_and_leave_it_as_it_was(weights: str) -> None:
    rng = np.random.default_rng(11)
    records = random_records(11, 100, 4, weights=weights)
    schema = Schema.numeric(0, tuple(range(4)))
    scores = np.array([r.scores for r in records])
    source, target = new_grid(), new_grid()
    source.update(chunk_of(records, schema), scores)
    target.update(chunk_of(records[:30], schema), scores[:30])
    before = target.to_bytes()
    for bad in damaged(source.to_bytes(), rng):
        with pytest.raises(ValueError, match=r"state|bytes"):
            target.load_bytes(bad)
    assert target.to_bytes() == before
    target.update(chunk_of(records[30:], schema, 30), scores[30:])
    np.testing.assert_array_equal(flat(target.checkpoint().counts), flat(source.checkpoint().counts))


@pytest.mark.parametrize("name", NATIVE)
def test_damaged_bytes_of_a_learner_are_refused_and_leave_it_as_it_was(name: str) -> None:
    rng = np.random.default_rng(12)
    X, y, w = learner_records(60)
    learner = NATIVE[name].fresh(SCHEMA, 1)
    learner.learn(X, y, w)
    before = learner.scores(X)
    for bad in damaged(learner.to_bytes(), rng):
        with pytest.raises(ValueError, match=r"state|bytes"):
            learner.load_bytes(bad)
    np.testing.assert_array_equal(learner.scores(X), before)


def test_the_state_of_something_else_is_refused_and_named() -> None:
    bayes, last = (NATIVE[k].fresh(SCHEMA, 1) for k in ("bayes", "no-change"))
    with pytest.raises(ValueError, match="state of a no_change, not of a naive_bayes"):
        bayes.load_bytes(last.to_bytes())
    grid = new_grid()
    for other in (
        [Cumulative()],
        [*FORGETTINGS[:4], Fading(0.8), *FORGETTINGS[5:]],
        [Cumulative(), Sliding(8), *FORGETTINGS[2:]],
        [*FORGETTINGS[:6], ExponentialHistogram(seconds=50, error=0.06), AdaptiveWindow(0.3)],
        [*FORGETTINGS[:7], AdaptiveWindow(0.2)],
    ):
        narrow = Grid(Schema.numeric(0, (0, 1)), other, probabilities=True, skip_abstained=False, ranks=RANKS)
        with pytest.raises(ValueError, match=r"state"):
            grid.load_bytes(narrow.to_bytes())
    plain = Schema.numeric(3, (0, 1, 2))
    with pytest.raises(ValueError, match="other features"):
        NaiveBayes().fresh(plain, 1).load_bytes(bayes.to_bytes())


# --- drift of sums --------------------------------------------------------------------------------------


def test_sums_over_a_window_do_not_drift() -> None:
    """Ten million losses across twelve magnitudes through a window of 1000: nothing is lost or left behind.

    10⁷ records stand for 10⁸: no loss is ever subtracted and every sum is computed again within two windows' length, so
    the error cannot grow with the number of records; it is the same after 10⁵, 10⁶ and 10⁷ of them.
    """
    w, size = 1000, 250_000
    schema = Schema.numeric(0, None, target="target")
    grid = Grid(schema, [Sliding(w)], probabilities=False, skip_abstained=False)
    rng = np.random.default_rng(13)
    worst: dict[int, float] = {}
    nothing = np.empty((size, 0))
    for start in range(0, 10**7, size):
        target = rng.normal(size=size)
        said = target + rng.normal(size=size) * 10.0 ** rng.uniform(-6, 6, size=size)
        for first, last in [(0, 100_000), (100_000, size)] if start == 0 else [(0, size)]:
            part = slice(first, last)
            grid.update(Chunk(schema, start + first, nothing[part], target[part]), said[part, np.newaxis].copy())
            n = start + last
            if n in (10**5, 10**6, 10**7):
                errors = np.abs(said - target)[last - w : last]
                losses = grid.checkpoint().counts.losses[0, 0]
                exact = [math.fsum(errors), math.fsum(errors**2)]
                worst[n] = max(abs(a - b) / b for a, b in zip(losses[:2].tolist(), exact, strict=True))
    assert list(worst) == [10**5, 10**6, 10**7]
    assert max(worst.values()) < 1e-14


def test_weighted_windows_do_not_drift_either() -> None:
    """Weights from 1e-6 to 1e20 come and go; cells that are empty are exactly empty."""
    n, w = 200_000, 100
    rng = np.random.default_rng(14)
    weight = 10.0 ** rng.uniform(-6, 6, size=n)
    weight[rng.integers(n, size=200)] = 1e20
    weight[-300:] = 10.0 ** rng.uniform(-6, 6, size=300)
    y, said = rng.integers(3, size=(2, n))
    y[-150:] = 0
    run = score(y, said, weight=weight, metrics=["accuracy", "recall"], forgetting=[Sliding(w)], every=n)
    found = dict(zip(*(run.to_arrow()[k].to_pylist() for k in ("metric", "value")), strict=True))
    last = weight[-w:]
    expected = math.fsum(last[said[-w:] == 0]) / math.fsum(last)
    assert found["accuracy"] == pytest.approx(expected, rel=1e-12)
    assert found["recall[0]"] == pytest.approx(expected, rel=1e-12)
    assert math.isnan(found["recall[1]"])
    assert math.isnan(found["recall[2]"])
