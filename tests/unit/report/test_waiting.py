"""Counts, latencies and irregular events of delayed labels, on the page and in the terminal."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.runs import delayed_run, events, make_run

from prequential.cli.outcome import show
from prequential.evaluation.run import Run
from prequential.figures.latency_plotly import latency_figure
from prequential.report.page import write_page
from prequential.report.waiting_section import first_ids, waiting
from prequential.runs.directory import RunDirectory
from prequential.runs.events import MEANINGS
from prequential.runs.latency_histogram import latency_histogram
from prequential.runs.status import event_summary

POINTS = {
    (name, f, f"accuracy_{stage}"): [(1000, 0.5), (2000, level)]
    for name, level in (("tree", 0.8), ("bayes", 0.7))
    for f in ("cumulative", "sliding:100")
    for stage in ("initial", "psi_2", "final")
}
IRREGULAR = [
    *(("label without a record", f"<i>{k}</i>") for k in range(7)),
    ("second label, another one", "order 12"),
    ("second label, another one", "order 13"),
]


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    rows = {
        (name, f, "accuracy"): [(n, b, 0.5) for n in (1000, 2000) for b in range(6)]
        for name in ("tree", "bayes")
        for f in ("cumulative", "sliding:100")
    }
    return delayed_run(tmp_path / "run", POINTS, bins=rows, irregular=IRREGULAR)


def test_one_line_summarises_the_events(run: RunDirectory, tmp_path: Path) -> None:
    assert event_summary(run.manifest, Path("runs/a/irregular")) == (
        "2,100 records, 2,000 labels (median latency about 8.4), 100 still waiting; "
        "9 irregular events: see runs/a/irregular"
    )
    changes = events(n_versions=3, n_expired=1, n_waiting=0, irregular={}, latency=None)
    other = delayed_run(tmp_path / "other", POINTS, events=changes)
    assert event_summary(other.manifest) == "2,100 records, 3 new versions, 2,000 labels, 1 expired"
    assert event_summary(make_run(tmp_path / "plain", {("a", "cumulative", "accuracy"): [(1, 0.5)]}).manifest) == ""


def test_the_first_ids_of_each_kind_are_named_and_no_more_parts_are_read_than_needed(run: RunDirectory) -> None:
    run.append_irregular(run.irregular())
    (run.path / "irregular" / "00009.parquet").write_text("not to be read")
    ids = first_ids(run, {"label without a record": 14, "second label, another one": 4})
    assert ids == {
        "label without a record": [f"<i>{k}</i>" for k in range(5)],
        "second label, another one": ["order 12", "order 13", "order 12", "order 13"],
    }


def test_the_section_says_how_many_how_long_and_what_was_irregular(run: RunDirectory) -> None:
    text = waiting(run)
    for words in ("2,100", "2,000", "still waiting at the end", "median", "8.4", "irregular/*.parquet"):
        assert words in text
    assert MEANINGS["second label, another one"] in text
    assert "&lt;i&gt;4&lt;/i&gt;, …" in text
    assert "<i>" not in text
    assert "order 12, order 13<" in text


def test_labels_that_all_took_the_same_time_need_no_figure(tmp_path: Path) -> None:
    same = {**events()["latency"], "least": 100.0, "most": 100.0, "histogram": [[98.7, 107.6, 2000]]}
    text = waiting(delayed_run(tmp_path / "run", POINTS, events=events(latency=same)))
    assert "Every label took 100" in text
    assert "<figure>" not in text


def test_before_the_first_label_there_is_no_latency(tmp_path: Path) -> None:
    text = waiting(delayed_run(tmp_path / "run", POINTS, events=events(latency=None, n_labels=0)))
    assert "latency" not in text


def test_the_histogram_marks_median_and_95_percent_and_leaves_gaps_empty() -> None:
    histogram = latency_histogram(events()["latency"])
    assert histogram is not None
    steps = list(zip(*histogram.outline, strict=True))
    assert steps[0] == (8.0, 0.0)
    assert (8.0, 1000.0) in steps
    assert (8.72, 0.0) in steps
    assert (82.98, 0.0) in steps
    assert histogram.quantiles == (("median 8.4", 8.4), ("95 % within 85", 85.0))
    assert histogram.ticks == [10, 20, 50]
    outline, _, median, most = latency_figure(histogram).data
    assert list(zip(outline.x, outline.y, strict=True)) == steps
    assert (median.x[0], median.text[1]) == (8.4, "median 8.4")
    assert (most.x[0], most.text[1]) == (85.0, "95 % within 85")


def test_labels_that_came_at_once_are_counted_and_not_drawn(tmp_path: Path) -> None:
    latency: dict[str, Any] = events()["latency"]
    latency = {**latency, "least": 0.0, "histogram": [[0.0, 0.0, 40], *latency["histogram"]]}
    histogram = latency_histogram(latency)
    assert histogram is not None
    assert histogram.edges[0] == 8.0
    assert "40 of 2,000 labels came at once" in waiting(
        delayed_run(tmp_path / "run", POINTS, events=events(latency=latency))
    )
    assert latency_histogram({**latency, "most": 0.0, "histogram": [[0.0, 0.0, 40]]}) is None


def test_the_page_has_its_sections_for_delayed_labels_alone(run: RunDirectory, tmp_path: Path) -> None:
    page = write_page(run, tmp_path / "a.html").read_text()
    for identifier in ("waiting", "ranking", "curves", "bins"):
        assert f'<section id="{identifier}">' in page
    assert "2,100 records · 2,000 labels" in page
    assert "1,000 labels" in page, "checkpoints are every so many labels"
    assert 'type="radio" name="forgetting" value="cumulative" autocomplete="off" checked' in page
    assert page.count('name="stage"') == 3
    other = make_run(tmp_path / "other", {("a", "cumulative", "accuracy"): [(1000, 0.4), (2000, 0.5)]})
    plain = write_page(other, tmp_path / "b.html").read_text()
    for words in ('id="waiting"', 'id="ranking"', 'id="bins"', 'name="stage"', "Ψ₂", "2,000 events"):
        assert words not in plain


def test_a_run_that_has_just_begun_has_a_page(tmp_path: Path) -> None:
    run = delayed_run(tmp_path / "run", {}, events=None, metrics=["accuracy_initial", "accuracy_final"])
    page = write_page(run, tmp_path / "a.html").read_text()
    assert "no checkpoint yet" in page
    assert 'id="bins"' not in page


def test_the_terminal_shows_the_compact_table_and_the_line(
    run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    show(Run(run), as_json=False, report=False)
    text = capsys.readouterr().out
    assert "─ accuracy ─" in text
    assert (
        "events  2,100 records, 2,000 labels (median latency about 8.4), 100 still waiting; 9 irregular events: "
        in text
    )
    show(Run(run), as_json=True, report=False)
    data = json.loads(capsys.readouterr().out)
    assert data["events"]["n_waiting"] == 100
    assert data["irregular_table"] == str(run.path / "irregular")
