"""The table of rejections and its figure."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from unit.power.made_up import CASE, contrast, design, repetitions

import prequential as pq
from prequential.power.design import Case
from prequential.power.repetition import Repetition
from prequential.power.table import Power

FOUR = [(0.01, 0.001), (0.5, 0.03), (0.9, 0.6), (0.7, 0.02)]


def test_the_table_has_a_row_a_test_and_a_column_a_copy() -> None:
    lines = str(Power(design(), tuple(repetitions(FOUR)))).splitlines()
    what = "Share of 4 runs in which a test rejects at α = 0.05"
    assert lines[0] == f"{what} · forest, accuracy · SEA · cross · tests held out · 10 folds"
    assert lines[2].split() == ["test", "same", "learner", "noise", "0.05"]
    assert lines[3].split() == ["sign", "0.25", "[0.01,", "0.81]", "0.75", "[0.19,", "0.99]"]
    assert lines[5].startswith("mcnemar ")


def test_rows_are_named_by_what_varies_in_the_order_of_the_design() -> None:
    some = [*repetitions(FOUR, Case("SEA", "split", "all", 30)), *repetitions(FOUR, Case("SEA", "cross", "all", 30))]
    settings = design(schemes=("cross", "split"), tests=("held_out", "all"), folds=(10, 30))
    rows = Power(settings, tuple(some)).table().sheet().rows
    assert [row[0].text for row in rows][::3] == ["cross, all, 30 folds, sign", "split, all, 30 folds, sign"]


def test_a_test_that_rejects_the_same_learner_too_often_is_marked() -> None:
    often = Power(design(), tuple(repetitions([(0.001, 0.001)] * 4)))
    first, second = often.sheet().rows[0][1:]
    assert first.bad
    assert not second.bad
    assert often.sheet().notes == ("more often than α = 0.05 allows: the whole interval lies above it",)
    assert not often.at(0.4).sheet().notes
    assert not Power(design(), tuple(repetitions(FOUR))).sheet().notes


def test_another_level_judges_the_same_p_values() -> None:
    found = Power(design(), tuple(repetitions(FOUR)))
    assert [row["n_rejected"] for row in found.to_dicts()[:2]] == [1, 3]
    assert [row["n_rejected"] for row in found.at(0.02).to_dicts()[:2]] == [1, 2]
    with pytest.raises(pq.ParameterError, match="'alpha' parameter of at"):
        found.at(0)


def test_a_part_of_the_runs_says_so() -> None:
    found = Power(design(), tuple(repetitions(FOUR[:3])))
    assert not found.complete
    assert str(found).startswith("Partial: 3 of 4 repetitions are done.")
    assert Power(design(), tuple(repetitions(FOUR))).complete


def test_copies_that_are_alike_everywhere_get_a_remark() -> None:
    one = Repetition(CASE, 1, 0.5, (contrast({"sign": 1.0}, identical=True), contrast({"sign": 0.5}, 0.05)))
    (note,) = Power(design(runs=1), (one,)).sheet().notes
    assert "if the learner uses no random numbers" in note
    two = replace(one, run=2, contrasts=(contrast({"sign": 1.0}), contrast({"sign": 0.5}, 0.05)))
    assert not Power(design(runs=2), (one, two)).sheet().notes


def test_what_is_undefined_is_a_dash_with_its_reason() -> None:
    found = Power(design(runs=1), tuple(repetitions([(math.nan, 0.5)])))
    cell = found.sheet().rows[0][1]
    assert cell.text == "–"
    assert found.sheet().notes[cell.notes[0] - 1] == "sign is undefined in some or all runs: weights"
    assert found.to_dicts()[0]["rejection_rate"] is None


def test_streams_taken_together_add_up() -> None:
    some = [*repetitions(FOUR), *repetitions([(0.5, 0.5)] * 4, replace(CASE, stream="LED"))]
    found = Power(design(streams={"SEA": {}, "LED": {}}), tuple(some)).pooled()
    assert found.complete
    same, noisy = found.to_dicts()[:2]
    assert (same["stream"], same["n_runs"], same["n_rejected"]) == ("2 streams", 8, 1)
    assert (noisy["n_runs"], noisy["n_rejected"]) == (8, 3)


def test_tables_in_other_types_and_tidy_data(tmp_path: Path) -> None:
    found = Power(design(), tuple(repetitions(FOUR)))
    assert "| sign | 0.25 \\[0.01, 0.81\\] |" in found.table().to_markdown()
    assert r"sign & 0.25 [0.01, 0.81]" in found.table().to_latex()
    assert "<table" in found._repr_html_()
    table = found.to_arrow()
    assert table.column_names[:7] == ["stream", "scheme", "tests", "folds", "test", "kind", "noise"]
    assert table["noise"].to_pylist() == [None, 0.05] * 3
    frame = found.to_pandas()
    assert frame["error_rate"].tolist() == [0.25, 0.25] * 3
    assert found.to_dict()["rates"] == found.to_dicts()


def test_a_saved_experiment_is_the_same_when_loaded_and_grows(tmp_path: Path) -> None:
    found = Power(design(), tuple(repetitions(FOUR)))
    Power(design(), found.repetitions[:2]).save(tmp_path / "a")
    found.save(tmp_path / "a")
    back = Power.load(tmp_path / "a")
    assert (back.design, back.repetitions) == (found.design, found.repetitions)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_figure_is_written(tmp_path: Path, suffix: str) -> None:
    settings = design(folds=(10, 30), streams={"SEA": {}, "a $ b $": {}})
    some = [one for case in settings.cases for one in repetitions(FOUR, case)]
    path = Power(settings, tuple(some)).save_figure(tmp_path / f"figure{suffix}")
    assert path.stat().st_size > 5000


def test_the_figure_has_a_panel_a_copy_a_point_a_rate_and_a_line_at_alpha() -> None:
    settings = design(folds=(10, 30))
    some = [one for case in settings.cases for one in repetitions(FOUR, case)]
    same, noisy = Power(settings, tuple(some)).figure().axes
    assert [same.get_title(loc="left"), noisy.get_title(loc="left")] == ["same learner", "noise 0.05"]
    curves = [line for line in same.lines if line.get_marker() == "o"]
    assert [np.asarray(line.get_ydata()).tolist() for line in curves] == [[0.25, 0.25]] * 3
    (level,) = (line for line in same.lines if np.asarray(line.get_ydata()).tolist() == [0.05, 0.05])
    assert np.asarray(level.get_xdata()).tolist() == [0, 1]
