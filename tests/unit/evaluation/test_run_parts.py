"""What only folds or late labels have is in ``run.folds`` and ``run.delays``; figures, tables and compare of a run."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.figure import Figure

import prequential as pq
from prequential.errors import InputError
from prequential.figures.pictured import Pictured

SEA = pq.streams.SEA(seed=1).take(600)
LEARNERS = ["naive_bayes", "no_change", "majority_class"]


@pytest.fixture(scope="module")
def plain() -> pq.Run:
    return pq.evaluate(SEA, LEARNERS, metrics=["accuracy", "kappa"], every=200)


@pytest.fixture(scope="module")
def folds() -> pq.Run:
    return pq.evaluate(SEA, LEARNERS, protocol=pq.KFold(6, "cross"), metrics="accuracy", every=200)


@pytest.fixture(scope="module")
def late() -> pq.Run:
    stream = SEA.delayed(pq.streams.UniformDelay(10, 50))
    return pq.evaluate(stream, LEARNERS, protocol=pq.Delayed(bins=3), metrics="accuracy", every=200)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("folds", r"run\.folds needs a run with folds \(protocol=pq\.KFold\(…\)\)\. The protocol of this run is 'preq"),
        (
            "delays",
            r"run\.delays needs a run with late labels \(protocol=pq\.Delayed\(…\)\)\. The protocol of this run",
        ),
    ],
)
def test_a_run_without_folds_or_late_labels_says_so_in_the_same_words(plain: pq.Run, part: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        getattr(plain, part)


def test_folds_have_their_number_summary_tests_and_table(folds: pq.Run) -> None:
    assert folds.folds.n == 6
    assert set(folds.folds.summary()["n_folds"].to_pylist()) == {6}
    assert "p_value" in folds.folds.significance().column_names
    table = folds.folds.table("naive_bayes", "no_change")
    assert [row.a for row in table.rows] == ["naive_bayes"] * len(table.rows)
    assert set(table.to_dicts()[0]) >= {"sign_p_value", "wilcoxon_p_value", "mcnemar_p_value"}
    with pytest.raises(InputError, match="needs a second learner"):
        folds.folds.table("naive_bayes")


def test_delays_have_bins_ranks_and_latencies(late: pq.Run) -> None:
    assert set(late.delays.bins()["bin"].to_pylist()) == set(range(5))
    assert late.delays.ranking("accuracy").stages[0] == "initial"
    assert late.delays.irregular().num_rows == 0
    (row,) = late.delays.latencies().to_dicts()
    assert 10 <= row["least"] <= row["quantile_0.5"] <= row["most"] <= 50


def test_one_protocol_of_pictures(plain: pq.Run, folds: pq.Run, late: pq.Run, tmp_path: Path) -> None:
    pictured: list[Pictured] = [plain, folds.folds, late.delays, late.delays.latencies()]
    for one in pictured:
        assert isinstance(one.plot(), go.Figure)
        assert isinstance(one.figure(), Figure)
        for suffix in (".png", ".svg", ".pdf"):
            assert one.save_figure(tmp_path / f"a{suffix}").stat().st_size > 1000
        with pytest.raises(InputError, match=r"\.bmp"):
            one.save_figure(tmp_path / "a.bmp")


def test_a_table_and_a_figure_show_the_learners_that_are_asked_for(plain: pq.Run) -> None:
    assert [row.learner for row in plain.table(learners="no_change").rows] == ["no_change"]
    some = ["majority_class", "naive_bayes"]
    assert [row.learner for row in plain.table(learners=some).rows] == ["naive_bayes", "majority_class"]
    drawn = {trace.name.partition(",")[0] for trace in plain.plot("accuracy", learners=some).data}
    assert "no_change" not in drawn
    lines = plain.figure("accuracy", forgetting="cumulative", learners="no_change").axes[0].get_lines()
    assert len(lines) == 1
    for call in (plain.table, plain.plot, plain.figure):
        with pytest.raises(InputError, match=r"no learner 'naive_bays'\. Did you mean 'naive_bayes'"):
            call(learners="naive_bays")


def test_compare_of_a_run_is_pq_compare(plain: pq.Run) -> None:
    bound, free = plain.compare("naive_bayes", "no_change"), pq.compare(plain, "naive_bayes", "no_change")
    named = plain.compare(learners=["naive_bayes", "no_change"])
    assert bound.to_dicts() == free.to_dicts() == named.to_dicts()
    with pytest.raises(InputError, match="metric may only be given with a list of runs"):
        pq.compare(plain, "naive_bayes", "no_change", metric="kappa")  # type: ignore[call-overload]


def test_the_paper_table_has_mean_and_deviation_ranks_and_the_best_in_bold() -> None:
    runs: dict[str, Any] = {
        f"SEA {concept}": pq.evaluate(
            pq.streams.SEA(concept=concept, seed=concept).take(400),
            ["naive_bayes", "no_change"],
            protocol=pq.KFold(6, "cross"),
            metrics="accuracy",
            forgetting="cumulative",
            every=400,
        )
        for concept in (1, 2)
    }
    paper = pq.compare(runs).by_stream()
    rows = paper.to_dicts()
    for row in rows:
        trace = runs[row["stream"]].to_pandas()
        values = trace[(trace["learner"] == row["learner"]) & (trace["n"] == 400)]["value"]
        assert len(values) == 6
        assert row["value"] == pytest.approx(values.mean())
        assert row["std"] == pytest.approx(np.std(values, ddof=1))
    best = max(rows[:2], key=lambda row: row["value"])
    assert best["rank"] == 1
    bold = f"**{100 * best['value']:.1f} ± {100 * best['std']:.1f} (1)**"
    assert bold in paper.to_markdown(digits=1, percent=True)
    text = paper.to_latex(caption="C", label="tab:c", digits=1, percent=True)
    assert text.isascii()
    assert rf"\textbf{{{100 * best['value']:.1f} $\pm$ {100 * best['std']:.1f} (1)}}" in text
    assert r"accuracy (\%)" in text
    assert "mean rank" in repr(paper)


def test_a_part_of_a_run_outlives_the_run_in_a_temporary_directory() -> None:
    late = pq.streams.SEA(seed=1).take(300).delayed(20)
    part = pq.evaluate(late, "naive_bayes", protocol=pq.Delayed(bins=2), metrics="accuracy", progress=False).delays
    gc.collect()
    assert part.bins().num_rows > 0
