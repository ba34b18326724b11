"""Cards as files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from unit.testbed.cards.made_up import noisy, results

from prequential.errors import InputError
from prequential.runs.failure import Failure
from prequential.testbed.cards.card_file import card_text, read_card


def saved(tmp_path: Path) -> Path:
    failed = {"NSPC": Failure(12, "ValueError: “no”", "Traceback …")}
    card = results({"mine <&>": lambda s: noisy(5, len(s)), "NB": lambda s: noisy(9, len(s))}, failed=failed)
    path = tmp_path / "card.json"
    path.write_text(card_text(card), encoding="utf-8")
    return path


def test_everything_comes_back(tmp_path: Path) -> None:
    path = saved(tmp_path)
    card = read_card(path)
    assert card.learner == "mine <&>"
    assert card.seeds == tuple(range(1, 11))
    np.testing.assert_array_equal(card.learners["NB"].errors["NSGR"].counts, noisy(9, 4))
    assert card.learners["mine <&>"].errors["NSPC"].failures[0] == Failure(12, "ValueError: “no”", "Traceback …")
    assert card.streams["NSGT"].drifts == ({"at": 5000, "width": 1, "real": True},)
    assert card.learners["NB"].title == "a reference"
    assert (card.versions, card.seconds) == ({"prequential": "0.1.0"}, 12.5)
    assert card_text(card) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "plan"}, "not a card"),
        ({"format": 2}, r"newer version of prequential \(format 2\)"),
        ({"stretch": 100}, "stretches of 100 records"),
        ({"learner": "other"}, "no such learner"),
        ({"seeds": [1, 2]}, "2 seeds, but errors for 10"),
        ({"streams": {}}, None),
        ({"learners": 3}, "not a card, or a damaged one"),
        ({"versions": None}, "not a card, or a damaged one"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change: dict[str, object], message: str | None) -> None:
    path = saved(tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | change), encoding="utf-8")
    if message is None:
        assert read_card(path).streams == {}
        return
    with pytest.raises(InputError, match=message) as caught:
        read_card(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_or_other_content_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_card(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("[1, 2")
    with pytest.raises(InputError, match="damaged"):
        read_card(tmp_path / "text.json")
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(InputError, match="damaged"):
        read_card(tmp_path / "list.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_card(tmp_path / "bytes.json")
