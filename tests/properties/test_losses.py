"""The user's own losses, and comparisons by losses: every number equals what is computed from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.loss_series import paired_losses
from prequential.types import FloatArray

FORGETTING = ["cumulative", "sliding:7", "sliding:50", "fading:0.9", "fading:0.99"]


def weights(label: str, n: int) -> FloatArray:
    """How much each of ``n`` records weighs after the last of them."""
    kind, _, parameter = label.partition(":")
    age = np.arange(n - 1, -1, -1, dtype=np.float64)
    if kind == "sliding":
        return (age < int(parameter)).astype(float)
    return np.power(float(parameter), age) if kind == "fading" else np.ones(n)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), every=st.integers(1, 60))
def test_q_and_mean_losses_equal_recomputation_under_every_forgetting(seed: int, every: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random(200) ** 3, rng.random(200)
    found = paired_losses(a, b, ("a", "b"), forgetting=FORGETTING, every=every, bound=1.0)
    for row in found.table.to_pylist():
        n = row["n"]
        w = weights(row["forgetting"], n)
        mean_a, mean_b = (float((w * x[:n]).sum() / w.sum()) for x in (a, b))
        assert row["loss_a"] == pytest.approx(mean_a, rel=1e-11)
        assert row["difference"] == pytest.approx(mean_a - mean_b, abs=1e-12)
        assert row["q"] == pytest.approx(np.log(mean_a / mean_b), abs=1e-11)
        assert row["n_records"] == pytest.approx(w.sum(), rel=1e-11)
        if row["forgetting"] == "cumulative":
            assert row["sequence_low"] <= row["difference"] <= row["sequence_high"]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), every=st.sampled_from([1, 5, 20, 33]))
def test_batch_means_equal_the_formula(seed: int, every: int) -> None:
    """One interval at the end, from the losses themselves, batch by batch."""
    rng = np.random.default_rng(seed)
    x = rng.random(1500)
    n = np.arange(every, 1501, every)
    window = float(rng.integers(100, 1500))
    found = batch_half_width(n, np.cumsum(x)[n - 1], np.full(len(n), window))[-1]
    length = every * max(1, int(np.ceil(window ** (2 / 3) / every)))
    end, batches = int(n[-1]), []
    while end - length >= max(0, n[-1] - max(window, 12 * length)):
        batches.append(x[end - length : end].mean())
        end -= length
    k = len(batches)
    if k < 5:
        assert np.isnan(found)
        return
    variance = length * (np.diff(batches) ** 2).mean() / 2
    from scipy.stats import t

    half = t.ppf(0.975, 2 * (k - 1) ** 2 / (3 * k - 4)) * np.sqrt(variance / window)
    assert found == pytest.approx(half, rel=1e-9)


def asymmetric(y: Any, p: Any) -> Any:
    """Asymmetric loss: too much costs twice as much as too little."""
    return np.where(p > y, 2 * (p - y), y - p)


def cost(y: Any, p: Any) -> Any:
    """Five times the probability missing at the second class, or that missing at the first."""
    return np.where(y == 1, 5.0, 1.0) * (1 - p[np.arange(len(y)), y])


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_loss_of_the_users_own_equals_its_mean_over_the_predictions(task: str, chunk_size: int) -> None:
    rng = np.random.default_rng(5)
    n = 400
    X = rng.normal(size=(n, 2))
    if task == "regression":
        y = np.where(rng.random(n) < 0.1, np.nan, X.sum(axis=1))
        learners, own = ["mean_target"], pq.loss(asymmetric)
    else:
        y = (X.sum(axis=1) + rng.normal(size=n) > 0).astype(int)
        learners, own = ["naive_bayes"], pq.loss(cost, bound=5)
    stream = pq.from_arrays(X, y, task=task)
    other = pq.loss(lambda y, p: np.ones(len(y)), name="one")
    run = pq.evaluate(
        stream,
        learners,
        metrics=[other, own, "mae" if task == "regression" else "log_loss"],
        forgetting=[*FORGETTING, "histogram:20,0.01", "adaptive"],
        every=40,
        predictions=True,
        chunk_size=chunk_size,
    )
    saved = run.predictions(learners[0])
    if task == "regression":
        label, said = (saved[name].to_numpy() for name in ("label", "prediction"))
        known = np.isfinite(label) & np.isfinite(said)
        losses = np.where(known, np.where(known, asymmetric(label, said), 0), np.nan)
    else:
        scores = np.column_stack([saved[f"score_{k}"].to_numpy() for k in (0, 1)])
        with np.errstate(invalid="ignore"):
            p = np.nan_to_num(scores / scores.sum(axis=1, keepdims=True))
        losses = cost(saved["label"].cast("string").to_numpy().astype(int), p)
    for row in run.to_arrow().to_pylist():
        if row["metric"] == "one":
            assert row["value"] == pytest.approx(1)
        if row["metric"] != own.name or row["forgetting"] not in FORGETTING:
            continue
        so_far = losses[: row["n"]]
        counted = np.isfinite(so_far)
        w = weights(row["forgetting"], int(counted.sum()))  # records without a label leave a window where it is
        assert row["value"] == pytest.approx(float((w * so_far[counted]).sum() / w.sum()), rel=1e-9)


def test_a_detector_reads_a_loss_of_the_users_own() -> None:
    rng = np.random.default_rng(2)
    x = rng.random(3000)
    y = np.where(np.arange(3000) < 1500, x, x + 3)
    stream = pq.from_arrays(x[:, None], y, task="regression")
    own = pq.loss(lambda y, p: np.abs(p - y), name="absolute")
    detectors = [pq.drift.ADWIN(on=on, under=under) for on in ("mae", own) for under in ("sliding:50", None)]
    run = pq.evaluate(stream, "mean_target", detectors=detectors)
    found: dict[str, list[int]] = {}
    for row in run.alarms().to_pylist():
        found.setdefault(row["detector"], []).append(row["record"])
    for under in ("", ",under=sliding:50"):
        pair = [one for one in found if ("under" in one) == bool(under)]
        assert len(pair) == 2
        assert found[pair[0]] == found[pair[1]]


def test_processes_give_the_same_as_one_process() -> None:
    stream = pq.streams.SEA(seed=1).take(2000)
    runs = [
        pq.evaluate(stream, ["naive_bayes", "sgd"], metrics=pq.loss(cost), engine=engine, workers=2)
        for engine in ("serial", "processes")
    ]
    assert runs[0].to_arrow().equals(runs[1].to_arrow())


@pytest.mark.parametrize(
    ("function", "more", "message"),
    [
        (
            lambda y, p: np.full(len(y), 3.0),
            {"name": "own", "bound": 2},
            "own of record 0 is 3. Accepted: 0 to its",
        ),
        (lambda y, p: np.full(len(y), -1.0), {"name": "own"}, "finite number of at least 0"),
        (lambda y, p: 1.0, {"name": "own"}, "one number per record"),
        (lambda y, p: p["x"], {"name": "own"}, "own fails on records 0 to"),
    ],
)
def test_a_bad_loss_ends_with_one_sentence(function: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.evaluate(pq.streams.SEA(seed=1).take(100), "naive_bayes", metrics=pq.loss(function, **more))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3,), "a function of labels and predictions"),
        ((cost, "accuracy"), "another name"),
        ((cost, "a[b]"), "name for traces"),
        ((cost, "own", 0), "bound"),
    ],
)
def test_bad_arguments_of_a_loss_are_refused(given: tuple[Any, ...], message: str) -> None:
    function, name, bound = (*given, None, None)[:3]
    with pytest.raises(pq.InputError, match=message):
        pq.loss(function, name=name, bound=bound)
