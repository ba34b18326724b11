"""River-style iterables."""

from collections.abc import Iterator

import numpy as np
import pytest
from river import datasets

from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.readers import from_iterable
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream

PAIRS: list[tuple[dict[str, object], str | None]] = [
    ({"x": 1, "day": "mon"}, "up"),
    ({"x": 2.5, "day": None}, None),
    ({"day": "tue"}, "down"),
    ({"x": np.float64(4), "day": "mon"}, "up"),
]


def test_features_and_classes_get_codes_as_they_appear() -> None:
    stream = from_iterable(PAIRS)
    assert stream.restartable
    assert stream.n_records == 4
    assert stream.schema.open
    assert stream.schema.features == (Feature("x"), Feature("day", ()))
    assert stream.schema.classes == ()
    first, second = stream.chunks()
    np.testing.assert_array_equal(first.X, [[1, 0], [2.5, np.nan]])
    assert first.y.tolist() == [0, -1]
    assert first.schema.features == (Feature("x"), Feature("day", ("mon",)))
    assert first.schema.classes == ("up",)
    np.testing.assert_array_equal(second.X, [[np.nan, 1], [4, 0]])
    assert second.y.tolist() == [1, 0]
    assert second.schema.features == (Feature("x"), Feature("day", ("mon", "tue")))
    assert second.schema.classes == ("up", "down")


def test_classes_keep_their_own_type_and_declared_ones_come_first() -> None:
    pairs = [({"x": 1.0}, True), ({"x": 2.0}, False)]
    assert list(from_iterable(pairs).chunks())[-1].schema.classes == (True, False)
    stream = from_iterable(pairs, classes=[False, True])
    assert stream.schema.classes == (False, True)
    assert next(stream.chunks()).y.tolist() == [1, 0]


def test_late_values_and_classes_make_the_schema_grow_and_codes_stay() -> None:
    pairs = [({"c": "a"}, 0)] * 1500 + [({"c": "b"}, 7)] * 10
    chunks = list(from_iterable(pairs).chunks(size=1000))
    assert [(chunk.start, len(chunk)) for chunk in chunks] == [(0, 1000), (1000, 500), (1500, 10)]
    assert [chunk.schema.classes for chunk in chunks] == [(0,), (0,), (0, 7)]
    assert chunks[2].schema.features == (Feature("c", ("a", "b")),)
    assert chunks[2].y.tolist() == [1] * 10


def test_parts_of_an_open_stream_have_the_schemas_of_the_whole() -> None:
    pairs = [({"c": chr(97 + i // 10)}, i // 15) for i in range(40)]
    stream = from_iterable(pairs)

    def seen(part: Stream, moved: int) -> list[tuple[int, Schema]]:
        return [(moved + c.start + i, c.schema) for c in part.chunks(7) for i in range(len(c))]

    whole = seen(stream, 0)
    assert [i for i, _ in whole] == list(range(40))
    for i, schema in whole:
        assert schema.features[0].values == tuple("abcd"[: i // 10 + 1])
        assert schema.classes == (0, 1, 2)[: i // 15 + 1]
    assert seen(stream.skip(13), 13) == whole[13:]
    assert seen(stream.take(23), 0) == whole[:23]
    assert seen(stream.skip(8).take(23), 8) == whole[8:31]


def test_float_labels_are_regression() -> None:
    stream = from_iterable([({"x": 1}, 0.5), ({"x": 2}, None)])
    assert stream.schema.classes is None
    np.testing.assert_array_equal(next(stream.chunks()).y, [0.5, np.nan])
    assert from_iterable([({"x": 1}, 3)], task="regression").schema.task == "regression"


def test_an_iterator_is_read_once_and_loses_nothing() -> None:
    stream = from_iterable(iter(PAIRS), name="once")
    assert not stream.restartable
    assert stream.schema.n_features == 2
    assert sum(len(chunk) for chunk in stream.chunks(size=3)) == 4
    with pytest.raises(InputError, match="once is an iterator and was read already"):
        stream.chunks()


def test_a_function_that_makes_an_iterator_is_restartable() -> None:
    def pairs() -> Iterator[tuple[dict[str, object], str | None]]:
        yield from PAIRS

    stream = from_iterable(pairs)
    assert stream.name == "pairs"
    first, second = (list(stream.chunks()) for _ in range(2))
    np.testing.assert_array_equal(first[0].X, second[0].X)


def test_starting_later_gives_the_same_codes() -> None:
    stream = from_iterable(PAIRS)
    whole = list(stream.chunks())[-1]
    (part,) = stream.chunks(start=2)
    assert part.start == whole.start == 2
    assert part.schema == whole.schema
    np.testing.assert_array_equal(part.X, whole.X)
    np.testing.assert_array_equal(part.y, whole.y)
    assert list(stream.chunks(start=9)) == []


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (({"x": 1, "new": 2}, "up"), "record 1200, column 'new': a feature that the first 1000 records do not have: 2"),
        (({"x": "one"}, "up"), "record 1200, column 'x': not a number: 'one'"),
        (({"x": float("inf")}, "up"), "record 1200, column 'x': an infinite value: inf"),
        (({"x": [1]}, "up"), "record 1200, column 'x': not a number: [1]"),
        ([1, 2], "record 1200: not a (dict of features, label) pair: [1, 2]"),
    ],
)
def test_a_bad_record_is_named(bad: object, words: str) -> None:
    pairs = [({"x": 1.0}, "up")] * 1200 + [bad]
    with pytest.raises(DataError) as error:
        list(from_iterable(pairs).chunks())  # type: ignore[arg-type]
    assert words in str(error.value)


def test_bad_sources_are_named() -> None:
    with pytest.raises(InputError, match="has no records"):
        _ = from_iterable([]).schema
    with pytest.raises(ParameterError, match="source"):
        from_iterable(3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="task"):
        from_iterable([], task="x")
    with pytest.raises(ParameterError, match="size"):
        from_iterable(PAIRS).chunks(size=0)


def test_a_river_data_set_is_a_stream() -> None:
    stream = from_iterable(datasets.Phishing())
    assert stream.name == "Phishing"
    assert stream.n_records == 1250
    assert stream.restartable
    assert sum(len(chunk) for chunk in stream.chunks()) == 1250
    assert stream.describe()["source"] == "river.datasets.phishing.Phishing"
