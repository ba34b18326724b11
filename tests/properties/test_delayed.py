"""Delayed labels: the protocol equals Algorithm 1 step by step, and what it must reduce to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.native_learners import LEARNERS, MIXED, mixed, native
from support.records import assert_same_trace, damaged, sorted_trace
from twins.delayed import Event, Twin

import prequential as pq
from prequential import _native
from prequential.learners import Learner, as_learner
from prequential.learners.contract import Clock
from prequential.learners.foreign import Foreign
from prequential.learners.native import NativeLearner
from prequential.metrics.metric import REGISTRY
from prequential.protocols.delayed import DelayedReplica
from prequential.runs.events import KINDS
from prequential.streams import Chunk, Feature, Schema, Stream
from prequential.streams.chunk import UNLABELLED

SCHEMA = Schema((Feature("a"), Feature("b"), Feature("c", ("x", "y"))), (0, 1, 2))
"""Of the nominal values only two are known beforehand."""


class Rounding(Learner):
    """A learner written in Python: how often each class has come with this value, rounded."""

    counts: dict[Any, list[float]]

    def fresh(self, schema: Schema, seed: int) -> Self:
        one = type(self)()
        one.schema, one.clock, one.counts = schema, Clock(), {}
        return one

    def scores(self, X: np.ndarray) -> np.ndarray:
        nothing = [0.0] * self.schema.n_classes
        return np.array([self.counts.get(self._key(x), nothing) for x in X])

    def learn(self, X: np.ndarray, y: np.ndarray, w: np.ndarray | None = None) -> None:
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            counts = self.counts.setdefault(self._key(x), [0.0] * self.schema.n_classes)
            counts[label] += 1.0 if w is None else w[i]

    def takes_weight(self) -> bool:
        return True

    def describe(self) -> dict[str, Any]:
        return {"learner": "rounding"}

    @staticmethod
    def _key(x: np.ndarray) -> float:
        return math.inf if math.isnan(x[0]) else round(float(x[0]))


TREE = "hoeffding_tree:grace_period=5,delta=0.2,tau=0.5"
TESTED: dict[str, Learner] = {
    name: as_learner(name)
    for name in (
        "no_change",
        "majority_class",
        "majority_class:window_size=3",
        "naive_bayes",
        f"{TREE},leaf_prediction=mc",
        f"{TREE},leaf_prediction=nba",
        f"{TREE},leaf_prediction=nb,densities=moa",
        "knn:n_neighbors=3,window_size=8",
    )
} | {"Python": Rounding()}


class Simple:
    """A learner as the twin asks it; ``silent``: what it is taken to say where it abstains."""

    def __init__(self, learner: Learner, silent: int = -1) -> None:
        self.learner, self.silent = learner, silent

    def predict(self, x: np.ndarray) -> int:
        scores = self.learner.scores(x[np.newaxis])[0]
        return int(scores.argmax()) if scores.max() > 0 else self.silent

    def learn(self, x: np.ndarray, y: int, w: float) -> None:
        self.learner.learn(x[np.newaxis], np.array([y]), None if w == 1 else np.array([w]))


@dataclass(frozen=True)
class Case:
    """Events, and the rules under which records wait."""

    events: list[Event]
    bins: int
    period: int
    horizon: float
    remember: int
    weighted: bool

    def twin(self, learner: Learner, silent: int = -1) -> Twin:
        twin = Twin(Simple(learner.fresh(SCHEMA, 1), silent), self.bins, self.period, self.horizon, self.remember)
        twin.live(self.events)
        return twin

    def room(self) -> _native.Waiting:
        return _native.Waiting(SCHEMA.n_features, self.bins, self.period, self.horizon, self.remember)

    @property
    def chunk(self) -> Chunk:
        """Labels come with other features than those that wait: nobody may look at them."""
        return Chunk(
            SCHEMA,
            0,
            np.array([e.x if e.label is None else np.full(3, np.nan) for e in self.events]).reshape(-1, 3),
            np.array([UNLABELLED if e.label is None else e.label for e in self.events], dtype=np.int64),
            np.array([e.time for e in self.events]),
            np.array([e.weight for e in self.events]) if self.weighted else None,
            np.array([e.id for e in self.events], dtype=np.int64),
        )


@st.composite
def cases(draw: st.DrawFn, *, most: int = 120) -> Case:
    """Events of every kind: new versions, ties in time, labels that miss, come twice, too early or too late."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    steps = draw(st.sampled_from([(0.0, 1.0, 2.0), (1.0,), (0.0,), (0.0, 0.25, 7.0), (-2.0, 0.0, 1.0, 3.0)]))
    disorder = draw(st.sampled_from([0.0, 0.1, 0.4]))
    weighted = draw(st.booleans())
    n_values = draw(st.sampled_from([2, 3, 40]))
    waiting: list[int] = []
    events: list[Event] = []
    time, n_ids = 0.0, 0
    for _ in range(draw(st.integers(1, most))):
        time += float(rng.choice(steps))
        arrives = rng.random() < 0.5 + 0.2 * (len(waiting) < 4) - 0.2 * (len(waiting) > 12)
        if rng.random() < disorder:
            one = int(rng.integers(n_ids + 2))  # anything may happen to it
        elif arrives and waiting and rng.random() < 0.2:
            one = int(rng.choice(waiting))
        elif arrives or not waiting:
            one, arrives = n_ids, True
            waiting.append(one)
            n_ids += 1
        else:
            one = waiting.pop(int(rng.integers(len(waiting))))
        x = np.array([*rng.normal(size=2).round(1), float(rng.integers(n_values))])
        x[rng.random(3) < 0.05] = np.nan
        label = None if arrives else int(rng.integers(3)) if np.isnan(x[0]) or rng.random() < 0.2 else int(x[0] > 0)
        weight = float(rng.choice([0.0, 0.5, 1.0, 2.0])) if weighted else 1.0
        events.append(Event(one, time, label, x, weight))
    return Case(
        events,
        bins=draw(st.sampled_from([1, 2, 3, 10])),
        period=draw(st.sampled_from([1, 2, 3])),
        horizon=draw(st.sampled_from([math.inf, 10.0, 2.0])),
        remember=draw(st.sampled_from([0, 3, 100_000])),
        weighted=weighted,
    )


def native_part(learner: Learner) -> _native.Learner:
    if isinstance(learner, NativeLearner):
        return learner.model
    return _native.python_learner(3, list(SCHEMA.cardinalities), Foreign(learner, learner))


def step(
    room: _native.Waiting, model: _native.Learner, chunk: Chunk, weight: np.ndarray | None, *, ask_all: bool = False
) -> None:
    assert chunk.id is not None
    assert chunk.time is not None
    room.step(model, chunk.X, chunk.id, chunk.time, chunk.y, weight, ask_all=ask_all)


def lived(
    case: Case, learner: Learner, cuts: list[int], *, ask_all: bool, reload: bool
) -> tuple[list[tuple[int, list[int], float]], list[tuple[str, int, int, float]], _native.Waiting]:
    """What comes out of the native room, the events handed over in pieces."""
    model, room = native_part(learner.fresh(SCHEMA, 1)), case.room()
    judged: list[tuple[int, list[int], float]] = []
    irregular: list[tuple[str, int, int, float]] = []
    edges = sorted({0, *(cut for cut in cuts if cut < len(case.events)), len(case.events)})
    for begin, end in pairwise(edges):
        part = case.chunk[begin:end]
        step(room, model, part, part.weight, ask_all=ask_all)
        taken = room.take(case.bins)
        judged += zip(taken.event.tolist(), taken.prediction.tolist(), taken.latency.tolist(), strict=True)
        names = [KINDS[k] for k in taken.kind]
        irregular += zip(names, taken.id.tolist(), taken.at.tolist(), taken.time.tolist(), strict=True)
        if reload:
            state = room.to_bytes()
            room = case.room()
            room.load_bytes(state)
            assert room.to_bytes() == state
    return judged, irregular, room


@pytest.mark.parametrize("name", TESTED)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(case=cases(), cuts=st.lists(st.integers(1, 120), max_size=4), ask_all=st.booleans(), reload=st.booleans())
def test_waiting_records_are_judged_as_algorithm_1_says(
    name: str, case: Case, cuts: list[int], ask_all: bool, reload: bool
) -> None:
    twin = case.twin(TESTED[name])
    judged, irregular, room = lived(case, TESTED[name], cuts, ask_all=ask_all, reload=reload)
    assert judged == twin.judged
    assert irregular == twin.irregular
    assert room.n_events == len(case.events)
    assert room.n_labels == twin.n_labels == len(twin.judged)
    assert room.n_versions == twin.n_versions
    assert room.n_waiting == len(twin.waiting)
    assert room.n_expired == sum(kind == "expired record" for kind, *_ in twin.irregular)
    assert room.n_records == room.n_labels + room.n_waiting + room.n_expired


class Scripted(Learner):
    """Says the class that comes next in a list; -1: it abstains."""

    says = (-1, 0, 1)
    n_learned: int

    def fresh(self, schema: Schema, seed: int) -> Self:
        one = type(self)()
        one.schema, one.clock, one.n_learned = schema, Clock(), 0
        return one

    def scores(self, X: np.ndarray) -> np.ndarray:
        said = self.says[min(self.n_learned, len(self.says) - 1)]
        return np.tile(np.arange(self.schema.n_classes) == said, (len(X), 1)).astype(float)

    def learn(self, X: np.ndarray, y: np.ndarray, w: np.ndarray | None = None) -> None:
        self.n_learned += len(X)

    def describe(self) -> dict[str, Any]:
        return {"learner": "scripted"}


@pytest.mark.parametrize(("first_class", "held"), [(False, 1.0), (True, 0.0)])
def test_silence_taken_for_the_first_class_holds_together_with_it(first_class: bool, held: float) -> None:
    """Of ten seconds it is silent for 3, says 0 for 3, and 1 for 4: with silence as 0 that is 0 for 6."""
    x = np.zeros(3)
    nobody = [Event(i, 0.0, None, x) for i in (1, 2, 3)]
    answered = [Event(1, 1.0, 0, x), Event(2, 3.0, 0, x), Event(3, 6.0, 0, x), Event(9, 10.0, 1, x)]
    case = Case([Event(9, 0.0, None, x), *nobody, *answered], 1, 1, math.inf, 10, weighted=False)
    protocol = pq.Delayed(bins=1, first_class=first_class)
    run = pq.evaluate(Events(case), {"it": Scripted()}, protocol=protocol, metrics="accuracy", forgetting="sliding:1")
    assert binned(run)[1][("sliding:1", "accuracy", 4)] == held


@pytest.mark.parametrize("time", [1.7e308, -1.7e308, math.inf, math.nan])
def test_times_whose_difference_is_no_number_are_refused(time: float) -> None:
    room = _native.Waiting(0, 100, 1, math.inf, 10)
    with pytest.raises(ValueError, match="the time of event 1 of this call is not a number from -1e300 to 1e300"):
        room.replay(np.array([0, 0], np.uint8), np.array([1, 1]), np.array([0.0, time]), np.array([0, 1]))


def test_times_as_far_apart_as_may_be_fall_into_their_bins() -> None:
    room = _native.Waiting(0, 100_000, 1, math.inf, 10)
    known, code = np.array([0, 0, 1], np.uint8), np.array([0, 1, 1])
    room.replay(known, np.array([1, 1, 1]), np.array([-1e300, 0.0, 1e300]), code)
    (said,) = room.take(100_000).prediction.tolist()
    assert said == [0] * 50_001 + [1] * 50_001


def test_an_event_that_brings_no_label_is_refused_as_a_label() -> None:
    room = _native.Waiting(0, 2, 1, math.inf, 10)
    with pytest.raises(ValueError, match="event 1 of this call is a label event without a label"):
        room.replay(np.array([0, 1], np.uint8), np.array([1, 1]), np.array([0.0, 1.0]), np.array([0, -1]))


def test_a_far_horizon_costs_no_memory_for_records_that_have_had_their_labels() -> None:
    rooms = [_native.Waiting(0, 2, 1, horizon, 10) for horizon in (math.inf, 1e9)]
    n = 100_000
    ids, time = np.repeat(np.arange(n), 2), np.arange(2.0 * n)
    known, code = np.tile(np.array([0, 1], np.uint8), n), np.zeros(2 * n, np.int64)
    for room in rooms:
        room.replay(known, ids, time, code)
        room.take(2)
    assert rooms[1].n_labels == n
    assert rooms[1].nbytes < rooms[0].nbytes + 50_000


class LastLabel:
    """No-change, written down."""

    last = -1

    def predict(self, x: np.ndarray) -> int:
        return self.last

    def learn(self, x: np.ndarray, y: int, w: float) -> None:
        self.last = y


@pytest.mark.parametrize("period", [1, 7])
def test_records_that_wait_for_thousands_of_labels_are_judged_as_algorithm_1_says(period: int) -> None:
    """Times of questions are kept for some thousand labels; then the records that still wait are told of them."""
    rng = np.random.default_rng(1)
    n = 6000
    delay = rng.integers(0, 8, size=n)
    delay[:3] = 1500, 4500, 5500
    due = np.concatenate([np.arange(n), np.arange(n) + delay]).astype(float)
    known = np.repeat([0, 1], n)
    order = np.lexsort((np.tile(np.arange(n), 2), known, due))
    ids, time = np.tile(np.arange(n), 2)[order], due[order]
    label = np.where(known == 1, np.tile(rng.integers(2, size=n), 2), -1)[order]
    twin = Twin(LastLabel(), 10, period)
    x = np.empty(0)
    twin.live([Event(*row, x) for row in zip(ids, time, (None if y < 0 else int(y) for y in label), strict=True)])
    room = _native.Waiting(0, 10, period, math.inf, 1000)
    model = native("no_change").fresh(Schema.numeric(0, (0, 1)), 1).model
    room.step(model, np.empty((2 * n, 0)), ids, time, label, None)
    taken = room.take(10)
    assert taken.event.tolist() == [number for number, *_ in twin.judged]
    assert taken.prediction.tolist() == [predictions for _, predictions, _ in twin.judged]
    assert (taken.latency > 4096).sum() == 2


def test_the_random_events_are_of_every_kind() -> None:
    """Otherwise the tests above would prove less than they say."""
    seen: set[str] = set()
    changes = versions = 0

    @settings(max_examples=150, deadline=None, derandomize=True, database=None)
    @given(case=cases())
    def look(case: Case) -> None:
        nonlocal changes, versions
        twin = case.twin(TESTED["no_change"])
        seen.update(kind for kind, *_ in twin.irregular)
        changes += sum(len(set(said)) > 1 for _, said, _ in twin.judged)
        versions += twin.n_versions

    look()
    assert seen == set(KINDS)
    assert changes > 100
    assert versions > 100


class Events(Stream):
    """The events of a case, as a stream."""

    events = True

    def __init__(self, case: Case) -> None:
        self.case, self.name, self.n_records = case, "events", len(case.events)

    @property
    def schema(self) -> Schema:
        return SCHEMA

    def chunks(self, size: int = 1000, start: int = 0) -> Iterator[Chunk]:
        whole = self.case.chunk
        for begin in range(start, len(whole), size):
            yield whole[begin : begin + size]


FORGETTING = ["cumulative", "sliding:7", "fading:0.9", "adaptive:0.3", "histogram:20:0.2"]
MATRIX = [name for name in pq.metrics.names("classification") if REGISTRY[name].needs == "labels"]
BinKey = tuple[str, str, int]


def binned(run: pq.Run) -> dict[int, dict[BinKey, float]]:
    """The values of a run by bin; those that are undefined are not there."""
    found: dict[int, dict[BinKey, float]] = {}
    for row in run.delays.bins().to_pylist():
        found.setdefault(row["bin"], {})[row["forgetting"], row["metric"], row["n"]] = row["value"]
    return found


def values(run: pq.Run) -> dict[BinKey, float]:
    return {(r["forgetting"], r["metric"], r["n"]): r["value"] for r in run.to_arrow().to_pylist()}


@pytest.mark.parametrize(
    "name", ["no_change", "naive_bayes", f"{TREE},leaf_prediction=nba", "knn:n_neighbors=3,window_size=8", "Python"]
)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(case=cases(), chunk_size=st.sampled_from([1, 7, 1000]), first_class=st.booleans())
def test_every_bin_is_counted_like_predictions_made_elsewhere(
    name: str, case: Case, chunk_size: int, first_class: bool
) -> None:
    twin = case.twin(TESTED[name], 0 if first_class else -1)
    weight = case.chunk.weight
    rows = [number for number, *_ in twin.judged]
    assume(rows and (weight is None or weight[rows].sum() > 0))  # otherwise every value is undefined
    protocol = pq.Delayed(
        bins=case.bins,
        psi_alpha=[1, 2, 3.5],
        reevaluate_every=case.period,
        horizon=None if case.horizon == math.inf else case.horizon,
        remember=case.remember,
        first_class=first_class,
    )
    asked: dict[str, Any] = {"metrics": ["accuracy", "kappa_m", "kappa_t", "recall"], "forgetting": FORGETTING[:3]}
    run = pq.evaluate(Events(case), {"x": TESTED[name]}, protocol=protocol, every=5, chunk_size=chunk_size, **asked)
    assert run.status == "complete"
    found = binned(run)
    assert sorted(found) == list(range(case.bins + 2))
    labels = case.chunk.y[rows]
    for b in found:
        answers = (predictions[b] for _, predictions, _ in twin.judged)
        said = [None if one < 0 else one for one in answers]
        expected = pq.score(
            labels,
            said,
            classes=(0, 1, 2),
            weight=None if weight is None else weight[rows],
            task="classification",
            every=5,
            **asked,
        )
        assert found[b] == {key: value for key, value in values(expected).items() if not math.isnan(value)}
    told = run.manifest.events
    assert told is not None
    assert told["n_labels"] == len(twin.judged)
    assert sum(told["irregular"].values()) == len(twin.irregular) == run.delays.irregular().num_rows
    assert run.delays.irregular()["kind"].to_pylist() == [kind for kind, *_ in twin.irregular]
    assert run.delays.irregular()["id"].to_pylist() == [str(one) for _, one, *_ in twin.irregular]


@pytest.fixture(scope="module")
def stream() -> Stream:
    X, y = mixed(1500, unlabelled=0)
    return pq.from_table(
        pa.table(
            {f"x{j}": pa.array(X[:, j], from_pandas=True) for j in (0, 2, 4)}
            | {
                f"x{j}": pa.array([None if np.isnan(v) else f"v{v:g}" for v in X[:, j]]).dictionary_encode()
                for j in (1, 3)
            }
            | {"class": pa.array([f"c{label}" for label in y]), "when": np.arange(1500) // 3 * 0.5}
        ),
        target="class",
        time="when",
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(case=cases(), chunk_size=st.sampled_from([1, 7, 1000]), skip=st.booleans())
def test_pairs_are_those_of_algorithm_1(case: Case, chunk_size: int, skip: bool) -> None:
    """Two learners, each judged by the plain program; their answers are compared label by label."""
    names = ("naive_bayes", "no_change")
    twins = [case.twin(TESTED[name]).judged for name in names]
    assume(twins[0])
    protocol = pq.Delayed(
        bins=case.bins,
        reevaluate_every=case.period,
        horizon=None if case.horizon == math.inf else case.horizon,
        remember=case.remember,
    )
    run = pq.evaluate(
        Events(case),
        list(names),
        protocol=protocol,
        metrics="accuracy",
        forgetting="cumulative",
        every=3,
        chunk_size=chunk_size,
        abstain="skip" if skip else "wrong",
    )
    for stage, at in (("initial", 0), ("final", -1)):
        cells = dict.fromkeys(["n_both_right", "n_a_right", "n_b_right", "n_both_wrong"], 0.0)
        expected = []
        for n, ((event, of_a, _), (_, of_b, _)) in enumerate(zip(*twins, strict=True), start=1):
            label, weight, said = case.events[event].label, case.events[event].weight, (of_a[at], of_b[at])
            right = [one == label for one in said]
            name = {(1, 1): "n_both_right", (1, 0): "n_a_right", (0, 1): "n_b_right", (0, 0): "n_both_wrong"}
            if not (skip and -1 in said):
                cells[name[int(right[0]), int(right[1])]] += weight
            if n % 3 == 0 or n == len(twins[0]):
                expected.append({"n": n, **cells})
        rows = [row for row in run.directory.pairs().to_pylist() if row["stage"] == stage]
        assert [{key: row[key] for key in expected[0]} for row in rows] == expected


@pytest.mark.parametrize("alpha", [1, 2, 10])
@settings(max_examples=10, deadline=None, derandomize=True)
@given(case=cases())
def test_psi_is_the_prioritised_mean_of_the_bins_as_the_paper_writes_it(alpha: int, case: Case) -> None:
    """Ψ_α = Σ Λ(b) (1/α)^(b/B) / Σ (1/α)^(b/B) over bins 0 to B; with α = 1 their plain mean."""
    assume(case.twin(TESTED["no_change"]).judged)
    protocol = pq.Delayed(bins=case.bins, psi_alpha=alpha, reevaluate_every=case.period)
    asked: dict[str, Any] = {"metrics": ["accuracy", "kappa"], "forgetting": FORGETTING[:3], "every": 5}
    run = pq.evaluate(Events(case), "naive_bayes", protocol=protocol, **asked)
    bins, reported = binned(run), values(run)
    for forgetting, metric, n in bins.get(0, {}):
        curve = [bins[b].get((forgetting, metric, n), math.nan) for b in range(case.bins + 2)]
        weights = [(1 / alpha) ** (b / case.bins) for b in range(case.bins + 1)]
        psi = math.fsum(v * w for v, w in zip(curve, weights, strict=False)) / math.fsum(weights)
        found = [reported[forgetting, f"{metric}_{stage}", n] for stage in ("initial", f"psi_{alpha}", "final")]
        np.testing.assert_allclose(found, [curve[0], psi, curve[-1]], rtol=1e-12, atol=1e-12)
        if alpha == 1:
            assert found[1] == pytest.approx(np.mean(curve[:-1]), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("clock", ["records", "time"])
@pytest.mark.parametrize("first", ["records", "labels"])
@pytest.mark.parametrize("bins", [1, 10])
def test_without_delay_it_is_plain_prequential(
    stream: Stream, clock: Literal["records", "time"], first: Literal["records", "labels"], bins: int
) -> None:
    """Every metric under every forgetting, initial, prioritised and final, trace for trace."""
    learners = [
        "naive_bayes",
        f"{TREE},leaf_prediction=nba",
        "knn:n_neighbors=5,window_size=100",
        "no_change",
        "majority_class",
    ]
    asked: dict[str, Any] = {"metrics": MATRIX, "forgetting": FORGETTING, "every": 100}
    plain = pq.evaluate(stream, learners, **asked).to_arrow().to_pandas()
    events = stream.delayed(0, clock=clock, first=first)
    late = (
        pq.evaluate(events, learners, protocol=pq.Delayed(bins=bins, psi_alpha=[1, 2]), **asked).to_arrow().to_pandas()
    )
    plain = plain[~plain["metric"].isin(["width", "alarms"])]  # of the windows themselves
    assert set(plain["metric"].str.partition("[")[0]) == set(MATRIX)
    keys = ["learner", "forgetting", "n", "metric"]
    found = late.astype({"metric": str}).set_index(keys)
    stages = ["initial", "psi_1", "psi_2", "final"]
    assert len(late) == len(stages) * len(plain)
    for stage in stages:
        words = plain["metric"].astype(str).str.partition("[")
        expected = plain.assign(metric=words[0] + f"_{stage}" + words[1] + words[2]).set_index(keys)
        ours = found.loc[expected.index]
        rounding = 1e-12 if stage.startswith("psi") else 0.0
        np.testing.assert_allclose(ours["value"], expected["value"], rtol=0, atol=rounding)
        if clock == "time":
            np.testing.assert_array_equal(ours["time"], expected["time"])


@pytest.mark.parametrize("delay", [0, 3, 100])
def test_chunks_of_any_size_give_the_same_trace(stream: Stream, delay: int) -> None:
    learners = {
        "tree": as_learner(f"{TREE},leaf_prediction=nb"),
        "knn": as_learner("knn:n_neighbors=5,window_size=100"),
        "python": Rounding(),
    }
    table: dict[int, tuple[pa.Table, pa.Table]] = {}
    part = stream.take(400)
    for size in (1, 7, 1000):
        run = pq.evaluate(
            part.delayed(delay), learners, protocol=pq.Delayed(bins=5, reevaluate_every=3), every=30, chunk_size=size
        )
        table[size] = sorted_trace(run.to_arrow()), sorted_trace(run.delays.bins(), "bin")
    assert table[1][0].num_rows > 100
    for size in (7, 1000):
        for found, expected in zip(table[size], table[1], strict=True):
            assert_same_trace(found, expected)


SELECTIVE = [
    "no_change",
    "majority_class",
    "majority_class:window_size=20",
    "naive_bayes",
    *(f"{TREE},leaf_prediction={leaf}" for leaf in ("mc", "nb", "nba")),
    "hoeffding_tree:grace_period=10,delta=0.2,tau=0.5,leaf_prediction=nba,max_bytes=10000",
    "hoeffding_tree:grace_period=10,delta=0.2,tau=0.5,leaf_prediction=nb,max_features=2,max_bytes=20000",
    "hoeffding_tree:grace_period=20,tau=0.5,binary_split=true",
    "hoeffding_tree:grace_period=20,tau=0.5,leaf_prediction=nb,densities=moa",
    "hoeffding_tree:grace_period=1000000,leaf_prediction=nb",
    "hoeffding_tree:grace_period=1000000,leaf_prediction=nba,max_features=1",
    "knn:n_neighbors=3,window_size=1000",
    "knn:n_neighbors=10,window_size=50",
    "knn:n_neighbors=20,window_size=20",
    "knn:n_neighbors=1,window_size=1",
    "hoeffding_adaptive_tree:grace_period=20,tau=0.5",
    "online_bagging",
    "adaptive_random_forest",
    "leveraging_bagging",
    "drift_reset",
    "sgd",
]


def room_of(learner: NativeLearner, chunk: Chunk, *, ask_all: bool, period: int, weight: np.ndarray | None) -> Any:
    room = _native.Waiting(chunk.X.shape[1], 10, period, math.inf, 1000)
    step(room, learner.model, chunk, weight, ask_all=ask_all)
    return room.take(10).prediction, room.n_asked


def delayed_events(seed: int, n: int, delay: int, *, missing: float, unseen: bool) -> Chunk:
    """Records of mixed features whose labels come late; with ``unseen``, of nominal values that nobody has declared."""
    X, y = mixed(n, seed, missing=missing)
    if unseen:
        X[n // 3 :, 3] = np.random.default_rng(seed).integers(20, size=n - n // 3)
    source = pq.from_arrays(X, np.where(y < 0, np.nan, y), classes=(0, 1, 2))
    (chunk,) = source.delayed(delay).chunks(10**6)
    return Chunk(MIXED, 0, chunk.X, chunk.y, chunk.time, None, chunk.id)


@pytest.mark.parametrize("name", SELECTIVE)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    delay=st.sampled_from([1, 10, 100]),
    period=st.sampled_from([1, 3]),
    missing=st.sampled_from([0.0, 0.02, 0.3]),
    unseen=st.booleans(),
    weighted=st.booleans(),
)
def test_asking_only_where_the_answer_may_have_changed_gives_what_asking_all_gives(
    name: str, seed: int, delay: int, period: int, missing: float, unseen: bool, weighted: bool
) -> None:
    chunk = delayed_events(seed, 600, delay, missing=missing, unseen=unseen)
    weight = np.random.default_rng(seed).choice([0.0, 0.5, 1.0, 3.0], size=len(chunk)) if weighted else None
    learner = LEARNERS.get(name) or native(name)
    found, expected = (
        room_of(learner.fresh(MIXED, 1), chunk, ask_all=ask_all, period=period, weight=weight)
        for ask_all in (False, True)
    )
    np.testing.assert_array_equal(found[0], expected[0])
    assert found[1] == expected[1]
    assert len(found[0]) > 500


def odd_events(seed: int, n: int, delay: int) -> Chunk:
    """Records whose classes come close or tie: few values, the same in both classes, some of them enormous or tiny."""
    rng = np.random.default_rng(seed)
    X = rng.choice([0.0, 1.0, -1.0, 1.0, np.nan], size=(n, 4)) * rng.permutation([1.0, 1e-75, 1e-160, 1e40])
    source = pq.from_arrays(X, rng.integers(4, size=n), classes=(0, 1, 2, 3))
    (chunk,) = source.delayed(delay).chunks(10**6)
    return chunk


@pytest.mark.parametrize(
    "name", ["naive_bayes", f"{TREE},leaf_prediction=nb", "hoeffding_tree", "hoeffding_tree:densities=moa"]
)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), delay=st.sampled_from([3, 50]), period=st.sampled_from([1, 2]))
def test_ties_and_odd_numbers_are_answered_as_when_all_are_asked(name: str, seed: int, delay: int, period: int) -> None:
    chunk = odd_events(seed, 250, delay)
    found, expected = (
        room_of(native(name).fresh(chunk.schema, 1), chunk, ask_all=ask_all, period=period, weight=None)
        for ask_all in (False, True)
    )
    np.testing.assert_array_equal(found[0], expected[0])
    assert len(found[0]) == 250


def test_a_learner_that_replaces_another_is_asked_again() -> None:
    """Nothing that waits rests on the learner of before."""
    chunk = delayed_events(1, 300, 50, missing=0.02, unseen=False)
    cut = len(chunk) // 2
    for name in ("naive_bayes", f"{TREE},leaf_prediction=nb"):
        said = []
        for ask_all in (False, True):
            learner = native(name).fresh(MIXED, 1)
            early = native(name).fresh(MIXED, 1)
            early.learn(chunk.X[:20], np.arange(20) % 3)
            room = _native.Waiting(5, 10, 1, math.inf, 1000)
            for part in (chunk[:cut], chunk[cut:]):
                step(room, learner.model, part, None, ask_all=ask_all)
                learner.load_bytes(early.to_bytes())
            said.append(room.take(10).prediction)
        np.testing.assert_array_equal(said[0], said[1])


def test_the_trees_above_do_split_and_lose_leaves() -> None:
    """Otherwise the test above would prove less than it says."""
    chunk = delayed_events(1, 600, 100, missing=0.02, unseen=True)
    facts = {}
    for name in SELECTIVE:
        if name.startswith("hoeffding_tree"):
            learner = native(name).fresh(MIXED, 1)
            room_of(learner, chunk, ask_all=False, period=1, weight=None)
            facts[name] = learner.facts
    assert all((told["n_leaves"] > 2) == ("grace_period=1000000" not in name) for name, told in facts.items())
    bounded = [told for name, told in facts.items() if "max_bytes" in name]
    assert any(0 < told["n_active_leaves"] < told["n_leaves"] for told in bounded)


def test_a_whole_evaluation_is_the_same_when_all_are_asked(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"protocol": pq.Delayed(bins=20), "every": 100, "forgetting": ["cumulative", "sliding:50"]}
    learners = [f"{TREE},leaf_prediction=nba", "knn:n_neighbors=5,window_size=100", "majority_class"]
    tables = []
    for ask_all in (False, True):
        monkeypatch.setattr(DelayedReplica, "ask_all", ask_all)
        tables.append(sorted_trace(pq.evaluate(stream.delayed(50), learners, **asked).delays.bins(), "bin"))
    assert_same_trace(tables[0], tables[1])


def test_damaged_bytes_of_waiting_records_are_refused_and_change_nothing() -> None:
    chunk = delayed_events(3, 200, 50, missing=0.0, unseen=False)[:250]
    learner = native("naive_bayes").fresh(MIXED, 1)
    room = _native.Waiting(5, 10, 1, math.inf, 1000)
    step(room, learner.model, chunk, None)
    room.take(10)
    state = room.to_bytes()
    for broken in damaged(state, np.random.default_rng(1)):
        with pytest.raises(ValueError, match=r"damaged state|state of|bytes"):
            room.load_bytes(broken)
        assert room.to_bytes() == state


RULES: dict[str, Any] = {
    "n_features": 5,
    "bins": 10,
    "period": 1,
    "horizon": 50.0,
    "remember": 1000,
    "first_class": False,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_features", 4), ("bins", 11), ("period", 2), ("horizon", 51.0), ("remember", 10), ("first_class", True)],
)
def test_bytes_of_waiting_records_are_refused_under_other_rules(name: str, value: Any) -> None:
    state = _native.Waiting(**RULES).to_bytes()
    _native.Waiting(**RULES).load_bytes(state)
    with pytest.raises(ValueError, match="other rules"):
        _native.Waiting(**(RULES | {name: value})).load_bytes(state)
