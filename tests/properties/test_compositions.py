"""Composed streams: the same records however they are read, and drifts at the right records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift, within
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream

pytestmark = pytest.mark.filterwarnings("ignore::prequential.streams.drift.DriftBeyondEndWarning")

CLASSES = ("a", "b", "c")
KINDS = ("drift_to", "through", "recurring", "blip", "follow", "take", "skip", "noise", "interleave")


def marked(leaf: int, n: int) -> Stream:
    """Return a stream whose records contain their source: the leaf and the index in it."""
    X = np.column_stack([np.full(n, float(leaf)), np.arange(n)])
    return pq.from_arrays(X, [CLASSES[i % 3] for i in range(n)], classes=CLASSES, name=f"leaf{leaf}")


def records(stream: Stream, size: int = 64, start: int = 0) -> list[Record]:
    return [(int(a), int(b)) for chunk in stream.chunks(size, start) for a, b in chunk.X]


Record = tuple[int, int]


@dataclass
class Change:
    """A drift with its records: its middle, and all that belong to it."""

    middle: Record
    its_records: list[Record]
    width: int
    real: bool
    temporary: bool = False


@dataclass
class Model:
    """A stream and the expected records and drifts, as lists."""

    stream: Stream
    records: list[Record]
    changes: list[Change]

    def drifts(self, *, temporary: bool) -> dict[tuple[int, ...], bool]:
        """Return where the drifts are, and whether they are real; of blips where they begin and end."""
        place = {record: i for i, record in enumerate(self.records)}
        found: dict[tuple[int, ...], bool] = {}
        for one in self.changes:
            there = [place[record] for record in one.its_records if record in place]
            if one.temporary != temporary:
                continue
            if temporary and there:
                key: tuple[int, ...] = (min(there), max(there) + 1)
            elif not temporary and place.get(one.middle, -1) >= (one.width == 1):
                key = (place[one.middle],)
            else:
                continue
            found[key] = found.get(key, False) or one.real
        return found

    def cut(self, begin: int, end: int) -> list[Change]:
        """Return the changes of some of the records; a blip is cut like a slice of the stream.

        The records of other streams between those of a blip belong to it, also when the cut makes one of them its first
        or last record.
        """
        place, changes = {record: i for i, record in enumerate(self.records)}, []
        for one in self.changes:
            there = [place[record] for record in one.its_records if record in place]
            if one.temporary and there:
                its_records = self.records[max(min(there), begin) : min(max(there) + 1, end)]
                changes += [replace(one, its_records=its_records)] if its_records else []
            elif not one.temporary:
                changes.append(one)
        return changes

    def is_exact(self) -> bool:
        """Whether each wide drift is around its middle, as `Drift` says; records of other streams can move it."""
        place = {record: i for i, record in enumerate(self.records)}
        for one in self.changes:
            if not one.temporary and one.middle in place:
                begin = place[one.middle] - one.width // 2
                expected = range(begin, min(begin + one.width, len(self.records)))
                if [place[record] for record in one.its_records if record in place] != list(expected):
                    return False
        return True


class Leaves:
    def __init__(self) -> None:
        self.n = 0

    def __call__(self, n: int) -> Model:
        self.n += 1
        return Model(marked(self.n, n), [(self.n, i) for i in range(n)], [])


def drawn_in_turn(choices: list[int], parts: list[Model]) -> list[Record]:
    """Mix lists: each continues after its last item; it ends when the chosen one has no more."""
    at, mixed = [0] * len(parts), []
    for choice in choices:
        if at[choice] == len(parts[choice].records):
            break
        mixed.append(parts[choice].records[at[choice]])
        at[choice] += 1
    return mixed


def used(parts: list[Model], mixed: list[Record]) -> list[Change]:
    """Return the changes of streams of which only some records are used."""
    counts = [sum(record in mixed for record in part.records) for part in parts]
    return [change for part, n in zip(parts, counts, strict=True) for change in part.cut(0, n)]


def change(mixed: list[Record], at: int, real: bool) -> list[Change]:
    return [Change(mixed[at], [mixed[at]], 1, real)] if 0 < at < len(mixed) else []


def nested(draw: st.DrawFn, leaves: Leaves, depth: int) -> Model:
    """Compose streams, and the expected lists."""
    kind = draw(st.sampled_from(KINDS)) if depth else "leaf"
    if kind == "leaf":
        return leaves(draw(st.integers(0, 30)))
    one = nested(draw, leaves, depth - 1)
    if kind == "take":
        n = draw(st.integers(0, 60))
        return Model(one.stream.take(n), one.records[:n], one.cut(0, n))
    if kind == "skip":
        n = draw(st.integers(0, 20))
        first = one.records[n : n + 1]  # nothing has changed yet here, even if records are put before it later
        left = [c for c in one.cut(n, len(one.records)) if c.temporary or c.width > 1 or [c.middle] != first]
        return Model(one.stream.skip(n), one.records[n:], left)
    if kind == "noise":
        return Model(one.stream.label_noise(0.5), one.records, one.changes)
    two = nested(draw, leaves, depth - 1)
    if kind == "blip" and not two.is_exact():
        two = leaves(draw(st.integers(0, 30)))
    real, n_all = draw(st.booleans()), 200
    if kind == "follow":
        mixed = one.records + two.records
        stream = one.stream.followed_by(two.stream, real=real)
        return Model(stream, mixed, one.changes + two.changes + change(mixed, len(one.records), real))
    if kind == "drift_to":
        at = draw(st.integers(0, 40))
        mixed = drawn_in_turn([int(i >= at) for i in range(n_all)], [one, two])
        stream = one.stream.drift_to(two.stream, at=at, real=real)
        return Model(stream, mixed, used([one, two], mixed) + change(mixed, at, real))
    if kind == "recurring":
        every = draw(st.integers(1, 12))
        mixed = drawn_in_turn([i // every % 2 for i in range(n_all)], [one, two])
        own = [c for at in range(every, n_all, every) for c in change(mixed, at, real)]
        return Model(one.stream.recurring(two.stream, every=every, real=real), mixed, used([one, two], mixed) + own)
    if kind == "blip":
        at, width = draw(st.integers(0, 30)), draw(st.integers(1, 9))
        mixed = drawn_in_turn([int(at <= i < at + width) for i in range(n_all)], [one, two])
        own = [Change(mixed[at], mixed[at : at + width], width, real, temporary=True)] if at < len(mixed) else []
        inside = [
            Change(c.middle, [record for record in c.its_records if record in mixed], c.width, c.real, temporary=True)
            for c in used([two], mixed)
            if c.temporary or c.middle in mixed
        ]
        return Model(
            one.stream.blip(two.stream, at=at, width=width, real=real), mixed, used([one], mixed) + inside + own
        )
    if kind == "interleave":
        stream = one.stream.interleave(two.stream, shares=[1, draw(st.integers(1, 3))], seed=draw(st.integers(0, 9)))
        leaf_of = {record: k for k, part in enumerate((one, two)) for record in part.records}
        mixed = drawn_in_turn([leaf_of[record] for record in records(stream)], [one, two])
        return Model(stream, mixed, used([one, two], mixed))
    three = nested(draw, leaves, 0)
    width = draw(st.integers(1, 9))
    at = draw(st.integers(width // 2, 30))
    begin = at - width // 2
    mixed = drawn_in_turn([0 if i < begin else 1 if i < begin + width else 2 for i in range(n_all)], [one, two, three])
    stream = one.stream.drift_through(two.stream, three.stream, at=at, width=width, real=real)
    own = [Change(mixed[at], mixed[begin : begin + width], width, real)] if 0 < at < len(mixed) else []
    return Model(stream, mixed, used([one, two, three], mixed) + own)


@st.composite
def models(draw: st.DrawFn) -> Model:
    return nested(draw, Leaves(), draw(st.integers(1, 3)))


@settings(max_examples=500, deadline=None)
@given(models())
def test_drifts_are_where_a_look_at_each_record_finds_them(model: Model) -> None:
    assert records(model.stream) == model.records
    assert model.stream.n_records == len(model.records)
    drifts = model.stream.drifts
    blips = {(d.begin, d.end): d.real for d in drifts if d.temporary}
    assert blips == model.drifts(temporary=True)
    lasting: dict[tuple[int, ...], bool] = {}
    for drift in drifts:
        if not drift.temporary:
            lasting[drift.at,] = lasting.get((drift.at,), False) or drift.real
    assert lasting == model.drifts(temporary=False)
    places = [(d.at, d.width, d.temporary) for d in drifts]
    assert places == sorted(set(places))


@settings(max_examples=200, deadline=None)
@given(models(), st.integers(0, 80))
def test_the_drifts_before_a_record_are_those_of_the_part_before_it(model: Model, n: int) -> None:
    part = Model(model.stream, model.records[:n], model.cut(0, n))
    found = model.stream.drifts_before(n)
    assert {(d.begin, d.end) for d in found if d.temporary} == set(part.drifts(temporary=True))
    assert {(d.at,) for d in found if not d.temporary} == set(part.drifts(temporary=False))
    assert found == within(model.stream.drifts, 0, n)
    assert model.stream.take(n).drifts == found


@settings(max_examples=300, deadline=None)
@given(models(), st.integers(0, 100), st.sampled_from([1, 7, 1000]))
def test_nested_streams_can_be_read_from_anywhere(model: Model, start: int, size: int) -> None:
    assert records(model.stream, size, start) == model.records[start:]


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 9), st.integers(1, 12), st.sampled_from(["recurring", "interleave", "blip", "drift_to"]))
def test_records_that_come_between_make_a_drift_wider(width: int, every: int, how: str) -> None:
    at = width // 2 + 3
    inner = marked(1, 30).drift_through(marked(2, 20), marked(3, 60), at=at, width=width)
    its_records = records(inner)[at - width // 2 :][:width]
    outer = {
        "recurring": lambda: inner.recurring(marked(4, 200), every=every),
        "interleave": lambda: inner.interleave(marked(4, 200), seed=every),
        "blip": lambda: inner.blip(marked(4, 200), at=every, width=4),
        "drift_to": lambda: marked(4, 200).drift_to(inner, at=every),
    }[how]()
    places = [records(outer).index(record) for record in its_records]
    middle = records(outer).index(records(inner)[at])
    assert Drift(middle, max(places) - min(places) + 1) in outer.drifts


class UnknownLength(Stream):
    """A stream of unknown length, like a CSV file."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self.name = stream, stream.name

    @property
    def schema(self) -> Schema:
        return self._stream.schema

    def chunks(self, size: int = 64, start: int = 0) -> Iterator[Chunk]:
        return self._stream.chunks(size, start)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(0, 50),
    st.integers(1, 10),
    st.integers(0, 100),
    st.sampled_from([1, 7, 1000]),
    st.booleans(),
)
def test_streams_of_unknown_length_end_where_the_first_of_them_ends(
    n_one: int, n_two: int, at: int, width: int, start: int, size: int, known: bool
) -> None:
    one, two = UnknownLength(marked(1, n_one)), UnknownLength(marked(2, n_two)) if known else marked(2, n_two)
    for stream in (
        one.drift_to(two, at=at),
        one.drift_to(two, at=at, width=width + 1),
        one.blip(two, at=at, width=width),
        one.recurring(two, every=width),
        one.interleave(two),
        one.followed_by(two),
        one.repeat(3),
        one.class_ratio([1, 1, 0]) if n_one > 3 else one,
    ):
        whole = records(stream)
        assert records(stream, size, start) == whole[start:]
        assert stream.n_records in (None, len(whole))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(2, 20), st.integers(0, 5))
def test_drifts_come_out_of_a_gradual_change_where_their_record_does(
    at: int, before: int, after: int, width: int, seed: int
) -> None:
    one = marked(1, 61).drift_to(marked(2, 400), at=before)
    two = marked(3, 61).drift_to(marked(4, 400), at=after)
    stream = one.drift_to(two, at=at, width=width, seed=seed)
    found = records(stream)
    assert stream.n_records == len(found)
    wanted = {Drift(at, width)}
    wanted |= {Drift(found.index(first)) for first in ((2, 0), (4, 0)) if first in found and found.index(first) > 0}
    # The first record of an inner stream that starts at once is not a drift of that stream.
    wanted -= {Drift(found.index((2, 0)))} if before == 0 and (2, 0) in found else set()
    wanted -= {Drift(found.index((4, 0)))} if after == 0 and (4, 0) in found else set()
    assert set(stream.drifts) == wanted


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 300), st.integers(0, 5), st.sampled_from(["1:1:1", "9:1:0", "1:5:20"]), st.integers(0, 200))
def test_drifts_come_out_of_a_class_ratio_where_the_first_record_after_them_does(
    at: int, seed: int, ratio: str, n: int
) -> None:
    source = marked(1, 300).drift_to(marked(2, 200), at=at)
    stream = source.class_ratio(ratio, changes={100: "1:1:1"}, seed=seed)
    found = [leaf for leaf, _ in records(stream)]
    first = found.index(2) if 2 in found else len(found)
    wanted = {Drift(at, real=one) for at, one in ((100, False), (first, True)) if 0 < at < len(found)}
    if first == 100:
        wanted -= {Drift(100, real=False)}
    assert set(stream.drifts) == wanted
    assert set(stream.drifts_before(n)) == {drift for drift in wanted if drift.at < n}


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 20), st.integers(0, 4), st.integers(0, 25), st.integers(0, 100), st.booleans())
def test_drifts_come_again_in_a_stream_that_is_repeated(n: int, times: int, at: int, start: int, known: bool) -> None:
    one = marked(1, n).drift_to(marked(2, n), at=at).take(n)
    stream = (one if known else UnknownLengthWithDrifts(one)).repeat(times)
    assert records(stream) == records(one) * times
    assert records(stream, 7, start) == (records(one) * times)[start:]
    leaves = [leaf for leaf, _ in records(stream)]
    assert [d.at for d in stream.drifts] == [i for i in range(1, len(leaves)) if leaves[i] != leaves[i - 1]]
    if times:
        endless = (one if known else UnknownLengthWithDrifts(one)).repeat()
        assert records(endless.take(50)) == (records(one) * 50)[:50]
        assert endless.drifts_before(times * n) == stream.drifts


class UnknownLengthWithDrifts(UnknownLength):
    """A stream with known drifts."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream)
        self.drifts = stream.drifts
