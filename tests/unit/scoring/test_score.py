"""``score``: arrays of one learner or several, scores in several forms, and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

import prequential as pq

N = 700
RNG = np.random.default_rng(1)
Y = RNG.choice(["no", "yes"], N)
P = np.clip(np.where(Y == "yes", 0.6, 0.4) + RNG.normal(0, 0.3, N), 0.01, 0.99)
SAID = np.where(RNG.random(N) < 0.8, Y, "no")
OPTIONS: dict[str, Any] = {"metrics": ["accuracy", "auc", "log_loss"], "forgetting": ["cumulative", "sliding:700"]}


def trace(run: pq.Run, learner: str | None = None) -> list[tuple[Any, ...]]:
    """Return the rows of the trace, of one learner if it is named, without its name."""
    rows = [row for row in run.to_arrow().to_pylist() if learner in (None, row["learner"])]
    return [(row["n"], row["forgetting"], row["metric"], float(row["value"]).hex()) for row in rows]


def last(run: pq.Run, learner: str, metric: str, forgetting: str = "cumulative") -> float:
    """Return the last value."""
    rows = run.table(metrics=[metric], forgetting=[forgetting]).to_dicts()
    [value] = [row["value"] for row in rows if row["learner"] == learner]
    return float(value)


def test_one_probability_per_record_is_that_of_the_second_class() -> None:
    run = pq.score(Y, y_score=P, **OPTIONS)
    assert trace(run) == trace(pq.score(Y, y_score=np.column_stack([1 - P, P]), **OPTIONS))
    assert last(run, "predictions", "auc", "sliding:700") == pytest.approx(roc_auc_score(Y == "yes", P), abs=1e-12)
    assert last(run, "predictions", "log_loss") == pytest.approx(log_loss(Y, np.column_stack([1 - P, P])), abs=1e-12)
    assert last(run, "predictions", "accuracy") == accuracy_score(Y, np.where(P > 0.5, "yes", "no"))
    for series in (pd.Series(P), pl.Series(P), P.tolist(), pa.array(P)):
        assert trace(pq.score(Y, y_score=series, **OPTIONS)) == trace(run)
    turned = pq.score(Y, y_score=1 - P, classes=["yes", "no"], metrics="accuracy", forgetting="cumulative")
    assert last(turned, "predictions", "accuracy") == last(run, "predictions", "accuracy")


def test_a_missing_probability_is_an_abstention() -> None:
    run = pq.score(["a", "b"], y_score=[np.nan, 0.9], metrics="accuracy", forgetting="cumulative")
    assert run.manifest.learners["predictions"].n_abstained == 1
    assert last(run, "predictions", "accuracy") == 0.5


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        (
            ["a", "b"],
            [0.2, 1.5],
            r"probabilities of the class 'b', from 0 to 1, .* record 1 has a number outside 0 to 1. Got 1.5",
        ),
        (["a", "b"], [-3.0, 0.5], r"record 0 has a number outside 0 to 1. Got -3.0 instead"),
        (["a", "b", "c"], [0.1, 0.2, 0.3], r"3 classes \(a, b, c\); one probability per record is enough for two"),
        (["a", "a"], [0.1, 0.2], r"set classes= if some of them do not appear"),
        (["a", "b"], [[0.1], [0.2]], r"a matrix with one column for each of the 2 classes"),
        (["a", "b"], [0.5, 0.5, 0.5], r"one row for each of the 2 labels. Got \(3,\) instead"),
        (["a", "b"], 0.5, r"one row for each of the 2 labels"),
    ],
)
def test_scores_of_another_shape_or_range_are_refused(labels: list[str], scores: Any, message: str) -> None:
    with pytest.raises(pq.ParameterError, match=rf"The 'y_score' parameter of score must be .*{message}"):
        pq.score(labels, y_score=scores)
    with pytest.raises(pq.ParameterError, match=r"The \"y_score\['m'\]\" parameter of score must be "):
        pq.score(labels, y_score={"m": scores})


def test_the_columns_of_a_data_frame_of_scores_are_matched_by_name() -> None:
    """A data frame whose columns are in another order must not be read by position."""
    expected = trace(pq.score(Y, y_score=P, **OPTIONS))
    frame = pd.DataFrame({"yes": P, "no": 1 - P})
    for scores in (frame, pl.DataFrame({"yes": P, "no": 1 - P}), pa.table({"yes": P, "no": 1 - P})):
        assert trace(pq.score(Y, y_score=scores, **OPTIONS)) == expected
    numbered = pd.DataFrame(np.column_stack([1 - P, P]))
    assert trace(pq.score(Y, y_score=numbered, **OPTIONS)) == expected, "columns without names"
    third = pq.score(Y, y_score=frame.assign(perhaps=0.0), metrics="accuracy")
    assert third.manifest.schema["classes"] == ["no", "perhaps", "yes"]
    with pytest.raises(pq.InputError, match=r"columns of y_score are yes, and the classes no, yes"):
        pq.score(Y, y_score=frame[["yes"]])
    with pytest.raises(pq.InputError, match=r"none of the predicted values .p, q. is among the labels"):
        pq.score(Y, y_score=frame.rename(columns={"yes": "p", "no": "q"}))
    with pytest.raises(pq.InputError, match=r"columns of y_score\): 'perhaps' is not among the classes"):
        pq.score(Y, y_score=frame.assign(perhaps=0.0), classes=["no", "yes"])


def test_numbers_in_the_names_of_columns_are_classes_if_they_are_labels() -> None:
    labels = [1, 2, 1]
    frame = pd.DataFrame({2: [0.1, 0.9, 0.2], 1: [0.9, 0.1, 0.8]})
    assert last(pq.score(labels, y_score=frame, forgetting="cumulative"), "predictions", "accuracy") == 1.0


def test_several_learners_are_scored_as_each_alone() -> None:
    weight, time = RNG.random(N), np.arange(N) / 2.0
    more = {**OPTIONS, "weight": weight, "time": time, "every": 100}
    scores = {"first": P, "second": np.column_stack([P, 1 - P]), "third": 1 - P}
    run = pq.score(Y, {"first": SAID}, scores, **more)
    assert run.learners == ["first", "second", "third"]
    assert run.manifest.n_records == N
    assert run.manifest.n_expected == N
    for name, one in scores.items():
        alone = pq.score(Y, SAID if name == "first" else None, one, **more)
        assert trace(run, name) == trace(alone)


def test_several_learners_can_be_compared_as_in_an_evaluation() -> None:
    """Pairs are counted as ``evaluate`` counts them: the predictions of its learners, scored, compare the same."""
    stream = pq.streams.SEA(seed=1).take(2000)
    run = pq.evaluate(stream, ["naive_bayes", "no_change"], predictions=True)
    labels = stream.to_arrow()["class"].to_pylist()
    said = {name: run.predictions(name)["prediction"].to_pylist() for name in run.learners}
    scored = pq.score(labels, said)
    assert scored.manifest.kept["pairs"]
    expected, found = (pq.compare(one, "naive_bayes", "no_change") for one in (run, scored))
    assert str(found.trace.table.to_pydict()) == str(expected.trace.table.to_pydict())
    assert found.conclusion == expected.conclusion


def test_pairs_are_counted_on_request_only_for_many_learners_or_not_at_all() -> None:
    many = {f"m{i}": SAID for i in range(9)}
    assert not pq.score(Y, many, metrics="accuracy").manifest.kept["pairs"]
    assert pq.score(Y, many, metrics="accuracy", pairs=True).manifest.kept["pairs"]
    assert not pq.score(Y, {"a": SAID, "b": SAID}, pairs=False).manifest.kept["pairs"]
    assert not pq.score([0.5, 0.7], {"a": [0.5, 0.6], "b": [0.4, 0.7]}).manifest.kept["pairs"], "numbers"


def test_the_classes_of_several_learners_are_those_of_all() -> None:
    run = pq.score(["a", "b", "a"], {"one": ["a", "b", "c"], "two": ["a", "d", "a"]}, metrics="accuracy")
    assert last(run, "one", "accuracy") == last(run, "two", "accuracy") == pytest.approx(2 / 3)
    with pytest.raises(pq.InputError, match=r"two: none of the predicted values \(x, y\) is among the labels"):
        pq.score(["a", "b"], {"one": ["a", "b"], "two": ["x", "y"]})


def test_several_learners_predict_numbers() -> None:
    run = pq.score([0.5, 1.5], {"one": [0.5, 1.0], "two": [1.5, 1.5]}, metrics="mae", forgetting="cumulative")
    assert (last(run, "one", "mae"), last(run, "two", "mae")) == (0.25, 0.5)


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_several_learners_run_on_every_engine(engine: Any) -> None:
    given: dict[str, Any] = {**OPTIONS, "every": 100}
    scores = {"first": P, "second": 1 - P}
    run = pq.score(Y, y_score=scores, engine=engine, workers=2, **given)
    assert trace(run) == trace(pq.score(Y, y_score=scores, engine="serial", **given))


def test_a_run_of_several_learners_resumes_only_with_the_same_predictions(tmp_path: Path) -> None:
    pq.score(Y, {"a": SAID, "b": Y}, directory=tmp_path / "run")
    pq.score(Y, {"a": SAID, "b": Y}, directory=tmp_path / "run", resume=True)
    with pytest.raises(pq.InputError, match="learners"):
        pq.score(Y, {"a": Y, "b": SAID}, directory=tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((Y, None, None), "'y_pred' parameter of score must be given if 'y_score' is not"),
        ((["a", "b"], None, None), "'y_pred' parameter of score must be given if 'y_score' is not"),
        ((Y, {}, None), "the predictions of at least one learner"),
        ((Y, {"a": Y}, P), "'y_score' parameter of score must be a mapping from learners, like the other one"),
        ((Y, Y, {"a": P}), "'y_pred' parameter of score must be a mapping from learners"),
        ((Y, {"a": Y, "b": None}, None), r"\"y_pred\['b'\]\" parameter of score must be given if 'y_score' is not"),
        ((Y, {"a": "yes"}, None), r"\"y_pred\['a'\]\" parameter of score must be a list or array with one label"),
        ((Y, {"a": Y[:5]}, None), r"\"y_pred\['a'\]\" parameter of score must be one row for each of the 700 labels"),
        (("predictions.csv", Y, None), "'y_true' parameter of score must be a list or array with one label per record"),
    ],
)
def test_arrays_that_do_not_fit_are_named(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(pq.ParameterError, match=message):
        pq.score(*given)


def test_metrics_of_scores_name_the_learner_without_them() -> None:
    with pytest.raises(pq.InputError, match=r"^b: auc needs one score per class: y_score=…"):
        pq.score(Y, {"a": SAID, "b": SAID}, {"a": P}, metrics="auc")


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    table = pa.table({"label": Y, "prediction": SAID, "score_yes": P, "score_no": 1 - P})
    pa.csv.write_csv(table, tmp_path / "one.csv")
    pa.parquet.write_table(table.slice(100), tmp_path / "two.parquet")
    return [tmp_path / "one.csv", tmp_path / "two.parquet"]


def test_files_are_scored_as_arrays(paths: list[Path]) -> None:
    expected = {
        "one": trace(pq.score(Y, SAID, P, every=1000, **OPTIONS)),
        "two": trace(pq.score(Y[100:], SAID[100:], P[100:], every=1000, **OPTIONS)),
    }
    sources: list[Any] = [paths, list(map(str, paths)), tuple(paths), {"one": paths[0], "two": str(paths[1])}]
    for given in sources:
        run = pq.score(given, every=1000, **OPTIONS)
        assert {name: trace(run, name) for name in run.learners} == expected
        assert not run.manifest.kept["pairs"], "each file has its own records"
    for single in (paths[0], str(paths[0]), [paths[0]]):
        assert trace(pq.score(single, every=1000, **OPTIONS)) == expected["one"]


def test_files_are_named_after_their_learners(paths: list[Path]) -> None:
    assert pq.score({"b": paths[1], "a": paths[0]}).learners == ["b", "a"]
    assert pq.score(paths[0], name="mine").learners == ["mine"]
    assert pq.score([paths[0], paths[0]]).learners == ["one", "one-2"]
    with pytest.raises(pq.ParameterError, match="'name' parameter of score must be left out if there are several"):
        pq.score(paths, name="mine")


def test_columns_of_files_are_named_by_keywords(tmp_path: Path) -> None:
    table = pa.table({"truth": Y, "guess": SAID, "p": P, "w": np.arange(N, dtype=float), "when": np.arange(N)})
    pa.parquet.write_table(table, tmp_path / "p.parquet")
    columns: dict[str, Any] = {"label": "truth", "prediction": "guess", "scores": {"yes": "p"}}
    run = pq.score(tmp_path / "p.parquet", **columns, weight="w", time="when", **OPTIONS)
    assert trace(run) == trace(pq.score(Y, SAID, P, weight=np.arange(N), time=np.arange(N), **OPTIONS))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": [1.0, 2.0]}, "'weight' parameter of score must be the name of a column of the files"),
        ({"time": np.arange(3)}, "'time' parameter of score must be the name of a column"),
        ({"label": 5}, "'label' parameter of score must be the name of a column"),
        ({"pairs": True}, "pairs=True needs files with the same records"),
        ({"label": "lable"}, "has no column 'lable' for label"),
        ({"y_scores": 5}, "score has no parameter 'y_scores'. Did you mean 'y_score'?"),
    ],
)
def test_options_that_do_not_fit_files_are_named(paths: list[Path], options: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.score(paths, **options)


@pytest.mark.parametrize(("option", "right"), [("label", "y_true"), ("prediction", "y_pred"), ("scores", "y_score")])
def test_columns_of_files_cannot_be_given_for_arrays(option: str, right: str) -> None:
    with pytest.raises(pq.InputError, match=rf"score: {option}= names columns of a file. For arrays use {right}="):
        pq.score(Y, SAID, **{option: P})  # type: ignore[arg-type]


def test_text_that_is_no_path_is_a_list_of_labels() -> None:
    run = pq.score(["a.csv", "b.csv"], ["a.csv", "a.csv"], metrics="accuracy", forgetting="cumulative")
    assert last(run, "predictions", "accuracy") == 0.5


def test_categories_of_labels_are_the_classes() -> None:
    labels = pd.Series(["b", "a"], dtype=pd.CategoricalDtype(["c", "b", "a"]))
    run = pq.score(labels, y_score=[[0.1, 0.8, 0.1], [0.2, 0.3, 0.5]], metrics="accuracy", forgetting="cumulative")
    assert last(run, "predictions", "accuracy") == 1.0
