"""Metrics by bin of the waiting time, drawn from the files of a run."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.runs import delayed_run, failed, make_run

import prequential as pq
from prequential.errors import InputError
from prequential.figures.bins import bin_panel, bin_panels
from prequential.figures.bins_matplotlib import printed_bins
from prequential.figures.bins_plotly import bin_figure, draw_bins
from prequential.figures.matplotlib_style import write_figure
from prequential.metrics.binned import prioritised
from prequential.report.bin_section import bins
from prequential.runs.directory import RunDirectory

B = 4
LEVEL = {"tree": 0.8, "_$x$ <b>": 0.6}


def value(learner: str, forgetting: str, n: int, b: int) -> float:
    return LEVEL[learner] + 0.01 * b + n / 1e5 + (0.1 if forgetting == "cumulative" else 0.0)


def by_hand(path: Path, n_checkpoints: int = 10, **changes: Any) -> RunDirectory:
    n = [100 * (i + 1) for i in range(n_checkpoints)]
    points = {
        (name, f, f"{m}_{stage}"): [(at, value(name, f, at, b)) for at in n]
        for name in LEVEL
        for f in ("cumulative", "sliding:100")
        for m in ("accuracy", "kappa")
        for b, stage in ((0, "initial"), (2, "psi_2"), (B + 1, "final"))
    }
    rows = {
        (name, f, m): [(at, b, value(name, f, at, b)) for at in n for b in range(B + 2)]
        for name in LEVEL
        for f in ("cumulative", "sliding:100")
        for m in ("accuracy", "kappa")
    }
    return delayed_run(path, points, bins=rows, **changes)


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return by_hand(tmp_path / "run")


@pytest.fixture(scope="module")
def evaluated() -> pq.Run:
    stream = pq.streams.SEA(seed=3).take(900).delayed(60)
    protocol = pq.Delayed(bins=10, psi_alpha=[1, 2], reevaluate_every=5)
    return pq.evaluate(stream, ["naive_bayes", "no_change"], protocol=protocol, every=50)


def test_a_surface_is_what_the_files_say(run: RunDirectory) -> None:
    panel = bin_panel(run, "kappa", "sliding:100")
    assert [one.learner for one in panel.surfaces] == list(LEVEL)
    for one in panel.surfaces:
        expected = [[value(one.learner, "sliding:100", int(n), b) for n in one.n] for b in range(B + 2)]
        assert np.array_equal(one.value, expected)
        assert one.n.tolist() == [100 * (i + 1) for i in range(10)]


def test_the_first_and_the_last_bin_are_the_initial_and_final_values_of_the_trace(evaluated: pq.Run) -> None:
    trace = evaluated.to_pandas()
    for under in ("cumulative", "sliding:1000"):
        panel = bin_panel(evaluated.directory, "accuracy", under)
        assert panel.n_bins == 12
        for one in panel.surfaces:
            own = trace[(trace.learner == one.learner) & (trace.forgetting == under)]
            stages = {name: own[own.metric == f"accuracy_{name}"]["value"].to_numpy() for name in _STAGES}
            assert np.array_equal(one.value[0], stages["initial"])
            assert np.array_equal(one.value[-1], stages["final"])
            assert np.allclose(prioritised(one.value[:11].T, 2), stages["psi_2"], rtol=1e-12)
            assert np.allclose(one.value[:11].mean(axis=0), stages["psi_1"], rtol=1e-12)


_STAGES = ("initial", "psi_1", "psi_2", "final")


def test_many_checkpoints_are_thinned_to_some_that_there_are(tmp_path: Path) -> None:
    run = by_hand(tmp_path / "run", 500)
    (panel,) = bin_panels(run, "accuracy", "cumulative", "tree", most=40)
    n = panel.surfaces[0].n
    assert (len(n), n[0], n[-1], panel.n_drawn, panel.n_checkpoints) == (40, 100, 50_000, 40, 500)
    assert np.diff(n).max() <= 1400
    expected = [[value("tree", "cumulative", int(at), b) for at in n] for b in range(B + 2)]
    assert np.array_equal(panel.surfaces[0].value, expected)


def test_a_learner_that_stopped_is_drawn_up_to_its_last_checkpoint(tmp_path: Path) -> None:
    stages = ("initial", "psi_2", "final")
    points = {("a", "cumulative", f"accuracy_{s}"): [(n, 0.5) for n in range(100, 1100, 100)] for s in stages}
    points |= {("b", "cumulative", f"accuracy_{s}"): [(100, 0.5), (250, 0.7)] for s in stages}
    rows = {
        ("a", "cumulative", "accuracy"): [(n, b, 0.5) for n in range(100, 1100, 100) for b in range(B + 2)],
        ("b", "cumulative", "accuracy"): [(n, b, v) for n, v in ((100, 0.5), (250, 0.7)) for b in range(B + 2)],
    }
    run = delayed_run(tmp_path / "run", points, bins=rows, learners={"a": failed(), "b": failed(250)})
    panel = bin_panels(run, most=3)[0]
    assert panel.surfaces[1].n.tolist()[-1] == 250
    assert np.array_equal(panel.surfaces[1].last, [0.7] * 6)


def test_what_is_undefined_is_a_gap(tmp_path: Path) -> None:
    points = {("a", "cumulative", f"kappa_{s}"): [(100, math.nan), (200, 0.5)] for s in ("initial", "final")}
    rows = {("a", "cumulative", "kappa"): [(200, b, 0.5) for b in range(6)]}
    panel = bin_panel(delayed_run(tmp_path / "run", points, bins=rows))
    assert np.isnan(panel.surfaces[0].value[:, 0]).all()
    assert panel.value_range == (0.49, 0.51)


def test_a_wrong_choice_is_refused_with_what_there_is(run: RunDirectory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no learner 'tre'\. Did you mean 'tree'"):
        bin_panel(run, learner="tre")
    with pytest.raises(InputError, match=r"no metric 'acuracy'\. Did you mean 'accuracy'"):
        bin_panel(run, "acuracy")
    other = make_run(tmp_path / "other", {("a", "cumulative", "accuracy"): [(2000, 0.5)]})
    with pytest.raises(InputError, match="wait for their labels"):
        bin_panel(other)


def test_the_figure_has_one_curve_and_one_panel_per_learner(run: RunDirectory) -> None:
    fig = bin_figure(run, "accuracy", forgetting="sliding:100")
    maps = [trace for trace in fig.data if trace.type == "heatmap"]
    curves = [trace for trace in fig.data if trace.type == "scatter" and trace.x[0] is not None]
    assert len(maps) == len(curves) == 2
    assert curves[0].y[B + 1] == pytest.approx(value("tree", "sliding:100", 1000, B + 1))
    assert np.asarray(maps[1].z)[3][4] == pytest.approx(value("_$x$ <b>", "sliding:100", 500, 3), abs=6e-5)
    assert list(fig.layout.xaxis.ticktext) == ["initial", "1", "2", "3", "final"]
    assert {trace.name for trace in fig.data if trace.showlegend is None and trace.type == "scatter"} == {
        "tree",
        "_$x$ &lt;b&gt;",
    }
    colours = {trace.legendgroup: trace.line.color for trace in curves}
    assert bin_figure(run, learners="_$x$ <b>").data[0].line.color == colours["_$x$ &lt;b&gt;"]


def test_forgettings_to_choose_from_have_colours_of_their_own(run: RunDirectory) -> None:
    fig = draw_bins(bin_panels(run, "accuracy"))
    maps = [trace for trace in fig.data if trace.type == "heatmap"]
    assert [(trace.meta["bins"], trace.coloraxis) for trace in maps] == [
        *[("cumulative", "coloraxis")] * 2,
        *[("sliding:100", "coloraxis2")] * 2,
    ]
    assert fig.layout.coloraxis.cmin == pytest.approx(fig.layout.coloraxis2.cmin + 0.1)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_run_gives_the_same_printed_file(run: RunDirectory, tmp_path: Path, suffix: str) -> None:
    one, two = (write_figure(printed_bins(run, "kappa"), tmp_path / f"{name}.{suffix}") for name in "ab")
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 5000


def test_one_checkpoint_is_enough_to_draw(tmp_path: Path) -> None:
    run = by_hand(tmp_path / "run", 1)
    assert len(bin_figure(run).data) == 6
    assert write_figure(printed_bins(run), tmp_path / "a.png").stat().st_size > 5000


def test_the_section_stays_small_for_any_number_of_checkpoints(tmp_path: Path) -> None:
    short, long = bins(by_hand(tmp_path / "a", 200)), bins(by_hand(tmp_path / "b", 2000))
    assert "200 of 2,000 checkpoints are drawn" in long
    assert "checkpoints are drawn" not in short
    assert len(long) < 1.1 * len(short)
    assert long.count("<figure>") == 2
    assert 'name="bins" value="cumulative" autocomplete="off" checked' in long


def test_the_figures_of_the_section_can_be_read_as_json(run: RunDirectory) -> None:
    text = bins(run)
    data = text.split('<script type="application/json">')[1].split("</script>")[0]
    assert len(json.loads(data)["data"]) == 10
