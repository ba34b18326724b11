"""A stream as a table of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.plans.change import OPERATIONS
from prequential.plans.plan import Plan
from prequential.plans.stream import rooted, stream_of
from prequential.streams import SEA, Stream

OTHER = {"type": "SEA", "concept": 3, "seed": 2}
CASES: list[tuple[dict[str, Any], Stream]] = [
    ({"type": "drift_to", "to": OTHER, "at": 50, "width": 9}, SEA().drift_to(SEA(3, seed=2), at=50, width=9)),
    ({"type": "drift_to", "to": OTHER, "at": 5e1}, SEA().drift_to(SEA(3, seed=2), at=50)),
    ({"type": "blip", "to": OTHER, "at": 50, "width": 9}, SEA().blip(SEA(3, seed=2), at=50, width=9)),
    (
        {"type": "drift_through", "to": [OTHER, {"type": "SEA", "concept": 4}], "at": 50, "width": 10},
        SEA().drift_through(SEA(3, seed=2), SEA(4), at=50, width=10),
    ),
    ({"type": "recurring", "to": OTHER, "every": 30}, SEA().recurring(SEA(3, seed=2), every=30)),
    ({"type": "interleave", "to": [OTHER], "shares": [1, 2]}, SEA().interleave(SEA(3, seed=2), shares=[1, 2])),
    (
        {"type": "class_ratio", "ratio": "1:9", "changes": {"50": "9:1"}, "width": 4},
        SEA().class_ratio("1:9", changes={50: "9:1"}, width=4),
    ),
    ({"type": "class_ratio", "ratio": {"groupA": 1, "groupB": 3}}, SEA().class_ratio({"groupA": 1, "groupB": 3})),
    ({"type": "label_noise", "share": 0.1, "seed": 4}, SEA().label_noise(0.1, seed=4)),
    (
        {"type": "feature_noise", "deviation": 1.5, "features": ["attrib2"]},
        SEA().feature_noise(1.5, features=["attrib2"]),
    ),
    ({"type": "missing", "share": 0.2}, SEA().missing(0.2)),
    ({"type": "sparse_labels", "share": 0.2}, SEA().sparse_labels(0.2)),
]


def assert_same(one: Stream, other: Stream) -> None:
    assert one.drifts == other.drifts
    for part in ("X", "y"):
        found, expected = (np.concatenate([getattr(c, part) for c in s.chunks()]) for s in (one, other))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("change", "wanted"), CASES, ids=lambda value: value["type"] if isinstance(value, dict) else ""
)
def test_a_change_is_the_method_of_its_name(change: dict[str, Any], wanted: Stream) -> None:
    assert_same(stream_of({"type": "SEA", "n": 200, "change": [change]}), wanted.take(200))


def test_changes_are_made_in_their_order_and_before_anything_is_taken(tmp_path: Path) -> None:
    path = pq.write(SEA(), tmp_path / "a.csv", n=60).path
    table = {
        "path": "a.csv",
        "skip": 10,
        "take": 150,
        "change": [{"type": "missing", "share": 0.3}, {"type": "repeat"}],
    }
    assert_same(stream_of(table, tmp_path), pq.read(path).missing(0.3).repeat().skip(10).take(150))
    table["change"] = [{"type": "repeat", "times": 2}, {"type": "followed_by", "to": {"path": "a.csv"}}]
    assert_same(stream_of(table, tmp_path), pq.read(path).repeat(2).followed_by(pq.read(path)).skip(10).take(150))


def test_every_change_is_known_to_streams() -> None:
    assert all(callable(getattr(Stream, op)) for op in OPERATIONS)


def test_paths_of_all_streams_become_absolute(tmp_path: Path) -> None:
    others = [{"path": "b.csv"}, {"type": "SEA"}]
    table = {
        "path": "a.csv",
        "change": [{"type": "interleave", "to": others}, {"type": "followed_by", "to": others[0]}],
    }
    found = rooted(table, tmp_path)
    there = {"path": str(tmp_path.resolve() / "b.csv")}
    assert found["path"] == str(tmp_path.resolve() / "a.csv")
    assert found["change"] == [{"type": "interleave", "to": [there, others[1]]}, {"type": "followed_by", "to": there}]
    plan = Plan({"stream": table, "learner": [{"type": "no_change"}]}, None, tmp_path)
    assert plan.rooted().data["stream"] == found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("label_noise", "a change must be a table, not 'label_noise'"),
        ({"share": 0.1}, "a change needs a 'type'. Accepted: drift_to, blip"),
        ({"type": "lable_noise", "share": 0.1}, "unknown change 'lable_noise'. Did you mean 'label_noise'?"),
        ({"type": "label_noise", "shaer": 0.1}, "label_noise has no parameter 'shaer'. Did you mean 'share'?"),
        ({"type": "label_noise"}, "label_noise needs 'share'"),
        ({"type": "label_noise", "share": 2}, "The 'share' parameter of label_noise must be"),
        ({"type": "label_noise", "share": 0.1, "to": OTHER}, "label_noise has no parameter 'to'"),
        ({"type": "drift_to", "to": OTHER}, "drift_to needs 'at'"),
        ({"type": "drift_to", "at": 5}, "drift_to needs 'to', the other stream: a table such as"),
        (
            {"type": "blip", "to": [OTHER, OTHER], "at": 5, "width": 2},
            "blip needs 'to', the other stream: a table such",
        ),
        ({"type": "drift_to", "to": {"type": "LDE"}, "at": 5}, "unknown stream 'LDE'. Did you mean 'LED'?"),
        ({"type": "drift_to", "to": {"type": "SEA", "nois": 1}, "at": 5}, "SEA has no parameter 'nois'. Did you"),
        ({"type": "drift_to", "to": {}, "at": 5}, "it needs a 'path' or a 'type'"),
        ({"type": "class_ratio", "ratio": "1:9", "changes": {"soon": "9:1"}}, "'soon' is not a record index"),
    ],
)
def test_a_change_that_cannot_be_made_is_explained(change: Any, message: str) -> None:
    with pytest.raises(pq.InputError) as caught:
        stream_of({"type": "SEA", "n": 200, "change": [change]})
    assert message in str(caught.value)


def test_a_generated_stream_needs_its_length() -> None:
    with pytest.raises(pq.InputError, match="needs 'n', the number of records"):
        stream_of({"type": "SEA"})
    with pytest.raises(pq.InputError, match="change must be a list, not 'label_noise'"):
        stream_of({"type": "SEA", "n": 5, "change": "label_noise"})


def test_the_path_of_a_model_is_relative_to_the_plan(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(pq.testbed.mixture("NSPC-A").to_toml())
    found = stream_of({"path": "mine.toml", "seed": 3, "n": 50}, tmp_path)
    expected = pq.testbed.stream("NSPC-A", seed=3).take(50)
    np.testing.assert_array_equal(next(found.chunks()).X, next(expected.chunks()).X)
    assert rooted({"path": "mine.toml"}, tmp_path)["path"] == str((tmp_path / "mine.toml").resolve())
    assert rooted({"type": "NSGT"}, tmp_path)["type"] == "NSGT"
