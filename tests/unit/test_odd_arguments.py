"""Arguments of a wrong type are named in the error, in every public function."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import SGDClassifier

import prequential as pq
from prequential.learners.adapters.sklearn import SklearnLearner

SEA = pq.streams.SEA
X, Y = np.zeros((3, 1)), ["a", "b", "a"]

CALLS: dict[str, Callable[[Any], object]] = {
    "epsilon of the calculator": lambda v: pq.calculators.hoeffding_n(epsilon=v, delta=0.05),
    "delta of the calculator": lambda v: pq.calculators.hoeffding_epsilon(n=10, delta=v),
    "window_size of the calculator": lambda v: pq.calculators.window_half_width(window_size=v),
    "half_width of the calculator": lambda v: pq.calculators.window_size(half_width=v),
    "alpha of the calculator": lambda v: pq.calculators.fading_reach(alpha=v, epsilon=0.1),
    "n of the calculator": lambda v: pq.calculators.fading_weight(alpha=0.9, n=v),
    "other of drift_to": lambda v: SEA().drift_to(v, at=5),
    "at of drift_to": lambda v: SEA().drift_to(SEA(), at=v),
    "width of drift_to": lambda v: SEA().drift_to(SEA(), at=5, width=v),
    "seed of drift_to": lambda v: SEA().drift_to(SEA(), at=5, seed=v),
    "real of drift_to": lambda v: SEA().drift_to(SEA(), at=5, real=v),
    "at of drift_through": lambda v: SEA().drift_through(SEA(), SEA(), at=v, width=2),
    "width of drift_through": lambda v: SEA().drift_through(SEA(), SEA(), at=5, width=v),
    "every of recurring": lambda v: SEA().recurring(SEA(), every=v),
    "other of blip": lambda v: SEA().blip(v, at=5, width=5),
    "at of blip": lambda v: SEA().blip(SEA(), at=v, width=5),
    "other of followed_by": lambda v: SEA().take(5).followed_by(v),
    "times of repeat": lambda v: SEA().take(5).repeat(v),
    "shares of interleave": lambda v: SEA().interleave(SEA(), shares=v),
    "ratio of class_ratio": lambda v: SEA().class_ratio(v),
    "changes of class_ratio": lambda v: SEA().class_ratio("1:1", changes=v),
    "width of class_ratio": lambda v: SEA().class_ratio("1:1", width=v),
    "share of label_noise": lambda v: SEA().label_noise(v),
    "deviation of feature_noise": lambda v: SEA().feature_noise(v),
    "nominal of feature_noise": lambda v: SEA().feature_noise(nominal=v),
    "share of missing": lambda v: SEA().missing(v),
    "share of sparse_labels": lambda v: SEA().sparse_labels(v),
    "n of take": lambda v: SEA().take(v),
    "n of skip": lambda v: SEA().skip(v),
    "concept of SEA": lambda v: SEA(v),
    "noise of SEA": lambda v: SEA(noise=v),
    "seed of SEA": lambda v: SEA(seed=v),
    "size of chunks": lambda v: next(SEA().chunks(v)),
    "start of chunks": lambda v: list(SEA().take(5).chunks(2, v)),
    "y_true of score": lambda v: pq.score(v, ["a"]),
    "y_pred of score": lambda v: pq.score(Y, v, y_score=X),
    "chunk_size of evaluate": lambda v: pq.evaluate(SEA().take(5), "no_change", chunk_size=v),
    "protocol of evaluate": lambda v: pq.evaluate(SEA().take(5), "no_change", protocol=v),
    "test of Holdout": lambda v: pq.Holdout(test=v),
    "learning_rate of SGD": lambda v: pq.learners.SGD(learning_rate=v),
    "n_neighbors of KNN": lambda v: pq.learners.KNN(n_neighbors=v),
    "window_size of KNN": lambda v: pq.learners.KNN(window_size=v),
    "l2 of SGD": lambda v: pq.learners.SGD(l2=v),
    "batch of SklearnLearner": lambda v: SklearnLearner(SGDClassifier(), batch=v),
    "feature_names of from_arrays": lambda v: pq.from_arrays(X, Y, feature_names=v),
    "classes of from_arrays": lambda v: pq.from_arrays(X, Y, classes=v),
    "nominal of from_arrays": lambda v: pq.from_arrays(X, Y, nominal=v),
    "classes of score": lambda v: pq.score(Y, Y, classes=v),
    "schema of a reader": lambda v: _table(schema=v),
    "better of Metric": lambda v: pq.Metric("cost", lambda counts: counts.weight, better=v),
    "compute of Metric": lambda v: pq.Metric("cost", v),
    "data of Plan": lambda v: pq.Plan(v),
}


def _table(**options: Any) -> object:
    return pq.from_table(pa.table({"x": [1.0], "y": ["a"]}), **options).schema


@pytest.mark.parametrize("value", ["text", 5j, math.nan, ("a", 1), pytest.param(-(10**400), id="-10**400")])
@pytest.mark.parametrize("what", CALLS)
def test_an_argument_of_a_wrong_type_is_named(what: str, value: Any) -> None:
    name, _, caller = what.partition(" of ")
    if isinstance(value, tuple) and name in ("y_true", "y_pred", "feature_names", "classes", "nominal"):
        pytest.skip("several values are accepted")
    if name == "protocol" and isinstance(value, str):
        pytest.skip("text is accepted")
    with pytest.raises(pq.ParameterError) as caught:
        CALLS[what](value)
    assert str(caught.value).startswith(f"The {name!r} parameter of {caller} must be")


@pytest.mark.parametrize("value", [5, None, {"a.csv": 1}, b"a.csv"])
def test_an_invalid_path_is_named(value: Any, tmp_path: Path) -> None:
    run = pq.evaluate(SEA().take(5), "no_change")
    functions: list[Callable[[Any], object]] = [
        pq.read,
        pq.load,
        pq.Plan.from_toml,
        run.save_report,
        run.save_figure,
        run.save,
        lambda v: pq.score({"a": v}),
    ]
    for function in functions:
        with pytest.raises(pq.ParameterError, match="must be a path"):
            function(value)


@pytest.mark.parametrize("part", ["target", "time", "weight", "id", "ignore", "nominal", "numeric"])
def test_an_invalid_name_of_a_column_is_named(part: str) -> None:
    for value in (5, [5]) if part in ("ignore", "nominal", "numeric") else (5,):
        with pytest.raises(pq.ParameterError, match=f"'{part}' parameter of a reader must be the name of a column"):
            _table(**{part: value})


@pytest.mark.parametrize("what", ["weight", "time"])
def test_values_that_are_not_numbers_are_refused(what: str) -> None:
    with pytest.raises(pq.InputError, match=f"{what} must be one number per record"):
        pq.from_arrays(X, Y, **{what: ["x", "y", "z"]})  # type: ignore[arg-type]
    with pytest.raises(pq.ParameterError, match="'y_score' parameter of score must be numbers"):
        pq.score(Y, y_score=[["x"], ["y"], ["z"]])


def test_tables_and_figures_name_what_the_run_does_not_have() -> None:
    run = pq.evaluate(SEA().take(5), "no_change")
    asked: list[Callable[[], object]] = [
        lambda: run.table(metrics=5),  # type: ignore[arg-type]
        lambda: run.table(forgetting=[5]),  # type: ignore[list-item]
        lambda: run.plot(5),  # type: ignore[arg-type]
    ]
    for ask in asked:
        with pytest.raises(pq.InputError, match="the run has no"):
            ask()
    with pytest.raises(pq.InputError, match="nothing to draw"):
        run.plot([])
    with pytest.raises(pq.InputError, match="must be names of metrics"):
        pq.evaluate(SEA().take(5), "no_change", metrics=[["accuracy"]])  # type: ignore[list-item]


def test_whole_numbers_may_be_written_with_an_exponent(tmp_path: Path) -> None:
    assert SEA().take(1e3).n_records == 1000
    (tmp_path / "p.csv").write_text("label,prediction\na,a\nb,a\n")
    assert pq.score(tmp_path / "p.csv").manifest.n_records == 2, "a single path is accepted"
