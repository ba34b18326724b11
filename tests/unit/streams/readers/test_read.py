"""The choice of a reader."""

import inspect
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prequential import Holdout, evaluate
from prequential.errors import DataError, InputError, UnknownParameterError
from prequential.streams.chunk import UNLABELLED
from prequential.streams.readers import ArffStream, CsvStream, ParquetStream, from_arrays, read
from prequential.streams.schema import Schema
from prequential.streams.writers import write


@pytest.mark.parametrize(
    ("name", "reader"),
    [("a.csv", CsvStream), ("a.TSV", CsvStream), ("a.data.gz", CsvStream), ("a.arff", ArffStream)],
)
def test_the_suffix_chooses_the_reader(tmp_path: Path, name: str, reader: type) -> None:
    path = tmp_path / name
    path.write_text("x")
    assert type(read(str(path))) is reader


def test_parquet_files_are_recognised(shared_data: Path) -> None:
    stream = read(shared_data / "electricity.parquet", target="day")
    assert type(stream) is ParquetStream
    assert stream.schema.target == "day"


def test_an_unknown_suffix_lists_what_is_accepted() -> None:
    with pytest.raises(InputError, match=r"unknown suffix '.xlsx'. Accepted: .csv, .tsv"):
        read("data.xlsx")


def test_an_unknown_option_is_named_with_a_suggestion(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(UnknownParameterError, match=r"read has no parameter 'seperator'. Did you mean 'separator'\?"):
        read(path, seperator=";")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "options", "unfit", "format"),
    [
        ("a.arff", {"nominal": "x"}, "nominal", "ARFF"),
        ("a.arff", {"numeric": ["x"]}, "numeric", "ARFF"),
        ("a.arff", {"schema": Schema.numeric(1, ["a"])}, "schema", "ARFF"),
        ("a.arff.gz", {"missing": "-"}, "missing", "ARFF"),
        ("a.parquet", {"separator": ";"}, "separator", "Parquet"),
        ("a.pq", {"header": False}, "header", "Parquet"),
    ],
)
def test_an_option_of_another_format_is_refused(name: str, options: dict[str, Any], unfit: str, format: str) -> None:
    with pytest.raises(InputError, match=rf"{name}: {unfit}= does not fit {format} files. Accepted: target, .*task"):
        read(name, **options)


def test_every_option_of_a_reader_is_an_option_of_read() -> None:
    for reader in (CsvStream, ArffStream, ParquetStream):
        assert set(inspect.signature(reader).parameters) <= set(inspect.signature(read).parameters)


def file(folder: Path, name: str) -> Path:
    """Write two records with the classes b and a to a file."""
    path = folder / name
    if name.endswith("arff"):
        path.write_text("@relation r\n@attribute x numeric\n@attribute class {b, a}\n@data\n1,b\n2,a\n")
    elif name.endswith("csv"):
        path.write_text("x,class\n1,b\n2,a\n")
    elif name.endswith("written.parquet"):
        write(from_arrays([[1.0], [2.0]], ["b", "a"], feature_names=["x"]), path)
    else:
        pq.write_table(pa.table({"x": [1.0, 2.0], "class": ["b", "a"]}), path)
    return path


FORMATS = pytest.mark.parametrize("name", ["a.csv", "a.arff", "a.parquet", "written.parquet"])


@FORMATS
def test_declared_classes_have_their_codes_also_if_they_do_not_occur(tmp_path: Path, name: str) -> None:
    stream = read(file(tmp_path, name), classes=["c", "b", "a"])
    assert stream.schema.classes == ("c", "b", "a")
    assert next(stream.chunks()).y.tolist() == [1, 2]
    assert stream.describe()["options"]["classes"] == ["c", "b", "a"]  # type: ignore[index]


@FORMATS
def test_a_label_outside_the_declared_classes_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    stream = read(file(tmp_path, name), classes=["b", "c"])
    with pytest.raises(DataError, match=r"column 'class': a label outside the classes: 'a'. Accepted: b, c."):
        list(stream.chunks())


def test_declared_classes_may_be_all_that_is_known_of_the_labels(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,class\n1,?\n2,?\n")
    with pytest.raises(DataError, match=r"no labels. Accepted: a column with labels, or classes="):
        read(tmp_path / "a.csv").schema  # noqa: B018
    assert next(read(tmp_path / "a.csv", classes=["a", "b"]).chunks()).y.tolist() == [UNLABELLED, UNLABELLED]


def test_numbers_are_classes_if_classes_are_declared(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,class\n1,0.5\n2,1.5\n")
    assert read(tmp_path / "a.csv").schema.classes is None
    assert next(read(tmp_path / "a.csv", classes=[0.5, 1.5, 2.5]).chunks()).y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": "ab"}, "'classes' parameter of a reader must be a list of classes"),
        ({"classes": []}, "'classes' parameter of a reader must be a list of one or more classes, each of them once"),
        ({"classes": ["a", "a"]}, "each of them once"),
        ({"classes": ["a"], "task": "regression"}, "'task' parameter of a reader must be 'classification' or 'auto'"),
        ({"classes": ["a"], "schema": Schema.numeric(1, ["a"])}, r"classes= cannot be given with schema="),
    ],
)
def test_classes_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(file(tmp_path, "a.csv"), **options)


def test_a_test_file_with_fewer_classes_than_the_stream_can_be_read(tmp_path: Path) -> None:
    stream = from_arrays([[float(i)] for i in range(60)], ["a", "b", "c"] * 20, feature_names=["x"])
    (tmp_path / "test.csv").write_text("x,class\n1,b\n3,a\n")
    for classes in (None, stream.schema.classes):
        test = read(tmp_path / "test.csv", classes=classes)
        run = evaluate(stream, "naive_bayes", protocol=Holdout(test=test), metrics="accuracy")
        assert run.status == "complete"
