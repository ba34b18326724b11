"""Drift detectors that watch the learners of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.drift import PageHinkley
from prequential.drift.watch import Watch

N, AT = 6000, 3000


def stream() -> pq.Stream:
    """Return a stream of two classes that are swapped in the middle."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=N)
    side = np.where(np.arange(N) < AT, 1, -1)
    X = np.column_stack([rng.normal(side * (2 * y - 1)), rng.normal(size=N)])
    return pq.from_arrays(X, y)


DETECTORS: list[Any] = [
    "adwin",
    "ddm",
    PageHinkley(on="error", under=pq.Fading(0.99)),
    "page_hinkley:on=auc,under=sliding:200",
]


def alarms(run: pq.Run) -> list[tuple[str, str, int]]:
    return [(row["learner"], row["detector"], row["record"]) for row in run.alarms().to_pylist()]


def test_each_detector_finds_the_change_of_each_affected_learner() -> None:
    run = pq.evaluate(stream(), ["naive_bayes", "majority_class"], detectors=DETECTORS, chunk_size=777)
    found = alarms(run)
    assert run.manifest.detectors == [pq.drift.as_detector(d).label for d in DETECTORS]
    for detector in run.manifest.detectors:
        at = [n for learner, name, n in found if learner == "naive_bayes" and name == detector]
        assert any(AT < n < AT + 1500 for n in at), detector
    assert [n for _, _, n in found] == sorted(n for _, _, n in found)


def test_alarms_equal_those_of_a_watch_on_the_saved_predictions() -> None:
    run = pq.evaluate(stream(), "naive_bayes", detectors=DETECTORS, predictions=True)
    table = run.directory.predictions("naive_bayes")
    scores = np.column_stack([table[name].to_numpy() for name in ("score_0", "score_1")])
    (chunk,) = stream().chunks(N)
    for text in DETECTORS:
        detector = pq.drift.as_detector(text)
        expected = [alarm.record for alarm in Watch(detector, chunk.schema).step(chunk, scores)]
        assert [n for _, name, n in alarms(run) if name == detector.label] == expected


def test_results_do_not_depend_on_chunks_or_detectors() -> None:
    runs = [pq.evaluate(stream(), "naive_bayes", detectors=DETECTORS, chunk_size=size) for size in (7, 100_000)]
    assert alarms(runs[0]) == alarms(runs[1])
    without = pq.evaluate(stream(), "naive_bayes")
    assert without.to_arrow().equals(runs[0].to_arrow())
    assert not len(without.alarms())


def test_a_plan_and_a_saved_run_keep_detectors_and_alarms(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    (chunk,) = stream().chunks(N)
    np.savetxt(data, np.column_stack([chunk.X, chunk.y]), delimiter=",", header="a,b,class", comments="", fmt="%g")
    text = f'detectors = ["adwin"]\n[stream]\npath = "{data}"\ntarget = "class"\n[[learner]]\ntype = "naive_bayes"\n'
    (tmp_path / "plan.toml").write_text(text)
    run = pq.Plan.from_toml(tmp_path / "plan.toml").run(directory=tmp_path / "run")
    assert alarms(run)
    assert alarms(pq.load(tmp_path / "run")) == alarms(run)
    again = pq.Plan.from_toml(tmp_path / "run" / "plan.toml").run()
    assert alarms(again) == alarms(run)


@pytest.mark.parametrize(
    ("detectors", "message"),
    [
        (["page_hinkly"], "page_hinkley"),
        (["page_hinkley:on=acuracy"], "accuracy"),
        ([object()], "detector"),
        (["adwin:delta=0"], "delta"),
    ],
)
def test_an_invalid_detector_is_refused_before_the_run(detectors: list[Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.evaluate(stream(), "naive_bayes", detectors=detectors)


def test_holdout_refuses_detectors() -> None:
    with pytest.raises(pq.InputError, match="at every record"):
        pq.evaluate(stream(), "naive_bayes", protocol=pq.Holdout(share=0.1), detectors="adwin")


def test_a_detector_of_a_regression_metric_does_not_fit_a_classifier() -> None:
    with pytest.raises(pq.InputError, match="does not fit a classification stream"):
        pq.evaluate(stream(), "naive_bayes", detectors="page_hinkley:on=mae")
