"""AUC, average precision and log-loss with late labels: those of scikit-learn on the kept scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

import prequential as pq

METRICS = ["accuracy", "auc", "average_precision", "log_loss"]
OPTIONS: dict[str, Any] = {"metrics": METRICS, "forgetting": ["cumulative", "sliding:60"], "every": 50, "positive": "b"}


class Drifting:
    """A classifier whose scores depend on the features and on how much it has learned."""

    def __init__(self) -> None:
        self.n_learned = 0

    def predict_proba_one(self, x: dict[str, float]) -> dict[str, float]:
        share = score_of(x["x"], self.n_learned)
        return {"a": 1 - share, "b": share}

    def predict_one(self, x: dict[str, float]) -> str:
        return "b" if score_of(x["x"], self.n_learned) > 0.5 else "a"

    def learn_one(self, x: dict[str, float], y: str) -> None:  # the interface
        self.n_learned += 1


def score_of(x: float, n_learned: int) -> float:
    return round(abs(float(np.sin(7 * x + n_learned / 40))), 2) * 0.98 + 0.01


def expected(name: str, truth: npt.NDArray[np.bool_], shares: npt.NDArray[np.float64]) -> float:
    if name == "accuracy":
        return float(np.mean((shares > 0.5) == truth))
    if name == "log_loss":
        return float(log_loss(truth, shares))
    return float({"auc": roc_auc_score, "average_precision": average_precision_score}[name](truth, shares))


def check(run: pq.Run, truth: list[bool], shares: dict[str, list[float]], learner: str) -> None:
    """Compare the trace with scikit-learn at every checkpoint."""
    stages = {"accuracy": {"initial", "psi_2", "final"}}
    rows = [row for row in run.to_arrow().to_pylist() if row["learner"] == learner]
    n_compared = 0
    for name in METRICS:
        names = {row["metric"] for row in rows if row["metric"].startswith(name)}
        bounds = {f"{name}_error_{s}" for s in ("initial", "final")} if name in ("auc", "average_precision") else set()
        assert names == {f"{name}_{stage}" for stage in stages.get(name, {"initial", "final"})} | bounds
    for row in rows:
        name, _, stage = row["metric"].rpartition("_")
        if stage in shares and name in METRICS:
            last = slice(0 if row["forgetting"] == "cumulative" else max(0, row["n"] - 60), row["n"])
            right = expected(name, np.array(truth[last]), np.array(shares[stage][last]))
            assert row["value"] == pytest.approx(right, abs=1e-9), row
            n_compared += 1
    assert n_compared == 2 * 2 * len(METRICS) * len({row["n"] for row in rows})


def events(n: int = 330) -> list[tuple[float, int, float, str | None]]:
    """Arrivals and labels, in order of time."""
    rng = np.random.default_rng(3)
    found: list[tuple[float, int, float, str | None]] = []
    for i in range(n):
        x = float(rng.random())
        found.append((float(i), i, x, None))
        found.append((i + 0.5 + float(rng.exponential(12)), i, x, "b" if rng.random() < 0.2 + x / 2 else "a"))
    return sorted(found)


@pytest.mark.parametrize("abstain", ["wrong", "skip"])
def test_scores_of_learners_equal_scikit_learn(abstain: str) -> None:
    table = pa.table(dict(zip(("time", "id", "x", "class"), zip(*events(), strict=True), strict=True)))
    stream = pq.from_table(table, "class", time="time", id="id", events=True)
    run = pq.evaluate(stream, {"one": Drifting()}, protocol=pq.Delayed(bins=3), abstain=abstain, **OPTIONS)  # type: ignore[arg-type]
    truth: list[bool] = []
    shares: dict[str, list[float]] = {"initial": [], "final": []}
    first = {}
    for _, i, x, label in events():
        if label is None:
            first[i] = score_of(x, len(truth))
        else:
            shares["initial"].append(first[i])
            shares["final"].append(score_of(x, len(truth)))
            truth.append(label == "b")
    check(run, truth, shares, "one")


def scored_logs() -> tuple[pa.Table, pa.Table, list[bool], dict[str, dict[str, list[float]]]]:
    """Two logs with two models, some records predicted several times, and what scikit-learn is to compare."""
    rng = np.random.default_rng(4)
    predictions, labels, said = [], [], {}
    for i in range(330):
        waits = 1 + float(rng.exponential(12))
        truth = bool(rng.random() < 0.3)
        labels.append((i + waits, i, "b" if truth else "a"))
        for model in ("one", "two"):
            times = [float(i), *sorted(i + waits * rng.random(rng.integers(0, 3)))]
            found = np.clip(np.round(0.3 * truth + 0.7 * rng.random(len(times)), 2), 0.01, 0.99).tolist()
            found = [one + 0.001 for one in found]  # none is exactly 0.5
            predictions += [(t, i, model, p) for t, p in zip(times, found, strict=True)]
            said[i, model] = found[0], found[-1]
    labels.sort()
    predictions.sort()
    shares = {
        model: {stage: [said[i, model][k] for _, i, _ in labels] for k, stage in enumerate(("initial", "final"))}
        for model in ("one", "two")
    }
    columns = dict(zip(("time", "id", "model", "score_b"), zip(*predictions, strict=True), strict=True))
    truths = dict(zip(("time", "id", "label"), zip(*labels, strict=True), strict=True))
    return pa.table(columns), pa.table(truths), [label == "b" for _, _, label in labels], shares


@pytest.mark.parametrize("chunk_size", [7, 65536])
def test_scores_of_logs_equal_scikit_learn(chunk_size: int) -> None:
    predictions, labels, truth, shares = scored_logs()
    run = pq.score_delayed(predictions, labels, bins=3, chunk_size=chunk_size, **OPTIONS)
    for model in ("one", "two"):
        check(run, truth, shares[model], model)
    assert "average_precision of b" in str(run.table())
    report = run.save_report(run.path / "report.html").read_text()
    assert "auc" in report
    run.save_figure(run.path / "figure.png")


def test_a_killed_run_with_scores_resumes_to_the_same_trace(tmp_path: Path) -> None:
    table = pa.table(dict(zip(("time", "id", "x", "class"), zip(*events(), strict=True), strict=True)))
    stream = pq.from_table(table, "class", time="time", id="id", events=True)
    protocol = pq.Delayed(bins=3)
    whole = pq.evaluate(stream, "naive_bayes", protocol=protocol, **OPTIONS)

    class Stopping(type(stream)):  # type: ignore[misc]  # a class chosen here
        def chunks(self, size: int = 1024, start: int = 0) -> Any:
            for chunk in super().chunks(50, start):
                if chunk.start >= 400:
                    raise KeyboardInterrupt
                yield chunk

    cut = pq.from_table(table, "class", time="time", id="id", events=True)
    cut.__class__ = Stopping
    with pytest.raises(KeyboardInterrupt):
        pq.evaluate(
            cut,
            "naive_bayes",
            protocol=protocol,
            directory=tmp_path / "run",
            save_seconds=0,
            engine="serial",
            **OPTIONS,
        )
    again = pq.evaluate(
        stream, "naive_bayes", protocol=protocol, directory=tmp_path / "run", resume=True, engine="serial", **OPTIONS
    )
    assert again.manifest.resumed_at
    assert again.to_arrow().equals(whole.to_arrow())


def test_a_log_without_scores_is_refused_for_metrics_of_scores() -> None:
    predictions, labels, _, _ = scored_logs()
    plain = predictions.drop_columns("score_b").append_column("prediction", pa.array(["a"] * len(predictions)))
    with pytest.raises(pq.InputError, match="auc needs one score per class; there is none of a, b: scores="):
        pq.score_delayed(plain, labels, metrics="auc")
