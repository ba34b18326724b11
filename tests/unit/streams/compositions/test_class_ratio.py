"""Class ratios: correct in every window, with complete records in order."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential import _native
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.compositions import class_ratio as module
from prequential.streams.drift import Drift, DriftBeyondEndWarning
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream

WINDOW = 10_000


def labels(stream: Stream) -> np.ndarray:
    return np.concatenate([chunk.y for chunk in stream.chunks()])


def assert_shares(y: np.ndarray, expected: np.ndarray) -> None:
    """Compare the number of records of class 1 in each window with the sum of its shares, within 5 sigma."""
    for at in range(0, len(y), WINDOW):
        share = expected[at : at + WINDOW]
        sigma = math.sqrt(float((share * (1 - share)).sum()))
        assert abs(int((y[at : at + WINDOW] == 1).sum()) - float(share.sum())) < 5 * sigma + 1e-9, at


@pytest.mark.parametrize("ratio", ["1:1", "1:10", "1:100", [100, 1], {"groupA": 3, "groupB": 1}, "0:1"])
def test_a_ratio_is_held_in_every_window(ratio: Any) -> None:
    share = {"1:1": 1 / 2, "1:10": 10 / 11, "1:100": 100 / 101, "0:1": 1.0}.get(str(ratio), 1 / 101)
    share = 1 / 4 if isinstance(ratio, dict) else share
    y = labels(pq.streams.SEA(seed=1).class_ratio(ratio).take(10 * WINDOW))
    assert_shares(y, np.full(10 * WINDOW, share))


def test_a_ratio_changes_in_a_step() -> None:
    stream = pq.streams.SEA(seed=1).class_ratio("1:1", changes={20_000: "1:10", 40_000: "1:100"}).take(60_000)
    assert_shares(labels(stream), np.repeat([1 / 2, 10 / 11, 100 / 101], 20_000))
    assert stream.drifts == (Drift(20_000, real=False), Drift(40_000, real=False))


def test_a_ratio_changes_evenly_over_the_whole_stream() -> None:
    n = 100_000
    stream = pq.streams.SEA(seed=1).class_ratio("1:1", changes={n // 2: "1:100"}, width=n).take(n)
    assert_shares(labels(stream), 1 / 2 + (100 / 101 - 1 / 2) * np.arange(n) / n)
    assert stream.drifts == (Drift(n // 2, n, real=False),)


@pytest.mark.parametrize("scale", ["shares", "ratio", "logarithmic"])
def test_what_moves_linearly_is_chosen(scale: Any) -> None:
    """r of 1:r from 1 to 100 over the whole stream: linear, as in Hyp_RC of Brzezinski and Stefanowski, or log r."""
    n = 100_000
    stream = pq.streams.SEA(seed=1).class_ratio("1:1", changes={n // 2: "1:100"}, width=n, scale=scale).take(n)
    far = np.arange(n) / n
    r = 1 + 99 * far if scale == "ratio" else 100**far
    shares = {"shares": 1 / 2 + (100 / 101 - 1 / 2) * far}.get(scale, r / (1 + r))
    y = labels(stream)
    assert_shares(y, shares)
    assert np.array_equal(np.concatenate([c.y for c in stream.chunks(7)]), y)
    assert ("scale" in str(stream.describe())) == (scale != "shares")


def test_a_class_that_vanishes_has_no_logarithm() -> None:
    with pytest.raises(pq.ParameterError, match="must be 'shares' or 'ratio' if a class has the share 0"):
        pq.streams.SEA(seed=1).class_ratio("1:1", changes={50: "0:1"}, width=20, scale="logarithmic")
    with pytest.raises(pq.ParameterError, match=r"must be .*'ratio'.* Got 'odds'"):
        pq.streams.SEA(seed=1).class_ratio("1:1", scale="odds")  # type: ignore[arg-type]  # refused


def test_many_classes_have_their_ratio() -> None:
    y = labels(pq.streams.LED(seed=1).class_ratio(range(1, 11), changes={30_000: [1] * 10}).take(60_000))
    for part, shares in ((y[:30_000], np.arange(1, 11) / 55), (y[30_000:], np.full(10, 0.1))):
        counts = np.bincount(part, minlength=10)
        assert (np.abs(counts - 30_000 * shares) < 5 * np.sqrt(30_000 * shares * (1 - shares))).all()


def greedy(wanted: list[int], found: list[int]) -> list[int]:
    """Take the next record of each drawn class: the twin of the native loop."""
    taken, i = [], 0
    for one in wanted:
        while i < len(found) and found[i] != one:
            i += 1
        if i == len(found):
            break
        taken.append(i)
        i += 1
    return taken


def test_the_native_loop_takes_what_reading_on_takes() -> None:
    rng = np.random.default_rng(1)
    for n_wanted, n_labels in [(0, 0), (0, 5), (5, 0), (1, 1), (50, 40), (40, 500), (500, 500)]:
        for _ in range(20):
            wanted, found = rng.integers(0, 3, n_wanted), rng.integers(-1, 3, n_labels)
            assert _native.next_of_class(wanted, found).tolist() == greedy(wanted.tolist(), found.tolist())


def test_records_come_with_all_that_belongs_to_them_and_in_their_order() -> None:
    n = 5000
    y = np.random.default_rng(1).choice(np.array(["a", "b", None]), n, p=[0.6, 0.3, 0.1])
    source = pq.from_arrays(
        np.arange(float(n))[:, None],
        y,
        time=np.arange(n) * 2.0,
        weight=np.arange(n) / 4,
        id=[f"r{i}" for i in range(n)],
    )
    stream = source.class_ratio("1:1")
    index = []
    for chunk in stream.chunks(100):
        at = chunk.X[:, 0]
        assert chunk.time is not None
        assert chunk.weight is not None
        assert chunk.id is not None
        assert (chunk.time == 2 * at).all()
        assert (chunk.weight == at / 4).all()
        assert chunk.id.tolist() == [f"r{i:.0f}" for i in at]
        assert [y[int(i)] for i in at] == ["ab"[code] for code in chunk.y]
        index += at.tolist()
    assert index == sorted(set(index))
    assert UNLABELLED not in labels(stream)


def test_the_records_of_a_class_look_as_before() -> None:
    plain, skewed = pq.streams.SEA(seed=1).take(50_000), pq.streams.SEA(seed=1).class_ratio("1:20").take(50_000)
    for code in (0, 1):
        one, two = (
            np.concatenate([chunk.X[chunk.y == code] for chunk in stream.chunks()]) for stream in (plain, skewed)
        )
        error = np.sqrt(one.var(0) / len(one) + two.var(0) / len(two))
        assert (np.abs(one.mean(0) - two.mean(0)) < 5 * error).all()


class OneClassLater(Stream):
    """An endless stream in which the second class occurs only once."""

    endless = True
    schema = Schema.numeric(1, ("often", "once"))

    def __init__(self, at: int) -> None:
        self.name, self._at = "lonely", at

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[Chunk]:
        while True:
            i = np.arange(start, start + size)
            yield Chunk(self.schema, start, i[:, None].astype(float), (i == self._at).astype(np.int64))
            start += size


@pytest.mark.parametrize("size", [64, 1000, 100_000])
def test_a_class_that_does_not_come_is_named_with_the_record(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 5000)
    assert len(next(OneClassLater(4999).class_ratio("0:1").chunks(1))) == 1
    for stream, last in ((OneClassLater(5000), -1), (OneClassLater(300), 300)):
        message = rf"no record of class 'once' in 5,000 records of lonely, from its record {last + 1:,} on"
        with pytest.raises(pq.InputError, match=message):
            list(stream.class_ratio("0:1").chunks(size))
    n = 0
    with pytest.raises(pq.InputError, match="no record of class 'once'"):  # noqa: PT012  # counts what came before
        for chunk in OneClassLater(300).class_ratio("1:0", changes={700: "0:1"}).chunks(size):
            n += len(chunk)
    assert n == 700, "all records before it are given"


def test_a_million_records_are_waited_for() -> None:
    assert module.PATIENCE == 1_000_000


def test_a_class_that_a_file_does_not_have_at_all_is_named() -> None:
    stream = pq.from_arrays(np.zeros((50, 1)), ["a"] * 50, classes=["a", "b"])
    with pytest.raises(pq.InputError, match="arrays has no record of class 'b', which the ratio needs for record"):
        list(stream.class_ratio("1:1").chunks())
    assert sum(len(chunk) for chunk in stream.class_ratio("1:0").chunks()) == 50


def test_a_fault_of_the_source_comes_after_the_records_before_it() -> None:
    def pairs() -> Iterator[tuple[dict[str, float], str]]:
        yield from (({"x": float(i)}, "ab"[i % 2]) for i in range(100))
        raise OSError("the sensor fell off")

    class Broken(Stream):
        schema = Schema.numeric(1, ("a", "b"))

        def chunks(self, size: int = 7, start: int = 0) -> Iterator[Chunk]:
            for i, (x, label) in enumerate(pairs()):
                if i >= start:
                    yield Chunk(self.schema, i, np.array([[x["x"]]]), np.array(["ab".index(label)]))

    n = []
    for size in (1, 7, 1000):
        got = 0
        with pytest.raises(OSError, match="the sensor fell off"):  # noqa: PT012  # counts what came before
            for chunk in Broken().class_ratio("1:1").chunks(size):
                got += len(chunk)
        n.append(got)
    assert n == [n[0]] * 3
    assert 50 <= n[0] <= 100


@pytest.mark.parametrize(
    ("ratio", "options", "message"),
    [
        ("1:2:3", {}, r"a ratio of 2 parts, one per class \(groupA, groupB\). Got '1:2:3'"),
        ([1], {}, "a ratio of 2 parts"),
        ([0, 0], {}, "numbers of at least 0, not all of them 0"),
        ("1:-1", {}, "numbers of at least 0, not all of them 0"),
        ("1:inf", {}, "numbers of at least 0"),
        ("one:two", {}, "numbers separated by colons, such as '1:100'"),
        ({"groupC": 1}, {}, "unknown class 'groupC'. Did you mean 'groupB'\\? Accepted: groupA, groupB"),
        (5, {}, "a list of weights, text such as '1:100', or a mapping"),
        ("1:1", {"changes": {-1: "1:2"}}, "The 'changes' parameter of class_ratio must be a whole number"),
        ("1:1", {"changes": {10: "1:2:3"}}, "The 'changes' parameter of class_ratio must be a ratio of 2 parts"),
        ("1:1", {"changes": "1:2"}, "a mapping from record index to ratio"),
        ("1:1", {"changes": {10: "1:2", 15: "1:3"}, "width": 6}, "at least 6 records \\(the width\\) apart. Got 15"),
        ("1:1", {"width": 0}, "The 'width' parameter of class_ratio must be a whole number of at least 1"),
        ("1:1", {"seed": -1}, "The 'seed' parameter of class_ratio"),
    ],
)
def test_impossible_ratios_are_refused(ratio: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.streams.SEA().class_ratio(ratio, **options)


def test_streams_without_classes_are_refused() -> None:
    regression = pq.from_arrays(np.zeros((3, 1)), [0.5, 1.5, 2.5], task="regression")
    with pytest.raises(pq.InputError, match="class_ratio: arrays is a regression stream"):
        regression.class_ratio("1:1")
    growing = pq.from_iterable([({"x": 1.0}, "a")])
    with pytest.raises(pq.InputError, match="class_ratio: new classes may appear in list"):
        growing.class_ratio("1:1")


def test_a_change_beyond_the_end_is_warned_of() -> None:
    with pytest.warns(DriftBeyondEndWarning, match="class_ratio: the stream ends after 100 records, before its drift"):
        pq.streams.SEA().take(100).class_ratio("1:1", changes={100: "1:2"})


def test_labels_may_be_named_by_their_text() -> None:
    stream = pq.from_arrays(np.zeros((4, 1)), [0, 1, 0, 1]).class_ratio({"0": 0, "1": 1})
    assert labels(stream).tolist() == [1, 1]


def test_changes_that_come_after_the_end_are_not_listed() -> None:
    stream = pq.streams.SEA(noise=0).take(1000).class_ratio("1:1", changes={200: "1:3", 400: "1:9", 900: "1:1"})
    n = len(labels(stream))
    assert 400 < n < 900
    assert stream.drifts == (Drift(200, real=False), Drift(400, real=False))
    assert stream.drifts_before(300) == (Drift(200, real=False),)
    endless = pq.streams.SEA(noise=0).class_ratio("1:1", changes={400: "1:3"})
    assert endless.drifts == (Drift(400, real=False),), "without reading"


def test_changes_without_a_pause_are_one_drift() -> None:
    steps = {1000 + 100 * k: [1, 1 + k] for k in range(10)}
    stream = pq.streams.SEA(noise=0).class_ratio("1:1", changes={**steps, 5000: "1:1"}, width=100).take(10_000)
    assert [(drift.begin, drift.end, drift.real) for drift in stream.drifts] == [
        (950, 1950, False),
        (4950, 5050, False),
    ]
    apart = pq.streams.SEA(noise=0).class_ratio("1:1", changes=steps, width=99).take(10_000)
    assert len(apart.drifts) == 10


@pytest.mark.parametrize(
    "noisy",
    [
        pq.streams.SEA(),
        pq.streams.Hyperplane(),
        pq.streams.SEA(noise=0).label_noise(0.1).take(100).missing(0.1),
        pq.streams.SEA(noise=0).drift_to(pq.streams.SEA(3), at=50),
    ],
)
def test_noise_before_the_ratio_is_reported_once(noisy: pq.Stream) -> None:
    with pytest.warns(pq.DataWarning, match="has wrong labels already.*--ratio"):
        stream = noisy.class_ratio("1:100")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stream.reseeded(4)


@pytest.mark.filterwarnings("error")
def test_noise_after_the_ratio_is_not_reported() -> None:
    pq.streams.SEA(noise=0).label_noise(0).class_ratio("1:100").label_noise(0.1)
    pq.streams.LED(noise=0.2).class_ratio([1] * 10)
