"""All sources use the same driver: scored files, arrays, logs and detectors resume and run on any engine."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import prequential as pq
from prequential.errors import DataError, InputError
from prequential.scoring.file_predictions import FilePredictions
from prequential.scoring.predictions import SeveralPredictions

N = 3000
Where = dict[str, Any]


def _draws(seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, N), rng.dirichlet((1.0, 1.0, 1.0), N)


def files(folder: Path) -> list[Path]:
    """Write the predictions of two learners: a CSV file, whose length is not known beforehand, and a Parquet file."""
    labels, first = _draws(1)
    second = _draws(2)[1][:2000]
    tables = [
        pa.table({"label": labels[: len(s)], **{f"score_{c}": s[:, c] for c in range(3)}}) for s in (first, second)
    ]
    pa.csv.write_csv(tables[0], folder / "first.csv")
    pa.parquet.write_table(tables[1], folder / "second.parquet")
    return [folder / "first.csv", folder / "second.parquet"]


def scored_arrays(folder: Path, **where: Any) -> pq.Run:
    """Score predictions in memory."""
    labels, scores = _draws(1)
    weight = np.linspace(0.5, 1.5, N)
    metrics = ["accuracy", "kappa_t", "log_loss", "auc"]
    return pq.score(labels, y_score=scores, weight=weight, metrics=metrics, every=250, **where)


def scored_files(folder: Path, **where: Any) -> pq.Run:
    """Score the predictions of two learners."""
    return pq.score(files(folder), metrics=["accuracy", "log_loss", "auc"], every=250, **where)


def scored_logs(folder: Path, **where: Any) -> pq.Run:
    """Score two models with late labels and irregular events."""
    rng = np.random.default_rng(5)
    ids = np.array([f"r{i}" for i in rng.permutation(2 * N) // 2])  # most records are predicted twice
    time = np.arange(2 * N) / 2
    predictions = pa.table(
        {"id": ids, "time": time, "prediction": rng.choice(["a", "b"], 2 * N), "model": rng.choice(["m", "n"], 2 * N)}
    )
    labelled = rng.integers(0, N + 50, N)
    labels = pa.table(
        {"id": [f"r{i}" for i in labelled], "time": np.sort(rng.uniform(50, N, N)), "label": rng.choice(["a", "b"], N)}
    )
    return pq.score_delayed(
        predictions, labels, bins=5, horizon=1500, metrics=["accuracy", "kappa"], every=200, **where
    )


def detected(folder: Path, **where: Any) -> pq.Run:
    """Run detectors on two learners."""
    first, second = (pq.streams.SEA(concept=k, seed=k) for k in (3, 4))
    stream = first.drift_to(second, at=N // 2).take(N)
    where = {"directory": folder / "detected", **where}
    pq.detect(
        stream, ["naive_bayes", "no_change"], ["adwin", "ddm", "page_hinkley:on=kappa,under=sliding:200"], **where
    )
    return pq.load(where["directory"])


def watched_series(folder: Path, **where: Any) -> pq.Run:
    """Run detectors on a series."""
    series = np.concatenate([np.random.default_rng(k).normal(k, 1.0, N // 2) for k in range(2)])
    where = {"directory": folder / "series", **where}
    pq.detect(pq.from_arrays(np.empty((N, 0)), series, task="regression"), None, ["adwin", "page_hinkley"], **where)
    return pq.load(where["directory"])


SOURCES: dict[str, Callable[..., pq.Run]] = {
    one.__name__: one for one in (scored_arrays, scored_files, scored_logs, detected, watched_series)
}


def content(run: pq.Run) -> dict[str, list[str]]:
    """Return the content of a run as text; NaN equals NaN."""
    tables = {
        "trace": run.to_arrow(),
        "alarms": run.alarms(),
        "bins": run.directory.bins(),
        "irregular": run.directory.irregular(),
    }
    manifest = run.manifest
    found = {name: [repr(row) for row in table.to_pylist()] for name, table in tables.items()}
    found["manifest"] = [
        repr((manifest.status, manifest.n_records, manifest.events)),
        *(
            repr((name, e.status, e.n_records, e.n_unlabelled, e.n_unpredicted, e.n_abstained))
            for name, e in manifest.learners.items()
        ),
    ]
    return found


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_two_workers_give_the_same_run(source: str, engine: str, tmp_path: Path) -> None:
    (tmp_path / "serial").mkdir()
    (tmp_path / "two").mkdir()
    expected = SOURCES[source](tmp_path / "serial", engine="serial")
    run = SOURCES[source](tmp_path / "two", engine=engine, workers=2)
    assert run.manifest.engine["engine"] == engine
    assert content(run) == content(expected)


KILLED = """
import itertools, os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from contracts import test_sources
from prequential.runs.save_points import SavePoints
write, counted = SavePoints.write, itertools.count(1)
def killing(self, tree):
    k = next(counted)
    if k > int(sys.argv[4]):
        os.kill(os.getpid(), signal.SIGKILL)  # in the middle of a run, before this save point is written
    write(self, tree)
SavePoints.write = killing
folder = Path(sys.argv[3])
test_sources.SOURCES[sys.argv[2]](folder, directory=folder / "run", save_seconds=0, chunk_size=97, resume=True)
"""


@pytest.mark.parametrize("source", SOURCES)
def test_a_run_killed_twice_resumes_to_the_same_trace(source: str, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    expected = SOURCES[source](tmp_path / "whole")
    folder = tmp_path / "killed"
    tests = str(Path(__file__).parents[1])
    for n_saved in (2, 3):
        words = [sys.executable, "-c", KILLED, tests, source, str(folder), str(n_saved)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert pq.load(folder / "run").status == "stopped"
    run = SOURCES[source](folder, directory=folder / "run", resume=True)
    assert len(run.manifest.resumed_at) == 2
    assert content(run) == content(expected)
    assert not (folder / "run" / "save_points").exists()


def test_files_are_read_from_any_record(tmp_path: Path) -> None:
    several = SeveralPredictions([FilePredictions(one) for one in files(tmp_path)])
    whole = [(*c.scores, i) for c in several.chunks(170) for i in range(c.start, c.start + len(c))]
    assert len(whole) == N + 2000
    assert [i for _, i in whole] == list(range(N + 2000))
    for start in (0, 1, 169, 2999, 3000, 3001, 4999):
        rest = [(*c.scores, i) for c in several.chunks(64, start) for i in range(c.start, c.start + len(c))]
        assert rest == whole[start:]


def test_a_changed_file_is_not_resumed(tmp_path: Path) -> None:
    paths = files(tmp_path)
    text = paths[0].read_text().splitlines()
    before, _, last = text[2001].rpartition(",")
    bad = [*text[:2001], f"{before},-{last[1:]}", *text[2002:]]  # of the same length
    paths[0].write_text("\n".join(bad))
    options: Where = {"directory": tmp_path / "run", "save_seconds": 0, "chunk_size": 500, "metrics": "log_loss"}
    with pytest.raises(DataError, match=r"first, record 2000: .*Accepted: scores of at least 0") as caught:
        pq.score(paths, **options)
    partial = caught.value.run
    assert isinstance(partial, pq.Run)
    assert (partial.status, partial.manifest.n_records) == ("partial", 2000)
    other = [text[0], *reversed(text[1:])]
    paths[0].write_text("\n".join(other))
    with pytest.raises(InputError, match="differ from those of the run that was stopped"):
        pq.score(paths, resume=True, **options)
    paths[0].write_text("\n".join(text))
    run = pq.score(paths, resume=True, **options)
    assert run.status == "complete"
    assert run.manifest.resumed_at


def test_a_failing_learner_leaves_the_detections_of_the_others(tmp_path: Path) -> None:
    class Failing:
        n = 0

        def learn_one(self, x: dict[str, float], y: object) -> None:
            self.n += 1
            if self.n > 100:
                raise RuntimeError("no more")

        def predict_one(self, x: dict[str, float]) -> None:
            return None

    stream = pq.streams.SEA(seed=1).take(1000)
    with pytest.warns(pq.LearnerFailedWarning, match="bad failed at record 100: RuntimeError: no more"):
        found = pq.detect(stream, {"bad": Failing(), "nb": "naive_bayes"}, ["adwin", "ddm"])
    assert [(one.learner, one.n_records) for one in found] == [("nb", 1000), ("nb", 1000)]
    with pytest.raises(pq.LearnerError, match="bad, record 100: RuntimeError: no more"):
        pq.detect(stream, {"bad": Failing()}, "adwin")


def test_text_ids_score_as_whole_numbers_do_however_many_have_been_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model may wait for a record that the log as a whole has given up: its id must keep its code."""
    monkeypatch.setattr("prequential.evaluation.id_codes.MOST_FORGOTTEN", 0)
    n = 400
    others = np.arange(10, 10 + n)
    ids = np.concatenate([[1], [1], others])
    time = np.concatenate([[0.0], [0.9], np.linspace(1.0, 2.9, n)])
    predictions = {"time": time, "prediction": ["a"] * (n + 2), "model": ["m", "n", *["m"] * n]}
    labels = {"time": np.concatenate([np.linspace(1.0, 2.9, n) + 1e-6, [3.0]]), "label": ["a"] * (n + 1)}
    label_ids = np.concatenate([others, [1]])
    found = []
    for write in (int, str):
        run = pq.score_delayed(
            pa.table({"id": [write(i) for i in ids.tolist()], **predictions}),
            pa.table({"id": [write(i) for i in label_ids.tolist()], **labels}),
            horizon=2.5,
            remember=10,
            bins=2,
            metrics="accuracy",
            forgetting="cumulative",
            chunk_size=10,
        )
        found.append(content(run))
        assert run.manifest.learners["n"].n_unlabelled == 0
    assert found[0] == found[1]


def test_other_predictions_are_not_taken_for_the_same_run(tmp_path: Path) -> None:
    y = [0, 1, 1, 0]
    pq.score(y, y, directory=tmp_path / "arrays")
    with pytest.raises(InputError, match="that run differs from this one"):
        pq.score(y, [1 - one for one in y], directory=tmp_path / "arrays", resume=True)
    log = pa.table({"id": [1, 2], "time": [0, 0], "p1": ["a", "b"], "p2": ["b", "b"]})
    labels = pa.table({"id": [1, 2], "time": [5, 6], "label": ["a", "b"]})
    pq.score_delayed(log, labels, prediction="p1", directory=tmp_path / "logs")
    with pytest.raises(InputError, match="that run differs from this one"):
        pq.score_delayed(log, labels, prediction="p2", directory=tmp_path / "logs", resume=True)
    (tmp_path / "p.csv").write_text("label,s1,s2\na,0.9,0.1\nb,0.2,0.8\n")
    pq.score(tmp_path / "p.csv", scores={"a": "s1", "b": "s2"}, directory=tmp_path / "file")
    with pytest.raises(InputError, match="that run differs from this one"):
        pq.score(tmp_path / "p.csv", scores={"a": "s2", "b": "s1"}, directory=tmp_path / "file", resume=True)


@pytest.mark.parametrize("engine", ["serial", "threads", "processes"])
def test_an_error_in_the_data_is_the_same_on_every_engine(engine: str, tmp_path: Path) -> None:
    for name, last in (("first", 0.5), ("second", -0.5)):
        (tmp_path / f"{name}.csv").write_text(f"label,score_a,score_b\na,0.9,0.1\nb,{last},0.8\n")
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    with pytest.raises(DataError, match="second, record 1: ") as caught:
        pq.score(paths, engine=engine, workers=2)  # type: ignore[arg-type]
    assert caught.value.row == 1
