"""``prequential power`` as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.csv
import pytest
from typer.testing import CliRunner, Result

import prequential as pq
from prequential.cli import app

PROGRAM = str(Path(sys.executable).parent / "prequential")
EXAMPLE = Path(__file__).parents[2] / "examples" / "data.csv"
SMALL = ("-l", "random_forest:n_models=2", "--scheme", "cross", "--noise", "0.2", "--quiet")


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["power", *map(str, words)], env={"COLUMNS": "120"})


def test_generators_with_all_options(tmp_path: Path) -> None:
    folds = ("--folds", 6, "--folds", 10)
    done = run("SEA", "Hyperplane:speed=0.01", "--n", "3e2", "--runs", 2, *folds, *SMALL, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "Share of 2 runs in which a test rejects at α = 0.05 · random_forest:n_models=2, accuracy" in done.output
    assert "SEA, 6 folds, wilcoxon" in done.output
    assert "Hyperplane:speed=0.01, 10 folds, mcnemar" in done.output
    assert "Same learner: the copy has another seed" in done.output
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == ["figure.png", "power.json", "rates.csv", "repetitions.jsonl"]
    found = pq.Power.load(tmp_path / "out")
    assert pyarrow.csv.read_csv(tmp_path / "out" / "rates.csv").to_pylist() == found.to_dicts()
    direct = pq.power(
        {"SEA": pq.streams.SEA().take(300), "Hyperplane:speed=0.01": pq.streams.Hyperplane(speed=0.01).take(300)},
        "random_forest:n_models=2",
        schemes="cross",
        folds=[6, 10],
        noise=0.2,
        runs=2,
    )
    assert direct.to_dicts() == found.to_dicts()


def test_a_file_as_json() -> None:
    done = run(EXAMPLE, "--target", "class", "--n", 300, "--runs", 1, *SMALL, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["complete"]
    assert data["design"]["streams"]["data"]["n_records"] == 300
    assert [row["test"] for row in data["rates"]] == ["sign", "sign", "wilcoxon", "wilcoxon", "mcnemar", "mcnemar"]


def test_the_stream_of_a_plan_and_a_python_learner(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        '[stream]\ntype = "SEA"\nn = 200\nchange = [{type = "drift_to", at = 100, to = {type = "SEA", concept = 4}}]\n'
    )
    (tmp_path / "mine.py").write_text(
        "class Silent:\n    def predict_one(self, x): return None\n    def learn_one(self, x, y): pass\n"
    )
    words = ("--runs", 1, "--scheme", "cross", "-q", "-l", f"mine={tmp_path / 'mine.py'}:Silent")
    done = run(tmp_path / "plan.toml", *words)
    assert done.exit_code == 0, done.output
    assert "if the learner uses no random numbers" in " ".join(done.output.split())
    assert "mine, accuracy" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Name a stream: a generator"),
        (("SEA",), "SEA never ends. Give the number of records: --n 10000."),
        (("SAE", "--n", "100"), "Unknown stream 'SAE'. Did you mean 'SEA'?"),
        (("nowhere.csv",), "nowhere.csv"),
        (("SEA", "--n", "100", "--target", "class"), "--target says how to read a file, but SEA is not a file"),
        (("SEA", "--n", "100", "--folds", "3"), "must be at least 6"),
        (("SEA", "--n", "100", "--scheme", "bootstap"), "Did you mean 'bootstrap'?"),
        (("SEA", "--n", "100", "--learner", "forest"), "Unknown learner 'forest'"),
        (("SEA", "--n", "100", "--noise", "2"), "numbers above 0 and up to 1"),
        (("SEA", "--n", "0.5"), "--n must be a whole number of at least 1. Got 0.5"),
    ],
)
def test_bad_input_ends_with_2_and_a_sentence(words: tuple[str, ...], message: str) -> None:
    done = run(*words, "-q")
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_learner_that_fails_ends_with_3_and_what_was_done_is_shown(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Late:\n"
        "    def __init__(self): self.n = 0\n"
        "    def predict_one(self, x): assert self.n < 150; return None\n"
        "    def learn_one(self, x, y): self.n += 1\n"
    )
    for name, n in (("short", 100), ("long", 300)):
        (tmp_path / f"{name}.toml").write_text(f'[stream]\ntype = "SEA"\nn = {n}\n')
    plans = (tmp_path / "short.toml", tmp_path / "long.toml")
    words = ("--runs", 1, "--scheme", "cross", "-q", "-l", tmp_path / "mine.py", "-o", tmp_path / "out")
    done = run(*plans, *words, "--json")
    assert done.exit_code == 3
    data = json.loads(done.stdout)
    assert data["error"].startswith("SEA-2, cross, 10 folds, tests='held_out', run 1: Late failed at record")
    assert (data["complete"], data["n_repetitions"]) == (False, 1)
    assert {row["stream"] for row in data["rates"]} == {"SEA"}
    again = run(*plans, *words)
    assert again.exit_code == 3
    assert "Partial: 1 of 2 repetitions are done." in again.output


def test_ctrl_c_shows_what_is_done_and_the_same_command_continues(tmp_path: Path) -> None:
    words = ["SEA", "--n", "500", *SMALL, "-o", "out"]
    environment = {**os.environ, "COLUMNS": "120"}
    begun = subprocess.Popen(
        [PROGRAM, "power", *words, "--runs", "1000"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    done = tmp_path / "out" / "repetitions.jsonl"
    until = time.monotonic() + 120
    while not (done.is_file() and done.read_text().count("\n") >= 3) and time.monotonic() < until:
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, text = begun.communicate(timeout=120)
    assert begun.returncode == 130, text
    assert "Traceback" not in text
    assert "prequential: interrupted (Ctrl-C)" in text
    assert "Partial: " in text
    assert "of 1,000 repetitions are done." in text
    assert "Finished repetitions are saved: run the same command again to continue." in text
    before = done.read_text()
    n_done = before.count("\n")
    assert n_done >= 3
    subprocess.run([PROGRAM, "power", *words, "--runs", str(n_done + 2)], cwd=tmp_path, env=environment, check=True)
    assert done.read_text().startswith(before)
    whole = pq.power(
        pq.streams.SEA().take(500), "random_forest:n_models=2", schemes="cross", noise=0.2, runs=n_done + 2
    )
    assert pq.Power.load(tmp_path / "out").to_dicts() == whole.to_dicts()
