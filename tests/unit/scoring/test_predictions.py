from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet
import pytest

import prequential as pq
from prequential.errors import InputError, ParameterError
from prequential.streams.spelling import Classes
from prequential.types import LabelsLike


def final(run: pq.Run, metric: str) -> float:
    """Return the value of a metric at the last checkpoint."""
    rows = [row for row in run.to_arrow().to_pylist() if row["metric"] == metric]
    return float(rows[-1]["value"])


def accuracy(y: LabelsLike, prediction: LabelsLike, **options: Any) -> float:
    run = pq.score(y, prediction, metrics=["accuracy"], forgetting=["cumulative"], **options)
    return final(run, "accuracy")


def file_accuracy(path: Path, text: str, **options: Any) -> float:
    path.write_text(text)
    return final(pq.score([path], metrics=["accuracy"], forgetting=["cumulative"], **options), "accuracy")


# Spellings


@pytest.mark.parametrize(
    ("labels", "predictions"),
    [
        (["0", "1", "1"], ["0.0", "1.0", "0.0"]),
        (["0.0", "1.0", "1.0"], ["0", "1", "0"]),
        (["True", "False", "False"], ["true", "false", "true"]),
        (["-1", "1", "1"], ["-1.0", "1.0", "-1.0"]),
    ],
)
def test_a_file_may_spell_predictions_and_labels_differently(
    tmp_path: Path, labels: list[str], predictions: list[str]
) -> None:
    rows = "".join(f"{a},{b}\n" for a, b in zip(labels, predictions, strict=True))
    assert file_accuracy(tmp_path / "p.csv", f"label,prediction\n{rows}") == pytest.approx(2 / 3)


def test_the_name_of_a_class_is_the_spelling_of_the_labels(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,prediction,score_0.0,score_1.0\n0,0.0,0.9,0.1\n1,1.0,0.2,0.8\n")
    run = pq.score([tmp_path / "p.csv"], metrics=["accuracy", "brier"], forgetting=["cumulative"])
    assert run.manifest.schema["classes"] == ["0", "1"]
    assert final(run, "brier") == pytest.approx((0.02 + 0.08) / 2)


def test_text_that_is_not_a_whole_number_is_unchanged() -> None:
    assert Classes(["1", "01", "1.5", "1.50", "a.0", "v1.0"]).values == ["1", "01", "1.5", "1.50", "a.0", "v1.0"]


def test_declared_classes_may_differ_only_in_spelling() -> None:
    classes = Classes(["True", "true"], declared=True)
    assert classes.codes(["true", "True", True], "here").tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("y", "prediction"),
    [
        (["0", "1", "1"], [0, 1, 0]),
        ([0, 1, 1], ["0.0", "1.0", "0.0"]),
        (np.array([0, 1, 1]), np.array([0.0, 1.0, 0.0])),
        ([True, False, False], ["true", "false", "true"]),
        ([True, False, False], [1, 0, 1]),
        (np.array([True, False, False]), np.array([1.0, 0.0, 1.0])),
    ],
)
def test_arrays_may_spell_predictions_and_labels_differently(y: npt.ArrayLike, prediction: npt.ArrayLike) -> None:
    assert accuracy(y, prediction) == pytest.approx(2 / 3)
    run = pq.score(y, prediction, metrics=["accuracy"])
    assert len(run.manifest.schema["classes"]) == 2


def test_declared_classes_find_labels_and_predictions_by_their_text() -> None:
    assert accuracy([0, 1, 1], [0.0, 1.0, 0.0], classes=["0", "1", "2"]) == pytest.approx(2 / 3)


def test_arrays_of_text_and_numbers_are_scored() -> None:
    mixed = np.array(["a", 1, 1], dtype=object)
    assert accuracy(mixed, np.array(["a", 1, "a"], dtype=object)) == pytest.approx(2 / 3)
    assert accuracy(mixed, ["a", "1", "a"], classes=["a", 1]) == pytest.approx(2 / 3)


def test_predictions_with_no_label_among_them_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"predicted values \(x, y\) .* labels \(a, b\)"):
        pq.score(["a", "b"], ["x", "y"])
    with pytest.raises(InputError, match=r"p.csv: .* predicted values \(x, y\) .* labels \(a, b\)"):
        file_accuracy(tmp_path / "p.csv", "label,prediction\na,x\nb,y\n")
    with pytest.raises(InputError, match=r"predicted values \(0, 1\) .* labels \(a, b\)"):
        file_accuracy(tmp_path / "p.csv", "label,score_0,score_1\na,0.5,0.5\nb,0.5,0.5\n")


def test_predictions_with_no_label_among_them_are_wrong_if_classes_are_declared(tmp_path: Path) -> None:
    classes = ["a", "b", "x", "y"]
    assert accuracy(["a", "b"], ["x", "y"], classes=classes) == 0
    assert file_accuracy(tmp_path / "p.csv", "label,prediction\na,x\nb,y\n", classes=classes) == 0


def test_a_file_with_only_wrong_predictions_is_scored_if_its_columns_name_the_classes(tmp_path: Path) -> None:
    assert file_accuracy(tmp_path / "p.csv", "label,prediction,score_a,score_b\na,b,0.1,0.9\n") == 0


def test_values_outside_the_declared_classes_are_refused() -> None:
    with pytest.raises(InputError, match=r"'c' is not among the classes\. Accepted: a, b"):
        pq.score(["a", "b"], ["a", "c"], classes=["a", "b"])
    with pytest.raises(InputError, match=r"'c' is not among the classes\. Accepted: a, b"):
        pq.score(["a", "c"], ["a", "b"], classes=["a", "b"])


def test_two_columns_of_scores_for_one_class_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two columns have the scores of one class"):
        file_accuracy(tmp_path / "p.csv", "label,score_0,score_1,score_1.0\n0,1,0,0\n1,1,0,0\n")


def test_a_column_with_two_roles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("label,prediction,score_a,score_b,time\na,b,0.1,0.9,1\nb,b,0.2,0.8,2\n")
    for options, message in (
        ({"prediction": "label"}, r"column 'label' .*: label \(--label\) and prediction \(--prediction\)"),
        ({"prediction": "time"}, r"column 'time' .*: prediction \(--prediction\) and time \(--time\)"),
        ({"weight": "score_b"}, r"column 'score_b' .*: weight \(--weight\) and scores \(--score\)"),
    ):
        with pytest.raises(InputError, match=rf"p\.csv: {message}"):
            pq.score(path, **options)  # type: ignore[arg-type]  # of several types


def test_a_column_that_does_not_exist_is_named_with_its_role(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,prediction\na,b\nb,b\n")
    with pytest.raises(InputError, match=r"no column 'predicton' for prediction .* Did you mean 'prediction'\?"):
        pq.score(tmp_path / "p.csv", prediction="predicton")


# Missing values


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_a_missing_label_is_not_a_class(missing: object) -> None:
    run = pq.score(["a", missing, "b"], ["a", "a", "a"], metrics=["accuracy"], forgetting=["cumulative"])
    assert run.manifest.schema["classes"] == ["a", "b"]
    assert final(run, "accuracy") == 0.5
    assert run.manifest.learners["predictions"].n_unlabelled == 1


@pytest.mark.parametrize("classes", [None, ["a", "b"]])
def test_a_missing_prediction_is_an_abstention(classes: list[str] | None) -> None:
    assert accuracy(["a", "b"], ["a", None], classes=classes) == 0.5
    assert accuracy(["a", "b"], [None, np.nan], classes=classes) == 0


# Regression


def test_regression_takes_one_number_per_label() -> None:
    y = np.linspace(0.0, 1.0, 10)
    for scores in (y + 1, (y + 1)[:, np.newaxis]):
        run = pq.score(y, y_score=scores, metrics=["mae"], forgetting=["cumulative"])
        assert final(run, "mae") == pytest.approx(1)
    run = pq.score(y, y + 1, metrics=["mae"], forgetting=["cumulative"])
    assert final(run, "mae") == pytest.approx(1)


@pytest.mark.parametrize("shape", [(5, 2), (10, 2), (9,), (1, 10), (10, 1, 1)])
def test_regression_scores_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match=r"'y_score' .* one number for each of the 10 labels"):
        pq.score(np.linspace(0.0, 1.0, 10), y_score=np.zeros(shape))


@pytest.mark.parametrize("y", [["a", "b", "a"], [0.1, 0.2, 0.3]])
def test_predictions_of_another_length_are_refused(y: list[object]) -> None:
    with pytest.raises(ParameterError, match="'y_pred'"):
        pq.score(y, y[:2])


# Parts


def test_a_class_without_scores_in_some_part_scores_zero_there(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    one = {"score_a": [1.0, float("nan")], "label": ["a", "b"], "score_b": [0.0, 0.5], "time": [0.0, 1.0]}
    two = {"score_a": [0.25], "label": ["c"], "score_b": [0.25], "score_c": [0.5], "time": [2.0]}
    for i, part in enumerate([one, two, two]):
        pa.parquet.write_table(pa.table(part), parts / f"{i}.parquet")
    run = pq.score([parts], metrics=["accuracy", "brier"], forgetting=["cumulative"])
    assert final(run, "accuracy") == pytest.approx(3 / 4)
    assert run.manifest.learners["parts"].n_nonfinite == 1


def test_parts_that_differ_in_other_columns_than_scores_are_refused(tmp_path: Path) -> None:
    pa.parquet.write_table(pa.table({"label": ["a"], "prediction": ["a"]}), tmp_path / "0.parquet")
    pa.parquet.write_table(pa.table({"label": ["a"], "guess": ["a"]}), tmp_path / "1.parquet")
    with pytest.raises(InputError, match=r"the columns differ from those of 0\.parquet"):
        pq.score([tmp_path])


def test_one_column_of_probabilities_is_enough_for_two_classes(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,score_1\n0,0.2\n1,0.7\n1,0.4\n0,0.1\n")
    run = pq.score([tmp_path / "p.csv"], metrics=["accuracy", "log_loss"], forgetting=["cumulative"])
    whole = pq.score([0, 1, 1, 0], y_score=[[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.9, 0.1]],
                     metrics=["accuracy", "log_loss"], forgetting=["cumulative"], every=4)  # fmt: skip
    np.testing.assert_allclose(run.to_arrow()["value"].to_numpy(), whole.to_arrow()["value"].to_numpy(), rtol=1e-12)
    (tmp_path / "q.csv").write_text("label,score_1\n0,0.2\n1,7\n")
    with pytest.raises(pq.DataError, match="record 1, column 'score_1': not a probability"):
        pq.score([tmp_path / "q.csv"])
    (tmp_path / "r.csv").write_text("label,score_a\na,0.2\nb,0.7\nc,0.1\n")
    with pytest.raises(pq.InputError, match="no scores for the classes b, c"):
        pq.score([tmp_path / "r.csv"])


def test_fractional_predictions_of_whole_targets_are_regression(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,prediction\n10,10.2\n12,12.1\n11,11.4\n9,9.3\n")
    for run in (pq.score([tmp_path / "p.csv"]), pq.score([10, 12, 11, 9], [10.2, 12.1, 11.4, 9.3])):
        values = dict(zip(run.to_arrow()["metric"].to_pylist(), run.to_arrow()["value"].to_pylist(), strict=True))
        assert values["mae"] == pytest.approx(0.25)


def test_predictions_that_are_all_missing_are_abstentions(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,prediction\na,\nb,\na,\n")
    run = pq.score([tmp_path / "p.csv"], metrics=["accuracy"], forgetting=["cumulative"])
    assert run.to_arrow()["value"].to_pylist() == [0.0]
    assert run.manifest.learners["p"].n_abstained == 3
