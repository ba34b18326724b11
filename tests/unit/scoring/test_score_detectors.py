"""Detectors on predictions made elsewhere raise the alarms that they raise on the plain series of losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import prequential as pq

N = 4000
RNG = np.random.default_rng(5)
WRONG = RNG.random(N) < np.where(np.arange(N) < 2000, 0.1, 0.5)
LABELS = RNG.choice(["a", "b"], N)
SAID = np.where(WRONG, np.where(LABELS == "a", "b", "a"), LABELS)
DETECTORS = [pq.drift.ADWIN(), pq.drift.PageHinkley(), pq.drift.DDM()]


def expected(losses: Any) -> dict[str, list[int]]:
    found = {one.label: [int(at) + 1 for at in one.detect(losses)] for one in DETECTORS}
    assert all(found.values()), "each of them finds the change"
    return found


def alarms_of(run: pq.Run, learner: str) -> dict[str, list[int]]:
    rows = [row for row in run.alarms().to_pylist() if row["learner"] == learner]
    return {one.label: [row["record"] + 1 for row in rows if row["detector"] == one.label] for one in DETECTORS}


@pytest.mark.parametrize("chunk_size", [64, 5000])
def test_alarms_of_arrays_and_files_are_those_of_the_losses(tmp_path: Path, chunk_size: int) -> None:
    right = expected(WRONG.astype(float))
    run = pq.score(LABELS, {"one": SAID, "other": SAID[::-1]}, detectors=DETECTORS, chunk_size=chunk_size)
    assert alarms_of(run, "one") == right
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for path in paths:
        pyarrow.csv.write_csv(pa.table({"label": LABELS, "prediction": SAID}), path)
    run = pq.score(paths, detectors=DETECTORS, chunk_size=chunk_size)
    for name in ("first", "second"):  # the alarms of the second file count its own records
        assert alarms_of(run, name) == right
    assert "alarm" in run.save_report(tmp_path / "report.html").read_text().lower()


@pytest.mark.parametrize("chunk_size", [64, 50_000])
def test_alarms_with_late_labels_count_labels_and_watch_the_first_prediction(chunk_size: int) -> None:
    arrives = np.arange(N, dtype=float)
    known = arrives + RNG.integers(1, 300, N) + 0.5
    order = np.argsort(known)
    predictions = pa.table(
        {
            "id": np.repeat(np.arange(N), 2),
            "time": np.repeat(arrives, 2) + np.tile([0, 0.25], N),
            "prediction": np.stack([SAID, LABELS], axis=1).ravel(),  # the second prediction is always right
        }
    )
    labels = pa.table({"id": order, "time": known[order], "label": LABELS[order]})
    run = pq.score_delayed(predictions, labels, bins=2, detectors=DETECTORS, chunk_size=chunk_size)
    assert alarms_of(run, run.learners[0]) == expected(WRONG[order].astype(float))


def test_learners_with_late_labels_are_watched() -> None:
    stream = pq.streams.SEA(concept=3, seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=3000).take(6000)
    immediate = pq.evaluate(stream, "naive_bayes", detectors="page_hinkley")
    late = pq.evaluate(stream.delayed(1), "naive_bayes", protocol=pq.Delayed(bins=2), detectors="page_hinkley")
    n = [row["record"] + 1 for row in late.alarms().to_pylist()]
    assert n
    assert abs(n[0] - immediate.alarms()["record"][0].as_py()) < 300


def test_a_detector_on_scores_needs_scores() -> None:
    with pytest.raises(pq.InputError, match="auc needs one score per class"):
        pq.score(LABELS, SAID, detectors="page_hinkley:on=auc,under=sliding:100")
