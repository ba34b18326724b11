"""All records before a bad one are delivered, for any source, fault and chunk size."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import prequential as pq
from prequential.errors import InputError
from prequential.streams.readers import ArffStream, CsvStream, ParquetStream, from_iterable, from_table
from prequential.streams.readers import arff as arff_reader
from prequential.streams.readers import csv as csv_reader
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import Stream

SCHEMA = Schema((Feature("x"), Feature("day", ("mon", "tue"))), ("no", "yes"), "rain")
SIZES = (7, 1000, 100_000)
PLACES = (0, 1, 3000)
GOOD = [("1.5", "mon", "no"), ("2.5", "tue", "yes")]
BAD_CELL, BAD_VALUE, BAD_LABEL = ("one", "mon", "no"), ("1", "sun", "no"), ("1", "mon", "maybe")
RAGGED = ("1", "mon", "no", "4")
INFINITE = ("inf", "mon", "no")


def with_fault(bad: tuple[str, ...], at: int) -> list[tuple[str, ...]]:
    return [GOOD[i % 2] for i in range(at)] + [bad, *GOOD]


def csv_file(folder: Path, bad: tuple[str, ...], at: int) -> Stream:
    lines = ["x,day,rain", *(",".join(row) for row in with_fault(bad, at))]
    (folder / "data.csv").write_text("\n".join(lines))
    return CsvStream(folder / "data.csv", schema=SCHEMA)


def csv_with_clock(folder: Path, bad: tuple[str, ...], at: int) -> Stream:
    lines = ["when,key,x,day,rain"]
    lines += [f"{i},r{i},{','.join(row)}" for i, row in enumerate(with_fault(bad, at))]
    (folder / "data.csv").write_text("\n".join(lines))
    return CsvStream(folder / "data.csv", schema=SCHEMA, time="when", id="key")


def arff_file(folder: Path, bad: tuple[str, ...], at: int) -> Stream:
    head = ["@relation r", "@attribute x numeric", "@attribute day {mon, tue}", "@attribute rain {no, yes}", "@data"]
    (folder / "data.arff").write_text("\n".join([*head, *(",".join(row) for row in with_fault(bad, at))]))
    return ArffStream(folder / "data.arff")


def careful_arff_file(folder: Path, bad: tuple[str, ...], at: int) -> Stream:
    """An ARFF file that the fast parser cannot read."""
    stream = arff_file(folder, bad, at)
    text = (folder / "data.arff").read_text()
    (folder / "data.arff").write_text(text.replace(",mon,", ",'mon',"))
    return stream


def columns(bad: tuple[str, ...], at: int) -> pa.Table:
    return pa.table([pa.array(column) for column in zip(*with_fault(bad, at), strict=True)], ["x", "day", "rain"])


def parquet_file(folder: Path, bad: tuple[str, ...], at: int) -> Stream:
    parquet.write_table(columns(bad, at), folder / "data.parquet", row_group_size=1234)
    return ParquetStream(folder / "data.parquet", schema=SCHEMA)


def table(_: Path, bad: tuple[str, ...], at: int) -> Stream:
    return from_table(columns(bad, at), schema=SCHEMA)


Make = Callable[[Path, tuple[str, ...], int], Stream]
TEXT_FILES: tuple[Make, ...] = (csv_file, csv_with_clock, arff_file, careful_arff_file)
CASES = [(make, bad) for make in TEXT_FILES for bad in (BAD_CELL, BAD_VALUE, BAD_LABEL, RAGGED, INFINITE)]
CASES += [(make, bad) for make in (parquet_file, table) for bad in (BAD_CELL, BAD_VALUE, BAD_LABEL, INFINITE)]


def n_before_fault(stream: Stream, size: int, start: int = 0) -> tuple[int, InputError]:
    n = 0
    with pytest.raises(InputError) as caught:  # noqa: PT012
        for chunk in stream.chunks(size, start):
            assert chunk.start == start + n
            assert 0 < len(chunk) <= size
            n += len(chunk)
    return n, caught.value


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(("make", "bad"), CASES)
def test_exactly_the_records_before_a_bad_row_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Make, bad: tuple[str, ...], at: int
) -> None:
    stream = make(tmp_path, bad, at)
    errors = set()
    for block in (5_000, 1 << 20):
        monkeypatch.setattr(csv_reader, "BLOCK_BYTES", block)
        monkeypatch.setattr(arff_reader, "BLOCK_BYTES", block)
        for size in SIZES:
            n, error = n_before_fault(stream, size)
            assert n == at
            errors.add(str(error))
        if at > 1000:
            assert n_before_fault(stream, 1000, at - 999)[0] == 999
    assert len(errors) == 1


@pytest.mark.parametrize("make", [csv_file, arff_file, parquet_file])
def test_the_values_before_a_bad_row_are_those_of_a_file_without_it(tmp_path: Path, make: Make) -> None:
    for bad in (BAD_CELL, BAD_LABEL):
        stream = make(tmp_path, bad, 101)
        chunk = next(stream.chunks(1000))
        assert chunk.X[:3].tolist() == [[1.5, 0.0], [2.5, 1.0], [1.5, 0.0]]
        assert chunk.y.tolist() == [i % 2 for i in range(101)]


def test_the_earliest_of_several_bad_rows_is_the_one_named(tmp_path: Path) -> None:
    rows = with_fault(RAGGED, 300)
    rows[200], rows[100] = BAD_CELL, BAD_LABEL
    (tmp_path / "data.csv").write_text("\n".join(["x,day,rain", *(",".join(row) for row in rows)]))
    n, error = n_before_fault(CsvStream(tmp_path / "data.csv", schema=SCHEMA), 7)
    assert n == 100
    assert "line 102, column 'rain': a label outside the classes: 'maybe'" in str(error)


def test_a_clock_that_goes_wrong_loses_nothing_before_it(tmp_path: Path) -> None:
    rows = [f"{i},1,mon,no" for i in range(500)]
    for bad, words in (("noon,1,mon,no", "not a time: 'noon'"), ("3,1,mon,no", "time runs backwards")):
        (tmp_path / "data.csv").write_text("\n".join(["when,x,day,rain", *rows, bad, *rows]))
        n, error = n_before_fault(CsvStream(tmp_path / "data.csv", schema=SCHEMA, time="when"), 1000)
        assert n == 500
        assert words in str(error)
        assert "line 502" in str(error)


def test_a_quote_that_never_ends_loses_nothing_before_it(tmp_path: Path) -> None:
    rows = [f"k{i},1,mon,no" for i in range(500)]
    (tmp_path / "data.csv").write_text("\n".join(["key,x,day,rain", *rows, '"k500,1,mon,no', *rows]) + "\n")
    n, error = n_before_fault(CsvStream(tmp_path / "data.csv", schema=SCHEMA, id="key"), 1000)
    assert n == 500
    assert "line 502" in str(error)


ARFF_HEADER = "@relation r\n@attribute x numeric\n@attribute day {mon}\n@attribute rain {no,yes}\n@data\n"


@pytest.mark.parametrize("n_rows", [300, 150_000])
@pytest.mark.parametrize(("suffix", "header"), [("csv", "x,day,rain\n"), ("arff", ARFF_HEADER)])
@pytest.mark.parametrize("cut", [0.5, 0.9, -20, -8, -1])
def test_a_compressed_file_that_breaks_off_gives_what_can_be_read_and_says_where(
    tmp_path: Path, n_rows: int, suffix: str, header: str, cut: float
) -> None:
    packed = gzip.compress((header + "".join(f"{i},mon,no\n" for i in range(n_rows))).encode())
    packed = packed[: int(cut if cut < 0 else cut * len(packed))]
    whole = zlib.decompressobj(wbits=31).decompress(packed).count(b"\n")  # complete lines
    path = tmp_path / f"data.{suffix}.gz"
    path.write_bytes(packed)
    n, error = n_before_fault(CsvStream(path, schema=SCHEMA) if suffix == "csv" else ArffStream(path), 1000)
    assert n == whole - header.count("\n")
    assert str(error).startswith(f"{path}, line {whole}: nothing can be read after this line (Compressed file ended")


@pytest.mark.parametrize("suffix", ["csv", "arff"])
def test_a_compressed_file_that_breaks_off_in_its_header_says_where(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"data.{suffix}.gz"
    path.write_bytes(gzip.compress(ARFF_HEADER.encode())[:5])
    with pytest.raises(pq.DataError, match=f"data.{suffix}.gz, line 1: cannot be read"):
        _ = pq.read(path).schema


def pairs(n: int) -> Iterator[tuple[dict[str, object], object]]:
    return (({"x": float(i), "day": "mon"}, "yes") for i in range(n))


def broken(at: int) -> Iterator[tuple[dict[str, object], object]]:
    yield from pairs(at)
    raise OSError("the sensor fell off")


@pytest.mark.parametrize("at", [1, 500, 3000])
@pytest.mark.parametrize("size", SIZES)
def test_a_source_that_raises_loses_nothing_before_it(at: int, size: int) -> None:
    for source in (broken(at), lambda: broken(at)):
        n = 0
        chunks = from_iterable(source).chunks(size)
        with pytest.raises(OSError, match="the sensor fell off"):  # noqa: PT012
            for chunk in chunks:
                n += len(chunk)
        assert n == at


@pytest.mark.parametrize("bad", [[1, 2], ({"x": [1]}, "yes"), ({"x": float("inf")}, "no"), ({"x": 1.0}, [1])])
@pytest.mark.parametrize("at", [1, 500, 3000])
def test_a_bad_pair_loses_nothing_before_it(bad: object, at: int) -> None:
    for size in SIZES:
        n = 0
        chunks = from_iterable([*pairs(at), bad, *pairs(5)]).chunks(size)  # type: ignore[list-item]
        with pytest.raises((InputError, TypeError)):  # noqa: PT012
            for chunk in chunks:
                n += len(chunk)
        assert n == at


def test_a_fault_in_a_drifting_stream_loses_nothing_before_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    before, after = csv_file(tmp_path, BAD_LABEL, 900), csv_file(tmp_path / "a", BAD_CELL, 250)
    for size in (7, 64, 1000):
        assert n_before_fault(before.drift_to(after, at=500), size)[0] == 750
        assert n_before_fault(before.drift_to(after, at=2000), size)[0] == 900
        smooth = before.drift_to(after, at=600, width=200)
        assert n_before_fault(smooth, size)[0] == n_before_fault(smooth, 1)[0] > 750


def test_classes_that_appear_late_cannot_drift() -> None:
    stream = from_iterable(list(pairs(10)))
    with pytest.raises(InputError, match="record 0 of list has a class or value"):
        next(stream.drift_to(stream, at=5).chunks())


@pytest.mark.parametrize("size", SIZES)
def test_a_partial_run_counts_every_record_before_the_fault(tmp_path: Path, size: int) -> None:
    streams = [make(tmp_path, BAD_LABEL, 3000) for make in (csv_file, arff_file, parquet_file)]
    streams += [csv_file(tmp_path, BAD_CELL, 3000), from_iterable(broken(3000))]
    for stream in streams:
        with pytest.raises(InputError) as caught:
            pq.evaluate(stream, ["naive_bayes"], every=100, chunk_size=size)
        run = caught.value.run
        assert isinstance(run, pq.Run)
        assert run.status == "partial"
        assert run.manifest.n_records == 3000
        assert max(run.to_arrow()["n"].to_pylist()) == 3000
