"""One way to name a stream, in every command that takes one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import prequential as pq
from prequential.cli import app
from prequential.testbed import mixture

EXAMPLE = Path(__file__).parents[2] / "examples" / "data.csv"


def call(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_bytes(EXAMPLE.read_bytes())
    (tmp_path / "mine.toml").write_text(mixture("NSGT").to_toml())
    (tmp_path / "plan.toml").write_text(
        '[stream]\ntype = "SEA"\nconcept = 2\nn = 400\n[[learner]]\ntype = "no_change"\n'
    )
    call("run", "plan.toml", "-o", "old", "--no-report", "-q")
    return tmp_path


def sea(concept: int = 2) -> pq.Stream:
    return pq.streams.SEA(concept).take(400)


SOURCES: dict[str, Any] = {
    "data.csv:target=class,ignore=day": lambda: pq.read("data.csv", target="class", ignore="day").take(400),
    "data.csv:target=class,ignore=(day,first)": lambda: pq.read(
        "data.csv", target="class", ignore=["day", "first"]
    ).take(400),
    "SEA:concept=2": sea,
    "NSGT:seed=2": lambda: pq.testbed.stream("NSGT", seed=2).take(400),
    "mine.toml": lambda: pq.testbed.stream("NSGT").take(400),
    "plan.toml": sea,
    "old": sea,
}


def records(stream: pq.Stream) -> Any:
    return [np.concatenate([getattr(chunk, part) for chunk in stream.chunks()]) for part in ("X", "y")]


@pytest.mark.parametrize("source", SOURCES)
def test_generate_writes_the_stream_that_a_source_names(source: str) -> None:
    call("generate", source, "--n", 400, "-o", "a.parquet", "-q")
    for found, expected in zip(records(pq.read("a.parquet")), records(SOURCES[source]()), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("source", [name for name in SOURCES if name not in ("plan.toml", "old")])
def test_run_evaluates_on_it(source: str) -> None:
    call("run", source, "--n", 400, "-l", "naive_bayes", "-o", "out", "--no-report", "-q")
    expected = pq.evaluate(SOURCES[source](), "naive_bayes", seed=1)
    assert pq.load("out").to_arrow()["value"].to_pylist() == expected.to_arrow()["value"].to_pylist()


@pytest.mark.parametrize("source", SOURCES)
def test_detect_and_power_take_it(source: str) -> None:
    length = () if source in ("plan.toml", "old") else ("--n", 400)
    data = json.loads(call("detect", source, *length, "-d", "adwin", "--no-figure", "--json").stdout)
    assert data["n_records"] == 400
    words = ("-l", "random_forest:n_models=2", "--scheme", "cross", "--noise", 0.2, "--runs", 1, "--json")
    design = json.loads(call("power", source, "--n", 400, *words).stdout)["design"]
    assert [one["n_records"] for one in design["streams"].values()] == [400]


def test_the_options_that_change_a_stream_are_those_of_every_command() -> None:
    words = ("SEA", "--n", 1000, "--drift-to", "SEA:concept=4,at=500", "--label-noise", 0.1)
    call("generate", *words, "-o", "a.parquet", "-q")
    call("run", *words, "-l", "naive_bayes", "-o", "one", "--no-report", "-q")
    call("run", "a.parquet", "-l", "naive_bayes", "-o", "two", "--no-report", "-q")
    assert pq.load("one").to_arrow()["value"].to_pylist() == pq.load("two").to_arrow()["value"].to_pylist()
    found = json.loads(call("detect", *words, "-d", "adwin", "--no-figure", "--json").stdout)
    assert [drift["at"] for drift in found["drifts"]] == [500]


def test_the_saved_plan_repeats_a_changed_stream() -> None:
    words = ("--ratio", "1:3", "--missing", 0.1, "--seed", 3)
    call("run", "SEA", "--n", 500, *words, "-l", "naive_bayes", "-o", "one", "--no-report", "-q")
    call("run", "one/plan.toml", "-o", "two", "--no-report", "-q")
    assert pq.load("one").to_arrow().equals(pq.load("two").to_arrow())


def test_labels_of_a_generated_stream_can_be_late() -> None:
    late = ("--protocol", "delayed", "--delay", 100)
    call("run", "SEA", "--n", 500, *late, "-l", "no_change", "-o", "out", "--no-report", "-q")
    assert pq.load("out").manifest.protocol["protocol"] == "delayed"


BAD: list[tuple[tuple[object, ...], str]] = [
    (("run", "SEA", "-l", "no_change"), "SEA never ends. Give the number of records: --n 10000."),
    (("run", "SAE", "-l", "no_change"), "Did you mean 'SEA'?"),
    (("run", "nsgt", "-l", "no_change"), "Did you mean 'NSGT'?"),
    (("run", "nowhere.csv", "-l", "no_change"), "nowhere.csv does not exist"),
    (("run", "SEA", "--n", 100, "--target", "x"), "--target says how to read a file, but SEA is not a file."),
    (("run", "data.csv", "--n", 100, "--take", 50), "--n and --take are the same for a file"),
    (("run", "SEA:nosie=1", "--n", 100), "Did you mean 'noise'?"),
    (("run", "plan.toml", "--label-noise", 0.1), "--label-noise cannot be given here"),
    (("detect", "plan.toml", "--label-noise", 0.1), "--label-noise cannot be given here"),
    (("power", "old", "--target", "x"), "--target cannot be given here"),
    (("detect", "SEA", "--n", 100, "--series", "x"), "--series names a column of a file, but SEA is not a file."),
    (("detect", "data.csv", "--series", "day", "--missing", 0.1), "--missing and --series cannot be given together"),
    (("run", "old"), "old is the directory of a run. Add --resume to continue it."),
    (("run", "-l", "no_change"), "prequential demo shows an example"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_a_source_that_cannot_be_used_is_explained(words: tuple[object, ...], message: str) -> None:
    assert message in " ".join(call(*words, code=2).stderr.split())
