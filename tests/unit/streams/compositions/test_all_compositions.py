"""Every composition: the same records however it is read, and its description."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential.streams import compositions
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream

EXAMPLE = Path(__file__).parents[4] / "examples" / "data.csv"

Compose = Callable[[Stream, Stream, Stream], Stream]
ALL: dict[str, Compose] = {
    "take": lambda a, b, c: a.take(700),
    "skip": lambda a, b, c: a.skip(300),
    "drift_to": lambda a, b, c: a.drift_to(b, at=400),
    "gradual drift_to": lambda a, b, c: a.drift_to(b, at=400, width=300, seed=7),
    "drift_through": lambda a, b, c: a.drift_through(b, c, b, at=500, width=333),
    "recurring": lambda a, b, c: a.recurring(b, c, every=90),
    "gradual recurring": lambda a, b, c: a.recurring(b, c, every=90, width=40),
    "blip": lambda a, b, c: a.blip(b, at=200, width=50),
    "followed_by": lambda a, b, c: a.take(350).followed_by(b.take(300)).followed_by(c),
    "repeat": lambda a, b, c: a.take(123).repeat(9),
    "interleave": lambda a, b, c: a.interleave(b, c, shares=[5, 1, 2]),
    "class_ratio": lambda a, b, c: a.class_ratio([1, 4]),
    "changing class_ratio": lambda a, b, c: a.class_ratio("1:1", changes={100: "1:9", 400: "3:1"}, width=80),
    "label_noise": lambda a, b, c: a.label_noise(0.2),
    "feature_noise": lambda a, b, c: a.feature_noise(0.5),
    "missing": lambda a, b, c: a.missing(0.3),
    "sparse_labels": lambda a, b, c: a.sparse_labels(0.2),
    "delayed": lambda a, b, c: a.delayed(17),
    "delayed at random": lambda a, b, c: a.delayed(pq.streams.UniformDelay(5, 60), first="labels", seed=3),
    "nested": lambda a, b, c: (
        a.label_noise(0.1)
        .drift_to(b.class_ratio("1:3"), at=200, width=50)
        .interleave(c.missing(0.2).blip(a, at=20, width=9))
        .label_noise(0.1)
        .drift_to(a.recurring(c, every=30), at=500)
        .skip(37)
    ),
}


def sources() -> tuple[Stream, Stream, Stream]:
    return pq.streams.SEA(1, seed=1), pq.streams.SEA(2, seed=2), pq.streams.SEA(3, seed=3)


def joined(chunks: Iterator[Chunk]) -> tuple[list[list[float]], list[float], list[float]]:
    whole = concatenate(list(chunks))
    weight = np.ones(len(whole)) if whole.weight is None else whole.weight
    return np.nan_to_num(whole.X, nan=-1e9).tolist(), whole.y.tolist(), weight.tolist()


def weighted(stream: Stream, n: int) -> Stream:
    chunk, classes = next(stream.chunks(n)), stream.schema.classes or ()
    return pq.from_arrays(
        chunk.X,
        [classes[code] for code in chunk.y],
        classes=classes,
        weight=np.arange(n) / 10,
        feature_names=[feature.name for feature in stream.schema.features],
    )


@pytest.mark.parametrize("how", ALL)
@settings(max_examples=15, deadline=None)
@given(start=st.integers(0, 900))
def test_records_do_not_depend_on_chunk_size_or_on_where_reading_starts(how: str, start: int) -> None:
    stream = ALL[how](*sources()).take(1000)
    X, y, weight = WHOLE.setdefault(how, joined(stream.chunks(1000)))
    assert len(y) == (700 if how == "take" else 1000)
    for size in (1, 7, 1000):
        chunks = list(islice(stream.chunks(size, start), 40))
        n = sum(map(len, chunks))
        assert n == min(40 * size, max(0, len(y) - start))
        assert [chunk.start for chunk in chunks] == list(range(start, start + n, size))
        if n:
            assert joined(iter(chunks)) == (X[start : start + n], y[start : start + n], weight[start : start + n])


WHOLE: dict[str, tuple[list[list[float]], list[float], list[float]]] = {}


@pytest.mark.parametrize("how", ALL)
def test_two_readers_at_once_do_not_disturb_each_other(how: str) -> None:
    stream = ALL[how](*sources()).take(700)
    one, two = stream.chunks(100), stream.chunks(100)
    together = [(next(one), next(two)) for _ in range(7)]
    alone = joined(stream.chunks(100))
    assert joined(a for a, _ in together) == joined(b for _, b in together) == alone


@pytest.mark.parametrize("how", ALL)
def test_weights_come_along_and_are_1_for_a_stream_without_weights(how: str) -> None:
    a, b, c = sources()
    stream = ALL[how](weighted(a, 800), b.take(800), weighted(c, 800))
    _, _, weight = joined(stream.chunks(1000))
    assert weight
    assert joined(stream.chunks(7))[2] == weight
    assert joined(stream.chunks(7, 100))[2] == weight[100:]
    known = {w for w in weight if w != 1.0}
    assert known <= set((np.arange(800) / 10).tolist())
    assert known, "those of the first stream are there"


@pytest.mark.parametrize("how", ALL)
def test_a_stream_says_how_it_was_made_in_terms_of_json(how: str) -> None:
    description = json.loads(json.dumps(ALL[how](*sources()).describe()))
    if how not in ("take", "skip", "nested"):
        assert description["composition"] in how, "the method is in the name"
        assert "of" in description


@pytest.mark.parametrize("how", ALL)
def test_files_can_be_composed(how: str, tmp_path: Path) -> None:
    table = pa.csv.read_csv(EXAMPLE)
    parquet.write_table(table, tmp_path / "data.parquet")
    csv = pq.read(EXAMPLE, target="class")
    same = pq.read(tmp_path / "data.parquet", target="class")
    if how == "feature_noise":
        csv, same = csv.feature_noise(0.1, nominal=0.1), same.feature_noise(0.1, nominal=0.1)
    n_classes = csv.schema.n_classes
    compose = ALL[how]
    if n_classes != 2 and "ratio" in how:
        pytest.skip("another number of classes")
    one, two = compose(csv, csv, csv).take(900), compose(same, same, same).take(900)
    X, y, weight = joined(one.chunks(64))
    assert joined(two.chunks(900)) == (X, y, weight)
    assert len(y) > 100
    assert one.drifts == two.drifts
    assert joined(one.chunks(31, 77)) == (X[77:], y[77:], weight[77:])


def test_every_composition_is_among_those_tested() -> None:
    made = {type(ALL[how](*sources())).__name__ for how in ALL}
    assert made == set(compositions.__all__)


def test_two_layers_of_noise_with_one_seed_are_not_the_same_noise() -> None:
    stream = pq.streams.SEA(seed=1).take(20_000)
    once, twice = stream.label_noise(0.3), stream.label_noise(0.3).label_noise(0.3)
    y = np.concatenate([chunk.y for chunk in stream.chunks()])
    share = np.mean(np.concatenate([chunk.y for chunk in twice.chunks()]) != y)
    assert abs(share - 0.42) < 5 * np.sqrt(0.42 * 0.58 / 20_000), "0.3 · 0.7 + 0.7 · 0.3"
    assert once.describe()["seed"] == 1


def test_a_seed_makes_other_records() -> None:
    a, b, _ = sources()
    makers: list[Callable[[int], Stream]] = [
        lambda seed: a.drift_to(b, at=100, width=100, seed=seed),
        lambda seed: a.recurring(b, every=50, width=50, seed=seed),
        lambda seed: a.interleave(b, seed=seed),
        lambda seed: a.class_ratio("1:1", seed=seed),
        lambda seed: a.label_noise(0.3, seed=seed),
        lambda seed: a.feature_noise(0.3, seed=seed),
        lambda seed: a.missing(0.3, seed=seed),
        lambda seed: a.sparse_labels(0.3, seed=seed),
    ]
    for make in makers:
        one, same, other = (joined(make(seed).take(200).chunks()) for seed in (1, 1, 2))
        assert one == same
        assert one != other


def test_bayes_errors_are_kept_where_they_stay_true() -> None:
    a, b = pq.streams.SEA(1, noise=0.1), pq.streams.SEA(2, noise=0.1)
    other = pq.streams.SEA(2, noise=0.2)
    for kept in (
        a.take(5), a.skip(5), a.drift_to(b, at=5), a.recurring(b, every=5), a.blip(b, at=5, width=5),
        a.take(5).followed_by(b), a.take(5).repeat(), a.sparse_labels(0.5), a.drift_through(b, a, at=5, width=5),
    ):  # fmt: skip
        assert kept.bayes_error == 0.1
    for lost in (
        a.drift_to(other, at=5), a.recurring(other, every=5), a.interleave(b), a.class_ratio("1:1"),
        a.feature_noise(0.1), a.missing(0.1), a.take(5).followed_by(other),
        a.drift_to(b, at=5, width=2), a.recurring(b, every=5, width=2),
    ):  # fmt: skip
        assert lost.bayes_error is None


def test_drifts_of_an_endless_stream_need_a_number_of_records() -> None:
    a, b, _ = sources()
    stream = a.recurring(b, every=100)
    for endless in (
        stream,
        stream.label_noise(0.1),
        stream.skip(5),
        a.drift_to(stream, at=10),
        stream.class_ratio("1:1"),
    ):
        with pytest.raises(pq.InputError, match=r"cannot all be listed. Use a part of it, stream.take\(n\)"):
            _ = endless.drifts
    assert stream.drifts_before(301) == (Drift(100), Drift(200), Drift(300))
    assert stream.take(201).drifts == (Drift(100), Drift(200))
    assert stream.drift_to(b, at=150).drifts == (Drift(100), Drift(150)), "it is in use for a while only"
    assert [d.at for d in stream.class_ratio("1:1").take(300).drifts] == [
        d.at for d in stream.take(2000).class_ratio("1:1").drifts if d.at < 300
    ]


def test_a_part_of_a_stream_whose_length_is_not_known_has_no_known_length(tmp_path: Path) -> None:
    path = tmp_path / "ten.csv"
    path.write_text("a,class\n" + "".join(f"{i},{'xy'[i % 2]}\n" for i in range(10)))
    part = pq.read(path).take(25)
    assert part.n_records is None
    assert pq.streams.SEA().take(25).n_records == 25
    later = [chunk.X[:, 0].tolist() for chunk in part.repeat(2).chunks(100, 12)]
    assert later == [[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]], "record 12 is the third of the second time"
