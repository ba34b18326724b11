"""Pairs counted record by record: weights, missing labels, folds, invalid input."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from prequential.comparisons import PairedTrace
from prequential.comparisons.paired import FORGETFUL, WEIGHTED
from prequential.comparisons.pairs import SCHEMA, count_pairs
from prequential.errors import InputError, ParameterError


def right(n: int, share: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(n) < share


def last(trace: PairedTrace, forgetting: str = "cumulative") -> dict[str, object]:
    return next(row for row in trace.last() if row["forgetting"] == forgetting)


def test_cumulative_counts_are_always_included() -> None:
    pairs = count_pairs([1, 0], [0, 1], forgetting=["sliding:2"])
    assert set(pairs["forgetting"].to_pylist()) == {"cumulative", "sliding:2"}
    assert pairs.schema.equals(SCHEMA)


def test_a_record_without_a_label_advances_the_window_and_does_not_count() -> None:
    labelled = [1, 1, 1, 0, 0]
    pairs = count_pairs([1, 1, 0, 1, 1], [0, 1, 0, 0, 0], forgetting=["sliding:2"], every=5, labelled=labelled)
    whole, window = pairs.to_pylist()
    assert (whole["n"], whole["n_records"], whole["n_a_right"]) == (5, 3, 1)
    assert window["n_records"] <= 2
    assert whole["variance"] == pytest.approx(1 + 1 + 0.25)


def test_weighted_records_have_statistics_but_no_p_value_and_no_sequence() -> None:
    a, b = right(500, 0.8, 1), right(500, 0.7, 2)
    weight = np.random.default_rng(3).choice([0.5, 1.5], size=500)
    trace = PairedTrace.of_pairs(count_pairs(a, b, weight=weight, every=100), "A", "B")
    for row in trace.last():
        assert WEIGHTED in str(row["reason"])
        assert math.isfinite(float(str(row["mcnemar"])))
        for name in ("p_value", "low", "high", "sequence_low", "log_e_value", "anytime_p_value"):
            assert math.isnan(float(str(row[name])))


def test_weights_that_sum_to_the_number_of_records_are_still_weights() -> None:
    a, b = right(100, 0.8, 1), right(100, 0.7, 2)
    trace = PairedTrace.of_pairs(count_pairs(a, b, weight=np.tile([0.5, 1.5], 50), every=10), "A", "B")
    assert all(WEIGHTED in str(row["reason"]) for row in trace.last())


def test_a_record_of_weight_0_is_ignored() -> None:
    a, b = right(300, 0.8, 1), right(300, 0.7, 2)
    weight = (np.arange(300) % 3 != 0).astype(float)
    kept = weight > 0
    one = last(PairedTrace.of_pairs(count_pairs(a, b, weight=weight, forgetting=["cumulative"]), "A", "B"))
    other = last(PairedTrace.of_pairs(count_pairs(a[kept], b[kept], forgetting=["cumulative"]), "A", "B"))
    apart = ("n", "batch_low", "batch_high")  # one checkpoint: there are no batches
    assert {k: v for k, v in one.items() if k not in apart} == {k: v for k, v in other.items() if k not in apart}


def test_the_sequence_exists_before_the_first_weight() -> None:
    a, b = right(200, 0.8, 1), right(200, 0.7, 2)
    weight = np.where(np.arange(200) < 100, 1.0, 2.0)
    trace = PairedTrace.of_pairs(count_pairs(a, b, weight=weight, every=50), "A", "B")
    assert np.isfinite(trace.series("cumulative")["sequence_low"]).tolist() == [True, True, False, False]


def test_a_row_without_a_sequence_has_a_reason() -> None:
    trace = PairedTrace.of_pairs(count_pairs(right(100, 0.8, 1), right(100, 0.7, 2)), "A", "B")
    assert last(trace)["reason"] == ""
    assert last(trace, "sliding:1000")["reason"] == FORGETFUL


def test_learners_that_always_agree_have_p_1_with_a_reason() -> None:
    a = right(100, 0.8, 1)
    row = last(PairedTrace.of_pairs(count_pairs(a, a), "A", "B"))
    assert (row["p_value"], row["anytime_p_value"], row["mcnemar"], row["q"]) == (1, 1, 0, 0)
    assert row["reason"] == "the learners have the same loss on every record, so p = 1"


def test_learners_that_are_always_right_have_no_q() -> None:
    row = last(PairedTrace.of_pairs(count_pairs([1] * 9, [1] * 9), "A", "B"))
    assert math.isnan(float(str(row["q"])))
    assert "neither learner has any loss" in str(row["reason"])


def test_folds_are_separate_and_compared_by_the_tests_over_folds() -> None:
    parts = []
    for fold in range(8):
        pairs = count_pairs(right(400, 0.85, fold), right(400, 0.75, 100 + fold), every=100)
        parts.append(pairs.set_column(2, "fold", pa.array([fold] * len(pairs), pa.int32())))
    trace = PairedTrace.of_pairs(pa.concat_tables(parts).unify_dictionaries(), "A", "B")
    assert trace.folds == list(range(8))
    assert len(trace.last()) == 16
    signs, ranks = trace.over_folds("cumulative")
    assert signs.statistic == 8
    assert ranks.p_value == pytest.approx(2 / 256)
    alone = PairedTrace.of_pairs(parts[3], "A", "B").series("cumulative", 3)
    np.testing.assert_array_equal(trace.series("cumulative", 3)["anytime_p_value"], alone["anytime_p_value"])


def test_too_few_folds_are_refused_with_the_number_needed() -> None:
    trace = PairedTrace.of_pairs(count_pairs([1, 0], [0, 1]), "A", "B")
    with pytest.raises(InputError, match="at least 6 folds"):
        trace.over_folds("cumulative")


def test_a_pair_that_was_not_counted_is_refused_with_the_counted_pairs() -> None:
    with pytest.raises(InputError, match=r"The pair 'A' and 'C' was not counted\. Counted pairs: A and B\."):
        PairedTrace.of_pairs(count_pairs([1], [1]), "A", "C")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_pairs([1, 0], [1]), "A has 2 records, B has 1"),
        (lambda: count_pairs([], []), "There are no records"),
        (lambda: count_pairs([1], [1], forgetting=["sliding:60s"]), "sliding:60s needs the time"),
        (lambda: count_pairs([1], [1], forgetting=["slidng:60"]), "Unknown forgetting"),
    ],
)
def test_invalid_pairs_are_refused(call: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()  # type: ignore[operator]


@pytest.mark.parametrize("flags", [[0.5, 1], [[1, 0]], ["a", "b"]])
def test_invalid_truth_values_are_refused(flags: object) -> None:
    with pytest.raises(ParameterError, match="booleans"):
        count_pairs(flags, [1, 0])  # type: ignore[arg-type]


def test_windows_in_seconds_are_counted() -> None:
    pairs = count_pairs([1, 1, 1], [0, 0, 1], forgetting=["sliding:2s"], time=[0.0, 1.0, 2.5])
    assert pairs.to_pylist()[1]["n_a_right"] == 1
