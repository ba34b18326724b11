"""Alarms stand above the curves, where they were given."""

from pathlib import Path

import numpy as np
import pytest
from support.runs import entry, make_run

from prequential.figures.curves import panels
from prequential.figures.curves_matplotlib import draw_panels, save_figure
from prequential.figures.curves_plotly import figure
from prequential.runs.alarm_marks import MOST_MARKS, gather_marks
from prequential.runs.alarms import detector_names
from prequential.runs.directory import RunDirectory

ALARMS = [
    ("tree", "adwin:delta=0.002,on=error", 509),
    ("tree", "adwin:delta=0.002,on=error", 519),
    ("bayes", "adwin:delta=0.002,on=error", 529),
    ("tree", "ddm:level=3,on=error", 539),
    ("bayes", "ddm:level=3,on=error", 2000),
]


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    points = {
        (name, "cumulative", m): [(1000, 0.5), (2000, 0.7)] for name in ("tree", "bayes") for m in ("accuracy", "kappa")
    }
    return make_run(tmp_path / "run", points, alarms=ALARMS, drifts=[{"at": 500, "width": 1, "real": True}])


def test_a_row_holds_the_alarms_of_one_detector_and_learner_up_to_the_last_checkpoint(run: RunDirectory) -> None:
    for panel in panels(run):
        assert [(row.learner, row.detector.partition(":")[0], row.n.tolist()) for row in panel.alarms.rows] == [
            ("tree", "adwin", [510, 520]),
            ("bayes", "adwin", [530]),
            ("tree", "ddm", [540]),
        ]
        assert panel.alarms.heights == sorted(panel.alarms.heights, reverse=True)
        assert all(0 < height < 1 for height in panel.alarms.heights)


def test_a_run_without_detectors_has_no_strip(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(10, 0.5)]})
    assert panels(run)[0].alarms.share == 0
    assert "yaxis2" not in figure(run).layout


def test_thousands_of_alarms_share_marks_and_none_is_lost() -> None:
    n = np.sort(np.random.default_rng(1).choice(1_000_000, 20_000, replace=False)) + 1
    at, n_alarms = gather_marks(n, 1_000_000)
    assert len(at) == len(n_alarms) <= MOST_MARKS
    assert n_alarms.sum() == 20_000
    assert at[0] == n[0]
    assert set(at.tolist()) <= set(n.tolist())


def test_few_alarms_are_marked_each() -> None:
    at, n_alarms = gather_marks(np.array([7, 3, 3]), 10)
    assert at.tolist() == [3, 3, 7]
    assert n_alarms.tolist() == [1, 1, 1]


def test_detectors_have_short_names_unless_only_parameters_differ() -> None:
    assert list(detector_names(["river.ADWIN(delta=0.1):on=error", "ddm:level=3"]).values()) == ["river.ADWIN", "ddm"]
    same = ["adwin:delta=0.1", "adwin:delta=0.2"]
    assert list(detector_names(same).values()) == same


def test_on_the_screen_marks_have_the_colour_of_the_learner_and_the_shape_of_the_detector(run: RunDirectory) -> None:
    fig = figure(run)
    lines = {trace.legendgroup: trace.line.color for trace in fig.data if trace.mode == "lines" and trace.legendgroup}
    marks = [trace for trace in fig.data if trace.mode == "markers" and trace.x[0] is not None]
    assert len(marks) == 2 * 3
    for trace in marks:
        assert trace.marker.color == lines[trace.legendgroup]
    assert {(t.meta["detector"].partition(":")[0], t.marker.symbol) for t in marks} == {
        ("adwin", "triangle-down"),
        ("ddm", "diamond"),
    }
    assert marks[0].text[0] == "alarm at record 509"
    keys = [trace.name for trace in fig.data if trace.x[0] is None]
    assert keys == ["tree", "bayes", "alarm of adwin", "alarm of ddm"]


def test_on_the_screen_the_strip_lies_above_the_curves(run: RunDirectory) -> None:
    layout = figure(run).layout
    assert layout.yaxis.domain[1] == pytest.approx(layout.yaxis2.domain[0])
    assert layout.yaxis2.overlaying is None
    assert tuple(layout.yaxis.range) == panels(run)[0].y_range


def test_in_print_the_strip_has_marks_and_no_ticks(run: RunDirectory, tmp_path: Path) -> None:
    drawn = panels(run)
    fig = draw_panels(drawn)
    ax = fig.axes[0]
    assert max(ax.get_yticks()) <= drawn[0].y_range[1] < ax.get_ylim()[1]
    marks = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert [np.asarray(line.get_xdata()).tolist() for line in marks] == [[510, 520], [530], [540]]
    assert [line.get_marker() for line in marks] == ["v", "v", "D"]
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()][2:4] == ["alarm of adwin", "alarm of ddm"]
    first = save_figure(run, tmp_path / "a.png").read_bytes()
    assert save_figure(run, tmp_path / "b.png").read_bytes() == first


def test_a_learner_without_a_checkpoint_has_its_alarms_marked(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {("a", "cumulative", "accuracy"): [(100, 0.5)]},
        learners={"a": entry(), "b": entry(status="failed")},
        alarms=[("b", "ddm:level=3,on=error", 6)],
    )
    assert [row.learner for row in panels(run)[0].alarms.rows] == ["b"]
    save_figure(run, tmp_path / "a.svg")
