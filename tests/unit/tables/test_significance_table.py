"""Tests over folds, as a figure and as a table."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import scipy

import prequential as pq
from prequential.errors import InputError


@pytest.fixture(scope="module")
def run() -> pq.Run:
    return pq.evaluate(
        pq.streams.SEA(seed=1, noise=0.1).take(2000),
        {"bayes": "naive_bayes", "tree <b>": "hoeffding_tree", "majority": "majority_class"},
        protocol=pq.KFold(10, "bootstrap"),
        every=500,
    )


def test_p_is_drawn_over_time_for_each_pair_and_test(run: pq.Run) -> None:
    fig = run.folds.plot("kappa", forgetting="sliding:1000")
    names = [trace.name for trace in fig.data]
    assert names[:2] == ["bayes and tree &lt;b&gt;, wilcoxon", "bayes and tree &lt;b&gt;, sign"]
    assert len(names) == 3 * 2  # McNemar's test is of the accuracy
    assert len(run.folds.plot().data) == 3 * 3
    rows = [
        row["p_value"]
        for row in run.folds.significance().to_pylist()
        if (row["learner_a"], row["learner_b"], row["test"]) == ("bayes", "tree <b>", "wilcoxon")
        and (row["metric"], row["forgetting"]) == ("kappa", "sliding:1000")
    ]
    assert list(fig.data[0].y) == rows
    assert list(fig.data[0].x) == [500, 1000, 1500, 2000]


def test_an_unknown_metric_is_refused_with_those_there_are(run: pq.Run) -> None:
    with pytest.raises(InputError, match=r"No tests of the metric 'acuracy'\. Did you mean 'accuracy'\?"):
        run.folds.plot("acuracy")


def test_a_run_without_folds_says_what_they_need() -> None:
    run = pq.evaluate(pq.streams.SEA(seed=1).take(100), ["naive_bayes", "no_change"])
    with pytest.raises(InputError, match="needs a run with folds"):
        run.folds.plot()
    alone = pq.evaluate(pq.streams.SEA(seed=1).take(100), "naive_bayes", protocol=pq.KFold(6, "cross"))
    with pytest.raises(InputError, match="They need two learners and protocol="):
        alone.folds.plot()


def test_the_report_has_the_tests_and_shows_the_mean_of_the_folds(run: pq.Run, tmp_path: Path) -> None:
    page = run.save_report(tmp_path / "report.html").read_text()
    assert 'id="significance"' in page
    assert "Wilcoxon" in page
    each = run.to_pandas().query(
        "learner == 'bayes' and n == 2000 and metric == 'accuracy' and forgetting == 'cumulative'"
    )
    assert len(each) == 10
    assert f"{np.mean(each['value']):.4f}" in page
    single = pq.evaluate(pq.streams.SEA(seed=1).take(100), ["naive_bayes", "no_change"])
    assert 'id="significance"' not in single.save_report(tmp_path / "single.html").read_text()


def values(run: pq.Run, learner: str, metric: str, forgetting: str, n: int) -> np.ndarray:
    frame = run.to_pandas()
    chosen = frame[
        (frame["learner"] == learner)
        & (frame["metric"] == metric)
        & (frame["forgetting"] == forgetting)
        & (frame["n"] == n)
    ]
    return chosen.sort_values("fold")["value"].to_numpy()


def test_the_table_of_tests_has_differences_wins_and_p_values_of_every_two_learners(run: pq.Run) -> None:
    table = run.folds.table()
    assert len(table.rows) == 3 * 4 * 2
    for row in table.rows:
        difference = values(run, row.a, row.metric, row.forgetting, 2000) - values(
            run, row.b, row.metric, row.forgetting, 2000
        )
        differing = difference[abs(difference) > 1e-12]
        assert (row.n, row.n_a_better) == (2000, int((differing > 0).sum()))
        assert row.difference == pytest.approx(difference.mean(), abs=1e-11)
        assert row.std == pytest.approx(difference.std(ddof=1), abs=1e-11)
        assert row.sign_p_value == pytest.approx(scipy.stats.binomtest(row.n_a_better, len(differing)).pvalue)
        if len(differing):
            assert row.wilcoxon_p_value == pytest.approx(scipy.stats.wilcoxon(differing, method="exact").pvalue)
        assert math.isnan(row.mcnemar_p_value) == (row.metric != "accuracy")
    assert "Each p-value is for one pair alone; the smallest of 3" in table.conclusion
    data = table.to_dict()
    assert data["n_folds"] == 10
    assert data["over_folds"][0]["wilcoxon_p_value"] == table.rows[0].wilcoxon_p_value


def test_two_learners_may_be_named_in_either_order(run: pq.Run) -> None:
    one = run.folds.table("bayes", "majority", metrics="kappa", forgetting="cumulative")
    other = run.folds.table("majority", "bayes", metrics="kappa", forgetting="cumulative")
    assert one.rows[0].difference == -other.rows[0].difference
    assert (one.rows[0].n_a_better, one.rows[0].effect) == (10, 1.0)
    assert (other.rows[0].n_a_better, other.rows[0].effect) == (0, -1.0)
    assert one.conclusion == other.conclusion
    assert one.conclusion == (
        "kappa, cumulative: bayes is better than majority (Wilcoxon p = 0.0020; bayes is ahead in 10 of the 10 folds "
        "that differ, sign test p = 0.0020)."
    )
    with pytest.raises(InputError, match=r"No tests of the learner 'bays'\. Did you mean 'bayes'\?"):
        run.folds.table("bays", "majority")
    with pytest.raises(InputError, match="have no checkpoint in common"):
        run.folds.table("bayes", "bayes")


def test_where_lower_is_better_the_lower_learner_is_ahead() -> None:
    X = np.random.default_rng(1).normal(size=(400, 1))
    source = pq.from_arrays(X, X[:, 0], task="regression")
    run = pq.evaluate(
        source, ["last_target", "mean_target"], protocol=pq.KFold(8, "bootstrap"), metrics="mae", every=200
    )
    row = run.folds.table(forgetting="cumulative").rows[0]
    assert row.difference > 0
    assert (row.n_a_better, row.n_b_better, row.effect) == (0, 8, -1.0)
    assert "mean_target is better than last_target" in run.folds.table().conclusion


def test_learners_that_are_equal_in_all_folds_have_p_1() -> None:
    source = pq.streams.SEA(seed=1).take(500)
    run = pq.evaluate(source, {"a": "naive_bayes", "b": "naive_bayes"}, protocol=pq.KFold(6, "bootstrap"), every=250)
    row = run.folds.table().rows[0]
    assert (row.sign_p_value, row.wilcoxon_p_value, row.mcnemar_p_value) == (1.0, 1.0, 1.0)
    assert math.isnan(row.effect)
    assert "a and b are equal in all 6 folds: p = 1." in run.folds.table().conclusion


def test_a_run_whose_metrics_say_not_who_is_better_has_a_report_all_the_same(tmp_path: Path) -> None:
    learners = ["naive_bayes", "no_change"]
    run = pq.evaluate(pq.streams.SEA(seed=1).take(500), learners, protocol=pq.KFold(6, "bootstrap"), metrics="width")
    assert 'id="significance"' in run.save_report(tmp_path / "report.html").read_text()
    table = run.folds.table()
    assert math.isnan(table.rows[0].wilcoxon_p_value)
    assert "no metric of the run says which learner is better" in table.conclusion


def test_p_over_time_is_drawn_for_print(run: pq.Run, tmp_path: Path) -> None:
    for suffix in (".png", ".svg", ".pdf"):
        path = run.folds.save_figure(tmp_path / f"p{suffix}", "kappa", forgetting="cumulative")
        assert path.stat().st_size > 5_000
    again = run.folds.save_figure(tmp_path / "again.svg", "kappa", forgetting="cumulative")
    assert again.read_bytes() == (tmp_path / "p.svg").read_bytes()
    with pytest.raises(InputError, match="No tests of the metric"):
        run.folds.save_figure(tmp_path / "p.svg", "kapa")


def test_the_report_of_folds_compares_over_folds_and_not_fold_by_fold(run: pq.Run, tmp_path: Path) -> None:
    page = run.save_report(tmp_path / "report.html").read_text()
    assert 'id="comparison"' not in page
    assert "Mean ± standard deviation of 10 folds." in page
    assert "<li>accuracy, cumulative: " in page


def test_a_pair_of_which_one_has_failed_says_at_which_record_it_was_tested() -> None:
    class Fragile:
        def predict_one(self, x: dict[str, float]) -> int:
            return 0

        def learn_one(self, x: dict[str, float], y: int) -> None:
            if x["x0"] >= 400:
                raise RuntimeError("no more")

    source = pq.from_arrays(np.arange(600.0).reshape(-1, 1), np.arange(600) % 3 == 0)
    learners = {"fragile": Fragile(), "bayes": "naive_bayes", "majority": "majority_class"}
    with pytest.warns(pq.LearnerFailedWarning):
        run = pq.evaluate(source, learners, protocol=pq.KFold(6, "bootstrap"), every=150, engine="serial")
    table = run.folds.table(metrics="accuracy", forgetting="cumulative")
    assert {(row.a, row.b): row.n for row in table.rows} == {
        ("fragile", "bayes"): 300,
        ("fragile", "majority"): 300,
        ("bayes", "majority"): 600,
    }
    assert "¹ at record 300, the last checkpoint of both" in str(table)
    assert "accuracy, cumulative, at record 300 only: " in table.conclusion
    assert "accuracy, cumulative: no difference between bayes and majority" in table.conclusion
