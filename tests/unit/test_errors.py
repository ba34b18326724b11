"""The tree of errors: each is also the built-in error that a caller would expect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import prequential as pq
from prequential import errors
from prequential.power.journal import KIND, SETTINGS, Journal
from prequential.testbed.cards.card_file import read_card
from prequential.testbed.toml import read_mixture


@pytest.mark.parametrize("name", errors.__all__)
def test_bad_input_is_a_value_error_and_nothing_else_is(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, ValueError) == issubclass(kind, pq.InputError)


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert sorted(["PrequentialError", *drawn]) == errors.__all__


MISSING: dict[str, Callable[[Path], object]] = {
    "a file": lambda folder: pq.read(folder / "absent.csv"),
    "a Parquet file": lambda folder: pq.evaluate(folder / "absent.parquet", "no_change"),
    "a run": lambda folder: pq.load(folder / "absent"),
    "a plan": lambda folder: pq.Plan.from_toml(folder / "absent.toml"),
    "a mixture": lambda folder: read_mixture(folder / "absent.toml"),
    "a card": lambda folder: read_card(folder / "absent.json"),
    "a power experiment": lambda folder: pq.Power.load(folder / "absent"),
    "predictions": lambda folder: pq.score(folder / "absent.csv"),
}


@pytest.mark.parametrize("what", MISSING)
def test_a_missing_file_is_a_file_not_found_error_with_its_path(what: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        MISSING[what](tmp_path)
    assert isinstance(caught.value, pq.MissingFileError)
    assert re.match(rf"{tmp_path}/absent\S* does not exist\. \(The working directory is ", str(caught.value))


def test_another_kind_of_directory_is_not_reported_as_a_damaged_one(tmp_path: Path) -> None:
    """An InputError that is raised where a ValueError means damage must keep its own message."""
    (tmp_path / SETTINGS).write_text(json.dumps({"kind": "other", "format": 1}))
    with pytest.raises(pq.InputError, match=rf"{SETTINGS}: not a power experiment\.$"):
        _ = Journal(tmp_path).design
    (tmp_path / SETTINGS).write_text(json.dumps({"kind": KIND, "format": 99}))
    with pytest.raises(pq.InputError, match="written by a newer version of prequential"):
        _ = Journal(tmp_path).design
