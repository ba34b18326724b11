"""The number of records between checkpoints, chosen from the length of the stream."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import prequential as pq
from prequential.evaluation.checkpoints import round_number

ONE: dict[str, Any] = {"metrics": "accuracy", "forgetting": "cumulative"}


def sea(n: int) -> pq.Stream:
    return pq.streams.SEA(seed=1).take(n)


def interrupt(home: Path) -> None:
    """Turn the directory of a complete run into that of one that was interrupted before its first save point."""
    path = home / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "status": "interrupted"}), encoding="utf-8")
    assert pq.load(home).status == "interrupted"


def checkpoints(run: pq.Run) -> list[int]:
    return sorted(set(run.to_arrow()["n"].to_pylist()))


@pytest.mark.parametrize(("n", "every"), [(100, 1), (1000, 5), (2500, 10), (5000, 20), (20_000, 100)])
def test_about_two_hundred_checkpoints_at_round_numbers(n: int, every: int) -> None:
    run = pq.evaluate(sea(n), "majority_class", **ONE)
    assert run.manifest.every == every
    assert checkpoints(run) == list(range(every, n + 1, every))
    assert run.to_arrow().equals(pq.evaluate(sea(n), "majority_class", every=every, **ONE).to_arrow())


def test_the_number_of_checkpoints_is_within_a_factor_of_the_target_for_every_length() -> None:
    lengths = np.unique(np.geomspace(200, 1e9, 5000).astype(int))
    every = [round_number(n / 200) for n in lengths]
    counts = lengths / every
    assert counts.min() >= 200 / 1.6
    assert counts.max() <= 200 * 1.6
    assert all(str(one).rstrip("0") in ("1", "2", "5") for one in every)
    assert all(a <= b for a, b in itertools.pairwise(every))


def test_without_a_length_and_for_holdout_it_is_a_thousand() -> None:
    rows = ((x, y) for x, y in sea(2500))
    assert pq.evaluate(rows, "majority_class", **ONE).manifest.every == 1000
    run = pq.evaluate(sea(2500), "majority_class", protocol=pq.Holdout(share=0.2), metrics="accuracy")
    assert run.manifest.every == 1000
    assert checkpoints(run) == [1000, 2000, 2500]


def test_predictions_and_labels_that_come_late_count() -> None:
    y = ["a", "b"] * 500
    assert pq.score(y, y, **ONE).manifest.every == 5
    assert pq.score(y, y, every=300, **ONE).manifest.every == 300
    ids = np.arange(1000)
    predictions = pd.DataFrame({"id": ids, "time": ids, "prediction": y})
    labels = pd.DataFrame({"id": ids[:200], "time": ids[:200] + 5, "label": y[:200]})
    assert pq.score_delayed(predictions, labels, bins=2, **ONE).manifest.every == 1  # 200 labels


@pytest.mark.filterwarnings("ignore::prequential.evaluation.saving.NotResumableWarning")  # no save point is left
def test_a_resumed_run_keeps_its_number(tmp_path: Path) -> None:
    stream, home = sea(3000), tmp_path / "run"
    whole = pq.evaluate(stream, "naive_bayes", every=1000, directory=tmp_path / "whole", **ONE)
    pq.evaluate(stream, "naive_bayes", every=1000, directory=home, **ONE)
    interrupt(home)
    run = pq.evaluate(stream, "naive_bayes", directory=home, resume=True, **ONE)
    assert run.status == "complete"
    assert run.manifest.every == 1000
    assert run.to_arrow().equals(whole.to_arrow())
    with pytest.raises(pq.InputError, match="every: 1000 then, 500 now"):
        pq.evaluate(stream, "naive_bayes", directory=home, resume=True, every=500, **ONE)


@pytest.mark.filterwarnings("ignore::prequential.evaluation.saving.NotResumableWarning")  # no save point is left
def test_a_plan_chooses_it(tmp_path: Path) -> None:
    plan = pq.Plan(
        {"stream": {"type": "SEA", "n": 1000}, "learner": [{"type": "naive_bayes"}], "metrics": ["accuracy"]}
    )
    assert plan.run(progress=False).manifest.every == 5
    home = tmp_path / "run"
    pq.Plan({**plan.data, "every": 100}).run(directory=home, progress=False)
    interrupt(home)
    assert plan.run(directory=home, resume=True, progress=False).manifest.every == 100
