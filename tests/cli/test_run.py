"""The command line as a user meets it: what works, and what a mistake gets."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import prequential as pq

PROGRAM = str(Path(sys.executable).parent / "prequential")


def prequential(*words: object, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [PROGRAM, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, timeout=120, **options
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def write_stream(path: Path, n: int = 3000, seed: int = 1) -> Path:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    y = np.where(x[:, 0] + 0.5 * rng.normal(size=n) > 0, "up", "down")
    lines = [f"{a:.4f},{b:.4f},{label}" for (a, b), label in zip(x, y, strict=True)]
    path.write_text("first,second,class\n" + "\n".join(lines) + "\n")
    return path


FAILING = """
class Failing:
    def __init__(self, at):
        self.n, self.at = 0, at
    def predict_one(self, x):
        return "up"
    def learn_one(self, x, y):
        self.n += 1
        if self.n > self.at:
            raise RuntimeError("the model broke")

def at_2500():
    return Failing(2500)

def at_once():
    return Failing(0)

class Slow:
    def predict_one(self, x):
        return "up"
    def learn_one(self, x, y):
        import time
        time.sleep(0.001)
"""


def test_a_csv_file_is_evaluated_and_everything_is_written(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential(
        "run", "data.csv", "--target", "class", "-l", "naive_bayes", "-l", "no_change", "-o", "out", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "naive_bayes" in done.stdout
    for name in ("report.html", "figure.png", "manifest.json", "plan.toml"):
        assert (tmp_path / "out" / name).stat().st_size > 0
    run = pq.load(tmp_path / "out")
    assert run.status == "complete"
    assert run.manifest.n_records == 3000


def test_the_plan_saved_with_a_run_repeats_it(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    prequential("run", "data.csv", "-l", "naive_bayes", "-f", "fading:0.99", "-o", "one", cwd=tmp_path)
    (tmp_path / "elsewhere").mkdir()
    done = prequential("run", "../one/plan.toml", "-o", "../two", cwd=tmp_path / "elsewhere")
    assert done.returncode == 0, done.stderr
    assert pq.load(tmp_path / "one").to_arrow().equals(pq.load(tmp_path / "two").to_arrow())


def test_alarms_are_counted_in_one_line_and_in_json_by_learner(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    words = ["run", "data.csv", "-l", "naive_bayes", "-l", "no_change", "-d", "ddm:level=0.5", "-d", "adwin"]
    done = prequential(*words, "-o", "one", cwd=tmp_path)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith(" alarms  ")]
    data = json.loads(prequential(*words, "--json", "-o", "two", cwd=tmp_path).stdout)
    assert [(row["learner"], row["detector"].partition(":")[0]) for row in data["alarms"]] == [
        ("naive_bayes", "ddm"),
        ("naive_bayes", "adwin"),
        ("no_change", "ddm"),
        ("no_change", "adwin"),
    ]
    table = pq.load(tmp_path / "two").alarms()
    assert data["alarms_table"] == str(Path("two") / "alarms")
    assert sum(row["n_alarms"] for row in data["alarms"]) == len(table) > 0
    n_ddm, n_adwin = (sum(row["n_alarms"] for row in data["alarms"][i::2]) for i in (0, 1))
    assert line == f" alarms  ddm {n_ddm}, adwin {n_adwin}"


def test_without_detectors_no_alarms_are_printed(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential("run", "data.csv", "-l", "naive_bayes", "--no-report", cwd=tmp_path)
    assert "alarms" not in done.stdout
    data = json.loads(prequential("run", "data.csv", "-l", "naive_bayes", "--json", "--no-report", cwd=tmp_path).stdout)
    assert not {"alarms", "alarms_table"} & set(data)


def test_the_result_is_printed_as_json(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential("run", "data.csv", "-l", "naive_bayes", "--json", cwd=tmp_path)
    data = json.loads(done.stdout)
    assert data["status"] == "complete"
    assert {row["metric"] for row in data["table"]} == {"accuracy", "kappa", "kappa_m", "kappa_t"}
    assert Path(tmp_path / data["report"]).exists()
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["run", "missing.csv"], "missing.csv does not exist."),
        (["score", "data.csv"], "data.csv has no column 'prediction'"),
    ],
)
def test_bad_input_is_printed_as_json_too(tmp_path: Path, words: list[str], error: str) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential(*words, "--json", cwd=tmp_path)
    assert done.returncode == 2
    data = json.loads(done.stdout)
    assert data["error"].startswith(error)
    assert set(data) == {"error"}
    assert data["error"].split()[0] in done.stderr


def test_json_of_a_partial_run_has_its_directory_and_what_was_computed(tmp_path: Path) -> None:
    (tmp_path / "bad.arff").write_text(ARFF + "red,1,small\n" * 2000 + "green,1,small\n")
    done = prequential("run", "bad.arff", "-l", "no_change", "-o", "out", "--json", cwd=tmp_path)
    assert done.returncode == 2
    data = json.loads(done.stdout)
    assert data["error"].startswith("bad.arff, line 2006")
    assert (data["status"], data["n_records"], data["directory"]) == ("partial", 2000, "out")
    assert data["table"][0]["n"] == 2000
    assert Path(tmp_path / data["report"]).exists()


def test_saved_predictions_score_the_same(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    metrics = ["--every", "1000", "-m", "accuracy", "-m", "kappa_m", "-m", "log_loss", "-m", "brier"]
    prequential("run", "data.csv", "-l", "naive_bayes", "--predictions", *metrics, "-o", "one", cwd=tmp_path)
    done = prequential("score", "one/predictions/naive_bayes", *metrics, "-o", "two", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    one, two = (pq.load(tmp_path / name).to_arrow() for name in ("one", "two"))
    np.testing.assert_allclose(one["value"].to_numpy(), two["value"].to_numpy(), rtol=1e-12)


def test_sliding_seconds_need_a_time_column(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential("run", "data.csv", "-l", "no_change", "-f", "sliding:60s", cwd=tmp_path)
    assert done.returncode == 2
    assert "sliding:60s needs the time" in done.stderr


def test_classes_are_declared_on_the_command_line_and_in_the_plan(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x,class\n1,b\n2,a\n")
    words = [word for one in ("c", "b", "a") for word in ("--class-label", one)]
    done = prequential("run", "data.csv", "-l", "naive_bayes", *words, "-o", "out", "--no-report", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert pq.load(tmp_path / "out").manifest.schema["classes"] == ["c", "b", "a"]
    assert pq.Plan.from_toml(tmp_path / "out" / "plan.toml").data["stream"]["classes"] == ["c", "b", "a"]


def test_holdout_from_the_command_line(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    write_stream(tmp_path / "test.csv", n=500, seed=2)
    done = prequential(
        "run",
        "data.csv",
        "-l",
        "naive_bayes",
        "--protocol",
        "holdout",
        "--test-data",
        "test.csv",
        "-o",
        "out",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    trace = pq.load(tmp_path / "out").to_pandas()
    assert set(trace.forgetting) == {"holdout"}
    assert list(trace.n.unique()) == [1000, 2000, 3000]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (None, ["run", "missing.csv"], ["missing.csv", "does not exist"]),
        (None, ["run", "missing.csv", "-m", "acuracy", "--every", "0"], ["3 faults", "does not exist", "acuracy"]),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "--target", "klass"], ["klass", "Did you mean 'class'"]),
        (
            "a,b,class\n1,2,x\n3,4,y\n",
            ["run", "f.csv", "-l", "naive_bais"],
            ["naive_bais", "Did you mean 'naive_bayes'"],
        ),
        ("a,b,class\n1,2,x\n3,4\n", ["run", "f.csv"], ["f.csv", "line 3", "2 fields"]),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "-m", "acuracy"], ["acuracy", "Did you mean 'accuracy'"]),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "-f", "sliding:0"], ["'window_size'", "at least 1"]),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "-f", "fading:1.5"], ["'alpha'", "(0, 1]"]),
        (
            "a,b,class\n1,2,x\n3,4,y\n",
            ["run", "f.csv", "--every", "0"],
            ["--every must be a whole number of at least 1. Got 0"],
        ),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "-l", "sgd:learning_rate=-1"], ["'learning_rate'", "above 0"]),
        ("a,b,class\n1,2,x\n3,4,y\n", ["run", "f.csv", "-l", "no.py:M"], ["no.py", "does not exist"]),
        ("label,other\na,b\n", ["score", "f.csv"], ["has no column", "prediction", "score_CLASS"]),
        ("label,prediction,score_a\na,a,-0.5\n", ["score", "f.csv"], ["negative", "record 0"]),
        (
            "label,other\na,b\n",
            ["score", "f.csv", "--label", "label", "--prediction", "label"],
            ["column 'label'", "label (--label) and prediction (--prediction)"],
        ),
    ],
)
def test_a_mistake_gets_a_message_with_its_place_and_exit_code_2(
    tmp_path: Path, text: str | None, words: list[str], expected: list[str]
) -> None:
    if text is not None:
        (tmp_path / "f.csv").write_text(text)
    done = prequential(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout
    message = " ".join(done.stderr.split())
    for part in expected:
        assert part in message


ARFF = """@relation s
@attribute colour {red,blue}
@attribute size numeric
@attribute class {small,large}
@data
"""


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ("green,1,small", ["line 120006", "colour", "green", "red, blue"]),
        ("red,huge,small", ["line 120006", "size", "huge"]),
        ("red,1,medium", ["line 120006", "class", "medium", "small, large"]),
    ],
)
def test_a_bad_row_in_the_middle_names_its_place_and_loses_nothing_before_it(
    tmp_path: Path, bad: str, expected: list[str]
) -> None:
    rows = ["red,1,small", "blue,2,large"] * 60_000
    (tmp_path / "s.arff").write_text(ARFF + "\n".join([*rows, bad, *rows]) + "\n")
    done = prequential("run", "s.arff", "-l", "naive_bayes", "-o", "out", "--every", "500", cwd=tmp_path)
    assert done.returncode == 2
    for word in expected:
        assert word in done.stderr
    run = pq.load(tmp_path / "out")
    assert run.status == "partial"
    assert run.manifest.reason.startswith("s.arff, line 120006")
    assert "partial" in (tmp_path / "out" / "report.html").read_text()
    assert run.manifest.n_records == 120_000
    assert max(run.to_arrow()["n"].to_pylist()) == 120_000


def test_a_learner_that_throws_fails_alone(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    (tmp_path / "models.py").write_text(FAILING)
    done = prequential(
        "run", "data.csv", "-l", "naive_bayes", "-l", "models.py:at_2500", "-o", "out", "--every", "500", cwd=tmp_path
    )
    assert done.returncode == 3
    assert "at_2500" in done.stdout
    run = pq.load(tmp_path / "out")
    assert run.status == "failed"
    assert run.failures["at_2500"].record == 2500
    assert "the model broke" in run.failures["at_2500"].message
    assert "raise RuntimeError" in run.failures["at_2500"].traceback
    assert run.manifest.learners["naive_bayes"].status == "complete"
    trace = run.to_pandas()
    assert trace[trace.learner == "naive_bayes"].n.max() == 3000
    assert trace[trace.learner == "at_2500"].n.max() == 2500
    page = (tmp_path / "out" / "report.html").read_text()
    assert "2,500" in page
    assert "the model broke" in page


def test_a_learner_that_fails_at_the_first_record_is_reported(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    (tmp_path / "models.py").write_text(FAILING)
    done = prequential("run", "data.csv", "-l", "models.py:at_once", "-o", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert pq.load(tmp_path / "out").failures["at_once"].record == 0


def test_ctrl_c_saves_what_was_computed(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=30_000)
    (tmp_path / "models.py").write_text(FAILING)
    words = [PROGRAM, "run", "data.csv", "-l", "models.py:Slow", "-o", "out", "--every", "100"]
    running = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "out" / "trace" / "00000.parquet").exists():
        assert time.monotonic() < deadline, "no trace appeared while the run went on"
        time.sleep(0.05)
    following = pq.load(tmp_path / "out")  # a reader can follow
    assert following.status == "running"
    assert len(following.to_arrow()) > 0
    running.send_signal(signal.SIGINT)
    _, text = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in text
    run = pq.load(tmp_path / "out")
    assert run.status == "interrupted"
    assert 100 <= max(run.to_arrow()["n"].to_pylist()) < 30_000
    assert "interrupted" in (tmp_path / "out" / "report.html").read_text()


def test_a_full_disk_is_reported_and_what_was_written_stays(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=20_000)

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    done = prequential(
        "run", "data.csv", "-l", "naive_bayes", "-o", "out", "--every", "1", cwd=tmp_path, preexec_fn=small_disk
    )
    assert done.returncode == 4, done.stdout + done.stderr
    assert "File too large" in done.stderr
    assert "out/trace" in done.stderr
    assert not list((tmp_path / "out").rglob("*.tmp")), "no half-written file stays behind"
    run = pq.load(tmp_path / "out")
    assert run.status == "partial"
    run.to_arrow()


def test_nan_scores_are_abstentions_and_are_reported(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,score_a,score_b\na,0.9,0.1\na,,\nb,0.2,0.8\n")
    done = prequential("score", "p.csv", "-m", "accuracy", "-f", "cumulative", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "NaN or infinite scores" in done.stdout
    assert "0.6667" in done.stdout


def test_an_old_run_is_replaced_only_with_overwrite(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    assert prequential("run", "data.csv", "-l", "no_change", "-o", "out", cwd=tmp_path).returncode == 0
    done = prequential("run", "data.csv", "-l", "no_change", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "exists already" in done.stderr
    assert prequential("run", "data.csv", "-l", "no_change", "-o", "out", "--overwrite", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--nope"],
        ["run", "--every", "abc"],
        ["nocmd"],
        ["score"],
        ["run", "f.csv", "-l", "majority_class:window_size=x"],
    ],
)
def test_wrong_usage_ends_with_2(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "f.csv").write_text("a,class\n1,x\n2,y\n")
    done = prequential(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr or "Usage" in done.stdout  # a bare command that needs arguments shows its help


def test_a_bare_command_shows_the_help(tmp_path: Path) -> None:
    done = prequential(cwd=tmp_path)
    assert "Usage" in done.stdout + done.stderr


def test_options_without_effect_are_refused(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    prequential("run", "data.csv", "-l", "naive_bayes", "-o", "one", cwd=tmp_path)
    for words in (["one/plan.toml", "--every", "7"], ["one/plan.toml", "--predictions"]):
        done = prequential("run", *words, cwd=tmp_path)
        assert done.returncode == 2, words
        assert "cannot be given here" in done.stderr


def test_quiet_prints_nothing_on_standard_error(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    done = prequential("run", "data.csv", "-l", "no_change", "--quiet", cwd=tmp_path)
    assert done.stderr == ""


def test_the_inferred_schema_is_printed_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,sky,y,class\n1,blue,2,up\n2,grey,3,down\n")
    done = prequential("run", "a.csv", "-l", "no_change", cwd=tmp_path)
    assert done.stderr == "a: 2 numeric and 1 nominal features, target 'class' with 2 classes (down, up)\n"
    stream = '[stream]\npath = "a.csv"\ntarget = "y"\ntask = "regression"\n'
    (tmp_path / "plan.toml").write_text(f'{stream}[[learner]]\ntype = "last_target"\n')
    done = prequential("run", "plan.toml", cwd=tmp_path)
    assert done.stderr == "a: 1 numeric and 2 nominal features, target 'y' with numbers\n"
    assert prequential("run", "a.csv", "-l", "no_change", "--json", cwd=tmp_path).stderr == ""


@pytest.mark.parametrize(
    "words", [["--help"], ["run", "--help"], ["score", "--help"], ["doctor"], ["list", "learners"], ["list", "metrics"]]
)
def test_help_and_listings_work(tmp_path: Path, words: list[str]) -> None:
    done = prequential(*words, cwd=tmp_path, env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0
    assert len(done.stdout) > 200


@pytest.mark.parametrize("name", ["electricity", "airlines", "covtype"])
def test_real_streams_run_from_the_command_line(tmp_path: Path, shared_data: Path, name: str) -> None:
    done = prequential(
        "run", shared_data / f"{name}.parquet", "-l", "naive_bayes", "-l", "no_change", "--take", 100_000, "--json",
        "--no-report", "-m", "accuracy", "-f", "cumulative", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    values = {row["learner"]: row["value"] for row in json.loads(done.stdout)["table"]}
    assert values["naive_bayes"] > 0.5


def test_one_class_is_not_called_classes(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("first,class\n" + "1.5,up\n2.5,up\n" * 20)
    done = prequential("run", "one.csv", "-l", "majority_class", "--no-report", cwd=tmp_path)
    assert "target 'class' with 1 class (up)" in done.stderr


def test_help_cuts_nothing_off_at_80_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = prequential("run", "--help", cwd=tmp_path).stdout
    assert "…" not in text
    assert "those that draw" in text


def test_folds_schemes_and_engines_can_be_chosen(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=400)
    words = ["-l", "naive_bayes", "-l", "no_change", "--protocol", "kfold", "--folds", 6, "--scheme", "cross"]
    done = prequential(
        "run",
        "data.csv",
        *words,
        "--test-on",
        "trained",
        "--engine",
        "threads",
        "--workers",
        2,
        "-o",
        "out",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    run = pq.load(tmp_path / "out")
    assert run.manifest.protocol == {"protocol": "kfold", "k": 6, "scheme": "cross", "tests": "trained"}
    assert run.manifest.engine == {"engine": "threads", "workers": 2}
    assert sorted(set(run.to_arrow()["fold"].to_pylist())) == list(range(1, 7))
    again = pq.Plan.from_toml(tmp_path / "out" / "plan.toml").run()
    assert again.to_arrow().equals(run.to_arrow())
    assert "Mean ± standard deviation of 6 folds." in done.stdout
    assert run.folds.table().conclusion in done.stdout
    assert "prequential compare out" in done.stdout
    assert "too few" not in done.stderr


def test_too_few_folds_are_warned_of_before_the_run_in_one_line(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=100)
    words = [
        "-l",
        "naive_bayes",
        "-l",
        "no_change",
        "--protocol",
        "kfold",
        "--folds",
        5,
        "--scheme",
        "bootstrap",
        "--json",
        "--no-report",
    ]
    done = prequential("run", "data.csv", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("prequential: 5 folds are too few: 6 are needed to reject at α = 0.05.")
    assert ".py" not in done.stderr
    data = json.loads(done.stdout)
    assert {row["reason"] for row in data["significance"]} == {
        "5 folds are too few: 6 are needed to reject at α = 0.05"
    }
    assert {row["n_folds"] for row in data["table"]} == {5}
    assert all(row["std"] is not None for row in data["table"] if row["value"] is not None)


def test_a_learner_of_a_file_works_in_other_processes(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=200)
    (tmp_path / "models.py").write_text(FAILING)
    words = [
        "-l",
        "models.py:at_2500",
        "-l",
        "naive_bayes",
        "--protocol",
        "kfold",
        "--folds",
        2,
        "--scheme",
        "bootstrap",
    ]
    done = prequential("run", "data.csv", *words, "--engine", "processes", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert pq.load(tmp_path / "out").manifest.engine["engine"] == "processes"


def test_faults_of_folds_and_engines_are_listed_together(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=100)
    words = [
        "-l",
        "naive_bayes",
        "--protocol",
        "kfold",
        "--folds",
        1,
        "--scheme",
        "cross",
        "--engine",
        "cluster",
        "--workers",
        0,
    ]
    done = prequential("run", "data.csv", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert "--folds must be a whole number from 2" in done.stderr
    assert "--engine must be 'auto' or" in done.stderr
    done = prequential("run", "data.csv", "-l", "naive_bayes", "--folds", 3, cwd=tmp_path)
    assert done.returncode == 2
    assert "--folds may only be given with --protocol kfold" in done.stderr


def test_a_run_is_resumed_with_another_engine(tmp_path: Path) -> None:
    stream = write_stream(tmp_path / "stream.csv")
    assert prequential("run", stream, "-o", "out", "-q", "--no-report", cwd=tmp_path).returncode == 0
    plan = tmp_path / "out" / "plan.toml"
    plan.write_text('engine = "ray"\naddress = "127.0.0.1:6379"\n' + plan.read_text().replace('engine = "auto"', ""))
    options = ["run", "out", "--resume", "--no-report", "-q"]
    for elsewhere in (["--engine", "serial"], ["--engine", "ray", "--address", "127.0.0.1:6380"]):
        done = prequential(*options, *elsewhere, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = prequential(*options, "--engine", "serial", "--address", "127.0.0.1:6380", cwd=tmp_path)
    assert done.returncode == 2
    assert "address" in done.stderr


def test_a_directory_of_parquet_files_is_not_mistaken_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    table = pyarrow.csv.read_csv(write_stream(tmp_path / "stream.csv"))
    pyarrow.parquet.write_table(table, tmp_path / "data" / "0.parquet")
    options = ["run", "data", "--resume", "--no-report", "-q"]
    done = prequential(*options, "-o", "out", "--target", "class", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = prequential(*options, cwd=tmp_path)
    assert done.returncode == 2
    assert "with --output and --resume" in " ".join(done.stderr.split())
