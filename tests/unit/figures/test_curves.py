"""What is drawn is what the trace says."""

import math
from pathlib import Path

import numpy as np
import pytest
from support.runs import entry, make_run

from prequential.errors import InputError
from prequential.figures.curves import is_baseline, panels, thin
from prequential.figures.curves_plotly import draw
from prequential.figures.matplotlib_style import drift_keys


def test_curves_hold_the_values_of_the_trace(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(10, 0.5), (20, math.nan), (30, 0.7)]})
    (panel,) = panels(run, "accuracy")
    assert panel.curves[0].n.tolist() == [10, 20, 30]
    np.testing.assert_array_equal(panel.curves[0].value, [0.5, math.nan, 0.7])
    assert panel.title == "accuracy, higher is better, cumulative"
    assert panel.x_range == (0, 30)
    assert panel.y_range == pytest.approx((0.49, 0.71))


def test_baselines_are_recognised_by_their_class(tmp_path: Path) -> None:
    assert [is_baseline(entry(name)) for name in ("MajorityClass", "NoChange", "no-change", "NaiveBayes")] == [
        True,
        True,
        True,
        False,
    ]
    points = {(name, "cumulative", "accuracy"): [(10, 0.5)] for name in ("a", "b")}
    run = make_run(tmp_path / "run", points, learners={"a": entry("NaiveBayes"), "b": entry("MajorityClass")})
    assert [curve.is_baseline for curve in panels(run, "accuracy")[0].curves] == [False, True]


def test_drifts_are_lines_or_spans_around_their_middle(tmp_path: Path) -> None:
    drifts = [{"at": 10, "width": 1, "real": True}, {"at": 20, "width": 8, "real": False}]
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(30, 0.5)]}, drifts=drifts)
    first, second = panels(run, "accuracy")[0].drifts
    assert (first.begin, first.end, first.abrupt) == (10, 10, True)
    assert (second.begin, second.end, second.abrupt, second.real) == (16, 24, False, False)


def test_drifts_have_names_and_blips_are_known_as_such(tmp_path: Path) -> None:
    drifts = [
        {"at": 10, "width": 1, "real": True},
        {"at": 12, "width": 4, "real": False, "temporary": False},
        {"at": 20, "width": 8, "real": True, "temporary": True},
    ]
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(30, 0.5)]}, drifts=drifts)
    (panel,) = panels(run, "accuracy")
    names = ["abrupt drift", "gradual virtual drift", "blip"]
    assert [drift.name for drift in panel.drifts] == names
    assert [name for name, _ in drift_keys(panel.drifts)] == names
    shapes = draw([panel]).layout.shapes
    assert [(shape.name, shape.x0, shape.x1) for shape in shapes] == [
        ("abrupt drift", 10, 10),
        ("gradual virtual drift", 10, 14),
        ("blip", 16, 24),
    ]
    assert all(shape.showlegend for shape in shapes)


def test_a_drift_that_was_not_reached_is_not_drawn(tmp_path: Path) -> None:
    drifts = [{"at": 100, "width": 1, "real": True}]
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(30, 0.5)]}, drifts=drifts)
    assert panels(run, "accuracy")[0].drifts == ()


def test_units_are_those_of_the_target_in_regression(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", m): [(30, 2.5)] for m in ("mae", "r2")})
    assert [panel.unit for panel in panels(run)] == ["unit of the target", ""]


def test_thinning_keeps_peaks_dips_gaps_and_ends() -> None:
    n = np.arange(100_000)
    value = np.sin(n / 5000.0)
    value[[31_234, 77_777]] = 5, -5
    value[50_000:60_000] = math.nan
    kept, thinned = thin(n, value)
    assert len(kept) <= 5_000
    assert {0, 31_234, 77_777, 99_999} <= set(kept.tolist())
    inside = thinned[(kept >= 50_000) & (kept < 60_000)]
    assert len(inside) > 100
    assert np.isnan(inside).all()
    np.testing.assert_array_equal(thinned, value[kept])


def test_thinning_keeps_a_gap_of_a_single_point() -> None:
    n = np.arange(100_000)
    value = np.sin(n / 5000.0)
    value[[12_345, 67_890]] = math.nan
    kept, thinned = thin(n, value)
    assert kept[np.isnan(thinned)].tolist() == [12_345, 67_890]


def test_short_curves_are_drawn_whole() -> None:
    n = np.arange(5_000)
    assert len(thin(n, np.zeros(5_000))[0]) == 5_000


def test_an_empty_trace_is_refused_in_words(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {}, metrics=["accuracy"], forgetting=["cumulative"], status="running")
    with pytest.raises(InputError, match="no checkpoint yet, so there is nothing to draw"):
        panels(run, "accuracy")


def test_a_per_class_metric_has_one_panel_per_class(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", f"recall[{c}]"): [(9, 0.5)] for c in ("UP", "DOWN")})
    assert [panel.metric for panel in panels(run, "recall")] == ["recall[UP]", "recall[DOWN]"]


def test_an_unknown_metric_is_refused_with_those_of_the_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(9, 0.5)]})
    with pytest.raises(InputError, match=r"no metric 'auc'.* It has: accuracy"):
        panels(run, "auc")
