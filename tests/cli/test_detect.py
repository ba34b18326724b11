"""``prequential detect`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.drift import PageHinkley

PROGRAM = str(Path(sys.executable).parent / "prequential")


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [PROGRAM, "detect", *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A stream whose labels turn around at record 2000, and a series of losses that rises there."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4000, 2))
    up = (x[:, 0] > 0) ^ (np.arange(4000) >= 2000)
    lines = [f"{a:.4f},{b:.4f},{'up' if u else 'down'}" for (a, b), u in zip(x, up, strict=True)]
    (tmp_path / "data.csv").write_text("first,second,class\n" + "\n".join(lines) + "\n")
    losses = (rng.random(4000) < np.where(np.arange(4000) < 2000, 0.1, 0.5)).astype(int)
    rows = [f"{name},{loss}" for name, loss in zip(rng.permutation(4000), losses, strict=True)]
    (tmp_path / "losses.csv").write_text("name,loss\n" + "\n".join(rows) + "\n")
    return tmp_path


def test_a_stream_is_watched_and_scored(place: Path) -> None:
    words = ("data.csv", "--target", "class", "-l", "naive_bayes", "-d", "adwin", "-d", "page_hinkley:threshold=20")
    done = run(*words, "--drifts", "2000", "--tolerance", "500", "-o", "out/time.png", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "data · naive_bayes · 4,000 records · 1 drift · tolerance 500" in done.stdout
    assert "dummy, on average" in done.stdout
    assert "out/time.png" in done.stdout
    assert (place / "out" / "time.png").stat().st_size > 1000


def test_the_result_is_printed_as_json(place: Path) -> None:
    done = run("data.csv", "-d", "adwin", "--drifts", "2000", "--tolerance", "500", "--json", cwd=place)
    data = json.loads(done.stdout)
    (found,) = data["detections"]
    assert found["learner"] == "naive_bayes"
    assert found["detector"] == "adwin:delta=0.002,on=error"
    assert found["score"]["n_detected"] == 1
    assert found["score"]["dummy"]["n_alarms"] == len(found["alarms"])
    assert (place / data["figure"]).exists()
    assert done.stderr == ""


def test_a_series_is_watched(place: Path) -> None:
    done = run("losses.csv", "--series", "loss", "--drifts", "2000", "--json", "--no-figure", cwd=place)
    data = json.loads(done.stdout)
    values = np.loadtxt(place / "losses.csv", delimiter=",", skiprows=1)[:, 1]
    assert [one["detector"].partition(":")[0] for one in data["detections"]] == ["page_hinkley", "adwin"]
    assert data["detections"][0]["alarms"] == PageHinkley().detect(values).tolist()
    assert data["detections"][1]["alarms"] == pq.drift.ADWIN().detect(values).tolist()
    assert data["figure"] is None
    assert not (place / "detections").exists()
    part = run("losses.csv", "--series", "loss", "--skip", 100, "--take", 3000, "--json", "--no-figure", cwd=place)
    assert json.loads(part.stdout)["detections"][0]["alarms"] == PageHinkley().detect(values[100:3100]).tolist()


def test_a_series_is_watched_under_a_forgetting(place: Path) -> None:
    words = ("losses.csv", "--series", "loss", "-d", "page_hinkley:delta=0.1,threshold=20,under=fading:0.99")
    data = json.loads(run(*words, "--json", "--no-figure", cwd=place).stdout)
    values = np.loadtxt(place / "losses.csv", delimiter=",", skiprows=1)[:, 1]
    detector = pq.drift.PageHinkley(delta=0.1, threshold=20, under="fading:0.99")
    assert data["detections"][0]["alarms"] == detector.detect(values).tolist() != []
    assert detector.detect(values).tolist() != pq.drift.PageHinkley(delta=0.1, threshold=20).detect(values).tolist()


@pytest.mark.parametrize(
    ("text", "drifts"),
    [
        ("2000\n", [(2000, 1)]),
        ("at,width\n# a comment\n\n1000,200\n2000\n", [(1000, 200), (2000, 1)]),
    ],
)
def test_drifts_come_from_a_file(place: Path, text: str, drifts: list[tuple[int, int]]) -> None:
    (place / "drifts.csv").write_text(text)
    done = run("losses.csv", "--series", "loss", "--drifts", "drifts.csv", "--json", "--no-figure", cwd=place)
    assert [(d["at"], d["width"]) for d in json.loads(done.stdout)["drifts"]] == drifts


def test_drifts_have_widths_on_the_command_line_too(place: Path) -> None:
    done = run("losses.csv", "--series", "loss", "--drifts", "1000:200,2000", "--json", "--no-figure", cwd=place)
    assert json.loads(done.stdout)["drifts"] == [
        {"at": 1000, "width": 200, "temporary": False},
        {"at": 2000, "width": 1, "temporary": False},
    ]


def test_a_generated_stream_knows_its_drifts(place: Path) -> None:
    (place / "plan.toml").write_text(
        '[stream]\ntype = "SEA"\nn = 8000\nconcept = 3\n'
        'change = [{type = "drift_to", at = 4000, to = {type = "SEA", concept = 4}}]\n'
        '[[learner]]\ntype = "no_change"\n'
    )
    done = run("plan.toml", "-l", "naive_bayes", "-d", "adwin", "--json", "--no-figure", cwd=place)
    data = json.loads(done.stdout)
    assert data["drifts"] == [{"at": 4000, "width": 1, "temporary": False}]
    assert data["detections"][0]["learner"] == "naive_bayes"


def test_without_drifts_only_the_alarms_are_shown(place: Path) -> None:
    done = run("losses.csv", "--series", "loss", "--no-figure", cwd=place)
    assert done.returncode == 0
    assert "no drifts are known, so nothing is scored" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.csv",), "nothing.csv does not exist"),
        (("data.csv", "-d", "adwinn"), "Unknown detector 'adwinn'. Did you mean 'adwin'?"),
        (("data.csv", "-d", "adwin:delta=2"), "must be a number in (0, 1). Got 2 instead"),
        (("data.csv", "-d", "page_hinkley:on=acuracy"), "Metrics: accuracy, error"),
        (("data.csv", "-d", "page_hinkley:on=mae"), "'mae' does not fit a classification stream"),
        (("data.csv", "-d", "adwin", "-d", "adwin"), "is given twice"),
        (("data.csv", "-l", "nothing"), "Unknown learner 'nothing'"),
        (("data.csv", "--target", "klass"), "there is no column 'klass'"),
        (("data.csv", "--series", "first", "-l", "sgd"), "--series and --learner cannot be given together"),
        (("data.csv", "--series", "first", "--target", "class"), "--series and --target cannot be given together"),
        (("data.csv", "--series", "class"), "class"),
        (("losses.csv", "--series", "loss", "-d", "adwin:on=accuracy"), "'on' cannot be given"),
        (("losses.csv", "--series", "name", "-d", "ddm"), "Accepted: numbers from 0 to 1"),
        (("losses.csv", "--series", "loss", "--drifts", "4000"), "record indices from 0 to 3,999. Got 4000"),
        (("losses.csv", "--series", "loss", "--drifts", "nowhere.csv"), "neither a file nor record indices"),
        (("losses.csv", "--series", "loss", "--drifts", "10,-5"), "not a drift: '-5'"),
        (("losses.csv", "--series", "loss", "--drifts", "10:0"), "not a drift: '10 0'"),
        (
            ("losses.csv", "--series", "loss", "--tolerance", "-1", "--drifts", "5"),
            "--tolerance must be a number of records of at least 0. Got -1.0",
        ),
        (("losses.csv", "--series", "loss", "--abstain", "no"), "--abstain must be 'wrong' or 'skip'. Got 'no'"),
        (("losses.csv", "--series", "loss", "-o", "a.gif"), "Accepted: .png"),
    ],
)
def test_a_mistake_gets_a_message_and_exit_code_2(
    words: tuple[str, ...], message: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    done = CliRunner().invoke(app, ["detect", *words])
    assert done.exit_code == 2, done.stdout
    assert message in done.stderr.replace("\n", " ")
    assert not (place / "detections").exists()


def test_a_bad_line_of_a_file_of_drifts_is_named(place: Path) -> None:
    (place / "drifts.csv").write_text("at\n100\nsoon\n")
    done = run("losses.csv", "--series", "loss", "--drifts", "drifts.csv", cwd=place)
    assert done.returncode == 2
    assert "drifts.csv, line 3: not a drift: 'soon'. Accepted: the record index" in done.stderr


def test_a_failing_learner_ends_with_3(place: Path) -> None:
    (place / "mine.py").write_text(
        "class Mine:\n"
        "    def predict_one(self, x):\n        return 1 / 0\n"
        "    def learn_one(self, x, y):\n        pass\n"
    )
    done = run("data.csv", "-l", "mine.py:Mine", cwd=place)
    assert done.returncode == 3
    assert "Mine, record 0: " in done.stderr


def test_a_plan_names_the_learners_and_the_detectors(place: Path) -> None:
    (place / "plan.toml").write_text(
        'detectors = ["ddm"]\n[stream]\npath = "data.csv"\ntarget = "class"\n[[learner]]\ntype = "no_change"\n'
    )
    seen = []
    for more in ((), ("-l", "sgd"), ("-d", "adwin")):
        data = json.loads(run("plan.toml", *more, "--json", "--no-figure", cwd=place).stdout)
        seen += [(one["learner"], one["detector"].partition(":")[0]) for one in data["detections"]]
    assert seen == [("no_change", "ddm"), ("sgd", "ddm"), ("no_change", "adwin")]


def test_a_drift_beyond_the_end_is_noted_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        '[stream]\ntype = "SEA"\nn = 2000\nchange = ['
        '{ type = "drift_to", at = 1000, to = { type = "SEA", concept = 3 } },'
        '{ type = "drift_to", at = 5000, to = { type = "SEA", concept = 4 } }]\n'
        '[[learner]]\ntype = "naive_bayes"\n'
    )
    done = run("plan.toml", "--no-figure", "--quiet", cwd=tmp_path)
    assert done.returncode == 0
    line = "prequential: take: the stream ends after 2,000 records, before its drift at record 5,000."
    assert done.stderr.splitlines() == [line]


def test_a_failed_learner_is_named_in_a_line_and_ends_with_3(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n"
        "    def learn_one(self, x, y):\n        raise RuntimeError('no more')\n"
        "    def predict_one(self, x):\n        return None\n"
    )
    words = ["detect", "data.csv", "--target", "class", "-l", "bad.py:Bad", "-l", "naive_bayes", "-d", "adwin"]
    (tmp_path / "data.csv").write_text("x,class\n" + "\n".join(f"{i % 7},{'ab'[i % 2]}" for i in range(200)))
    done = subprocess.run(
        [sys.executable, "-c", "from prequential.cli import main; main()", *words, "--no-figure", "-q"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.strip() == "prequential: Bad failed at record 0: RuntimeError: no more"
    assert "naive_bayes" in done.stdout


def test_a_sweep_compares_settings(place: Path) -> None:
    words = ("losses.csv", "--series", "loss", "-d", "page_hinkley", "--drifts", "2000", "--tolerance", "900")
    done = run(*words, "--sweep", "threshold=5,20,50", "--json", "-o", "sweep.png", cwd=place)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["settings"]
    losses = pq.read(place / "losses.csv", target="loss", task="regression", ignore=["name"])
    y = np.concatenate([chunk.y for chunk in losses.chunks()])
    for one, threshold in zip(found, (5, 20, 50), strict=True):
        score = pq.drift.score_alarms(PageHinkley(threshold=threshold).detect(y), [2000], n=4000, tolerance=900)
        assert (one["delays"], one["n_false"]) == (list(score.delays), score.n_false)
    assert (place / "sweep.png").stat().st_size > 1000


def test_a_sweep_over_seeds_prints_the_pareto_set(tmp_path: Path) -> None:
    words = ("SEA", "--n", "2000", "--drift-to", "SEA:concept=4,at=1000", "--sweep", "threshold=5,25", "--no-figure")
    done = run(*words, "--seeds", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Pareto" in done.stdout
    assert "threshold=25" in done.stdout
    assert not list(tmp_path.iterdir())


def test_a_sweep_over_an_unknown_parameter_names_the_closest(place: Path) -> None:
    done = run("data.csv", "--drifts", "2000", "--sweep", "thresold=5,20", cwd=place)
    assert done.returncode == 2
    assert "Did you mean 'threshold'?" in done.stderr
    done = run("data.csv", "--drifts", "2000", "-d", "page_hinkley", "--sweep", "thresold=5,20", cwd=place)
    assert "Did you mean 'threshold'?" in done.stderr
    done = run("data.csv", "--drifts", "2000", "--sweep", "threshold", cwd=place)
    assert "NAME=A,B,…" in done.stderr
    done = run("data.csv", "-d", "page_hinkley", "--sweep", "threshold=5,20", cwd=place)
    assert done.returncode == 2
    assert "--drifts" in done.stderr
