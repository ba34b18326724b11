"""The evaluators of MOA, fed the same predictions on Electricity (reference/electricity_moa_evaluators.csv.gz)."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import cohen_kappa_score

from prequential import _native
from prequential.scoring.score import score

LEARNERS = ["NoChange", "HoeffdingTree"]
EVALUATORS = {
    "Basic": "cumulative",
    "Window(w=1000)": "sliding:1000",
    "FadingFactor(alpha=0.999)": "fading:0.999",
    "FadingFactor(alpha=0.99)": "fading:0.99",
}
METRICS = {
    "accuracy": "classifications correct (percent)",
    "kappa": "Kappa Statistic (percent)",
    "kappa_t": "Kappa Temporal Statistic (percent)",
    "kappa_m": "Kappa M Statistic (percent)",
}


@cache
def reference(folder: Path) -> dict[tuple[str, str, str], dict[int, float]]:
    """MOA's figures as fractions: (learner, evaluator, metric) to records to value."""
    found: dict[tuple[str, str, str], dict[int, float]] = {}
    with gzip.open(folder / "reference" / "electricity_moa_evaluators.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            key = (row["learner"], row["evaluator"], row["measure"])
            found.setdefault(key, {})[int(row["instances"])] = float(row["value"]) / 100
    return found


@cache
def predictions(folder: Path, learner: str) -> tuple[np.ndarray, np.ndarray]:
    table = pq.read_table(folder / "reference" / "electricity_moa_predictions.parquet")
    return table["y"].to_numpy(), table[f"{learner}_pred"].to_numpy()


@cache
def ours(folder: Path, learner: str) -> dict[tuple[str, str], dict[int, float]]:
    y, said = predictions(folder, learner)
    run = score(y, said, metrics=list(METRICS), forgetting=list(EVALUATORS.values()), every=1000)
    found: dict[tuple[str, str], dict[int, float]] = {}
    for row in run.to_arrow().to_pylist():
        found.setdefault((row["forgetting"], row["metric"]), {})[row["n"]] = row["value"]
    return found


@pytest.mark.parametrize("metric", ["accuracy", "kappa"])
@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_accuracy_and_kappa_are_those_of_moa(shared_data: Path, learner: str, evaluator: str, metric: str) -> None:
    expected = reference(shared_data)[learner, evaluator, METRICS[metric]]
    found = ours(shared_data, learner)[EVALUATORS[evaluator], metric]
    assert list(found) == list(expected)
    assert len(found) == 46
    for n, value in expected.items():
        assert found[n] == pytest.approx(value, abs=1e-9), n


ADWIN = "ADWIN(delta=0.002)"


@cache
def under_adwin(folder: Path, learner: str) -> dict[tuple[str, int], float]:
    run = score(*predictions(folder, learner), metrics=["accuracy", "kappa"], forgetting=["adaptive:0.002"], every=1000)
    return {(row["metric"], row["n"]): row["value"] for row in run.to_arrow().to_pylist()}


@pytest.mark.parametrize("learner", LEARNERS)
def test_accuracy_under_adwin_is_that_of_moa(shared_data: Path, learner: str) -> None:
    expected = reference(shared_data)[learner, ADWIN, METRICS["accuracy"]]
    found = under_adwin(shared_data, learner)
    assert len(expected) == 46
    for n, value in expected.items():
        assert found["accuracy", n] == pytest.approx(value, abs=1e-9), n
    assert found["alarms", 45312] > 0
    assert found["width", 45312] < 45312


@pytest.mark.parametrize("learner", LEARNERS)
def test_kappa_under_adwin_differs_from_moa_because_moa_has_no_common_window(shared_data: Path, learner: str) -> None:
    """MOA gives the hits, each label and each prediction an ADWIN of its own, and mixes their means in one kappa.

    With five windows its figures come out to the last digit. Ours are those of one window: all the records, and no
    others, over which the loss has not changed.
    """
    y, said = predictions(shared_data, learner)
    series = [y == said, y == 0, y == 1, said == 0, said == 1]
    windows = [_native.AdwinDetector(0.002, 32, 5, 10, 7, 4, False, "both", False, False) for _ in series]
    expected = reference(shared_data)[learner, ADWIN, METRICS["kappa"]]
    found = under_adwin(shared_data, learner)
    widths, differing = set(), 0
    for n, value in expected.items():
        for window, x in zip(windows, series, strict=True):
            window.update(x[1000 * ((n - 1) // 1000) : n].astype(float))
        p0, label0, label1, said0, said1 = (window.mean for window in windows)
        chance = label0 * said0 + label1 * said1
        assert (p0 - chance) / (1 - chance) == pytest.approx(value, abs=1e-9), n
        widths.add(tuple(window.width for window in windows))
        last = slice(n - int(found["width", n]), n)
        assert found["kappa", n] == pytest.approx(cohen_kappa_score(y[last], said[last]), abs=1e-12), n
        differing += abs(found["kappa", n] - value) > 1e-9
    assert any(len(set(several)) > 1 for several in widths)
    assert differing > 30


class MoaBaselines:
    """MOA's rules: the last label starts as class 0, and the majority already contains the current label."""

    def __init__(self, y: np.ndarray, said: np.ndarray, evaluator: str) -> None:
        self.hits = said == y
        self.no_change = np.concatenate([[0], y[:-1]]) == y
        n = np.arange(1, len(y) + 1)
        self.sums: Callable[[np.ndarray], np.ndarray]
        if evaluator == "Basic":
            self.sums = np.cumsum
        elif evaluator.startswith("Window"):
            self.sums = lambda x: np.cumsum(x) - np.concatenate([np.zeros(1000), np.cumsum(x)[:-1000]])
        else:
            self.sums = lambda x: faded(x, float(evaluator[len("FadingFactor(alpha=") : -1]))
        ones, zeros = self.sums((y == 1).astype(float)), self.sums((y == 0).astype(float))
        self.majority = np.where(ones > zeros, 1, 0) == y
        self.weight = self.sums(np.ones(len(n)))

    def kappa(self, baseline: np.ndarray) -> np.ndarray:
        p0, p = (self.sums(x.astype(float)) / self.weight for x in (self.hits, baseline))
        with np.errstate(divide="ignore", invalid="ignore"):
            return (p0 - p) / (1 - p)


def faded(x: np.ndarray, alpha: float) -> np.ndarray:
    out, total = np.empty(len(x)), 0.0
    for i, value in enumerate(x.tolist()):
        total = value + alpha * total
        out[i] = total
    return out


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_with_the_rules_of_moa_its_kappa_per_and_kappa_m_come_out(
    shared_data: Path, learner: str, evaluator: str
) -> None:
    twin = MoaBaselines(*predictions(shared_data, learner), evaluator)
    for metric, baseline in (("kappa_t", twin.no_change), ("kappa_m", twin.majority)):
        expected = reference(shared_data)[learner, evaluator, METRICS[metric]]
        found = twin.kappa(baseline)
        for n, value in expected.items():
            assert found[n - 1] == pytest.approx(value, abs=1e-9), (metric, n)


@pytest.mark.parametrize("learner", LEARNERS)
def test_kappa_per_differs_from_moa_by_the_first_record_alone(shared_data: Path, learner: str) -> None:
    """MOA's last label starts as class 0, which happens to be right; ours abstains before the first label.

    So one hit is between them: in the cumulative figures for ever, in a window until the first record has left it, and
    under fading as long as its weight is felt.
    """
    y, _ = predictions(shared_data, learner)
    assert y[0] == 0
    for evaluator, forgetting in EVALUATORS.items():
        moa = reference(shared_data)[learner, evaluator, METRICS["kappa_t"]]
        mine = ours(shared_data, learner)
        accuracy, found = mine[forgetting, "accuracy"], mine[forgetting, "kappa_t"]
        for n, value in moa.items():
            if evaluator == "Basic":
                share = 1 / n
            elif evaluator.startswith("Window"):
                share = 1 / 1000 if n <= 1000 else 0.0
            else:
                alpha = float(forgetting.removeprefix("fading:"))
                share = alpha ** (n - 1) * (1 - alpha) / (1 - alpha**n)
            if value == 1:
                continue
            p = (accuracy[n] - value) / (1 - value)  # MOA's baseline, from its kappa
            assert found[n] == pytest.approx((accuracy[n] - (p - share)) / (1 - (p - share)), abs=1e-9), (evaluator, n)


@pytest.mark.parametrize("learner", LEARNERS)
def test_kappa_m_differs_from_moa_because_our_majority_does_not_know_the_label_it_predicts(
    shared_data: Path, learner: str
) -> None:
    """MOA counts the current label into the majority first: its baseline is right more often, its κ_m lower.

    The two agree only where no label could tip the majority. Over the whole of Electricity the difference
    ends below 3e-4; under strong fading, where the majority often hangs by a label, it reaches 0.08.
    """
    gaps = {}
    for evaluator, forgetting in EVALUATORS.items():
        moa = reference(shared_data)[learner, evaluator, METRICS["kappa_m"]]
        found = ours(shared_data, learner)[forgetting, "kappa_m"]
        differences = np.array([found[n] - moa[n] for n in moa])
        assert (differences > -1e-9).all(), evaluator
        gaps[evaluator] = differences
    assert 0 < gaps["Basic"][-1] < 3e-4
    assert 0.05 < gaps["FadingFactor(alpha=0.99)"].max() < 0.1


def test_a_majority_learner_scores_zero_kappa_m_by_our_rule_and_less_by_that_of_moa(shared_data: Path) -> None:
    """Bifet et al. 2015, figure 2: a majority learner with a window of 1000 has κ_m 0 under that window."""
    y, _ = predictions(shared_data, "NoChange")
    ones = np.concatenate([[0], np.cumsum(y)])
    first = np.maximum(0, np.arange(len(y)) - 1000)
    n = np.arange(len(y)) - first
    said = [None if i == 0 else int(2 * k > m) for i, (k, m) in enumerate(zip(ones[:-1] - ones[first], n, strict=True))]
    run = score(y, said, metrics=["kappa_m"], forgetting=["sliding:1000"], every=1000)
    assert (run.to_arrow()["value"].to_numpy() == 0).all()
    wrong = np.array([-1 if p is None else p for p in said])
    moa = MoaBaselines(y, wrong, "Window(w=1000)")
    assert (moa.kappa(moa.majority)[999::1000] < 0).any()
