"""Comparison under holdout: pairs, Q and McNemar on the test sets, against a loop record by record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import prequential as pq
from prequential.evaluation.execution import EngineName

EVERY, SHARE, N = 300, 0.25, 1000
LEARNERS = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=50", "most": "majority_class"}


def sea() -> pq.Stream:
    return pq.streams.SEA(seed=3, noise=0.1).take(N)


def wrong_by_test(name: str, *, test: pq.Stream | None) -> dict[int, list[bool]]:
    """Train and test a learner one record at a time; return by checkpoint which records of the test it got wrong."""
    (records,) = sea().chunks(N)
    model = pq.as_learner(LEARNERS[name]).fresh(sea().schema, seed=1)
    aside: list[int] = []
    found: dict[int, list[bool]] = {}
    for i in range(N):
        if test is None and int((i + 1) * SHARE) > int(i * SHARE):
            aside.append(i)
        else:
            model.learn(records.X[i : i + 1], records.y[i : i + 1])
        if (i + 1) % EVERY and i + 1 < N:
            continue
        if test is None:
            tested = [(records.X[k : k + 1], records.y[k]) for k in aside]
        else:
            tested = [(chunk.X, chunk.y[0]) for chunk in test.chunks(1)]
        found[i + 1] = [int(model.scores(X).argmax()) != y for X, y in tested]
        aside = []
    return found


def mcnemar(a: list[bool], b: list[bool]) -> float:
    only_a = sum(bool(x) and not y for x, y in zip(a, b, strict=True))
    only_b = sum(bool(y) and not x for x, y in zip(a, b, strict=True))
    away = only_a - only_b
    return away * abs(away) / (only_a + only_b) if away else 0.0


@pytest.mark.parametrize("chunk_size", [7, 250, 100_000])
@pytest.mark.parametrize("own", [False, True])
def test_learners_are_compared_on_every_test(own: bool, chunk_size: int) -> None:
    test = pq.streams.SEA(seed=9, noise=0.1).take(120) if own else None
    protocol = pq.Holdout(share=SHARE) if test is None else pq.Holdout(test=test)
    run = pq.evaluate(sea(), LEARNERS, protocol=protocol, every=EVERY, chunk_size=chunk_size)
    wrong = {name: wrong_by_test(name, test=test) for name in LEARNERS}
    for a, b in (("bayes", "tree"), ("tree", "most"), ("most", "bayes")):
        found = run.compare(a, b)
        rows = {row["n"]: row for row in found.to_arrow().to_pylist()}
        assert list(rows) == ([300, 600, 900] if test is None else [300, 600, 900, 1000])  # the last is partial
        for n, row in rows.items():
            first, second = wrong[a][n], wrong[b][n]
            assert row["forgetting"] == "holdout"
            assert row["n_records"] == len(first) == (75 if test is None else 120)
            assert row["error_a"] == np.mean(first)
            assert row["error_b"] == np.mean(second)
            assert row["q"] == pytest.approx(np.log(sum(first) / sum(second)), rel=1e-12)
            assert row["mcnemar"] == pytest.approx(mcnemar(first, second), rel=1e-12)
        assert "valid for this test alone" in found.conclusion


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_every_engine_counts_the_same_pairs(engine: EngineName) -> None:
    protocol = pq.Holdout(share=SHARE)
    serial = pq.evaluate(sea(), LEARNERS, protocol=protocol, every=EVERY)
    other = pq.evaluate(sea(), LEARNERS, protocol=protocol, every=EVERY, engine=engine, workers=2)
    first, second = (run.directory.pairs().drop_columns(["variance"]).to_pylist() for run in (serial, other))
    assert first == second
    assert len(first) == 3 * 4


def test_weights_and_missing_labels_count_as_in_the_errors(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(900, 2)), rng.integers(2, size=900)
    labels = [None if i % 7 == 0 else int(k) for i, k in enumerate(y)]
    stream = pq.from_arrays(X, labels, classes=(0, 1), weight=rng.choice([0.0, 1.0, 3.0], size=900))
    run = pq.evaluate(stream, LEARNERS, protocol=pq.Holdout(share=0.3), metrics="error", every=300)
    trace = {(row["learner"], row["n"]): row["value"] for row in run.to_arrow().to_pylist()}
    for row in run.compare("bayes", "tree").to_arrow().to_pylist():
        assert row["error_a"] == pytest.approx(trace["bayes", row["n"]], rel=1e-12)
        assert row["error_b"] == pytest.approx(trace["tree", row["n"]], rel=1e-12)
        assert np.isnan(row["p_value"])
        assert "weights" in row["reason"]
    run.save_report(tmp_path / "report.html")
    assert "holdout test at record 900" in (tmp_path / "report.html").read_text()


def test_a_learner_that_fails_does_not_stop_the_others() -> None:
    class Failing:
        def predict_one(self, x: dict[str, float]) -> str:
            return "groupA"

        def learn_one(self, x: dict[str, float], y: str) -> None:
            self.n = getattr(self, "n", 0) + 1
            if self.n > 400:
                raise RuntimeError("it broke")

    learners = {"fails": Failing(), **LEARNERS}
    with pytest.warns(pq.LearnerFailedWarning):
        run = pq.evaluate(sea(), learners, protocol=pq.Holdout(share=SHARE), every=EVERY)
    assert run.compare("bayes", "tree").to_arrow()["n"].to_pylist() == [300, 600, 900]
    assert run.compare("fails", "tree").to_arrow()["n"].to_pylist() == [300]
