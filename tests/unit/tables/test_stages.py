"""With delayed labels, tables and curves show the stages of a metric side by side."""

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rich.console
import scipy.stats
from support.runs import Points, delayed_run, entry, failed, make_run

from prequential.errors import InputError
from prequential.figures.curves import overlaid, panels
from prequential.figures.curves_matplotlib import save_figure
from prequential.figures.curves_plotly import figure
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import MetricEntry
from prequential.runs.stage import Stage
from prequential.tables.result_table import result_table
from prequential.tables.stage_ranking import stage_ranking, stage_rankings
from prequential.tables.terminal import rich_table

nan = math.nan
STAGES = ("initial", "psi_2", "final")


def of_last(
    values: Mapping[str, Mapping[str, Sequence[float]]], forgetting: tuple[str, ...] = ("cumulative",)
) -> Points:
    """Return points from the values of learners and metrics, one number per stage, at 1,000 and 2,000 labels."""
    return {
        (learner, f, f"{metric}_{stage}"): [(1000, 0.1), (2000, value)]
        for learner, metrics in values.items()
        for f in forgetting
        for metric, three in metrics.items()
        for stage, value in zip(STAGES, three, strict=True)
    }


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    values = {
        "tree": {"accuracy": (0.61, 0.62, 0.63), "kappa": (-0.2, -0.1, 0.3)},
        "bayes": {"accuracy": (0.60, 0.65, 0.59), "kappa": (0.1, 0.1, 0.1)},
    }
    return delayed_run(tmp_path / "run", of_last(values, ("cumulative", "sliding:100")))


def test_a_name_is_read_from_its_end() -> None:
    assert Stage.of("my_final_psi_1.5[a_initial]") == Stage("my_final[a_initial]", "psi_1.5")
    assert Stage.of("accuracy") == Stage("accuracy", "")
    assert Stage.of("initial") == Stage("initial", "")


def test_the_stages_stand_under_their_metric_and_above_their_values(run: RunDirectory) -> None:
    lines = str(result_table(run, forgetting="cumulative", metrics=["kappa", "accuracy"])).splitlines()
    over = next(i for i, line in enumerate(lines) if "─ kappa ─" in line)
    assert lines[over + 1].split() == ["initial", "Ψ₂", "final"] * 2
    tree = next(line for line in lines if line.startswith("tree"))
    end = lines[over + 1].index("final") + len("final")
    assert tree[:end].endswith("0.3000")
    assert len(lines[over]) == len(lines[over + 1]) == len(tree)
    first, second = lines[over].split("  ")[-2:]
    assert len(first) == len("initial       Ψ₂   final") == len(second) + 1  # from the first letter to the last digit


def test_a_metric_is_all_its_stages_and_a_stage_is_itself(run: RunDirectory) -> None:
    whole = result_table(run, metrics="accuracy", forgetting="cumulative")
    assert [column.metric for column in whole.columns] == ["accuracy_initial", "accuracy_psi_2", "accuracy_final"]
    one = result_table(run, metrics=["accuracy_initial"], forgetting="cumulative")
    assert [row.values for row in one.rows] == [(0.61,), (0.6,)]
    with pytest.raises(InputError, match="Did you mean 'accuracy'"):
        result_table(run, metrics="acuracy")


def test_a_metric_by_class_is_grouped_by_class(tmp_path: Path) -> None:
    points: Points = {
        ("a", "cumulative", f"recall_{stage}[{label}]"): [(2000, 0.5)] for stage in STAGES for label in ("UP", "DOWN")
    }
    table = result_table(delayed_run(tmp_path / "run", points))
    assert [column.heading.over for column in table.columns] == ["recall[UP]"] * 3 + ["recall[DOWN]"] * 3
    assert [column.heading.title for column in table.columns] == ["initial", "Ψ₂", "final"] * 2


def test_the_stages_of_a_metric_are_not_cut_apart(tmp_path: Path) -> None:
    values = {"a": {f"metric_{i}": (0.1, 0.2, 0.3) for i in range(9)}}
    sheet = result_table(delayed_run(tmp_path / "run", of_last(values))).sheet(counts=False)
    for width in (60, 70, 80, 90, 100):
        blocks = [columns for _, columns in sheet.blocks(width)]
        assert [i for columns in blocks for i in columns] == list(range(1, 28))
        assert all(len(columns) % 3 == 0 for columns in blocks)
    assert max(len(columns) for _, columns in sheet.blocks(40)) < 3 or len(sheet.blocks(40)) == 9
    assert len(sheet.blocks(20)) == 27


def test_a_long_name_over_one_narrow_column_keeps_the_columns_aligned(tmp_path: Path) -> None:
    values = {
        "a": {"a_metric_with_a_long_name": (0.1, 0.2, 0.3)},
        "b": {"a_metric_with_a_long_name": (0.4, 0.5, 0.6)},
    }
    run = delayed_run(tmp_path / "run", of_last(values))
    lines = str(result_table(run, metrics="a_metric_with_a_long_name_psi_2")).splitlines()
    over, titles, a = (next(line for line in lines if word in line) for word in ("a_metric", "Ψ₂", "0.2000"))
    end = over.index("long_name") + len("long_name")
    assert titles[:end].endswith("Ψ₂")
    assert a[:end].endswith("0.2000")


def test_every_way_of_writing_shows_metric_and_stage(run: RunDirectory) -> None:
    table = result_table(run, metrics=["accuracy", "kappa"], forgetting="cumulative")
    latex = table.to_latex()
    assert r"& \multicolumn{3}{c}{accuracy} & \multicolumn{3}{c}{kappa} \\" in latex
    assert r"\cmidrule(lr){2-4} \cmidrule(lr){5-7}" in latex
    assert r"learner & initial & $\Psi_2$ & final & initial & $\Psi_2$ & final \\" in latex
    markdown = table.to_markdown()
    assert "| learner | accuracy initial | accuracy Ψ₂ | accuracy final | kappa initial |" in markdown
    assert "**0.6500**" in markdown
    html = table._repr_html_()
    assert 'colspan="3" style="text-align:center">accuracy</th>' in html
    console = rich.console.Console(width=90, record=True, file=io.StringIO())
    console.print(rich_table(table))
    assert "─ accuracy ─" in console.export_text()


def test_psi_of_ten_is_a_formula_with_both_digits(tmp_path: Path) -> None:
    points: Points = {("a", "cumulative", "accuracy_psi_10"): [(2000, 0.5)]}
    table = result_table(delayed_run(tmp_path / "run", points))
    assert r"$\Psi_{10}$" in table.to_latex()
    assert "Ψ₁₀" in str(table)


def test_checkpoints_count_labels(run: RunDirectory, tmp_path: Path) -> None:
    text = str(result_table(run))
    assert "labels  abstained" in text
    assert "records  abstained" not in text
    assert "at label 1,500" in str(result_table(run, at=1500))
    with pytest.raises(InputError, match="at or before label 10"):
        result_table(run, at=10)
    other = make_run(tmp_path / "other", {("a", "cumulative", "accuracy"): [(2000, 0.5)]})
    assert "labels" not in str(result_table(other))


def test_a_run_without_waiting_may_have_a_metric_whose_name_ends_like_a_stage(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "score_final"): [(2000, 0.5)]})
    assert "score_final" in str(result_table(run))
    with pytest.raises(InputError, match="no metric 'score'"):
        result_table(run, metrics="score")


def test_ranks_are_scipys_at_every_stage(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    values = {f"learner {i}": {"accuracy": tuple(rng.integers(50, 56, 3) / 100)} for i in range(8)}
    ranking = stage_ranking(delayed_run(tmp_path / "run", of_last(values)), "accuracy")
    table = np.array([three["accuracy"] for three in values.values()])
    assert np.array_equal(ranking.ranks, scipy.stats.rankdata(-table, axis=0))
    assert len(np.unique(ranking.ranks)) < 24, "there were ties"


def test_where_lower_is_better_the_lowest_comes_first(tmp_path: Path) -> None:
    known = {f"loss_{stage}": MetricEntry("lower", "", "Loss.") for stage in STAGES}
    points = of_last({"a": {"loss": (3, 1, 2)}, "b": {"loss": (1, 2, 2)}})
    ranking = stage_ranking(delayed_run(tmp_path / "run", points, known_metrics=known))
    assert ranking.ranks == ((2, 1, 1.5), (1, 2, 1.5))
    assert [cell.best for cell in ranking.sheet().rows[0][2::2]] == [True, False, True]


def test_the_conclusion_names_the_best_of_each_stage(run: RunDirectory) -> None:
    ranking = stage_ranking(run, "accuracy")
    assert ranking.conclusion == ("The order depends on the stage: by initial and final the best is tree, by Ψ₂ bayes.")
    assert [row[0].text for row in ranking.sheet().rows] == ["tree", "bayes"]
    assert "sliding:100" in str(stage_ranking(run, "kappa_final", "sliding:100"))
    assert r"\multicolumn{2}{c}{$\Psi_2$}" in ranking.to_latex()


def test_an_order_that_does_not_change_is_reported(tmp_path: Path) -> None:
    points = of_last({"a": {"accuracy": (0.1, 0.2, 0.3)}, "b": {"accuracy": (0.2, 0.3, 0.4)}})
    ranking = stage_ranking(delayed_run(tmp_path / "run", points))
    assert ranking.conclusion == "The order is the same at every stage: the best is b."


def test_who_failed_or_is_undefined_has_no_rank(tmp_path: Path) -> None:
    points = of_last(
        {"a": {"accuracy": (0.9, 0.9, 0.9)}, "b": {"accuracy": (0.2, nan, 0.4)}, "c": {"accuracy": (0.1, 0.1, 0.1)}}
    )
    run = delayed_run(tmp_path / "run", points, learners={"a": failed(), "b": entry(), "c": entry()})
    ranking = stage_ranking(run)
    expected = np.array([[nan, nan, nan], [1, nan, 1], [2, 1, 2]])
    assert np.array_equal(ranking.ranks, expected, equal_nan=True)
    text = str(ranking)
    assert "a failed at event 1,234" in text
    assert "accuracy_psi_2 is undefined" in text
    assert ranking.to_dicts()[0]["rank"] is None


def test_a_ranking_is_refused_with_the_reason(run: RunDirectory, tmp_path: Path) -> None:
    other = make_run(tmp_path / "other", {("a", "cumulative", "accuracy"): [(2000, 0.5)]})
    with pytest.raises(InputError, match=r"with delayed labels.*run\.table"):
        stage_ranking(other)
    by_class: Points = {
        ("a", "cumulative", f"recall_{stage}[{label}]"): [(2000, 0.5)] for stage in STAGES for label in "XY"
    }
    classes = delayed_run(tmp_path / "classes", by_class)
    with pytest.raises(InputError, match=r"Choose one of: recall\[X\] under cumulative, recall\[Y\] under"):
        stage_ranking(classes, "recall")
    assert len(stage_ranking(classes, "recall[X]").rows) == 1
    width = delayed_run(tmp_path / "width", of_last({"a": {"mine": (1, 2, 3)}}))
    with pytest.raises(InputError, match="neither higher nor lower"):
        stage_ranking(width, "mine")


def test_all_rankings_come_metric_by_metric(run: RunDirectory) -> None:
    found = [(one.metric, one.columns[0].forgetting) for one in stage_rankings(run)]
    assert found == [(m, f) for m in ("accuracy", "kappa") for f in ("cumulative", "sliding:100")]
    assert stage_rankings(run)[2].ranks == stage_ranking(run, "kappa").ranks


def test_the_summary_of_a_metric_does_not_describe_its_first_stage_only(tmp_path: Path) -> None:
    known = {"mine_initial": MetricEntry("lower", "", "Mine, when the record arrived.")}
    known |= {"accuracy_initial": MetricEntry("higher", "", "Accuracy, when the record arrived.")}
    points = of_last({"a": {"accuracy": (0.1, 0.2, 0.3), "mine": (0.1, 0.2, 0.3)}})
    whole, mine = panels(delayed_run(tmp_path / "run", points, known_metrics=known))
    assert whole.entry is not None
    assert "arrived" not in whole.entry.summary
    assert mine.entry is not None
    assert mine.entry.better == "lower"


def drawn(run: RunDirectory, **choice: Any) -> list[Any]:
    return [trace for trace in figure(run, **choice).data if trace.x[0] is not None]


def test_a_stage_has_one_dash_and_a_learner_one_colour_in_all_panels(run: RunDirectory) -> None:
    traces = drawn(run)
    assert len(traces) == 2 * 2 * 2 * 3
    assert {(t.meta["stage"], t.line.dash) for t in traces} == {("initial", "solid"), ("Ψ₂", "dash"), ("final", "dot")}
    assert len({(t.legendgroup, t.line.color) for t in traces}) == 2
    one = drawn(run, metrics="accuracy_final", forgetting="cumulative")
    assert {t.line.dash for t in one} == {"dot"}


def test_each_forgetting_has_a_panel_of_its_own_over_labels(run: RunDirectory) -> None:
    found = panels(run, "accuracy")
    assert [panel.drawn_forgetting for panel in found] == [("cumulative",), ("sliding:100",)]
    assert [len(panel.curves) for panel in found] == [6, 6]
    fig = figure(run, metrics="accuracy")
    assert fig.layout.xaxis2.title.text == "labels"
    assert [fig.layout.yaxis.title.text, fig.layout.yaxis2.title.text] == [
        "accuracy, cumulative",
        "accuracy, sliding:100",
    ]
    assert len(overlaid(found).curves) == 12


def test_the_printed_figure_draws_stages(run: RunDirectory, tmp_path: Path) -> None:
    svg = save_figure(run, tmp_path / "a.svg", metrics="accuracy").read_text()
    again = save_figure(run, tmp_path / "b.svg", metrics="accuracy").read_text()
    assert svg == again
    assert "stroke-dasharray" in svg
