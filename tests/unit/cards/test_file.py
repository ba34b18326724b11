"""Cards as files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from unit.cards.made_up import noisy, results

from prequential.cards.file import read, written
from prequential.errors import InputError
from prequential.runs.manifest import Failure


def saved(tmp_path: Path) -> Path:
    failed = {"NSPC": Failure(12, "ValueError: “no”", "Traceback …")}
    card = results({"mine <&>": lambda s: noisy(5, len(s)), "NB": lambda s: noisy(9, len(s))}, failed=failed)
    path = tmp_path / "card.json"
    path.write_text(written(card), encoding="utf-8")
    return path


def test_everything_comes_back(tmp_path: Path) -> None:
    path = saved(tmp_path)
    card = read(path)
    assert card.learner == "mine <&>"
    assert card.seeds == tuple(range(1, 11))
    np.testing.assert_array_equal(card.learners["NB"].errors["NSGR"].counts, noisy(9, 4))
    assert card.learners["mine <&>"].errors["NSPC"].failures[0] == Failure(12, "ValueError: “no”", "Traceback …")
    assert card.streams["NSGT"].drifts == ({"at": 5000, "width": 1, "real": True},)
    assert card.learners["NB"].title == "a reference"
    assert (card.versions, card.seconds) == ({"prequential": "0.1.0"}, 12.5)
    assert written(card) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "plan"}, "not a card"),
        ({"format": 2}, r"newer version of prequential \(format 2\)"),
        ({"stretch": 100}, "stretches of 100 records"),
        ({"learner": "other"}, "no such learner"),
        ({"seeds": [1, 2]}, "2 seeds, but the errors of 10"),
        ({"streams": {}}, None),
        ({"learners": 3}, "not a card, or a damaged one"),
        ({"versions": None}, "not a card, or a damaged one"),
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, change: dict[str, object], message: str | None) -> None:
    path = saved(tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | change), encoding="utf-8")
    if message is None:
        assert read(path).streams == {}
        return
    with pytest.raises(InputError, match=message) as told:
        read(path)
    assert str(path) in str(told.value)


def test_what_is_no_file_or_no_json_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("[1, 2")
    with pytest.raises(InputError, match="damaged"):
        read(tmp_path / "text.json")
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(InputError, match="damaged"):
        read(tmp_path / "list.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match="nor any text"):
        read(tmp_path / "bytes.json")
