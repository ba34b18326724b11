"""Power experiments on disk."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from unit.power.made_up import design, repetitions

from prequential.errors import InputError, StorageError
from prequential.power.journal import Journal


def begun(path: Path, p_values: list[tuple[float, float]]) -> Journal:
    journal = Journal(path)
    journal.begin(design())
    journal.append(repetitions(p_values))
    return journal


def test_what_is_written_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    p_values = [(1 / 3, 0.1 + 0.2), (5e-324, 1.0), (math.nan, 0.5)]
    found = begun(tmp_path / "a" / "b", p_values)
    assert found.design == design()
    back = found.repetitions()
    assert back[:2] == tuple(repetitions(p_values)[:2])
    assert math.isnan(back[2].contrasts[0].p["sign"])
    assert back[2].contrasts[0].reason["sign"] == "weights"


def test_an_incomplete_line_is_ignored_and_written_again(tmp_path: Path) -> None:
    journal = begun(tmp_path, [(0.1, 0.2), (0.3, 0.4)])
    whole = (tmp_path / "repetitions.jsonl").read_bytes()
    for cut in range(len(whole) - 1, whole.index(b"\n"), -37):
        (tmp_path / "repetitions.jsonl").write_bytes(whole[:cut])
        assert [one.run for one in journal.repetitions()] == [1]
        journal.begin(design())
        journal.append(repetitions([(0.1, 0.2), (0.3, 0.4)])[1:])
        assert (tmp_path / "repetitions.jsonl").read_bytes() == whole


def test_a_repetition_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    journal = begun(tmp_path, [(0.1, 0.2)])
    journal.append(repetitions([(0.1, 0.2), (0.3, 0.4)]))
    assert journal.repetitions() == tuple(repetitions([(0.1, 0.2), (0.3, 0.4)]))


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    journal = begun(tmp_path, [(0.1, 0.2), (0.3, 0.4)])
    path = tmp_path / "repetitions.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"run": 1', b'"ruin": 1'))
    with pytest.raises(InputError, match=r"repetitions.jsonl, line 1: damaged \(KeyError: 'run'\)"):
        journal.repetitions()


def test_more_runs_and_another_level_continue_and_other_settings_are_listed(tmp_path: Path) -> None:
    journal = begun(tmp_path, [(0.1, 0.2)])
    journal.begin(design(runs=99, alpha=0.01))
    assert (journal.design.runs, journal.design.alpha) == (99, 0.01)
    with pytest.raises(InputError) as caught:
        journal.begin(design(seed=2, noise=(0.1, 0.2), folds=(30,)))
    message = str(caught.value)
    assert "folds is (30,) here and was (10,)" in message
    assert "noise is (0.1, 0.2) here and was (0.05,)" in message
    assert "seed is 2 here and was 1" in message
    assert "runs is" not in message
    assert len(journal.repetitions()) == 1


def test_other_records_are_other_settings(tmp_path: Path) -> None:
    journal = begun(tmp_path, [(0.1, 0.2)])
    with pytest.raises(InputError, match=r"streams is .*'ff'.* here and was .*'0a'"):
        journal.begin(design(streams={"SEA": {"n_records": 100, "records": "ff"}}))


def test_a_directory_with_anything_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("…")
    with pytest.raises(InputError, match="exists already and is not a power experiment"):
        Journal(tmp_path).begin(design())
    with pytest.raises(InputError, match=r"not the directory of a power experiment \(it has no power.json\)"):
        Journal(tmp_path).design  # noqa: B018  # reading it is the test
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "card"}, "not a power experiment"),
        ({"format": 2}, "newer version of prequential"),
        ({"design": {}}, "damaged"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    journal = begun(tmp_path, [])
    data = json.loads((tmp_path / "power.json").read_text())
    (tmp_path / "power.json").write_text(json.dumps({**data, **change}))
    with pytest.raises(InputError, match=message):
        journal.design  # noqa: B018  # reading it is the test


def test_a_disk_that_does_not_take_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"file/below/power.json: cannot be written \(Not a directory\)"):
        Journal(tmp_path / "file" / "below").begin(design())
