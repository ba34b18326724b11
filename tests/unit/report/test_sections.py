"""Alarms and comparisons in the report of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.runs import entry, failed, make_run
from unit.report.test_page import page_of

import prequential as pq
from prequential.drift.scoring import default_tolerance
from prequential.report.comparison_section import by_error, compared
from prequential.report.page import write_page
from prequential.report.stream_section import stream
from prequential.tables.run_detections import run_detections

ADWIN, DDM = "adwin:delta=0.002,on=error", "ddm:level=3,on=error"
ALARMS = [("a", ADWIN, 89), ("a", ADWIN, 1100), ("b", ADWIN, 1202), ("b", ADWIN, 1209), ("b", DDM, 1499)]
POINTS = {(name, "cumulative", "accuracy"): [(1000, 0.5), (2000, 0.7)] for name in ("a", "b")}
DRIFT = [{"at": 1000, "width": 1, "real": True}]


@pytest.fixture(scope="module")
def run() -> pq.Run:
    stream = pq.streams.SEA(seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=5_000).take(10_000)
    learners = ["naive_bayes", "sgd", "no_change"]
    return pq.evaluate(stream, learners, forgetting=["cumulative", "fading:0.999"], detectors=["adwin", "ddm"])


def test_the_alarms_of_a_run_are_scored_as_detections_are(tmp_path: Path) -> None:
    table = run_detections(make_run(tmp_path / "run", POINTS, alarms=ALARMS, drifts=DRIFT))
    assert table is not None
    assert table.tolerance == 200  # a fifth of 2000 / 2
    assert [(one.learner, one.detector, [a.record for a in one.alarms]) for one in table.detections] == [
        ("a", ADWIN, [89, 1100]),
        ("a", DDM, []),
        ("b", ADWIN, [1202, 1209]),
        ("b", DDM, [1499]),
    ]
    scores = [score for score in table.scores() if score is not None]
    assert [(s.n_detected, s.n_false, s.n_repeats) for s in scores] == [(1, 1, 0), (0, 0, 0), (0, 2, 0), (0, 1, 0)]
    assert all(score.dummy is not None for score in scores)


def test_the_tolerance_is_of_the_stream_and_not_of_how_far_a_run_has_come(tmp_path: Path) -> None:
    assert default_tolerance([pq.Drift(50), pq.Drift(100)], 150) == 10
    learners = {"a": entry(status="partial", n_records=1400), "b": entry(status="partial", n_records=1300)}
    drifts = [*DRIFT, {"at": 1400, "width": 1, "real": True}]
    partial = make_run(
        tmp_path / "run", POINTS, alarms=ALARMS, drifts=drifts, learners=learners, status="partial", n_records=1400
    )
    table = run_detections(partial)
    assert table is not None
    assert table.tolerance == 133  # a fifth of 2000 / 3
    assert table.drifts == (pq.Drift(1000),)
    assert {one.n_records for one in table.detections} == {1300}
    assert table.detections[-1].alarms == ()


def test_drifts_that_begin_at_one_record_count_once(tmp_path: Path) -> None:
    drifts = [{"at": 1100, "width": 200, "real": True}, {"at": 1000, "width": 1, "real": False}]
    table = run_detections(make_run(tmp_path / "run", POINTS, alarms=ALARMS, drifts=drifts))
    assert table is not None
    assert table.drifts == (pq.Drift(1100, 200),)
    assert table.scores()


def test_the_page_has_counts_scores_and_dummies_and_says_the_tolerance(tmp_path: Path) -> None:
    directory = make_run(tmp_path / "run", POINTS, alarms=ALARMS, drifts=DRIFT)
    source, reader = page_of(directory, tmp_path)
    assert '<section id="alarms">' in source
    assert "tolerance 200 · in brackets the dummy, on average" in reader.text
    assert "200 records after its last: a fifth of the mean distance between drifts" in reader.text
    assert re.search(r"a · adwin.*?</th><td[^>]*>2</td><td[^>]*>1 \(0\.\d\)</td>", source)
    assert '<section id="comparison">' not in source  # no pairs were counted


def test_without_known_drifts_alarms_are_counted(tmp_path: Path) -> None:
    source, reader = page_of(make_run(tmp_path / "run", POINTS, alarms=ALARMS), tmp_path)
    assert "no drifts are known, so nothing is scored" in reader.text
    assert "All scores" not in reader.text
    assert source.count("detects a drift") == 0


def test_a_learner_that_failed_is_not_scored_and_named(tmp_path: Path) -> None:
    learners = {"a": entry(), "b": failed(1234, "ValueError: <no>")}
    directory = make_run(tmp_path / "run", POINTS, alarms=ALARMS, drifts=DRIFT, learners=learners, status="failed")
    _, reader = page_of(directory, tmp_path)
    assert "b failed at record 1,234: ValueError: <no>. Its alarms are not scored." in reader.text
    table = run_detections(directory)
    assert table is not None
    assert {one.learner for one in table.detections} == {"a"}


def test_a_run_without_detectors_has_no_section_of_alarms(tmp_path: Path) -> None:
    source, _ = page_of(make_run(tmp_path / "run", POINTS), tmp_path)
    assert '<section id="alarms">' not in source


def test_every_two_learners_are_compared_the_better_first(run: pq.Run) -> None:
    order = by_error(run.directory.pairs())
    accuracy = {row["learner"]: row["value"] for row in run.table(metrics=["accuracy"]).to_dicts()[::2]}
    assert order == sorted(accuracy, key=lambda name: -float(str(accuracy[name])))
    found = compared(run.directory)
    best, second, last = order
    assert [(one.trace.a, one.trace.b) for one in found] == [(best, second), (best, last), (second, last)]
    for one in found:
        assert one.conclusion == run.compare(one.trace.a, one.trace.b).conclusion


def test_of_many_learners_the_best_is_compared_with_each() -> None:
    stream = pq.streams.SEA(seed=1).take(2_000)
    many = {f"w{w}": pq.learners.MajorityClass(window_size=w) for w in (1, 10, 100, 1000)} | {"nb": "naive_bayes"}
    run = pq.evaluate(stream, many)
    found = compared(run.directory)
    assert [one.trace.a for one in found] == ["nb"] * 4


def test_the_page_compares_the_learners_and_draws_the_best_two(run: pq.Run, tmp_path: Path) -> None:
    source, reader = page_of(run.directory, tmp_path)
    for one in compared(run.directory):
        assert one.conclusion in reader.text
        (last,) = (row for row in one.trace.last() if row["forgetting"] == "cumulative")
        assert f"{last['q']:.4f}" in reader.text
    part = source[source.index('<section id="comparison">') :]
    figure = json.loads(re.findall(r'<script type="application/json">(.*?)</script>', part)[0])
    sequence = "confidence sequence (95 %, any number of looks)"
    assert {trace["name"] for trace in figure["data"]} == {sequence, "cumulative", "fading:0.999"}
    assert figure["layout"]["shapes"][0]["x0"] == 5_000
    assert "http" not in source.replace("http-equiv", "")
    assert write_page(run.directory, tmp_path / "again.html").read_bytes() == (tmp_path / "report.html").read_bytes()


def test_blips_are_listed_and_not_scored(tmp_path: Path) -> None:
    blip = {"at": 1203, "width": 20, "real": True, "temporary": True}
    directory = make_run(tmp_path / "run", POINTS, alarms=ALARMS, drifts=[*DRIFT, blip])
    table = run_detections(directory)
    assert table is not None
    assert table.tolerance == 200, "as without the blip"
    assert table.drifts == (pq.Drift(1000), pq.Drift(1203, 20, temporary=True))
    scores = [score for score in table.scores() if score is not None]
    assert [(s.n_detected, s.n_false) for s in scores] == [(1, 1), (0, 0), (0, 2), (0, 1)]
    assert ">blip, real<" in stream(directory.manifest)
