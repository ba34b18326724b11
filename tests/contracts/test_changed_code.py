"""A run is not resumed with other code or other versions than it was started with, unless the user accepts it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.errors import InputError
from prequential.python_object import python_object
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema

MODEL = """
class Model:
    label = None

    def predict_one(self, x):
        return self.label

    def learn_one(self, x, y):
        self.label = y
"""
CHANGED = MODEL.replace("self.label = y", "self.label = None")


class Killed(BaseException):
    """Ends the run as a kill of its process would."""


class Breaking(pq.Stream):
    """A stream during which the process is killed."""

    def __init__(self, at: int) -> None:
        self._source, self._at = pq.streams.SEA(seed=1).take(600), at
        self.name, self.n_records = self._source.name, 600

    @property
    def schema(self) -> Schema:
        return self._source.schema

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[Chunk]:
        for chunk in self._source.chunks(min(size, 100), start):
            if chunk.start >= self._at:
                raise Killed
            yield chunk

    def describe(self) -> dict[str, object]:
        return self._source.describe()


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Write the file of a learner, and import it as a new process would."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def loaded(text: str) -> Any:
        (tmp_path / "changing_model.py").write_text(text, encoding="utf-8")
        cls: Any = python_object("changing_model.py:Model", tmp_path)
        return cls()

    yield loaded
    sys.modules.pop("changing_model", None)


def run(learner: Any, folder: Path, at: int = 10_000, **options: Any) -> pq.Run:
    return pq.evaluate(
        Breaking(at),
        {"mine": learner, "bayes": "naive_bayes"},
        every=100,
        directory=folder / "run",
        save_seconds=0,
        chunk_size=100,
        **options,
    )


def test_changed_code_of_a_learner_is_refused_and_named(load: Callable[[str], Any], tmp_path: Path) -> None:
    with pytest.raises(Killed):
        run(load(MODEL), tmp_path, 300)
    with pytest.raises(InputError, match=r"code of changing_model\.Model\.learn_one: changed\n.*accept_changes=True"):
        run(load(CHANGED), tmp_path, resume=True)
    same = run(load(f"# a comment\n{MODEL}"), tmp_path, resume=True)
    assert same.status == "complete"
    assert same.manifest.resumed_at == [300]
    assert same.manifest.accepted_changes == []


def test_changed_code_can_be_accepted_and_the_run_says_so(load: Callable[[str], Any], tmp_path: Path) -> None:
    with pytest.raises(Killed):
        run(load(MODEL), tmp_path, 300)
    done = run(load(CHANGED), tmp_path, resume=True, accept_changes=True)
    assert done.status == "complete"
    assert done.manifest.accepted_changes == ["code of changing_model.Model.learn_one: changed"]
    assert "changing_model.Model.learn_one: changed" in done.save_report(tmp_path / "report.html").read_text()


def test_a_complete_run_is_not_taken_for_the_result_of_other_code(load: Callable[[str], Any], tmp_path: Path) -> None:
    run(load(MODEL), tmp_path)
    assert run(load(MODEL), tmp_path, resume=True).status == "complete"
    with pytest.raises(InputError, match="learn_one: changed"):
        run(load(CHANGED), tmp_path, resume=True)


def test_other_settings_are_refused_even_if_changes_of_code_are_accepted(
    load: Callable[[str], Any], tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        run(load(MODEL), tmp_path, 300)
    with pytest.raises(InputError, match="seed: 1 then, 2 now"):
        run(load(MODEL), tmp_path, resume=True, accept_changes=True, seed=2)


@pytest.mark.parametrize("library", ["river", "sklearn"])
def test_another_version_of_a_library_is_refused(library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from river.naive_bayes import GaussianNB
    from sklearn.linear_model import SGDClassifier

    learner = {"river": GaussianNB(), "sklearn": SGDClassifier()}[library]
    with pytest.raises(Killed):
        run(learner, tmp_path, 300)
    home = pq.load(tmp_path / "run").directory
    then = home.manifest
    assert then.code is not None
    assert library in then.code.libraries
    home.write_manifest(replace(then, code=replace(then.code, libraries={**then.code.libraries, library: "0.1"})))
    with pytest.raises(InputError, match=f"library {library}: 0.1 then"):
        run(learner, tmp_path, resume=True)
    done = run(learner, tmp_path, resume=True, accept_changes=True)
    assert done.status == "complete"
    assert [change.partition(" then")[0] for change in done.manifest.accepted_changes] == [f"library {library}: 0.1"]


def test_a_changed_metric_is_refused(tmp_path: Path) -> None:
    def metric(factor: float) -> Any:
        return pq.Metric("scaled", lambda counts: counts.matrix.trace(axis1=-2, axis2=-1) * factor)

    with pytest.raises(Killed):
        run("no_change", tmp_path, 300, metrics=["accuracy", metric(1.0)])
    with pytest.raises(InputError, match=r"code of .*metric"):
        run("no_change", tmp_path, metrics=["accuracy", metric(2.0)], resume=True)


def test_accepting_changes_without_resuming_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="resume=True"):
        run("no_change", tmp_path, accept_changes=True)


@pytest.mark.filterwarnings("ignore:.*no intact save point")
def test_the_command_line_refuses_and_accepts_changes(load: Callable[[str], Any], tmp_path: Path) -> None:
    load(MODEL)
    pq.write(pq.streams.SEA(seed=1).take(300), tmp_path / "data.csv")
    words = [
        "run",
        str(tmp_path / "data.csv"),
        "-l",
        f"{tmp_path}/changing_model.py:Model",
        "-o",
        str(tmp_path / "out"),
    ]
    words += ["--no-report", "-q"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    home = pq.load(tmp_path / "out").directory
    home.write_manifest(replace(home.manifest, status="interrupted"))
    load(CHANGED)
    refused = CliRunner().invoke(app, [*words, "--resume"])
    assert refused.exit_code == 2
    assert "learn_one: changed" in refused.output
    assert "--accept-changes" in refused.output
    accepted = CliRunner().invoke(app, [*words, "--resume", "--accept-changes"])
    assert accepted.exit_code == 0, accepted.output
    assert "accepted: code of changing_model.Model.learn_one: changed" in accepted.output


def test_a_file_that_was_modified_after_the_start_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    pq.write(pq.streams.SEA(seed=1).take(600), data)
    os.utime(data, (1, 1))

    def part(at: int) -> pq.Stream:
        stream = Breaking(at)
        stream._source = pq.read(data)
        return stream

    words: dict[str, Any] = {"every": 100, "directory": tmp_path / "run", "save_seconds": 0, "chunk_size": 100}
    with pytest.raises(Killed):
        pq.evaluate(part(300), "no_change", **words)
    with pytest.raises(Killed):
        pq.evaluate(part(400), "no_change", **words, resume=True)  # not modified: no warning
    os.utime(data, (4e9, 4e9))
    with pytest.warns(pq.DataWarning, match=r"data\.csv was modified after the run had started\..*overwrite=True"):
        done = pq.evaluate(part(10_000), "no_change", **words, resume=True)
    assert done.manifest.resumed_at == [300, 400]
