"""Labels that come late, on the command line: logs, plans, and what a mistake gets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import prequential as pq

PROGRAM = str(Path(sys.executable).parent / "prequential")
EXAMPLE = Path(__file__).parents[2] / "examples" / "delayed.toml"

PREDICTIONS = """model,id,time,prediction
A,a1,2024-05-01 10:00:00,up
B,a1,2024-05-01 10:00:00,down
A,a2,2024-05-01 10:01:00,up
A,a1,2024-05-01 10:02:00,down
B,a2,2024-05-01 10:02:30,up
A,a4,2024-05-01 10:03:00,up
A,a2,2024-05-01 11:30:00,up
"""
LABELS = """id,time,label
zz,2024-05-01 10:30:00,up
a1,2024-05-01 11:00:00,down
a2,2024-05-01 11:00:00,up
a2,2024-05-01 11:10:00,down
"""


def prequential(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [PROGRAM, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "predictions.csv").write_text(PREDICTIONS)
    (tmp_path / "labels.csv").write_text(LABELS)
    return tmp_path


def write_stream(path: Path, n: int = 600, seed: int = 1) -> Path:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(x + 0.5 * rng.normal(size=n) > 0, "up", "down")
    wait = rng.integers(1, 30, n)
    rows = [f"{i},{i * 2},{a:.4f},{w},{label}" for i, (a, w, label) in enumerate(zip(x, wait, y, strict=True))]
    path.write_text("id,time,x,wait,class\n" + "\n".join(rows) + "\n")
    return path


def test_two_logs_are_scored_and_what_is_irregular_is_counted(logs: Path) -> None:
    done = prequential("score", "--delayed", "predictions.csv", "labels.csv", "-o", "run", "--bins", 4, cwd=logs)
    assert done.returncode == 0, done.stderr
    assert "Ψ₂" in done.stdout
    assert "3 records, 2 labels (median latency 59 min), 1 still waiting; 3 irregular events: see run/" in done.stdout
    assert "1 × label without a record: no record with this id is waiting; the label is not scored" in done.stdout
    assert "1 × second label, another one" in done.stdout
    assert "1 × record again after its label" in done.stdout
    assert "B: 1 × label of a record that it did not predict" in done.stdout
    assert (logs / "run" / "report.html").is_file()
    listed = pq.load(logs / "run").delays.irregular().to_pylist()
    assert {(row["kind"], row["id"]) for row in listed} == {
        ("label without a record", "zz"),
        ("second label, another one", "a2"),
        ("record again after its label", "a2"),
    }


def test_remember_limits_how_many_past_ids_are_known(logs: Path) -> None:
    """Of two labels for a2 the second is known for what it is only if a2 is remembered."""
    for remember, kind in ((10, "second label, another one"), (0, "label without a record")):
        words = ("--delayed", "predictions.csv", "labels.csv", "--remember", remember, "--json", "--no-report")
        done = prequential("score", *words, "-o", f"run{remember}", cwd=logs)
        assert done.returncode == 0, done.stderr
        assert kind in json.loads(done.stdout)["events"]["irregular"]
        assert ("second label, another one" in json.loads(done.stdout)["events"]["irregular"]) == (remember > 0)


def test_a_predicted_class_that_is_never_a_label_is_noted_in_one_line(logs: Path) -> None:
    (logs / "predictions.csv").write_text(
        PREDICTIONS.replace("a1,2024-05-01 10:02:00,down", "a1,2024-05-01 10:02:00,dwn")
    )
    done = prequential("score", "--delayed", "predictions.csv", "labels.csv", "--no-report", "-o", "run", cwd=logs)
    assert done.returncode == 0
    text = " ".join(done.stderr.split())
    assert "prequential: predictions.csv: predicted but never a label: dwn. Did you mean 'down'?" in text
    assert "warn" not in text


def test_json_has_the_counts_and_where_they_are_listed(logs: Path) -> None:
    words = ("score", "--delayed", "predictions.csv", "labels.csv", "-o", "run", "--json", "--no-report")
    data = json.loads(prequential(*words, cwd=logs).stdout)
    assert data["events"]["irregular"]["label without a record"] == 1
    assert data["events"]["latency"]["n"] == 2
    assert data["irregular_table"] == "run/irregular"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--delayed", "predictions.csv"), "--delayed takes two logs, of predictions and of labels; 1 were given"),
        (("predictions.csv", "--remember", "5"), "--remember cannot be given without --delayed"),
        (("predictions.csv", "--bins", "5"), "--bins cannot be given without --delayed"),
        (("--delayed", "predictions.csv", "labels.csv", "--task", "auto"), "--task cannot be given with --delayed"),
        (("--delayed", "predictions.csv", "labels.csv", "--id", "key"), "has no column 'key' for id (--id)"),
        (("--delayed", "predictions.csv", "absent.csv"), "absent.csv does not exist"),
    ],
)
def test_a_mistake_gets_one_sentence(words: tuple[str, ...], message: str, logs: Path) -> None:
    done = prequential("score", *words, "-o", "run", cwd=logs)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize("delay", ["20", "uniform:5,15", "exponential:10", "wait"])
def test_labels_of_a_file_come_late(delay: str, tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    words = (
        "--protocol",
        "delayed",
        "--delay",
        delay,
        "--bins",
        3,
        "--psi-alpha",
        1,
        "--psi-alpha",
        2,
        "--reevaluate-every",
        5,
    )
    done = prequential(
        *("run", "data.csv", "--target", "class", "--ignore", "id", "--time", "time", *words),
        *("-l", "no_change", "-m", "accuracy", "--json", "--no-report", "-o", "run", "--every", 100),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    stream = pq.read(tmp_path / "data.csv", target="class", ignore="id", time="time")
    given = {
        "20": 20,
        "uniform:5,15": pq.streams.UniformDelay(5, 15),
        "exponential:10": pq.streams.ExponentialDelay(10),
        "wait": "wait",
    }[delay]
    ours = pq.evaluate(
        stream.delayed(given),  # type: ignore[arg-type]
        "no_change",
        protocol=pq.Delayed(bins=3, psi_alpha=[1, 2], reevaluate_every=5),
        metrics="accuracy",
        every=100,
    )
    assert pq.load(tmp_path / "run").to_arrow().equals(ours.to_arrow())


def test_the_delay_may_count_time(tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv")
    words = ("--protocol", "delayed", "--delay", 20, "--delay-clock", "time", "--bins", 1, "--horizon", 100)
    done = prequential(
        *("run", "data.csv", "--target", "class", "--time", "time", "-l", "no_change", *words),
        *("--json", "--no-report", "-o", "run"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    latency = json.loads(done.stdout)["events"]["latency"]
    assert latency["least"] == latency["most"] == 20


def test_a_file_of_events_is_evaluated_and_refused_by_other_protocols(tmp_path: Path) -> None:
    (tmp_path / "events.csv").write_text("id,time,x,class\n1,0,0.5,\n2,1,0.1,\n1,2,,a\n2,3,,b\n")
    words = ("run", "events.csv", "--events", "--id", "id", "--time", "time", "-l", "no_change", "--no-report")
    done = prequential(*words, "--protocol", "delayed", "--bins", 2, "-o", "run", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["events"]["n_labels"] == 2
    done = prequential(*words, "-o", "other", cwd=tmp_path)
    assert done.returncode == 2
    assert "events is a stream of events, in which labels arrive late" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--protocol", "delayed"), "delay the labels with stream.delayed(100) (--delay 100)"),
        (("--protocol", "delayed", "--delay", "uniform:5"), "UniformDelay needs 'high'"),
        (("--protocol", "delayed", "--delay", "weight"), "has no feature 'weight'"),
        (("--delay", "5"), "labels arrive late. Evaluate it with protocol=pq.Delayed() (--protocol delayed)"),
        (("--events", "--protocol", "delayed"), "events= needs id= (--events needs --id)"),
        (
            ("--protocol", "delayed", "--delay", "5", "--bins", "0"),
            "--bins must be a whole number from 1 to 10,000. Got 0",
        ),
        (("--bins", "5"), "--bins may only be given with --protocol delayed"),
        (("--delay-clock", "time"), "--delay-clock may only be given with --delay"),
        (("--protocol", "delay", "--delay", "5"), "Did you mean 'delayed'?"),
        (("--protocol", "delayed", "--delay", "5", "--predictions"), "so it does not save predictions"),
    ],
)
def test_a_mistake_in_a_run_gets_one_sentence(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    write_stream(tmp_path / "data.csv", n=50)
    done = prequential("run", "data.csv", "--target", "class", "-l", "no_change", *words, "-o", "run", cwd=tmp_path)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_the_example_runs(tmp_path: Path) -> None:
    done = prequential("run", EXAMPLE, "-o", "run", "--json", "--no-report", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = {row["metric"] for row in json.loads(done.stdout)["table"]}
    assert {"accuracy_initial", "accuracy_psi_1", "accuracy_psi_2", "accuracy_final"} <= names


def test_help_teaches(tmp_path: Path) -> None:
    text = " ".join(prequential("score", "--help", cwd=tmp_path).stdout.replace("│", " ").split())
    assert "prequential score --delayed predictions.parquet labels.parquet" in text
    text = " ".join(prequential("run", "--help", cwd=tmp_path).stdout.replace("│", " ").split())
    assert "uniform:50,150" in text
    assert "--protocol delayed" in text


def test_a_time_that_runs_backwards_in_a_file_of_events_is_counted_and_listed(tmp_path: Path) -> None:
    rows = ["a,1,0.5,?", "b,2,0.1,?", "a,5,0.5,up", "b,4,0.1,down"]
    (tmp_path / "events.csv").write_text("id,time,x,class\n" + "\n".join(rows) + "\n")
    words = ["run", "events.csv", "--events", "--id", "id", "--time", "time", "--protocol", "delayed", "--bins", 4]
    done = prequential(*words, "-l", "no_change", "--no-report", "-o", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 records, 2 labels" in done.stdout
    assert "1 × time runs backwards: the event is processed in its place in the stream" in done.stdout
    assert [row["id"] for row in pq.load(tmp_path / "run").delays.irregular().to_pylist()] == ["b"]
