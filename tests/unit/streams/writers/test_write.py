"""Streams written to files: the files, and what is refused."""

from __future__ import annotations

import gzip
import json
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.streams import SEA, Agrawal, RandomTree
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream

SUFFIXES = ("csv", "arff", "parquet")


def assert_same_records(one: Stream, other: Stream) -> None:
    found = [[np.concatenate([getattr(c, part) for c in s.chunks()]) for part in ("X", "y")] for s in (one, other)]
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("suffix", [*SUFFIXES, "pq", "csv.gz", "arff.gz"])
@pytest.mark.parametrize("generator", [SEA(seed=3), Agrawal(5), RandomTree()], ids=lambda g: g.name)
def test_a_generated_stream_is_read_back_with_its_drifts(tmp_path: Path, suffix: str, generator: Stream) -> None:
    other = type(generator)(seed=9)  # type: ignore[call-arg]  # every generator has a seed
    stream = generator.drift_to(other, at=300).drift_to(generator, at=900, width=50).take(1500)
    written = pq.write(stream, tmp_path / f"made.{suffix}")
    again = pq.read(tmp_path / f"made.{suffix}")
    assert again.schema == stream.schema
    assert again.drifts == stream.drifts == written.drifts == (Drift(300), Drift(900, 50))
    assert again.n_records == written.n_records == 1500
    assert sum(written.class_counts) == 1500
    assert_same_records(again, stream)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [f"made.{suffix}", *([f"made.{suffix}.stream.json"] if written.sidecar else [])]
    )


def test_the_csv_file_is_plain_and_the_sidecar_says_the_rest(tmp_path: Path) -> None:
    stream = pq.from_arrays(
        [[1.5, np.nan], [-0.0, 2.0]], ["b, c", "a"], classes=["b, c", "a"], feature_names=["x", "the y"], time=[1, 2]
    )
    written = pq.write(stream, tmp_path / "a.csv")
    assert written.path.read_text() == 'x,the y,time,class\n1.5,,1,"b, c"\n-0,2,2,a\n'
    assert written.sidecar == tmp_path / "a.csv.stream.json"
    sidecar = json.loads(written.sidecar.read_text())
    assert sidecar["attributes"][-1] == {"name": "class", "type": "nominal", "values": ["b, c", "a"]}
    assert (sidecar["target"], sidecar["time"], sidecar["n_records"], sidecar["format"]) == ("class", "time", 2, 1)
    assert sidecar["made_by"]["name"] == "arrays"


def test_the_arff_file_declares_values_in_order(tmp_path: Path) -> None:
    X = np.array([[0.0], [np.nan]])
    stream = pq.from_arrays(X, [1, 0], classes=[1, 0], nominal={0: ["it's", "b"]}, feature_names=["a b"], id=[7, 8])
    text = pq.write(stream, tmp_path / "a.arff").path.read_text()
    attributes = "@attribute 'a b' {'it\\'s',b}\n@attribute id string\n@attribute class {1,0}\n"
    assert text == f"@relation stream\n\n{attributes}\n@data\n'it\\'s',7,1\n?,8,0\n"
    chunk = next(pq.read(tmp_path / "a.arff").chunks())
    assert chunk.id is not None
    assert chunk.id.tolist() == [7, 8]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_columns_other_than_features_get_unused_names(tmp_path: Path, suffix: str) -> None:
    stream = pq.from_arrays([[1.0], [2.0]], [0.5, 1.5], feature_names=["time"], time=[3, 4], weight=[1, 2], target="id")
    again = pq.read(pq.write(stream, tmp_path / f"a.{suffix}").path)
    chunk = next(again.chunks())
    assert again.schema == stream.schema
    assert chunk.time is not None
    assert chunk.weight is not None
    assert (chunk.time.tolist(), chunk.weight.tolist()) == ([3, 4], [1, 2])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_regression_stream_of_few_whole_numbers_stays_one(tmp_path: Path, suffix: str) -> None:
    stream = pq.from_arrays([[1.0], [2.0], [3.0]], [1, 0, np.nan], task="regression")
    again = pq.read(pq.write(stream, tmp_path / f"a.{suffix}").path)
    assert again.schema.task == "regression"
    np.testing.assert_array_equal(next(again.chunks()).y, [1, 0, np.nan])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_stream_whose_classes_appear_late_is_closed_at_its_end(tmp_path: Path, suffix: str) -> None:
    records = [({"x": float(i), "day": "mon" if i < 5 else "tue"}, i // 4) for i in range(12)]
    written = pq.write(pq.from_iterable(iter(records)), tmp_path / f"a.{suffix}")
    again = pq.read(written.path)
    assert written.class_counts == (4, 4, 4)
    assert again.schema.classes == (0, 1, 2)
    assert not again.schema.open
    assert {f.name: f.values for f in again.schema.features} == {"x": None, "day": ("mon", "tue")}
    assert next(again.chunks()).y.tolist() == [i // 4 for i in range(12)]


def test_an_arff_file_of_a_stream_whose_classes_are_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pq.InputError, match="declares all classes and values before the first record"):
        pq.write(pq.from_iterable(iter([({"x": 1.0}, "a")])), tmp_path / "a.arff")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_options_of_the_reader_are_stronger_than_what_the_file_says(tmp_path: Path, suffix: str) -> None:
    path = pq.write(Agrawal(), tmp_path / f"a.{suffix}", n=200).path
    less = pq.read(path, ignore=["car", "age"])
    assert less.schema.classes == ("groupA", "groupB")
    assert [f.name for f in less.schema.features][:3] == ["salary", "commission", "elevel"]
    assert less.schema.features[2].values == tuple(f"level{k}" for k in range(5))
    assert pq.read(path, target="elevel").schema.target == "elevel"
    assert pq.read(path, target="salary", task="regression").schema.task == "regression"


@pytest.mark.parametrize("suffix", ["csv", "arff"])
def test_a_sidecar_of_another_file_is_refused(tmp_path: Path, suffix: str) -> None:
    pq.write(SEA(), tmp_path / f"a.{suffix}", n=10)
    pq.write(Agrawal(), tmp_path / f"b.{suffix}", n=10)
    (tmp_path / f"b.{suffix}.stream.json").replace(tmp_path / f"a.{suffix}.stream.json")
    with pytest.raises(pq.InputError, match=r"does not fit a\.\w+: it declares the columns salary, .* has attrib1, "):
        pq.read(tmp_path / f"a.{suffix}").schema  # noqa: B018  # determined at first use


def test_a_sidecar_that_is_no_json_or_says_something_else_is_refused(tmp_path: Path) -> None:
    path = pq.write(SEA(), tmp_path / "a.csv", n=10).path
    for text, problem in (
        ("{", "not JSON"),
        ("[1]", "not the declaration of a stream"),
        ('{"attributes": [{}]}', "not the declaration"),
    ):
        (tmp_path / "a.csv.stream.json").write_text(text)
        with pytest.raises(pq.DataError, match=problem):
            pq.read(path)


def test_the_length_is_not_believed_of_a_file_that_was_changed(tmp_path: Path) -> None:
    path = pq.write(SEA().drift_to(SEA(3), at=5), tmp_path / "a.csv", n=10).path
    assert pq.read(path).n_records == 10
    with path.open("a") as file:
        file.write("1,2,3,groupB\n")
    changed = pq.read(path)
    assert changed.n_records is None
    assert sum(map(len, changed.chunks())) == 11
    assert changed.drifts == (Drift(5),)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_existing_file_is_replaced_only_if_allowed(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    pq.write(SEA(), path, n=10)
    before = path.read_bytes()
    with pytest.raises(pq.StorageError, match="exists already"):
        pq.write(SEA(2), path, n=20)
    assert path.read_bytes() == before
    pq.write(pq.read(path).skip(4), path, overwrite=True)  # what is read may be what is replaced
    assert pq.read(path).n_records == 6
    assert_same_records(pq.read(path), SEA().skip(4).take(6))


class Breaking(Stream):
    """Two chunks, then an error."""

    def __init__(self, error: Exception) -> None:
        self._error, self._source = error, SEA()

    @property
    def schema(self) -> pq.Schema:
        return self._source.schema

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[pq.Chunk]:
        yield from self._source.take(2 * size).chunks(size)
        raise self._error


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("error", [pq.DataError("bad", source="s"), KeyboardInterrupt(), OSError(5, "broken")])
def test_a_stream_that_breaks_off_leaves_nothing_behind(tmp_path: Path, suffix: str, error: Any) -> None:
    (tmp_path / f"a.{suffix}").write_text("old")
    expected = pq.StorageError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected) as caught:
        pq.write(Breaking(error), tmp_path / f"a.{suffix}", overwrite=True)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [(f"a.{suffix}", "old")]
    if isinstance(error, OSError):
        assert "cannot be read" in str(caught.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, suffix: str) -> None:
    """A limit on the file size acts like a full disk: an error in the middle of writing."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(pq.StorageError, match=r"a\.\w+: cannot be written \(File too large\)"):
            pq.write(SEA(), tmp_path / f"a.{suffix}", n=100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pq.StorageError, match="cannot be written"):
        pq.write(SEA(), tmp_path / "file" / "a.csv", n=10)
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(pq.StorageError, match="is a directory"):
        pq.write(SEA(), tmp_path / "a.csv", n=10)
    assert pq.write(SEA(), tmp_path / "new" / "folder" / "a.csv", n=10).n_records == 10


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pq.InputError, match=r"of a file to write. Did you mean '\.parquet'\?"):
        pq.write(SEA(), tmp_path / "a.parket", n=10)
    with pytest.raises(pq.InputError, match=r"SEA never ends\. Give the number of records"):
        pq.write(SEA(), tmp_path / "a.csv")
    with pytest.raises(pq.ParameterError, match="'n' parameter"):
        pq.write(SEA(), tmp_path / "a.csv", n=-1)
    with pytest.raises(pq.ParameterError, match="'stream' parameter of write"):
        pq.write([1, 2], tmp_path / "a.csv")  # type: ignore[arg-type]  # on purpose
    assert list(tmp_path.iterdir()) == []


def test_progress_is_reported_and_compressed_files_are_the_same_every_time(tmp_path: Path) -> None:
    reported: list[int] = []
    pq.write(SEA(), tmp_path / "a.csv.gz", n=100_000, progress=reported.append)
    pq.write(SEA(), tmp_path / "b.csv.gz", n=100_000)
    assert sum(reported) == 100_000
    assert len(reported) > 1
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    with gzip.open(tmp_path / "a.csv.gz") as file:
        assert file.readline() == b"attrib1,attrib2,attrib3,class\n"
