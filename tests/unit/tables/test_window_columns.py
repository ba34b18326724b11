"""The width of a window and its alarms are shown where they say something: of ADWIN."""

from pathlib import Path

import pytest
from support.runs import make_run

from prequential.figures.curves import panels
from prequential.figures.curves_matplotlib import save_figure
from prequential.figures.curves_plotly import figure
from prequential.figures.palette import dashes
from prequential.runs.directory import RunDirectory
from prequential.tables.result_table import result_table

METRICS = ("accuracy", "width", "alarms")


def make(path: Path, *forgetting: str) -> RunDirectory:
    return make_run(path, {("a", f, m): [(100, 0.5), (200, 1.0)] for f in forgetting for m in METRICS})


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return make(tmp_path / "run", "cumulative", "sliding:60s", "adaptive:0.002")


def test_a_table_has_them_of_adwin_alone_and_the_trace_of_all(run: RunDirectory) -> None:
    columns = [(c.forgetting, c.metric) for c in result_table(run).columns]
    assert columns == [
        ("cumulative", "accuracy"),
        ("sliding:60s", "accuracy"),
        *(("adaptive:0.002", m) for m in METRICS),
    ]
    assert len(run.trace()) == 3 * 3 * 2


def test_a_panel_draws_them_of_adwin_alone_in_the_dash_it_has_elsewhere(run: RunDirectory, tmp_path: Path) -> None:
    accuracy, width, alarms = panels(run)
    assert accuracy.drawn_forgetting == ("cumulative", "sliding:60s", "adaptive:0.002")
    assert width.drawn_forgetting == alarms.drawn_forgetting == ("adaptive:0.002",)
    assert width.title == "width, adaptive:0.002"
    assert dashes(width) == dashes(accuracy)
    save_figure(run, tmp_path / "a.svg")


def test_a_panel_of_one_forgetting_is_not_chosen_from(run: RunDirectory) -> None:
    drawn = [trace for trace in figure(run, metrics="width").data if trace.x[0] is not None]
    assert len(drawn) == 1
    assert drawn[0].meta is None


def test_without_adwin_among_the_chosen_there_is_no_panel_or_column_of_them(run: RunDirectory) -> None:
    assert [panel.metric for panel in panels(run, forgetting="cumulative")] == ["accuracy"]
    assert [c.metric for c in result_table(run, forgetting="cumulative").columns] == ["accuracy"]


def test_they_are_shown_when_requested_by_name(run: RunDirectory, tmp_path: Path) -> None:
    assert panels(run, "width", "sliding:60s")[0].drawn_forgetting == ("sliding:60s",)
    assert len(result_table(run, metrics="width", forgetting="sliding:60s").columns) == 1
    without = make(tmp_path / "without", "cumulative", "sliding:60s")
    assert len(result_table(without).columns) == 6
