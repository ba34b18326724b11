"""Figures that the papers print."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from prequential import calculators
from prequential.metrics import of_confusion
from prequential.scoring.score import score

TABLE_5 = [[40, 30], [5, 25]]
"""Bifet et al. 2015, Table 5: labels in rows, predictions in columns."""


@pytest.mark.parametrize(
    ("metric", "printed"),
    [
        ("accuracy", 0.65),
        ("kappa", 0.3269),
        ("mcc", 0.3728),
        ("cmd", 0.085),  # 850 / 100², from the table's four numbers
        ("balanced_accuracy", 0.7024),
        ("g_mean", 0.6901),
        ("h_mean", 0.6780),
        ("kappa_m", -0.1667),
    ],
)
def test_bifet_table_5(metric: str, printed: float) -> None:
    assert round(of_confusion(TABLE_5)[metric], 4) == printed


def test_bifet_table_5_as_a_stream_of_records() -> None:
    """κ_m is left out: with an order, its baseline is the causal majority and no longer the class share."""
    y = np.repeat([0, 0, 1, 1], [40, 30, 5, 25])
    said = np.repeat([0, 1, 0, 1], [40, 30, 5, 25])
    names = ["kappa", "mcc", "balanced_accuracy", "g_mean", "h_mean"]
    run = score(y, said, metrics=names, forgetting=["cumulative"], every=100)
    assert np.round(run.to_arrow()["value"].to_numpy(), 4).tolist() == [0.3269, 0.3728, 0.7024, 0.6901, 0.6780]


def test_the_three_means_of_class_accuracies_are_ordered() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        values = of_confusion(rng.integers(1, 50, size=(4, 4)))
        assert values["balanced_accuracy"] >= values["g_mean"] >= values["h_mean"]


def test_gama_hoeffding_bound_both_ways() -> None:
    """δ = 5 %, ε = 1 %, R = 1 need 18444.4 records (the paper prints 18444)."""
    n = calculators.hoeffding_n(epsilon=0.01, delta=0.05)
    assert round(n, 1) == 18444.4
    assert n == pytest.approx(math.log(40) / 2e-4, rel=1e-15)
    assert calculators.hoeffding_epsilon(n=n, delta=0.05) == pytest.approx(0.01, rel=1e-14)
    assert calculators.hoeffding_n(epsilon=0.02, delta=0.05, value_range=2) == pytest.approx(n)


@pytest.mark.parametrize(("w", "printed"), [(1000, 0.0316), (10_000, 0.01)])
def test_gama_window_half_width_both_ways(w: int, printed: float) -> None:
    half = calculators.window_half_width(window_size=w)
    assert round(half, 4) == printed
    assert calculators.window_size(half_width=half) == pytest.approx(w, rel=1e-14)


def test_gama_fading_reach_both_ways() -> None:
    """0.995 to the 3000 is 2.9e-7."""
    weight = calculators.fading_weight(alpha=0.995, n=3000)
    assert f"{weight:.1e}" == "2.9e-07"
    assert calculators.fading_reach(alpha=0.995, epsilon=weight) == pytest.approx(3000, rel=1e-12)
    assert calculators.fading_alpha(n=3000, epsilon=weight) == pytest.approx(0.995, rel=1e-12)


def test_gama_faded_denominator_tends_to_one_over_one_minus_alpha() -> None:
    run = score(np.zeros(20_000, int), np.arange(20_000) % 2, metrics=["error"], forgetting=["fading:0.999"], every=1)
    error = run.to_arrow()["value"].to_numpy()
    s = n = 0.0
    for i, found in enumerate(error.tolist()):
        s, n = i % 2 + 0.999 * s, 1 + 0.999 * n
        assert found == pytest.approx(s / n, abs=1e-12)
    assert n == pytest.approx(1000, rel=1e-8)


@pytest.mark.parametrize(
    "call",
    [
        lambda: calculators.hoeffding_n(epsilon=0, delta=0.05),
        lambda: calculators.hoeffding_n(epsilon=0.1, delta=0),
        lambda: calculators.hoeffding_epsilon(n=0, delta=0.05),
        lambda: calculators.window_half_width(window_size=0),
        lambda: calculators.window_size(half_width=math.nan),
        lambda: calculators.fading_reach(alpha=1, epsilon=0.1),
        lambda: calculators.fading_alpha(n=10, epsilon=1),
    ],
)
def test_calculators_refuse_what_has_no_answer(call: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        call()
