"""Counts from a confusion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prequential.errors import ParameterError
from prequential.metrics.counts import Counts
from prequential.metrics.metric import REGISTRY


@pytest.mark.parametrize("matrix", ["abc", [[1, 2], [3]], [1, 2], 3, [[1, -0.5], [3, 4]], [[1, 2, 3, 4], [5, 6, 7, 8]]])
def test_what_is_not_a_confusion_matrix_is_refused(matrix: Any) -> None:
    with pytest.raises(ParameterError, match=r"of Counts.of_matrix must be a matrix of C x C or C x \(C \+ 1\) counts"):
        Counts.of_matrix(matrix)


def test_the_largest_class_is_the_majority_and_the_last_label_is_not_known() -> None:
    counts = Counts.of_matrix([[5, 1], [2, 4]])
    assert counts.weight == counts.n_records == 12
    assert counts.majority_hits == 6
    assert np.isnan(counts.no_change_hits)
    assert np.isnan(REGISTRY["kappa_t"](counts))


def test_a_last_column_holds_abstentions_which_count_as_wrong() -> None:
    counts = Counts.of_matrix([[5, 1, 4], [2, 4, 0]])
    assert counts.weight == 16
    assert REGISTRY["accuracy"](counts) == 9 / 16


def test_the_shares_of_labels_are_those_of_the_last_checkpoint_under_the_longest_forgetting() -> None:
    first, second = [[9.0, 0.0], [0.0, 1.0]], [[2.0, 1.0], [1.0, 0.0]]
    later, window = [[5.0, 1.0], [8.0, 6.0]], [[1.0, 0.0], [0.0, 0.0]]
    counts = Counts.of_matrix([[first, second], [later, window]])  # (checkpoint, forgetting, label, prediction)
    assert counts.label_shares().tolist() == [0.3, 0.7]
