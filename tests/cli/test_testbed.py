"""``prequential testbed`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import prequential as pq
from prequential.cli import app
from prequential.testbed import Gaussian, Mixture, MixtureClass, Transform

OWN = Mixture(
    classes=[
        MixtureClass("A", [Gaussian([0, 0], [1, 1], transforms=[Transform(0, 199, move=[2, 0])])]),
        MixtureClass("B", [Gaussian([3, 0], [1, 2])]),
    ],
    n_records=200,
    name="my own/stream",
    summary="one class passes another",
).to_toml()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    done = CliRunner().invoke(app, ["testbed", *words], env={"COLUMNS": "120"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_the_nine_are_listed() -> None:
    done = run("list")
    assert done.exit_code == 0
    for name in pq.testbed.names():
        assert name in done.output
    data = json.loads(run("list", "--json").stdout)
    assert [one["stream"] for one in data] == list(pq.testbed.names())
    assert data[0]["optimal_error"] == 0.0295


def test_a_stream_in_a_toml_file_is_drawn(place: Path) -> None:
    done = run("show", "own.toml", "-o", "out", "--format", "svg")
    assert done.exit_code == 0, done.output
    assert "my own/stream: one class passes another" in done.output
    assert (place / "out" / "my-own-stream.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert "Plotly" in (place / "out" / "my-own-stream.html").read_text(encoding="utf-8")


def test_pictures_go_into_a_directory_that_json_names(place: Path) -> None:
    data = json.loads(run("show", "own.toml", "--json", "--seed", "7").stdout)
    (one,) = data["streams"]
    assert one["seed"] == 7
    assert one["drifts"] == [{"at": 100, "width": 199, "real": True}]
    assert one["figure"] == str(Path("testbed") / "my-own-stream.png")
    for kind in ("figure", "animation"):
        assert (place / one[kind]).is_file()


def test_optimal_errors_are_printed_next_to_those_of_the_paper(place: Path) -> None:
    done = run("show", "NSGR", "own.toml", "--errors", "--seeds", "2")
    assert done.exit_code == 0, done.output
    nsgr, own = (line.split() for line in done.output.splitlines() if line.startswith(("NSGR", "my own")))
    assert nsgr[1:] == ["0.0000", "0.0000", "0.00000", "+0.0000", "0.0000", "0.00000", "+0.0000"]
    assert own[2] == "–", "the paper does not know it"
    data = json.loads(run("show", "own.toml", "--errors", "--seeds", "1", "--json").stdout)
    (row,) = data["errors"]
    assert row["paper"] is None
    assert row["measured_standard_error"] is None
    assert abs(row["computed"] - row["measured"]) < 0.08


def test_a_changed_stream_is_not_compared_with_the_paper(place: Path) -> None:
    text = pq.testbed.mixture("NSGR").to_toml().replace("360", "180")
    (place / "changed.toml").write_text(text, encoding="utf-8")
    data = json.loads(run("show", "changed.toml", "--errors", "--seeds", "1", "--json").stdout)
    assert data["errors"][0]["stream"] == "NSGR"
    assert data["errors"][0]["paper"] is None


def test_a_model_is_printed_as_toml_that_can_be_read_back(place: Path) -> None:
    done = run("show", "NSCX", "--toml")
    (place / "copy.toml").write_text(done.stdout, encoding="utf-8")
    assert pq.testbed.mixture(place / "copy.toml") == pq.testbed.mixture("NSCX")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("show", "--seed", "2"), "Name one or more streams (NSGT"),
        (("show", "NSXC"), "Unknown stream of the testbed: 'NSXC'."),
        (("show", "nscx"), "Did you mean 'NSCX'?"),
        (("show", "gone.toml"), "gone.toml does not exist"),
        (("show", "bad.toml"), "bad.toml: 3 faults"),
        (("show", "NSGT", "--format", "gif"), "Accepted: .png"),
        (("show", "NSGT", "NSLC", "--toml"), "--toml prints one model"),
        (("show", "NSGT", "--errors", "--seeds", "0"), "--seeds must be a whole number of at least 1"),
        (("show", "NSGT", "--seed", "-1"), "--seed must be a whole number of at least 0"),
    ],
)
def test_bad_input_ends_with_a_message(place: Path, words: tuple[str, ...], text: str) -> None:
    (place / "bad.toml").write_text(OWN.replace("n_records", "n_record").replace("[3.0, 0.0]", "[3.0]"), "utf-8")
    done = run(*words)
    assert done.exit_code == 2
    assert text in done.stderr
    assert not (place / "testbed").exists()


def test_a_directory_that_cannot_be_made_is_a_disk_error(place: Path) -> None:
    (place / "taken").write_text("")
    done = run("show", "own.toml", "-o", "taken/inside")
    assert done.exit_code == 4
