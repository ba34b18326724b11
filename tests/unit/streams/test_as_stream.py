"""One look-up for every source of records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from river import datasets
from river.datasets import synth

import prequential as pq

STREAM = pq.streams.SEA(seed=2).take(200)  # its first record is of the first class: tied scores pick the first class
FRAME = STREAM.to_pandas()
X, Y = FRAME[["attrib1", "attrib2", "attrib3"]], FRAME["class"]


def accuracies(run: pq.Run) -> list[float]:
    """Return the trace of accuracies."""
    return [row["value"] for row in run.to_arrow().to_pylist()]


def evaluated(source: Any, **options: Any) -> list[float]:
    """Return the trace of a source; it must be that of the stream."""
    run = pq.evaluate(source, "naive_bayes", metrics="accuracy", forgetting="cumulative", every=50, **options)
    return accuracies(run)


FIRST = FRAME[["class", "attrib1", "attrib2", "attrib3"]]  # the target is not the last column
SOURCES: dict[str, tuple[Any, dict[str, Any]]] = {
    "stream": (STREAM, {}),
    "stream, and its own target": (STREAM, {"target": "class"}),
    "pandas": (FIRST, {"target": "class"}),
    "polars": (pl.DataFrame(pa.Table.from_pandas(FIRST)), {"target": "class"}),
    "arrow": (pa.Table.from_pandas(FIRST), {"target": "class"}),
    "record batch": (pa.RecordBatch.from_pandas(FIRST), {"target": "class"}),
    "data frame and series": ((X, Y), {}),
    "arrays": ((X.to_numpy(), Y.to_numpy()), {}),
    "lists": ((X.to_numpy().tolist(), Y.tolist()), {}),
    "records": (list(STREAM), {}),
    "two records": (tuple(STREAM.take(2)), {}),
    "iterator": (iter(STREAM), {}),
    "function": (lambda: iter(STREAM), {}),
}


@pytest.mark.parametrize("what", SOURCES)
def test_every_source_gives_the_same_evaluation(what: str) -> None:
    source, options = SOURCES[what]
    expected = evaluated(STREAM.take(2) if what == "two records" else STREAM)
    assert evaluated(source, **options) == expected


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_read(kind: type, tmp_path: Path) -> None:
    FIRST.to_csv(tmp_path / "sea.csv", index=False)
    assert evaluated(kind(tmp_path / "sea.csv"), target="class") == evaluated(STREAM)


def test_river_data_sets_are_read_and_its_generators_are_endless() -> None:
    phishing = pq.as_stream(datasets.Phishing())
    assert phishing.n_records == 1250
    run = pq.evaluate(datasets.Phishing(), "naive_bayes", metrics="accuracy")
    assert run.manifest.n_records == 1250
    endless = pq.as_stream(synth.SEA(seed=1))
    assert endless.endless
    assert len(list(endless.take(10))) == 10
    with pytest.raises(pq.InputError, match=r"SEA never ends. Use a part of it, such as stream.take"):
        pq.evaluate(synth.SEA(seed=1), "naive_bayes")
    assert not pq.as_stream(synth.AnomalySine(n_samples=50, n_anomalies=5)).endless


def test_detect_and_power_take_every_source() -> None:
    expected = pq.detect(STREAM, "naive_bayes", "adwin")
    found_in_frame = pq.detect(FIRST, "naive_bayes", "adwin", target="class")
    assert [one.alarms for one in found_in_frame] == [one.alarms for one in expected]
    options: dict[str, Any] = {"schemes": "cross", "noise": (), "runs": 2}
    table = pq.power(STREAM, "random_forest:n_models=2", **options).to_dicts()
    for source in (FIRST, [FIRST], {"SEA": FIRST}):
        found = pq.power(source, "random_forest:n_models=2", target="class", **options).to_dicts()
        assert [row["n_rejected"] for row in found] == [row["n_rejected"] for row in table]
    found = pq.power((X, Y), "random_forest:n_models=2", **options).to_dicts()
    assert [row["n_rejected"] for row in found] == [row["n_rejected"] for row in table]


def test_two_streams_in_a_tuple_are_two_streams() -> None:
    found = pq.power((STREAM, STREAM.take(100)), "no_change", schemes="cross", noise=(), runs=1)
    assert list(found.design.streams) == ["SEA", "SEA-2"]


def test_classes_and_task_are_set() -> None:
    assert pq.as_stream((X, Y), classes=["groupB", "groupA", "other"]).schema.classes == ("groupB", "groupA", "other")
    assert pq.as_stream(FRAME, classes=["groupB", "groupA", "other"]).schema.classes == ("groupB", "groupA", "other")
    assert pq.as_stream((np.eye(3), [0, 1, 2]), "level", task="regression").schema.classes is None
    assert pq.as_stream((np.eye(3), [0, 1, 2]), "level").schema.target == "level"


class Pairs:
    """An iterable that is neither a list nor an iterator."""

    def __iter__(self) -> Iterator[tuple[dict[str, float], str]]:
        return iter([({"x": 1.0}, "a"), ({"x": 2.0}, "b")])


def test_an_iterable_can_be_read_again() -> None:
    stream = pq.as_stream(Pairs())
    assert stream.name == "Pairs"
    assert list(stream) == list(stream)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "An object of type int cannot be read as a stream. Accepted: a stream, the path of a file, a data frame"),
        (None, "An object of type NoneType cannot be read"),
        (X.to_numpy(), r"An object of type ndarray without labels cannot be .* a tuple \(X, y\)"),
        ({"x": [1, 2]}, "An object of type dict cannot be read"),
        (({"x": 1.0}, "a"), "An object of type tuple cannot be read"),
        (pq.streams.SEA, r"SEA never ends"),
        (Y, "not a .dict of features, label. pair: 'groupA'"),
        ([1, 2], "record 0: not a .dict of features, label. pair: 1"),
        ("nowhere.csv", "nowhere.csv does not exist"),
        (pd.DataFrame({"x": [object(), object()], "y": [1, 2]}), "A column of the DataFrame cannot be converted"),
    ],
)
def test_other_objects_are_refused_with_what_is_accepted(source: Any, message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.evaluate(source, "no_change")


@pytest.mark.parametrize("options", [{"target": "attrib1"}, {"task": "regression"}, {"classes": ["a"]}])
def test_a_stream_keeps_its_schema(options: dict[str, Any]) -> None:
    message = r"SEA is a stream already, with the target 'class': target, task and classes are set where it is made"
    with pytest.raises(pq.InputError, match=message):
        pq.as_stream(STREAM, **options)


def test_a_column_that_does_not_exist_is_named() -> None:
    with pytest.raises(pq.InputError, match=r"no column 'clas' \(target=\). Did you mean 'class'\?"):
        pq.evaluate(FRAME, "no_change", target="clas")
