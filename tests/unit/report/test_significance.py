"""What folds say of differences, drawn and told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError


@pytest.fixture(scope="module")
def run() -> pq.Run:
    return pq.evaluate(
        pq.streams.SEA(seed=1, noise=0.1).take(2000),
        {"bayes": "naive_bayes", "tree <b>": "hoeffding_tree", "majority": "majority_class"},
        protocol=pq.KFold(10),
        every=500,
    )


def test_p_is_drawn_over_time_for_each_pair_and_test(run: pq.Run) -> None:
    fig = run.plot_significance("kappa", forgetting="sliding:1000")
    names = [trace.name for trace in fig.data]
    assert names[:2] == ["bayes and tree &lt;b&gt;, wilcoxon", "bayes and tree &lt;b&gt;, sign"]
    assert len(names) == 3 * 2  # McNemar's test is of the accuracy
    assert len(run.plot_significance().data) == 3 * 3
    rows = [
        row["p"]
        for row in run.significance().to_pylist()
        if (row["learner_a"], row["learner_b"], row["test"]) == ("bayes", "tree <b>", "wilcoxon")
        and (row["measure"], row["forgetting"]) == ("kappa", "sliding:1000")
    ]
    assert list(fig.data[0].y) == rows
    assert list(fig.data[0].x) == [500, 1000, 1500, 2000]


def test_an_unknown_measure_is_refused_with_those_there_are(run: pq.Run) -> None:
    with pytest.raises(InputError, match=r"No tests of the measure 'acuracy'\. Did you mean 'accuracy'\?"):
        run.plot_significance("acuracy")


def test_a_run_without_folds_says_what_they_need() -> None:
    run = pq.evaluate(pq.streams.SEA(seed=1).take(100), ["naive_bayes", "no_change"])
    assert len(run.significance()) == 0
    with pytest.raises(InputError, match="They need two learners and protocol="):
        run.plot_significance()


def test_the_report_has_the_tests_and_shows_the_mean_of_the_folds(run: pq.Run, tmp_path: Path) -> None:
    page = run.report(tmp_path / "report.html").read_text()
    assert 'id="significance"' in page
    assert "p Wilcoxon" in page
    last = run.to_pandas().query("learner == 'bayes' and fold == 0 and n == 2000 and measure == 'accuracy'")
    mean = last[last["forgetting"] == "cumulative"]["value"].iloc[0]
    assert f"{mean:.4f}" in page
    each = run.to_pandas().query(
        "learner == 'bayes' and fold > 0 and n == 2000 and measure == 'accuracy' and forgetting == 'cumulative'"
    )
    assert np.mean(each["value"]) == pytest.approx(mean)
    single = pq.evaluate(pq.streams.SEA(seed=1).take(100), ["naive_bayes", "no_change"])
    assert 'id="significance"' not in single.report(tmp_path / "single.html").read_text()
