"""The choice of a reader."""

from pathlib import Path

import pytest

from prequential.errors import InputError
from prequential.streams.readers import ArffStream, CsvStream, ParquetStream, read


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
    with pytest.raises(InputError, match=r"CsvStream has no option 'seperator'. Did you mean 'separator'\?"):
        read(path, seperator=";")
