"""The tests over folds of a run: when there are enough folds, and why a test has no p-value."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import prequential as pq


def over_folds(n_folds: int) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pq.FewFoldsWarning)
        run = pq.evaluate(
            pq.streams.SEA().take(600),
            ["naive_bayes", "no_change"],
            protocol=pq.KFold(n_folds, "split"),
            metrics="accuracy",
            forgetting="cumulative",
            every=600,
        )
    rows: list[dict[str, Any]] = run.folds.significance().to_pylist()
    return [row for row in rows if row["test"] in ("sign", "wilcoxon")]


def test_six_folds_are_enough_to_reject() -> None:
    """Naive Bayes is better in all of them: the p-value of both tests is 2 · 2⁻⁶."""
    rows = over_folds(6)
    assert {row["test"] for row in rows} == {"sign", "wilcoxon"}
    assert [row["p_value"] for row in rows] == [pytest.approx(2 / 64)] * len(rows)
    assert {row["reason"] for row in rows} == {""}


def test_of_five_folds_no_test_has_a_p_value_and_the_reason_says_why() -> None:
    rows = over_folds(5)
    assert len(rows) == 2
    assert all(row["p_value"] is None or row["p_value"] != row["p_value"] for row in rows)
    assert {row["reason"] for row in rows} == {"5 folds are too few: 6 are needed to reject at α = 0.05"}
