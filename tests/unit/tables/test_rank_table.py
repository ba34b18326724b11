"""Several learners on several streams, as text, HTML, JSON and the critical-difference diagram."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from prequential.comparisons import ranking
from prequential.tables.rank_table import RankTable


def table(n: int = 10, k: int = 4, gap: float = 0.15, **options: object) -> RankTable:
    values = np.random.default_rng(1).random((n, k)) * 0.3 + gap * np.arange(k)
    names = [f"learner {i} <$x$>" for i in range(k)]
    return RankTable(ranking(values, names, metric="accuracy", **options))  # type: ignore[arg-type]


def test_the_table_lists_learners_from_the_best_rank_on() -> None:
    shown = table()
    lines = str(shown.table()).splitlines()
    order = [line.split(" <")[0] for line in lines if line.startswith("learner ") and "<" in line]
    assert order[:4] == ["learner 3", "learner 2", "learner 1", "learner 0"]
    assert "accuracy of 4 learners on 10 streams, higher is better" in lines[0]


def test_the_best_is_compared_with_each_other_in_its_favour() -> None:
    r = table().ranking
    best, worst = r.learners[3], r.learners[0]
    pair = r.pair(best, worst)
    assert pair.test.estimate < 0  # learner 0 less learner 3
    text = str(table().table())
    assert f"{-pair.test.estimate:.4f} [{-pair.test.interval.high:.4f}, {-pair.test.interval.low:.4f}]" in text
    assert "1.0000" in text


def test_the_tests_stand_below_the_table_with_effects_and_intervals() -> None:
    shown = table()
    text = str(shown)
    f = shown.ranking.friedman
    assert f"Iman–Davenport F(3, 27) = {f.f_statistic:.4f}" in text
    assert f"Kendall's W = {f.kendall_w:.4f}" in text
    assert "Critical difference of mean ranks" in text
    assert text.endswith(shown.conclusion)


def test_the_conclusion_lists_who_does_not_differ_from_the_best() -> None:
    text = table().conclusion
    assert text.startswith("The learners differ over 10 streams (Iman–Davenport F = ")
    assert "learner 3 <$x$> ranks first; not significantly different from it: learner 2 <$x$>" in text
    assert table(gap=0.0).conclusion.startswith("No difference between the 4 learners is shown over 10 streams")
    assert "all others are worse" in table(n=40, k=2, gap=1.0).conclusion


def test_every_two_learners_are_listed() -> None:
    text = str(table().pairs())
    assert text.count("learner 0 <$x$>, ") == 2 * 3  # the table is cut into two blocks
    assert "first better by" in text
    few = str(table(n=4).pairs())
    assert "Wilcoxon's test needs at least 6 streams" in few


def test_results_and_ranks_come_tidy() -> None:
    frame = table().to_pandas()
    assert list(frame.columns) == ["stream", "learner", "value", "rank"]
    assert len(frame) == 40
    np.testing.assert_allclose(frame.groupby("stream")["rank"].sum(), 10)


def test_json_has_no_nan_or_infinity() -> None:
    for shown in (
        table(),
        table(n=4),
        RankTable(ranking([[3, 2, 1]] * 5, "abc")),
        RankTable(ranking([[1, 1]] * 7, "ab")),
    ):
        data = json.loads(json.dumps(shown.to_dict(), allow_nan=False))
        assert data["conclusion"] == shown.conclusion
        assert len(data["mean_ranks"]) == len(data["learners"])


def test_html_is_escaped() -> None:
    page = table()._repr_html_()
    assert "&lt;$x$&gt;" in page
    assert "<$x$>" not in page


def test_the_diagram_has_the_best_rank_to_the_right_and_one_bar_per_clique() -> None:
    shown = table(k=5, gap=0.06)
    fig = shown.figure()
    (ax,) = fig.axes
    left, right = ax.get_xlim()
    assert left > right
    bars = [line for line in ax.lines if line.get_linewidth() > 3]
    assert len(bars) == len(shown.ranking.nemenyi.cliques)
    texts = {text.get_text() for text in ax.texts}
    for name, rank in zip(shown.ranking.learners, shown.ranking.friedman.mean_ranks, strict=True):
        assert f"{name}  {rank:.3f}" in texts
    assert any(text.startswith(f"CD = {shown.ranking.nemenyi.critical_difference:.3f}") for text in texts)


@pytest.mark.parametrize("k", [2, 3, 12])
def test_no_name_of_the_diagram_leaves_the_page_or_touches_another(k: int, tmp_path: Path) -> None:
    shown = table(k=k, gap=0.01)
    fig = shown.figure()
    fig.savefig(tmp_path / "a.png")
    page = fig.bbox
    boxes = [text.get_window_extent() for text in fig.axes[0].texts]
    for i, box in enumerate(boxes):
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
        assert box.y1 <= page.y1
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])


def test_the_diagram_is_written_and_the_same_each_time(tmp_path: Path) -> None:
    first = table().save_figure(tmp_path / "a.svg").read_bytes()
    assert first == table().save_figure(tmp_path / "b.svg").read_bytes()
