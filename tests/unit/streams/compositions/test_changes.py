"""Drifts between streams: the sources of records, the width, warnings and errors."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift, DriftBeyondEndWarning
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream

SEA = pq.streams.SEA


def marked(leaf: int, n: int | None = None) -> Stream:
    """Return a stream whose records contain their leaf and their index."""
    return Marked(leaf) if n is None else Marked(leaf).take(n)


class Marked(Stream):
    endless = True
    schema = Schema.numeric(2, ("a", "b"))

    def __init__(self, leaf: int) -> None:
        self.leaf, self.name, self.n_made = leaf, f"leaf{leaf}", 0

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[Chunk]:
        while True:
            i = np.arange(start, start + size)
            self.n_made += size
            yield Chunk(self.schema, start, np.column_stack([np.full(size, float(self.leaf)), i]), i % 2)
            start += size


def leaves(stream: Stream, n: int) -> list[int]:
    found: list[int] = []
    for chunk in stream.chunks(100):
        found += chunk.X[:, 0].astype(int).tolist()
        if len(found) >= n:
            break
    return found[:n]


def test_a_gradual_change_is_the_sigmoid_of_moa() -> None:
    shares = np.zeros(400)
    for seed in range(400):
        shares += np.array(leaves(marked(0).drift_to(marked(1), at=200, width=100, seed=seed), 400)) / 400
    expected = 1 / (1 + np.exp(-4 * (np.arange(400) - 200) / 100))
    assert (np.abs(shares - expected) < 5 * np.sqrt(expected * (1 - expected) / 400) + 1e-9).all()


def test_an_incremental_change_passes_through_the_concepts_in_equal_steps() -> None:
    stream = marked(0).drift_through(marked(1), marked(2), marked(3), at=50, width=20)
    assert leaves(stream, 80) == [0] * 40 + [1] * 10 + [2] * 10 + [3] * 20
    assert stream.drifts == (Drift(50, 20),)
    odd = marked(0).drift_through(marked(1), marked(2), marked(3), at=2, width=5, real=False)
    assert leaves(odd, 8) == [1, 1, 2, 2, 2, 3, 3, 3]
    assert odd.drifts == (Drift(2, 5, real=False),)


def test_recurring_streams_take_turns_and_continue() -> None:
    stream = marked(0).recurring(marked(1), marked(2), every=5)
    assert leaves(stream, 22) == [0] * 5 + [1] * 5 + [2] * 5 + [0] * 5 + [1] * 2
    X = next(stream.chunks(30)).X
    assert X[X[:, 0] == 0, 1].tolist() == list(range(10))


def test_recurring_streams_may_change_gradually() -> None:
    shares = np.zeros(300)
    for seed in range(400):
        shares += np.array(leaves(marked(0).recurring(marked(1), every=100, width=50, seed=seed), 300)) / 400
    i = np.arange(300)
    up, down = 1 / (1 + np.exp(-4 * (i - 100) / 50)), 1 / (1 + np.exp(-4 * (i - 200) / 50))
    expected = np.where(i < 150, up, np.where(i < 250, 1 - down, 1 / (1 + np.exp(-4 * (i - 300) / 50))))
    assert (np.abs(shares - expected) < 5 * np.sqrt(expected * (1 - expected) / 400) + 1e-9).all()


def test_a_blip_is_a_few_records_and_temporary() -> None:
    stream = marked(0).blip(marked(1), at=5, width=3)
    assert leaves(stream, 12) == [0] * 5 + [1] * 3 + [0] * 4
    X = next(stream.chunks(12)).X
    assert X[8].tolist() == [0, 5], "it continues after its last record"
    assert stream.drifts == (Drift(6, 3, temporary=True),)
    assert (stream.drifts[0].begin, stream.drifts[0].end) == (5, 8)


def blips(stream: Stream) -> list[tuple[int, int]]:
    return [(drift.begin, drift.end) for drift in stream.drifts if drift.temporary]


def test_the_drifts_of_a_part_are_sorted_also_where_a_cut_moves_the_middle_of_a_blip() -> None:
    stream = marked(0, 50).blip(marked(1), at=1, width=9).recurring(marked(2, 50), every=5).take(20)
    assert [(d.at, d.temporary) for d in stream.drifts] == [(5, False), (8, True), (10, False), (15, False)]
    assert [(d.at, d.temporary) for d in stream.skip(6).drifts] == [(4, False), (4, True), (9, False)]
    assert [(d.at, d.temporary) for d in stream.skip(7).drifts] == [(3, False), (4, True), (8, False)]


def test_a_blip_is_cut_like_the_records_of_the_stream_also_between_its_own_records() -> None:
    # Records 6, 7 and 12 to 15 are those of the blip, 8 to 11 are records of the first stream in between.
    stream = marked(0, 50).recurring(marked(1, 50).blip(marked(2), at=2, width=6), every=4).take(30)
    assert np.flatnonzero(np.array(leaves(stream, 30)) == 2).tolist() == [6, 7, 12, 13, 14, 15]
    assert blips(stream) == [(6, 16)]
    assert blips(stream.skip(9)) == [(0, 7)]
    assert blips(stream.take(10)) == [(6, 10)]
    assert blips(stream.skip(9).take(2)) == [(0, 2)]
    assert [(d.begin, d.end) for d in stream.drifts_before(10) if d.temporary] == [(6, 10)]


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 10])
def test_a_drift_within_a_blip_is_cut_like_the_blip(n: int) -> None:
    stream = marked(0, 9).blip(marked(1).drift_through(marked(2), marked(3), at=2, width=4), at=4, width=5)
    assert blips(stream) == [(4, 8), (4, 9)]
    assert blips(stream.take(n)) == sorted({(4, min(8, n)), (4, min(9, n))})


def test_interleaved_streams_have_their_shares() -> None:
    stream = marked(0).interleave(marked(1), marked(2), shares=[6, 3, 1], seed=4)
    counts = np.bincount(leaves(stream, 50_000), minlength=3)
    for found, share in zip(counts, (0.6, 0.3, 0.1), strict=True):
        assert abs(found - 50_000 * share) < 5 * math.sqrt(50_000 * share * (1 - share))
    for k in range(3):
        X = next(stream.chunks(1000)).X
        at = X[X[:, 0] == k, 1]
        assert at.tolist() == list(range(len(at))), "no record is lost or repeated"


@pytest.mark.parametrize(
    ("stream", "n"),
    [
        (lambda: marked(0, 100).drift_to(marked(1, 50), at=30), 80),
        (lambda: marked(0).drift_to(marked(1, 50), at=30), 80),
        (lambda: marked(0, 100).drift_to(marked(1), at=30), None),
        (lambda: marked(0, 100).drift_through(marked(1), marked(2, 7), at=50, width=10), 62),
        (lambda: marked(0, 100).drift_through(marked(1, 8), marked(2, 7), at=50, width=10), 53),
        (lambda: marked(0, 10).recurring(marked(1), every=4), 18),
        (lambda: marked(0, 100).blip(marked(1), at=30, width=10), 110),
        (lambda: marked(0, 100).blip(marked(1, 3), at=30, width=10), 33),
        (lambda: marked(0, 100).followed_by(marked(1, 20)), 120),
        (lambda: marked(0, 100).followed_by(marked(1)), None),
        (lambda: marked(0, 100).repeat(3), 300),
        (lambda: marked(0, 100).repeat(0), 0),
        (lambda: marked(0, 100).repeat(), None),
        (lambda: marked(0, 100).label_noise(0.1), 100),
        (lambda: marked(0, 100).class_ratio("1:1"), None),
        (lambda: marked(0).interleave(marked(1)), None),
        (lambda: marked(0, 100).skip(30).take(10).skip(3), 7),
    ],
)
def test_the_length_is_known_where_it_can_be(stream: Callable[[], Stream], n: int | None) -> None:
    made = stream()
    assert made.n_records == n
    if n is not None:
        assert not made.endless
        assert sum(len(chunk) for chunk in made.chunks(7)) == n


def test_a_stream_is_endless_only_if_what_it_ends_with_is() -> None:
    assert marked(0, 100).drift_to(marked(1), at=30).endless
    assert not marked(0).drift_to(marked(1, 100), at=30).endless
    assert marked(0).recurring(marked(1), every=4).endless
    assert not marked(0).recurring(marked(1, 100), every=4).endless
    assert marked(0, 100).followed_by(marked(1)).endless
    assert marked(0, 100).repeat().endless
    assert not marked(0, 0).repeat().endless


def test_reading_from_far_on_does_not_read_what_is_before() -> None:
    makers: list[Callable[[Stream, Stream], Stream]] = [
        lambda a, b: a.drift_to(b, at=10**9),
        lambda a, b: a.drift_to(b, at=10**9, width=1000),
        lambda a, b: a.recurring(b, every=1000),
        lambda a, b: a.blip(b, at=10**9, width=1000),
        lambda a, b: a.drift_through(b, b, at=10**9, width=1000),
        lambda a, b: a.take(10**9).followed_by(b),
        lambda a, b: a.take(1000).repeat(),
    ]
    for make in makers:
        a, b = Marked(0), Marked(1)
        begin = time.perf_counter()
        next(make(a, b).chunks(10, 10**9 + 5000))
        assert a.n_made + b.n_made <= 40
        assert time.perf_counter() - begin < 5, "seconds, where reading a thousand million records takes minutes"


def test_times_and_identifiers_of_two_streams_are_left_out() -> None:
    n = 20
    source = pq.from_arrays(np.zeros((n, 1)), ["a", "b"] * 10, time=np.arange(n), id=np.arange(n))
    for stream in (source.drift_to(source, at=5), source.followed_by(source), source.repeat(2)):
        for chunk in stream.chunks(3):
            assert chunk.time is None
            assert chunk.id is None
    for stream in (source.take(10), source.label_noise(0.1), source.class_ratio("1:1")):
        assert next(stream.chunks()).time is not None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: SEA().take(100).drift_to(SEA(), at=101),
            "drift_to: the stream ends after 100 records, before its drift",
        ),
        (
            lambda: SEA().drift_to(SEA(), at=500).take(500),
            "take: the stream ends after 500 records, before its drift at",
        ),
        (lambda: SEA().take(10).blip(SEA(), at=11, width=5), "blip: the stream ends after 10 records"),
        (lambda: SEA().take(10).recurring(SEA(), every=50), "recurring: the stream ends after 10 records"),
        (lambda: SEA().take(10).drift_through(SEA(), SEA(), at=50, width=4), "drift_through: the stream ends after 10"),
        (
            lambda: SEA().drift_to(SEA(), at=50).drift_to(SEA(), at=70).take(20),
            "before 2 of its drifts, the first at record 50",
        ),
    ],
)
def test_a_drift_beyond_the_end_is_warned_of(make: Callable[[], Stream], message: str) -> None:
    with pytest.warns(DriftBeyondEndWarning, match=message) as caught:
        stream = make()
    assert caught[0].filename == __file__
    assert stream.drifts == ()


def test_cutting_streams_that_recur_is_no_mistake() -> None:
    assert len(SEA().take(1000).recurring(SEA().take(1000), every=10).take(100).drifts) == 9
    assert len(SEA().drift_to(SEA(), at=5).take(10).repeat(9).take(30).drifts) == 5


def other_schema(**parts: Any) -> Stream:
    first: dict[str, Any] = {
        "classes": ("a", "b"),
        "target": "class",
        "features": (Feature("x0"), Feature("x1", ("p", "q"))),
    }
    schema = Schema(**{**first, **parts})

    class Empty(Stream):
        @property
        def schema(self) -> Schema:
            return schema

        def chunks(self, size: int = 1, start: int = 0) -> Iterator[Chunk]:
            return iter(())

    return Empty()


@pytest.mark.parametrize(
    ("parts", "difference"),
    [
        ({"features": (Feature("x0"),)}, "there are 2 features here and 1 there"),
        ({"features": (Feature("x0"), Feature("y1", ("p", "q")))}, "feature 2 is 'x1' here and 'y1' there"),
        ({"features": (Feature("x0"), Feature("x1"))}, r"the feature 'x1' is nominal \(p, q\) here and numeric there"),
        ({"features": (Feature("x0"), Feature("x1", ("q", "p")))}, r"nominal \(p, q\) here and nominal \(q, p\) there"),
        ({"classes": ("b", "a")}, "the classes are a, b here and b, a there"),
        ({"classes": None}, "the task is classification here and regression there"),
        ({"target": "y"}, "the target is 'class' here and 'y' there"),
        ({"open": True}, "new classes and values may appear in one of them"),
    ],
)
def test_the_difference_of_two_schemas_is_named(parts: dict[str, object], difference: str) -> None:
    one, two = other_schema(), other_schema(**parts)
    compositions: list[Callable[[], Stream]] = [
        lambda: one.drift_to(two, at=5),
        lambda: one.recurring(two, every=5),
        lambda: one.interleave(two),
        lambda: one.followed_by(two),
        lambda: one.drift_through(one, two, at=5, width=5),
        lambda: one.blip(two, at=5, width=5),
    ]
    for compose in compositions:
        with pytest.raises(pq.InputError, match=f"must have the same features, target and classes.*{difference}"):
            compose()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: s.recurring(every=5), "The 'others' parameter of recurring must be at least one other stream"),
        (lambda s: s.recurring(s, every=0), "The 'every' parameter of recurring must be a whole number of at least 1"),
        (lambda s: s.recurring(s, every=5, width=6), "The 'width' parameter of recurring must be at most 'every', 5"),
        (lambda s: s.recurring("SEA", every=5), "The 'others' parameter of recurring must be a stream. Got 'SEA'"),
        (lambda s: s.drift_through(s, 5, at=5, width=5), "The 'concepts' parameter of drift_through must be a stream"),
        (lambda s: s.drift_through(s, at=5, width=5), "The 'concepts' parameter of drift_through must be at least two"),
        (
            lambda s: s.drift_through(s, s, at=1, width=5),
            "The 'at' parameter of drift_through must be at least 2, half",
        ),
        (
            lambda s: s.drift_through(s, s, s, s, at=9, width=2),
            "The 'width' parameter of drift_through must be at least 3",
        ),
        (lambda s: s.blip(s, at=-1, width=5), "The 'at' parameter of blip must be a whole number of at least 0"),
        (lambda s: s.blip(s, at=1, width=0), "The 'width' parameter of blip must be a whole number of at least 1"),
        (lambda s: s.blip(5, at=1, width=2), "The 'other' parameter of blip must be a stream"),
        (
            lambda s: s.followed_by(s),
            r"followed_by: SEA never ends, so nothing can follow it. Use a part of it.*take\(",
        ),
        (lambda s: s.take(5).followed_by(5), "The 'other' parameter of followed_by must be a stream"),
        (lambda s: s.repeat(), "repeat: SEA never ends"),
        (lambda s: s.take(5).repeat(-1), "The 'times' parameter of repeat must be a whole number of at least 0"),
        (lambda s: s.interleave(), "The 'others' parameter of interleave must be at least one other stream"),
        (lambda s: s.interleave(s, shares=[1]), "The 'shares' parameter of interleave must be 2 numbers above 0"),
        (lambda s: s.interleave(s, shares=[1, 0]), "The 'shares' parameter of interleave must be 2 numbers above 0"),
        (lambda s: s.interleave(s, shares=[1, 1e-9]), "each at least a millionth of their sum"),
        (lambda s: s.interleave(s, shares="11"), "The 'shares' parameter of interleave must be a list of numbers"),
        (lambda s: s.drift_to(s, at=5, seed=2**64), "The 'seed' parameter of drift_to"),
    ],
)
def test_impossible_changes_are_refused(make: Callable[[Stream], Stream], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        make(SEA())


def test_what_can_be_read_only_once_is_not_repeated() -> None:
    once = pq.from_iterable(iter([({"x": 1.0}, 0.5)] * 3), task="regression")
    with pytest.raises(pq.InputError, match="repeat: list_iterator can be read only once"):
        once.repeat(2)


def test_a_stream_that_can_be_read_only_once_can_be_changed_once() -> None:
    def once(n: int) -> Stream:
        return pq.from_iterable(iter([({"x": float(i)}, 0.5) for i in range(n)]), task="regression")

    assert sum(map(len, once(50).drift_to(once(50), at=20).chunks(7))) == 70
    assert sum(map(len, once(50).followed_by(once(50)).chunks(7))) == 100
    assert sum(map(len, once(50).missing(0.5).sparse_labels(0.5).chunks(7))) == 50
    assert once(50).followed_by(once(50)).drifts == (), "where the first one ends is not known"


@pytest.mark.parametrize("how", ["followed_by", "repeat", "recurring", "interleave"])
def test_classes_that_appear_late_are_refused_wherever_codes_could_differ(how: str) -> None:
    stream = pq.from_iterable([({"x": float(i)}, "ab"[i % 2]) for i in range(10)])
    made = {
        "followed_by": lambda: stream.followed_by(stream),
        "repeat": lambda: stream.repeat(2),
        "recurring": lambda: stream.recurring(stream, every=2),
        "interleave": lambda: stream.interleave(stream),
    }[how]()
    with pytest.raises(pq.InputError, match=f"{how}: record 0 of list has a class or value"):
        list(made.chunks())


def test_a_concatenation_has_a_drift_where_the_second_stream_begins() -> None:
    one, two = marked(0, 10).drift_to(marked(1), at=4).take(10), marked(2, 20).drift_to(marked(3), at=6).take(15)
    assert one.followed_by(two).drifts == (Drift(4), Drift(10), Drift(16))
    assert one.followed_by(two, real=False).drifts == (Drift(4), Drift(10, real=False), Drift(16))


def test_parts_of_parts_say_what_was_taken_of_the_whole() -> None:
    description = SEA().skip(5).take(100).skip(10).take(50).describe()
    assert (description["skip"], description["take"], description["n_records"]) == (15, 50, 50)
    assert SEA().take(10).skip(20).n_records == 0
