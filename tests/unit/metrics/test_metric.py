"""Metrics: invalid parameters are refused when a metric is made, and a class is spelt as the schema spells it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError, ParameterError
from prequential.metrics.counts import Counts
from prequential.metrics.metric import resolve
from prequential.metrics.positive import checked_positive, of_classes, positive_class
from prequential.metrics.synonyms import metric_suggestion
from prequential.streams.schema import Schema


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        ({"compute": 1}, "'compute' parameter of Metric must be a function of counts"),
        ({"needs": "nothing at all"}, "'needs' parameter of Metric must be one of"),
        ({"better": "bigger"}, "'better' parameter of Metric must be 'higher', 'lower' or None"),
        ({"sided": "sometimes"}, "'sided' parameter of Metric must be one of"),
        ({"only": "a"}, "'only' parameter of Metric must be None if there is one value for all classes"),
    ],
)
def test_invalid_parameters_are_refused_with_what_is_accepted(given: dict[str, Any], accepted: str) -> None:
    with pytest.raises(ParameterError, match=accepted):
        pq.Metric(**{"name": "mine", "compute": lambda counts: counts.weight, **given})


def test_a_class_is_spelt_as_in_the_schema_and_may_appear_later_only_in_an_open_one() -> None:
    recall = resolve(["recall[1]"], "classification")
    known = Schema.numeric(2, (0, 1))
    assert [one.column for one in of_classes(recall, known, None)] == ["recall[1]"]
    later = resolve(["recall[late]"], "classification")
    assert [one.column for one in of_classes(later, replace(known, open=True), None)] == ["recall[late]"]
    with pytest.raises(InputError, match=r"recall\[late\]: 'late' is not a class"):
        of_classes(later, known, None)


def test_the_positive_class_is_the_given_one_or_the_second_of_two() -> None:
    two, three = Schema.numeric(2, ("no", "yes")), Schema.numeric(2, ("a", "b", "c"))
    assert [positive_class(two, given) for given in (None, "no", "yes")] == ["yes", "no", "yes"]
    assert [positive_class(three, given) for given in (None, "a", "c")] == [None, "a", "c"]
    assert positive_class(Schema.numeric(2, None), None) is None


def test_a_wrong_name_is_suggested_from_any_iterable() -> None:
    assert metric_suggestion("roc_auc", iter(["accuracy", "auc"])) == " Did you mean 'auc'?"
    assert metric_suggestion("acuracy", iter(["accuracy", "auc"])) == " Did you mean 'accuracy'?"
    assert metric_suggestion("brier_score", iter(["accuracy", "auc"])) == ""


def test_a_given_positive_class_is_spelt_as_in_the_schema() -> None:
    schema = Schema.numeric(2, (0, 1))
    assert checked_positive(0, schema, "evaluate") == 0
    assert checked_positive("1", schema, "evaluate") == 1
    assert checked_positive(None, schema, "evaluate") is None
    assert checked_positive("late", replace(schema, open=True), "evaluate") == "late"
    with pytest.raises(ParameterError, match=r"'positive' parameter of evaluate must be one of the classes \(0, 1\)"):
        checked_positive("late", schema, "evaluate")
    with pytest.raises(ParameterError, match="left out for regression"):
        checked_positive(0, Schema.numeric(2, None), "evaluate")


def test_the_determinant_is_that_of_linear_algebra_and_the_numerator_of_mcc() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.integers(1, 90, size=(50, 2, 2)).astype(float)
    n = matrix.sum(axis=(1, 2))
    found = pq.as_metric("cmd")(Counts.of_matrix(matrix))
    np.testing.assert_allclose(found, np.linalg.det(matrix) / n**2, rtol=1e-9, atol=1e-14)
    shares = np.stack([matrix.sum(axis=axis) / n[:, None] for axis in (1, 2)])
    mcc = found / np.sqrt(shares.prod(axis=(0, 2)))
    np.testing.assert_allclose(pq.as_metric("mcc")(Counts.of_matrix(matrix)), mcc, rtol=1e-9)
    abstained = Counts.of_matrix([[40, 30, 50], [5, 25, 50]])
    assert pq.as_metric("cmd")(abstained) == pytest.approx(0.085 / 4)
    assert np.isnan(pq.as_metric("cmd")(Counts.of_matrix(np.eye(3))))


def test_a_metric_with_parameters_has_one_name_however_it_is_written() -> None:
    stream = pq.streams.SEA(seed=1).take(1000)
    run = pq.evaluate(
        stream, "naive_bayes", metrics=["accuracy", "normalised_accuracy:high=0.9,low=0.5"], forgetting="cumulative"
    )
    accuracy, normalised = run.to_arrow()["value"].to_pylist()[-2:]
    assert normalised == pytest.approx((accuracy - 0.5) / 0.4)
    for written in ("normalised_accuracy:0.5:0.9", "normalised_accuracy:0.5,0.9", "normalised_accuracy:low=.5,high=.9"):
        assert [row["value"] for row in run.table(metrics=written).to_dicts()] == [normalised]


def test_normalised_accuracy_by_default_is_relative_to_guessing() -> None:
    counts = Counts.of_matrix([[20, 10, 0], [5, 25, 0], [0, 20, 20]])
    assert pq.as_metric("normalised_accuracy")(counts) == pytest.approx((0.65 - 1 / 3) / (2 / 3))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("normalised_accuracy:0.9,0.5", "'high' parameter of normalised_accuracy must be above low = 0.9"),
        ("normalised_accuracy:low=2", "'low' parameter of normalised_accuracy must be"),
        ("normalised_accuracy:lo=0.5", "no parameter 'lo'. Did you mean 'low'"),
        ("cmd:3", "Unknown metric 'cmd:3'"),
    ],
)
def test_wrong_parameters_of_a_metric_are_refused(given: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pq.as_metric(given)
