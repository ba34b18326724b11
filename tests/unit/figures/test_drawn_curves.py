"""Figures, interactive and printed, from the same curves."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.runs import entry, make_run

from prequential.errors import InputError, StorageError
from prequential.figures.curves_matplotlib import save_figure
from prequential.figures.curves_plotly import figure
from prequential.runs.directory import RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    n = [100 * (i + 1) for i in range(20)]
    points = {
        (name, f, m): [(at, level + 0.01 * (at % 300) / 300) for at in n]
        for name, level in (("tree", 0.8), ("_$x$ <b>", 0.7), ("majority", 0.5))
        for f in ("cumulative", "sliding:100")
        for m in ("accuracy", "kappa", "kappa_m")
    }
    learners = {"tree": entry(), "_$x$ <b>": entry(), "majority": entry("MajorityClass")}
    drifts = [{"at": 500, "width": 1, "real": True}, {"at": 1500, "width": 400, "real": True}]
    return make_run(tmp_path / "run", points, learners=learners, drifts=drifts)


def traces(run: RunDirectory, **choice: Any) -> list[Any]:
    return [trace for trace in figure(run, **choice).data if not trace.showlegend and trace.x[0] is not None]


def test_the_figure_holds_every_curve_of_the_trace(run: RunDirectory) -> None:
    drawn = traces(run)
    assert len(drawn) == 18
    first = drawn[0]
    assert list(first.x) == [100 * (i + 1) for i in range(20)]
    assert first.y[2] == pytest.approx(0.8)
    assert first.hovertemplate == "%{y:.4f}"


def test_a_learner_has_one_colour_in_all_panels_and_a_forgetting_one_dash(run: RunDirectory) -> None:
    drawn = traces(run)
    colours = {(trace.legendgroup, trace.line.color) for trace in drawn}
    assert len(colours) == 3
    assert len({colour for _, colour in colours}) == 3
    assert len({(trace.meta["forgetting"], trace.line.dash) for trace in drawn}) == 2


def test_baselines_are_grey(run: RunDirectory) -> None:
    (colour,) = {trace.line.color for trace in traces(run) if trace.legendgroup == "majority"}
    assert len({colour[i : i + 2] for i in (1, 3, 5)}) == 1


def test_a_choice_of_learner_colours_does_not_depend_on_the_metrics_shown(run: RunDirectory) -> None:
    whole = {trace.legendgroup: trace.line.color for trace in traces(run)}
    part = {trace.legendgroup: trace.line.color for trace in traces(run, metrics="kappa", forgetting="cumulative")}
    assert whole == part


def test_drifts_are_a_line_and_a_span_in_every_panel(run: RunDirectory) -> None:
    shapes = figure(run).layout.shapes
    assert [(s.type, s.x0, s.x1) for s in shapes] == [("line", 500, 500), ("rect", 1300, 1700)] * 3


def test_names_of_learners_are_not_taken_as_markup(run: RunDirectory) -> None:
    assert "_$x$ &lt;b&gt;" in {trace.name for trace in figure(run).data}


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PDF", b"%PDF")])
def test_print_files_are_written_and_the_same_each_time(
    run: RunDirectory, tmp_path: Path, suffix: str, magic: bytes
) -> None:
    first = save_figure(run, tmp_path / f"a{suffix}").read_bytes()
    second = save_figure(run, tmp_path / f"b{suffix}").read_bytes()
    assert first.startswith(magic)
    assert len(first) > 10_000
    assert first == second


def test_a_print_file_has_a_panel_for_each_metric(run: RunDirectory, tmp_path: Path) -> None:
    one = save_figure(run, tmp_path / "one.svg", metrics="kappa").read_text(encoding="utf-8")
    three = save_figure(run, tmp_path / "three.svg").read_text(encoding="utf-8")
    assert one.count('id="axes_') == 1
    assert three.count('id="axes_') == 3


def test_an_unknown_suffix_is_refused_with_those_accepted(run: RunDirectory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"suffix '\.bmp'\. Accepted: \.png .*, \.svg .*, \.pdf"):
        save_figure(run, tmp_path / "a.bmp")


def test_a_place_that_cannot_be_written_is_named(run: RunDirectory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"a\.png"):
        save_figure(run, tmp_path / "file" / "a.png")


def test_one_checkpoint_is_a_point(tmp_path: Path) -> None:
    run = make_run(tmp_path / "single", {("a", "cumulative", "accuracy"): [(9, 0.5)]})
    assert traces(run)[0].mode == "markers"
    assert save_figure(run, tmp_path / "a.png").stat().st_size > 5_000


def test_a_learner_that_never_reached_a_checkpoint_does_not_break_the_figure(tmp_path: Path) -> None:
    points = {("a", "cumulative", "accuracy"): [(9, 0.5), (18, np.nan)]}
    run = make_run(tmp_path / "single", points, learners={"a": entry(), "b": entry(status="failed")})
    assert len(json.loads(figure(run).to_json())["data"]) == 4
    save_figure(run, tmp_path / "a.svg")
