"""Two learners during a run: every number at every checkpoint equals what is computed from scratch."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prequential.comparisons import PairedTrace, mcnemar
from prequential.comparisons.boundary import mixture_boundary
from prequential.comparisons.mcnemar import mcnemar_p_value
from prequential.comparisons.pairs import count_pairs

FORGETTING = ["cumulative", "sliding:7", "sliding:50", "fading:0.9", "fading:0.99"]


def weights(label: str, n: int) -> np.ndarray:
    """How much each of ``n`` records weighs after the last of them."""
    kind, _, parameter = label.partition(":")
    age = np.arange(n - 1, -1, -1)
    if kind == "sliding":
        return (age < int(parameter)).astype(float)
    return float(parameter) ** age if kind == "fading" else np.ones(n)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000), n=st.integers(1, 180), every=st.integers(5, 60), ease=st.sampled_from([0.0, 0.5, 0.9])
)
def test_q_mcnemar_and_the_difference_equal_recomputation_from_scratch(
    seed: int, n: int, every: int, ease: float
) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, n)) < ease + (1 - ease) * rng.random()
    trace = PairedTrace.of_pairs(count_pairs(a, b, forgetting=FORGETTING, every=every), "A", "B")
    rows = trace.table.to_pylist()
    assert [row["n"] for row in rows] == [
        k for k in [*range(every, n + 1, every), *([n] if n % every else [])] for _ in FORGETTING
    ]
    for row in rows:
        k = row["n"]
        w = weights(row["forgetting"], k)
        loss_a, loss_b = float(w @ ~a[:k]), float(w @ ~b[:k])
        n01, n10 = float(w @ (~a[:k] & b[:k])), float(w @ (a[:k] & ~b[:k]))
        assert row["n_b_right"] == pytest.approx(n01, abs=1e-9)
        assert row["n_a_right"] == pytest.approx(n10, abs=1e-9)
        assert row["error_a"] == pytest.approx(loss_a / w.sum(), abs=1e-12)
        assert row["error_b"] == pytest.approx(loss_b / w.sum(), abs=1e-12)
        assert row["difference"] == pytest.approx((n01 - n10) / w.sum(), abs=1e-12)
        m = (n01 - n10) * abs(n01 - n10) / (n01 + n10) if n01 + n10 else 0.0
        assert row["mcnemar"] == pytest.approx(m, abs=1e-9)
        scale = float((w**2).sum() / w.sum())
        assert row["p_value"] == pytest.approx(float(mcnemar_p_value(m, scale)), abs=1e-9)
        if loss_a and loss_b:
            assert row["q"] == pytest.approx(math.log(loss_a / loss_b), abs=1e-9)
        else:
            assert row["q"] == (math.inf if loss_a else -math.inf) or (math.isnan(row["q"]) and loss_a == loss_b)
            assert "Q is" in row["reason"]
        if not row["forgetting"].startswith("fading"):
            alone = mcnemar(_table(a[:k], b[:k], w))
            assert (row["low"], row["high"]) == pytest.approx((alone.interval.low, alone.interval.high), abs=1e-12)


def _table(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> list[list[float]]:
    return [[float(w @ ((a == i) & (b == j))) for j in (False, True)] for i in (False, True)]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), every=st.integers(1, 60))
def test_the_confidence_sequence_and_the_e_process_equal_a_loop_over_records(seed: int, every: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random(400) < 0.7, rng.random(400) < 0.8
    trace = PairedTrace.of_pairs(count_pairs(a, b, every=every), "A", "B")
    found = {row["n"]: row for row in trace.table.to_pylist() if row["forgetting"] == "cumulative"}
    total = variance = best = 0.0
    wins = [0, 0]
    for k in range(1, 401):
        d = float(b[k - 1]) - float(a[k - 1])
        variance += (d - (total / (k - 1) if k > 1 else 0.0)) ** 2
        total += d
        wins[0] += d > 0
        wins[1] += d < 0
        if k not in found:
            continue
        half = float(mixture_boundary(variance, alpha=0.025, scale=2)) / k
        assert found[k]["sequence_low"] == pytest.approx(max(-1, total / k - half), abs=1e-9)
        assert found[k]["sequence_high"] == pytest.approx(min(1, total / k + half), abs=1e-9)
        log_e = sum(wins) * math.log(2) + sum(math.lgamma(10 + w) - math.lgamma(10) for w in wins)
        log_e -= math.lgamma(20 + sum(wins)) - math.lgamma(20)
        best = max(best, log_e)
        assert found[k]["log_e_value"] == pytest.approx(log_e, abs=1e-8)
        assert found[k]["anytime_p_value"] == pytest.approx(math.exp(-best), rel=1e-7)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_turning_the_learners_round_turns_the_signs_round(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 300)) < 0.8
    pairs = count_pairs(a, b, every=50, forgetting=FORGETTING)
    one, other = (PairedTrace.of_pairs(pairs, *names).table for names in (("A", "B"), ("B", "A")))
    for name, sign in (("q", -1), ("mcnemar", -1), ("difference", -1), ("p_value", 1), ("log_e_value", 1)):
        np.testing.assert_allclose(one[name].to_numpy(), sign * other[name].to_numpy(), atol=1e-12)
    np.testing.assert_allclose(one["sequence_low"].to_numpy(), -other["sequence_high"].to_numpy(), atol=1e-12)
    np.testing.assert_allclose(one["low"].to_numpy(), -other["high"].to_numpy(), atol=1e-12)


def test_how_the_rows_are_stored_does_not_matter() -> None:
    a, b = np.random.default_rng(1).random((2, 500)) < 0.8
    pairs = count_pairs(a, b, every=100, forgetting=FORGETTING)
    mixed = pairs.take(pa.array(np.random.default_rng(2).permutation(len(pairs))))
    key = [("forgetting", "ascending"), ("n", "ascending")]
    one, other = (
        PairedTrace.of_pairs(t, "A", "B").table.set_column(
            3, "forgetting", PairedTrace.of_pairs(t, "A", "B").table["forgetting"].cast(pa.string())
        )
        for t in (pairs, mixed)
    )
    for name in ("q", "mcnemar", "sequence_low", "anytime_p_value"):
        np.testing.assert_array_equal(one.sort_by(key)[name].to_numpy(), other.sort_by(key)[name].to_numpy())
