from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import prequential as pq
from prequential.evaluation import recorder
from prequential.runs.directory import RunDirectory
from prequential.runs.predictions import join_predictions

METRICS = ["accuracy", "log_loss", "brier"]


def pairs() -> Iterator[tuple[dict[str, float], str]]:
    """Yield records of two classes; a third class appears late."""
    rng = np.random.default_rng(3)
    for i in range(3000):
        label = "abc"[rng.integers(3 if i >= 1500 else 2)]
        yield {"x": float(rng.normal("abc".index(label)))}, label


@pytest.mark.parametrize("chunk_size", [100, 1000, 3000])
@pytest.mark.parametrize("n_waiting", [100, 1 << 18])
def test_saved_predictions_with_a_late_class_have_the_same_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk_size: int, n_waiting: int
) -> None:
    monkeypatch.setattr(recorder, "_MOST_WAITING", n_waiting)  # in many parts, or in one
    options: dict[str, Any] = {"metrics": METRICS, "forgetting": ["cumulative"], "every": 500}
    run = pq.evaluate(
        pq.from_iterable(pairs),
        [pq.learners.NaiveBayes()],
        predictions=True,
        directory=tmp_path / "run",
        chunk_size=chunk_size,
        **options,
    )
    (name,) = run.manifest.learners
    folder = run.directory.predictions_path(name)
    again = pq.score([folder], **options)
    columns = ["n", "metric", "value"]
    one, two = (r.to_arrow().select(columns).to_pandas().pivot(index="n", columns="metric") for r in (run, again))
    np.testing.assert_allclose(two.to_numpy(), one.to_numpy(), rtol=1e-12)

    table = run.predictions(name)
    assert table["record"].to_pylist() == list(range(3000))
    assert table["score_c"].null_count == 0
    pa.parquet.write_table(table.to_arrow(), tmp_path / "whole.parquet")
    whole = pq.score([tmp_path / "whole.parquet"], **options).to_arrow()
    np.testing.assert_allclose(whole["value"].to_numpy(), again.to_arrow()["value"].to_numpy(), rtol=1e-12)


def test_joined_predictions_have_zeros_for_classes_not_yet_known_and_keep_nan() -> None:
    nan = float("nan")
    one = pa.table({"record": [0, 1], "score_a": [1.0, nan]})
    two = pa.table({"record": [2], "score_a": [0.5], "score_b": [nan]})
    joined = join_predictions([one, two])
    np.testing.assert_array_equal(joined["score_a"].to_numpy(), [1.0, nan, 0.5])
    np.testing.assert_array_equal(joined["score_b"].to_numpy(), [0.0, 0.0, nan])
    assert joined["score_b"].null_count == 0


NAMES = ["naive_bayes", "a:b", "a?b", "a_b", "a b", "a/b", "a%3Ab", ".", "..", "...", "../x", "κ", "%2E", "v1.0"]


def test_every_learner_has_its_own_folder_within_the_run(tmp_path: Path) -> None:
    home = RunDirectory.create(tmp_path / "run")
    for i, name in enumerate(NAMES):
        home.append_predictions(name, pa.table({"record": [i]}))
    for i, name in enumerate(NAMES):
        folder = home.predictions_path(name)
        assert folder.resolve().parent == (home.path / "predictions").resolve()
        assert unquote(folder.name) == name
        assert home.predictions(name)["record"].to_pylist() == [i]


def test_plain_names_are_unchanged(tmp_path: Path) -> None:
    assert RunDirectory(tmp_path).predictions_path("naive_bayes") == tmp_path / "predictions" / "naive_bayes"


def test_a_scored_folder_has_the_name_of_its_learner(tmp_path: Path) -> None:
    home = RunDirectory.create(tmp_path / "run")
    home.append_predictions("a:b 1.5", pa.table({"label": ["x", "y"], "prediction": ["x", "x"]}))
    run = pq.score([home.predictions_path("a:b 1.5")], metrics=["accuracy"])
    assert list(run.manifest.learners) == ["a:b 1.5"]
