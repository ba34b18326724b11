"""Late labels: streams that cannot be delayed, and compositions that refuse events."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

import prequential as pq
from prequential.streams import Stream


@pytest.fixture
def stream() -> Stream:
    return pq.streams.SEA(seed=1).take(200)


REFUSED: dict[str, Callable[[Stream], Stream]] = {
    "sparse_labels": lambda late: late.sparse_labels(0.5),
    "class_ratio": lambda late: late.class_ratio({"groupA": 0.5, "groupB": 0.5}),
    "followed_by": lambda late: late.followed_by(late),
    "repeat": lambda late: late.repeat(2),
}


@pytest.mark.parametrize("method", REFUSED)
def test_events_are_refused_where_rows_are_taken_for_records(method: str, stream: Stream) -> None:
    """Without its label, an event would be a new version of its record, and joined streams have no ids."""
    with pytest.raises(pq.InputError, match=rf"{method}: SEA is a stream of events.*{method}\(…\)\.delayed\(…\)"):
        REFUSED[method](stream.delayed(10))


def test_labels_left_out_before_they_are_late_never_come(stream: Stream) -> None:
    late = stream.sparse_labels(0.5, seed=1).delayed(10)
    run = pq.evaluate(late, "no_change", protocol=pq.Delayed(bins=2), metrics="accuracy")
    events = run.manifest.events
    assert events is not None
    assert events["n_records"] == 200
    assert events["n_versions"] == 0
    assert events["n_labels"] + events["n_waiting"] == 200
    assert 60 < events["n_labels"] < 140


@pytest.mark.parametrize("changed", [lambda s: s.take(50), lambda s: s.skip(5), lambda s: s.label_noise(0.1)])
def test_events_can_be_cut_and_changed_one_by_one(changed: Callable[[Stream], Stream], stream: Stream) -> None:
    assert changed(stream.delayed(10)).events


def test_a_nominal_feature_is_no_delay() -> None:
    table = pa.table({"day": ["mo", "tu"] * 5, "x": np.arange(10.0), "class": ["a", "b"] * 5})
    with pytest.raises(pq.InputError, match=r"'day' of .* is nominal. Accepted: a numeric feature"):
        pq.from_table(table, target="class").delayed("day")


class Early:
    """Labels that come before their records."""

    def of(self, draws: np.ndarray) -> np.ndarray:
        return -draws


def test_a_distribution_that_draws_negative_delays_is_refused(stream: Stream) -> None:
    with pytest.raises(pq.DataError, match="a negative delay"):
        list(stream.delayed(Early()).chunks())
