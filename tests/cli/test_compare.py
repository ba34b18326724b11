"""``prequential compare`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app

PROGRAM = str(Path(sys.executable).parent / "prequential")


def prequential(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [PROGRAM, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compare")
    stream = pq.streams.SEA(concept=1, noise=0.1, seed=1).take(3000)
    for name, learners in (
        ("bayes", ["naive_bayes"]),
        ("sgd", ["sgd"]),
        ("three", ["naive_bayes", "sgd", "no_change"]),
    ):
        pq.evaluate(stream, learners, predictions=True, directory=path / name)
    pq.evaluate(stream.take(2000), ["sgd"], predictions=True, directory=path / "short")
    for i in range(6):
        part = pq.streams.SEA(concept=i % 4 + 1, noise=0.1, seed=i).take(1000)
        pq.evaluate(part, ["naive_bayes", "no_change", "majority_class"], directory=path / f"s{i}")
    return path


def test_two_learners_of_a_run(home: Path, tmp_path: Path) -> None:
    figure = tmp_path / "figure.svg"
    done = prequential("compare", "three", "--learners", "naive_bayes", "sgd", "--output", figure, cwd=home)
    assert done.returncode == 0, done.stderr
    assert "A = naive_bayes, B = sgd" in done.stdout
    assert "confidence sequence" in done.stdout
    assert figure.stat().st_size > 10_000


def test_two_runs_with_predictions(home: Path) -> None:
    done = prequential("compare", "bayes", "sgd", "-f", "fading:0.99", "--json", cwd=home)
    data = json.loads(done.stdout)
    assert (data["a"], data["b"]) == ("naive_bayes", "sgd")
    assert [row["forgetting"] for row in data["last"]] == ["cumulative", "fading:0.99"]
    expected = pq.compare(home / "bayes", home / "sgd", forgetting=["fading:0.99"])
    assert data["conclusion"] == expected.conclusion


def test_many_runs_are_ranked(home: Path, tmp_path: Path) -> None:
    runs = [f"s{i}" for i in range(6)]
    done = prequential("compare", *runs, "--metric", "kappa", "--output", tmp_path / "cd.png", cwd=home)
    assert done.returncode == 0, done.stderr
    assert "kappa of 3 learners on 6 streams" in done.stdout
    assert "Iman–Davenport" in done.stdout
    assert (tmp_path / "cd.png").exists()
    data = json.loads(prequential("compare", *runs, "--at", "mean", "--json", cwd=home).stdout)
    assert data["learners"] == ["naive_bayes", "no_change", "majority_class"]


def test_two_runs_are_ranked_with_rank(home: Path) -> None:
    done = prequential("compare", "s0", "s1", "--rank", cwd=home)
    assert "accuracy of 3 learners on 2 streams" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["three"], "name the two to compare"),
        (["three", "--learners", "naive_bays", "sgd"], "Did you mean 'naive_bayes'"),
        (["bayes", "short"], "predictions: 3,000 and 2,000"),
        (["nowhere"], "nowhere does not exist"),
        (["s0", "s1", "bayes"], "has no learner 'no_change'"),
        (["bayes", "sgd", "--metric", "kappa"], "--metric and --at are for ranks"),
        (["s0", "s1", "s2", "-f", "cumulative", "-f", "sliding:1000"], "give --forgetting once"),
        (["bayes", "sgd", "--alpha", "2"], "must be a number in (0, 1)"),
        (["bayes", "sgd", "--output", "a.bmp"], "suffix '.bmp'"),
        (["s0", "s1", "s2", "--at", "start"], "'end' or 'mean'"),
    ],
)
def test_a_mistake_gets_a_message_and_exit_code_2(
    home: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    done = CliRunner().invoke(app, ["compare", *words])
    assert done.exit_code == 2, done.output
    assert message in " ".join(done.output.split())


@pytest.fixture(scope="module")
def folds(home: Path) -> pq.Run:
    return pq.evaluate(
        pq.streams.SEA(concept=1, noise=0.1, seed=1).take(3000),
        ["naive_bayes", "no_change", "majority_class"],
        protocol=pq.KFold(8, "bootstrap"),
        directory=home / "folds",
    )


def test_a_run_with_folds_is_compared_by_the_tests_over_them(home: Path, folds: pq.Run, tmp_path: Path) -> None:
    figure = tmp_path / "p.svg"
    done = prequential("compare", "folds", "--output", figure, cwd=home)
    assert done.returncode == 0, done.stderr
    assert "accuracy · 8 folds at record 3,000" in done.stdout
    assert folds.folds.table(metrics="accuracy").conclusion in done.stdout
    assert (
        "naive_bayes is better than no_change (Wilcoxon p = 0.0078; naive_bayes is ahead in 8 of the 8" in done.stdout
    )
    assert "fold 1" not in done.stdout
    assert figure.stat().st_size > 10_000


def test_two_learners_a_metric_and_a_forgetting_of_a_run_with_folds_can_be_named(home: Path, folds: pq.Run) -> None:
    words = ["-l", "majority_class", "naive_bayes", "-m", "kappa", "-f", "cumulative", "--json"]
    data = json.loads(prequential("compare", "folds", *words, cwd=home).stdout)
    expected = folds.folds.table("majority_class", "naive_bayes", metrics="kappa", forgetting="cumulative")
    assert data == expected.to_dict()
    assert [(row["a"], row["b"], row["metric"]) for row in data["over_folds"]] == [
        ("majority_class", "naive_bayes", "kappa")
    ]
    for words, message in (
        (["-m", "kapa"], "No tests of the metric 'kapa'. Did you mean 'kappa'?"),
        (["--at", "mean"], "tests over folds use the end of the run"),
        (["--alpha", "2"], "--alpha must be a number in (0, 1). Got 2.0"),
    ):
        done = prequential("compare", "folds", *words, cwd=home)
        assert done.returncode == 2
        assert message in done.stderr
