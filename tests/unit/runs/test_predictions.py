"""Tables of saved predictions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import prequential as pq
from prequential.protocols import setting
from prequential.runs.predictions import join_predictions, predictions_table
from prequential.streams.chunk import Chunk


def table_of(classes: tuple[str, ...], y: list[int], scores: list[list[float]], start: int = 0) -> pa.Table:
    chunk = Chunk(pq.Schema.numeric(1, classes), start, np.zeros((len(y), 1)), np.array(y))
    return predictions_table(setting.Tested(chunk, np.array(scores)))


def test_a_class_that_the_learner_does_not_know_yet_has_score_0() -> None:
    table = table_of(("a", "b", "c"), [2, 0], [[0.2, 0.8], [0.9, 0.1]], start=7)
    assert table.to_pydict() == {
        "record": [7, 8],
        "label": ["c", "a"],
        "prediction": ["b", "a"],
        "score_a": [0.2, 0.9],
        "score_b": [0.8, 0.1],
        "score_c": [0.0, 0.0],
    }


def test_scores_that_are_not_finite_or_all_0_are_no_prediction() -> None:
    scores = [[0.0, 0.0], [np.nan, 1.0], [np.inf, 0.0], [0.0, 0.1]]
    table = table_of(("a", "b"), [0, 0, -1, 1], scores)
    assert table["prediction"].to_pylist() == [None, None, None, "b"]
    assert table["label"].to_pylist() == ["a", "a", None, "b"]


def test_a_class_that_appears_late_has_score_0_before() -> None:
    first = table_of(("a", "b"), [0], [[0.5, 0.5]])
    later = table_of(("a", "b", "c"), [2], [[0.1, 0.2, 0.7]], start=1)
    table = join_predictions([first, later])
    assert table["record"].to_pylist() == [0, 1]
    assert table["score_c"].to_pylist() == [0.0, 0.7]
    assert table["label"].to_pylist() == ["a", "c"]
