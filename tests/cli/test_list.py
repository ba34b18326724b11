"""``prequential list`` and ``prequential show`` as a user meets them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import prequential as pq
from prequential.cli import app
from prequential.cli.listed import KINDS
from prequential.learners.catalogue import LEARNERS
from prequential.streams.generators import GENERATORS

EXAMPLES = Path(__file__).parents[2] / "examples"


def call(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return done


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_of_a_kind_is_listed_and_explained(kind: str) -> None:
    data = json.loads(call("list", kind, "--json").stdout)
    text = call("list", kind).stdout
    for one in data:
        name = one["name"].partition("[")[0]
        assert name in text
        explained = json.loads(call("list", kind, name, "--json").stdout)
        assert explained["text"]
        assert explained["example"].startswith("prequential ")
        assert one["summary"] in call("list", kind, name).stdout


@pytest.mark.parametrize("words", [("list", kind) for kind in KINDS] + [("data",), ("reproduce",), ("testbed", "list")])
def test_a_list_fits_a_terminal_of_80_columns_and_cuts_no_name(words: tuple[str, ...]) -> None:
    narrow = CliRunner().invoke(app, list(words), env={"COLUMNS": "80"}).stdout
    assert "…" not in narrow
    assert "``" not in narrow
    listed = [line for line in narrow.splitlines() if not line.startswith(("More", "Other", "Folder", "Reproduce"))]
    assert max(map(len, listed)) <= 80
    data = json.loads(call(*words, "--json").stdout)
    names = [one.get("name") or one["stream"] for one in (data["data_sets"] if isinstance(data, dict) else data)]
    assert set(names) <= {line.partition(" ")[0] for line in listed}


def test_the_lists_are_those_of_the_package() -> None:
    names = {kind: [one["name"] for one in json.loads(call("list", kind, "--json").stdout)] for kind in KINDS}
    assert names["learners"] == list(LEARNERS)
    assert [name.partition("[")[0] for name in names["metrics"]] == list(pq.metrics.names())
    assert names["streams"][: len(GENERATORS)] == list(GENERATORS)
    data = {one["name"]: one for one in json.loads(call("list", "streams", "--json").stdout)}
    assert data["SEA"]["parameters"] == {"concept": 1, "noise": 0.1, "seed": 1}
    assert data["LED"]["bayes_error"] == pytest.approx(0.26, abs=0.001)
    assert data["RandomRBF"]["bayes_error"] is None


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("learners", "metrics")])
def test_the_examples_of_a_kind_run(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    found = list(KINDS[kind]())
    for one in found[:: len(found) - 1 if kind == "streams" else 1]:  # of the streams the first and the last
        call(*shlex.split(one.example)[1:])


@pytest.mark.parametrize("name", ["log_loss", "mae", "recall", "auc"])
def test_the_example_of_a_metric_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (example,) = (one.example for one in KINDS["metrics"]() if one.name.partition("[")[0] == name)
    call(*shlex.split(example)[1:], "--no-report")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("naive_bayes",), "'naive_bayes' is one of the learners: prequential list learners naive_bayes"),
        (("learner",), "Unknown kind 'learner'. Did you mean 'learners'?"),
        (("learners", "hoefding_tree"), "Did you mean 'hoeffding_tree'?"),
        (("metrics", "roc_auc"), "Did you mean 'auc'?"),
        (("metrics", "kappa_per"), "Did you mean 'kappa_t'?"),
        (("streams", "sea"), "Did you mean 'SEA'?"),
        (("detectors", "adwn"), "Did you mean 'adwin'?"),
    ],
)
def test_an_unknown_name_suggests_the_right_one(words: tuple[str, ...], message: str) -> None:
    assert message in " ".join(call("list", *words, code=2).stderr.split())


def test_a_metric_by_the_name_of_another_library_suggests_ours() -> None:
    for other, ours in (("roc_auc", "auc"), ("f1_score", "f1"), ("matthews_corrcoef", "mcc"), ("brier_score", "brier")):
        done = call("run", "SEA", "--n", 100, "-l", "no_change", "-m", other, code=2)
        assert f"Did you mean '{ours}'?" in " ".join(done.stderr.split())


def test_a_run_is_shown_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = call("run", "SEA", "--n", 2000, "-l", "naive_bayes", "-o", "out", "--no-report", "-q").stdout
    assert call("show", "out").stdout == table
    assert not (tmp_path / "out" / "report.html").exists(), "nothing is written unless asked"
    assert "kappa" not in call("show", "out", "-m", "accuracy").stdout
    data = json.loads(call("show", "out", "-m", "accuracy", "--json").stdout)
    assert data["status"] == "complete"
    assert {row["metric"] for row in data["table"]} == {"accuracy"}
    call("show", "out", "--report", "--plot")
    assert (tmp_path / "out" / "report.html").stat().st_size > 100_000
    call("show", "out", "--plot", "-o", "a.svg")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "nowhere"),
        (("out", "-o", "a.png"), "-o names one file: give either --report or --plot."),
        (("out", "--plot", "-o", "a.bmp"), "suffix '.bmp'"),
        (("out", "-m", "auc"), "auc"),
    ],
)
def test_what_cannot_be_shown_is_explained(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call("run", "SEA", "--n", 200, "-l", "naive_bayes", "-o", "out", "--no-report", "-q")
    assert message in call("show", *words, code=2).stderr
