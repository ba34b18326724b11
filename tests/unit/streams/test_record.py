"""The records of a stream one by one, as River's models take them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from river import metrics, tree
from river.evaluate import progressive_val_score

import prequential as pq


def test_a_record_is_a_dict_and_its_label() -> None:
    stream = pq.from_arrays(
        [[1.0, 0], [np.nan, 1], [3.0, np.nan]],
        ["up", None, "down"],
        feature_names=["x", "day"],
        nominal={"day": ["mon", "tue"]},
    )
    assert list(stream) == [({"x": 1.0, "day": "mon"}, "up"), ({"day": "tue"}, None), ({"x": 3.0}, "down")]
    assert list(stream) == list(stream), "a stream can be read again"


def test_the_targets_of_a_regression_stream_are_numbers() -> None:
    stream = pq.from_arrays(np.eye(3), [0.5, np.nan, 1.5])
    assert [y for _, y in stream] == [0.5, None, 1.5]


def test_a_stream_without_features_has_labels() -> None:
    assert list(pq.from_arrays(np.empty((2, 0)), ["a", "b"])) == [({}, "a"), ({}, "b")]


def test_classes_and_values_that_appear_late_are_decoded() -> None:
    pairs: list[tuple[dict[str, object], bool]] = [
        ({"x": 1.0, "day": "mon"}, True),
        ({"x": 2.0, "day": "tue"}, False),
        ({"day": "mon"}, True),
    ]
    assert list(pq.from_iterable(pairs)) == pairs


def test_records_are_those_of_the_chunks() -> None:
    stream = pq.streams.Waveform(seed=3).take(9000)
    records = list(stream)
    X, y = (np.concatenate([getattr(chunk, part) for chunk in stream.chunks(1000)]) for part in ("X", "y"))
    classes = stream.schema.classes
    assert classes is not None
    np.testing.assert_array_equal([list(x.values()) for x, _ in records], X)
    assert [label for _, label in records] == [classes[code] for code in y]


def test_river_evaluates_on_a_stream_and_agrees() -> None:
    stream = pq.streams.SEA(seed=1).take(1500).missing(0.05)
    model = tree.HoeffdingTreeClassifier()
    found = progressive_val_score(stream, model.clone(), metrics.Accuracy())
    run = pq.evaluate(stream, model, metrics="accuracy", forgetting="cumulative", abstain="skip")  # as River does
    assert run.to_arrow()["value"].to_pylist()[-1] == pytest.approx(found.get(), abs=1e-12)


def test_an_endless_stream_can_be_looped_over_but_not_listed() -> None:
    sea = pq.streams.SEA(seed=1)
    assert list(islice(sea, 3)) == list(sea.take(3))
    for make in (list, tuple):
        with pytest.raises(pq.InputError, match=r"SEA never ends. Use a part of it, such as stream.take\(100_000\)"):
            make(sea)
