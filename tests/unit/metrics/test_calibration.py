"""Calibration error and sharpness equal scikit-learn's curve, and plain sums over the records that count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

import prequential as pq
from prequential.errors import InputError
from prequential.metrics.calibration import FINE
from prequential.types import FloatArray

N = 1500


def sample(seed: int, n_classes: int) -> tuple[Any, FloatArray]:
    """Return labels and probabilities that are overconfident; some confidences are on the edges of bins."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_classes, 0.6), size=N)
    p[::5] = np.eye(n_classes)[rng.integers(n_classes, size=len(p[::5]))] * 0.5 + 0.5 / n_classes
    y = np.array([rng.choice(n_classes, p=0.7 * row + 0.3 / n_classes) for row in p])
    return y, p


def traced(y: Any, p: FloatArray, metrics: Any, forgetting: str, every: int) -> FloatArray:
    """Return the values, one row per checkpoint."""
    run = pq.score(y, y_score=p, metrics=metrics, forgetting=forgetting, every=every)
    found: FloatArray = run.to_arrow()["value"].to_numpy().reshape(-1, 1 if isinstance(metrics, str) else len(metrics))
    return found


def of_curve(hits: Any, confidence: FloatArray, bins: int, strategy: str = "uniform") -> float:
    """Return the calibration error by scikit-learn's curve, which leaves out empty bins and their weights."""
    true, predicted = calibration_curve(hits, confidence, n_bins=bins, strategy=strategy)
    edges = np.linspace(0, 1, bins + 1)
    sizes = np.bincount(np.searchsorted(edges[1:-1], confidence), minlength=bins)
    return float((sizes[sizes > 0] * np.abs(true - predicted)).sum() / len(hits))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("bins", [10, 20])
def test_bins_of_equal_width_are_those_of_scikit_learn_at_every_prefix(bins: int, n_classes: int) -> None:
    y, p = sample(bins, n_classes)
    hits, confidence = p.argmax(axis=1) == y, p.max(axis=1)
    found = traced(y, p, [f"ece:{bins}", "sharpness"], "cumulative", 100)
    for k, n in enumerate(range(100, N + 1, 100)):
        assert found[k, 0] == pytest.approx(of_curve(hits[:n], confidence[:n], bins), abs=1e-12)
        assert found[k, 1] == pytest.approx(confidence[:n].mean(), abs=1e-12)
    found = traced(y, p, [f"ece:{bins}", "sharpness"], "sliding:300", 100)
    for k, n in enumerate(range(100, N + 1, 100)):
        window = slice(max(0, n - 300), n)
        assert found[k, 0] == pytest.approx(of_curve(hits[window], confidence[window], bins), abs=1e-12)


def test_fading_and_weights_are_in_the_sums() -> None:
    y, p = sample(3, 3)
    weight = np.random.default_rng(4).integers(1, 5, size=N).astype(float)
    run = pq.score(y, y_score=p, metrics="ece", forgetting="fading:0.99", every=N, weight=weight)
    w = weight * 0.99 ** np.arange(N - 1, -1, -1.0)
    hits, confidence = p.argmax(axis=1) == y, p.max(axis=1)
    place = np.searchsorted(np.linspace(0, 1, 11)[1:-1], confidence)
    gaps = [abs((w * (hits - confidence))[place == b].sum()) for b in range(10)]
    assert run.to_arrow()["value"].to_pylist()[-1] == pytest.approx(sum(gaps) / w.sum(), rel=1e-9)


def test_bins_of_equal_mass_are_those_of_scikit_learn_where_the_quantiles_are_edges_of_fine_bins() -> None:
    rng = np.random.default_rng(6)
    level = np.tile([0.54, 0.67, 0.75, 0.91, 0.9995], 200)  # as many of each: the quantiles are between them
    y = (rng.random(1000) < 0.8 * level).astype(int)
    p = np.column_stack([1 - level, level])
    (found,) = traced(y, p, "ece:5:mass", "cumulative", 1000)[-1]
    true, predicted = calibration_curve(y, level, n_bins=5, strategy="quantile")
    assert len(true) == 5
    assert found == pytest.approx(np.abs(true - predicted).mean(), abs=1e-12)


def test_bins_of_equal_mass_join_fine_bins_by_their_middle_records() -> None:
    y, p = sample(8, 3)
    hits, confidence = p.argmax(axis=1) == y, p.max(axis=1)
    (found,) = traced(y, p, "ece:bins=7,binning=mass", "sliding:500", N)[-1]
    hits, confidence = hits[-500:], confidence[-500:]
    fine = np.searchsorted(FINE, confidence)
    gap = np.zeros(7)
    for one in np.unique(fine):
        mine = fine == one
        middle = ((fine < one).sum() + mine.sum() / 2) / 500
        gap[min(6, int(middle * 7))] += (hits - confidence)[mine].sum()
    assert found == pytest.approx(np.abs(gap).sum() / 500, abs=1e-12)


def test_an_abstention_is_in_the_first_bin_and_a_confident_miss_is_the_worst() -> None:
    y, p = np.array([0, 1]), np.array([[0.0, 0.0], [0.0, 0.0]])
    assert traced(y, p, "ece", "cumulative", 2)[-1, 0] == 0
    assert traced(y, np.array([[0, 1], [1, 0.0]]), "ece", "cumulative", 2)[-1, 0] == 1
    assert traced(y, np.array([[1, 0], [0, 1.0]]), "ece", "cumulative", 2)[-1, 0] == 0


def test_results_do_not_depend_on_what_else_is_measured_or_on_the_chunks() -> None:
    stream = pq.streams.SEA(seed=1).take(3000)
    forgetting = ["cumulative", "sliding:500", "fading:0.99", "adaptive", "histogram:1000:0.01"]
    together: list[Any] = ["sharpness", "accuracy", "ece:7", "log_loss", "ece", pq.loss(half, bound=1)]
    run = pq.evaluate(stream, "naive_bayes", metrics=together, forgetting=forgetting, every=1000)
    for name in ("ece", "ece:7", "sharpness", "log_loss"):
        alone = pq.evaluate(stream, "naive_bayes", metrics=name, forgetting=forgetting, every=1000)
        mine, its = ([r["value"] for r in one.to_arrow().to_pylist() if r["metric"] == name] for one in (run, alone))
        assert len(mine) == 15
        assert mine == its


def half(y: Any, p: FloatArray) -> FloatArray:
    """Half a point for each record."""
    return np.full(len(y), 0.5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("ece:0", "'bins' parameter of ece must be"),
        ("ece:22", "'bins' parameter of ece must be"),
        ("ece:11:mass", "'bins' parameter of ece must be"),
        ("ece:10:equal", "'binning' parameter of ece must be"),
        ("ece:bin=10", r"no parameter 'bin'. Did you mean 'bins'"),
    ],
)
def test_wrong_parameters_are_refused(given: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pq.as_metric(given)


def test_calibration_needs_probabilities_of_classes() -> None:
    with pytest.raises(InputError, match="ece needs one score per class"):
        pq.score([0, 1, 1], [0, 1, 0], metrics="ece")
    with pytest.raises(InputError, match="does not fit a regression stream"):
        pq.as_metric("ece", "regression")


def test_more_sums_than_a_grid_keeps_are_refused() -> None:
    with pytest.raises(InputError, match=r"keep 93 sums under each forgetting: ece \(30\), ece:10:mass \(63\)"):
        pq.evaluate(pq.streams.SEA(seed=1).take(10), "naive_bayes", metrics=["ece", "ece:10:mass"])


def test_late_labels_refuse_calibration() -> None:
    with pytest.raises(InputError, match="cannot compute ece"):
        pq.evaluate(pq.streams.SEA(seed=1).take(100).delayed(10), "naive_bayes", protocol="delayed", metrics="ece")


def test_the_reliability_diagram_of_a_window_is_the_curve_of_scikit_learn() -> None:
    y, p = sample(9, 2)
    scorer = pq.Scorer(["accuracy", "ece:15"], ["cumulative", "sliding:400"], classes=(0, 1))
    for begin in range(0, N, 250):
        end = begin + 250
        scorer.update(y[begin:end], scores=p[begin:end])
        for forgetting, first in (("cumulative", 0), ("sliding:400", max(0, end - 400))):
            hits, confidence = (p.argmax(axis=1) == y)[first:end], p.max(axis=1)[first:end]
            found = scorer.reliability("ece:bins=15", forgetting)
            true, predicted = calibration_curve(hits, confidence, n_bins=15)
            np.testing.assert_allclose(found.accuracy, true, atol=1e-12)
            np.testing.assert_allclose(found.confidence, predicted, atol=1e-12)
            assert found.weight.sum() == end - first
            assert found.error == pytest.approx(scorer.value("ece:15", forgetting), abs=1e-12)
    with pytest.raises(InputError, match=r"Scorer.reliability needs a calibration error.* has: ece:15"):
        scorer.reliability("ece")
