"""``Prequential(train_share=…, batch=…)``: which records train, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from river import naive_bayes
from support.importable_learners import Last
from twins import counts as twin
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.errors import ParameterError
from prequential.protocols.setting import Setting

N = 700


def stream(*, unlabelled: bool = False, weighted: bool = False) -> pq.Stream:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, 2))
    y = (X[:, 0] + rng.normal(size=N) > 0).astype(int)
    labels: list[Any] = [None if unlabelled and rng.random() < 0.2 else int(label) for label in y]
    weight = rng.choice([0.0, 0.5, 2.0], size=N) if weighted else None
    return pq.from_arrays(X, labels, classes=[0, 1], weight=weight)


def drawn(seed: int, i: int, share: float) -> bool:
    word = twin.philox([i, 0, 0, 0], [seed, int.from_bytes(b"TSHR")])[0]
    return twin.uniform(word) < share


def by_hand(source: pq.Stream, learner: pq.Learner, protocol: pq.Prequential, seed: int) -> list[int]:
    """Return the predictions of a plain loop, -1 for an abstention."""
    (chunk,) = source.chunks(N)
    found, block = [], []
    for i in range(N):
        block.append(i)
        if i >= protocol.pretrain:
            scores = learner.scores(chunk.X[i : i + 1])[0]
            found.append(int(scores.argmax()) if scores.sum() > 0 else -1)
        if i < protocol.pretrain or (i + 1 - protocol.pretrain) % protocol.batch == 0:
            for j in block:
                if chunk.y[j] >= 0 and (j < protocol.pretrain or drawn(seed, j, protocol.train_share)):
                    weight = None if chunk.weight is None else chunk.weight[j : j + 1]
                    learner.learn(chunk.X[j : j + 1], chunk.y[j : j + 1], weight)
            block = []
    return found


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
@pytest.mark.parametrize(
    "protocol",
    [
        pq.Prequential(train_share=0.3),
        pq.Prequential(batch=40),
        pq.Prequential(train_share=0.5, batch=33, pretrain=110),
        pq.Prequential(batch=5000),
    ],
)
@pytest.mark.parametrize("changed", [False, True])
def test_a_plain_loop_gives_the_same_predictions(protocol: pq.Prequential, chunk_size: int, changed: bool) -> None:
    source = stream(unlabelled=changed, weighted=changed)
    learners = {"native": pq.learners.NaiveBayes(), "river": naive_bayes.GaussianNB()}
    kept: Any = {"seed": 9, "chunk_size": chunk_size, "every": 100, "engine": "serial"}
    if changed:
        del learners["river"]  # it takes no weights
    run = pq.evaluate(source, learners, protocol=protocol, predictions=True, **kept)
    counted = pq.evaluate(source, learners, protocol=protocol, forgetting="sliding:60", detectors="ddm", **kept)
    native = pq.evaluate(source, learners, protocol=protocol, forgetting="sliding:60", **kept)
    for name, one in learners.items():
        expected = by_hand(source, pq.as_learner(one).fresh(source.schema, 1), protocol, 9)
        said = run.predictions(name)["prediction"].to_pylist()
        assert [-1 if one is None else int(one) for one in said] == expected
    assert native.to_arrow().equals(counted.to_arrow())
    assert len(native.to_arrow()) > 0


def test_the_sample_has_its_share_and_is_the_same_for_all_learners() -> None:
    learned: dict[str, list[int]] = {"a": [], "b": []}

    class Logging:
        def __init__(self, name: str) -> None:
            self.name = name

        def predict_one(self, x: dict[str, float]) -> int:
            return 0

        def learn_one(self, x: dict[str, float], y: int) -> None:
            learned[self.name].append(int(x["x0"]))

    source = pq.from_arrays(np.arange(5000.0).reshape(-1, 1), np.arange(5000) % 2)
    protocol = pq.Prequential(train_share=0.1)
    run = pq.evaluate(source, {"a": Logging("a"), "b": Logging("b")}, protocol=protocol, engine="serial")
    assert learned["a"] == learned["b"]
    assert abs(len(learned["a"]) - 500) < 5 * np.sqrt(5000 * 0.09)
    assert run.manifest.learners["a"].n_records == 5000
    assert run.manifest.protocol == {"protocol": "prequential", "pretrain": 0, "train_share": 0.1}


def test_all_engines_and_a_resumed_run_give_the_same(tmp_path: Path) -> None:
    learners = {"tree": "hoeffding_tree", "last": Last()}

    def evaluated(**how: Any) -> pq.Run:
        protocol = pq.Prequential(train_share=0.7, batch=64)
        return pq.evaluate(stream(), learners, protocol=protocol, every=50, chunk_size=30, **how)

    alone = evaluated(engine="serial").to_arrow()
    assert evaluated(engine="threads", workers=2).to_arrow().equals(alone)
    assert evaluated(engine="processes", workers=2).to_arrow().equals(alone)


def test_a_block_that_is_not_complete_is_saved() -> None:
    protocol = pq.Prequential(batch=100)
    setting = Setting(stream().schema, (pq.Cumulative(),), False, False, 50)
    chunks = list(stream(weighted=True).chunks(30))
    one, other = (protocol.replica(pq.as_learner("naive_bayes").fresh(stream().schema, 1), setting) for _ in range(2))
    for chunk in chunks[:5]:
        one.step(chunk)
    one.drain()
    other.restore(one.state())
    for chunk in chunks[5:]:
        one.step(chunk)
        other.step(chunk)
    found = [[c.counts.matrix.tolist() for c in replica.drain()] for replica in (one, other)]
    assert found[0] == found[1] != []


def test_a_learner_that_fails_in_a_block_has_counted_the_block() -> None:
    class Failing:
        def predict_one(self, x: dict[str, float]) -> int:
            return 0

        def learn_one(self, x: dict[str, float], y: int) -> None:
            if x["x0"] == 250:
                raise RuntimeError("no more")

    source = pq.from_arrays(np.arange(600.0).reshape(-1, 1), np.arange(600) % 2)
    message = r"failed at record 300: learning records 200 to 299 as a block: RuntimeError: no more"
    for chunk_size in (17, 600):
        with pytest.warns(pq.LearnerFailedWarning, match=message):
            run = pq.evaluate(
                source, Failing(), protocol=pq.Prequential(batch=100), chunk_size=chunk_size, engine="serial", every=80
            )
        assert sorted(set(run.to_arrow()["n"].to_pylist())) == [80, 160, 240, 300]


@pytest.mark.parametrize("share", [0, -0.1, 1.5, float("nan"), "a"])
def test_a_share_outside_its_bounds_is_refused(share: Any) -> None:
    with pytest.raises(ParameterError, match=r"'train_share' parameter of Prequential must be a number in \(0, 1\]"):
        pq.Prequential(train_share=share)


@pytest.mark.parametrize("batch", [0, -1, 2.5, "a"])
def test_a_bad_batch_is_refused(batch: Any) -> None:
    with pytest.raises(ParameterError, match="'batch' parameter of Prequential"):
        pq.Prequential(batch=batch)


def test_the_command_line_takes_both(tmp_path: Path) -> None:
    words = ["run", "SEA", "--n", "500", "-l", "naive_bayes", "--train-share", "0.2", "--batch", "50", "-q"]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    run = pq.load(tmp_path / "out")
    assert run.manifest.protocol == {"protocol": "prequential", "pretrain": 0, "train_share": 0.2, "batch": 50}
    again = pq.Plan.from_toml(tmp_path / "out" / "plan.toml").run()
    assert again.to_arrow().equals(run.to_arrow())
