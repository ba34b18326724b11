"""What is done with a damaged file, by kind: it is accepted or refused, and what is accepted is checked."""

from __future__ import annotations

import csv
import io
import math
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from scipy.io.arff import loadarff

import prequential as pq
from prequential.runs.save_points import SavePoints
from prequential.saved import unpack
from prequential.scoring.delayed_logs import DelayedLogs
from prequential.scoring.file_predictions import FilePredictions
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.readers import ArffStream, CsvStream, ParquetStream
from prequential.streams.readers.csv_layout import open_text
from prequential.streams.readers.encoder import text_of
from prequential.streams.readers.number import UNITS
from prequential.streams.stream import Stream
from prequential.types import Label


class DifferentRecordsError(Exception):
    """An accepted file whose records are not those that an independent reader finds."""


def read_stream(path: Path) -> None:
    """Read all records of a file, and compare them with those of an independent reader."""
    stream = pq.read(path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = list(stream.chunks(7))
    if isinstance(stream, CsvStream):
        compare(stream, found, csv_rows(stream))
    elif isinstance(stream, ParquetStream):
        compare(stream, found, parquet_rows(path))
    elif isinstance(stream, ArffStream) and (rows := arff_rows(path)) is not None:
        compare(stream, found, rows)
    for one in caught:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def csv_rows(stream: CsvStream) -> list[dict[str, object]]:
    """Read a CSV file with the reader of Python's library."""
    layout = stream.layout
    with open_text(stream.path) as text:
        rows = [row for row in csv.reader(text, delimiter=layout.separator) if row]
    missing = stream.describe()["options"]["missing"]  # type: ignore[index]  # a dictionary
    if layout.header:
        names = [cell.strip() for cell in rows.pop(0)]
        if names != list(layout.names):
            raise DifferentRecordsError(f"the names are {names}, not {layout.names}")
    return [
        {
            name: None if (bare := cell.strip(" ")) in missing else bare
            for name, cell in zip(layout.names, row, strict=True)
        }
        for row in rows
    ]


def parquet_rows(path: Path) -> list[dict[str, object]]:
    """Read a Parquet file with pyarrow; without its statistics, which a damaged file may have wrong."""
    try:
        table = pa.parquet.read_table(path)
    except OSError:  # a data set also looks at statistics
        table = pa.parquet.ParquetFile(path).read()
    for at, column in enumerate(table.columns):
        if pa.types.is_timestamp(column.type):  # as seconds: Python has no dates after the year 9999
            numbers = [
                None if one is None else one / UNITS[column.type.unit] for one in column.cast("int64").to_pylist()
            ]
            table = table.set_column(at, table.column_names[at], [pa.array(numbers, "float64")])
        elif pa.types.is_date32(column.type):
            numbers = [None if one is None else one * 86_400.0 for one in column.cast("int32").to_pylist()]
            table = table.set_column(at, table.column_names[at], [pa.array(numbers, "float64")])
    rows: list[dict[str, object]] = table.to_pylist()
    return rows


def arff_rows(path: Path) -> list[dict[str, object]] | None:
    """Read an ARFF file with SciPy; None if SciPy cannot read it, as with sparse rows and text."""
    try:
        records, meta = loadarff(io.StringIO(path.read_text(encoding="utf-8")))
    except Exception:  # SciPy raises many kinds
        return None
    names = meta.names()
    columns = [records[name].tolist() for name in records.dtype.names or ()]
    return [
        {name: _from_scipy(cell) for name, cell in zip(names, row, strict=True)} for row in zip(*columns, strict=True)
    ]


def _from_scipy(cell: object) -> object:
    """Return a cell of SciPy's: text is bytes there, and a missing nominal value a question mark."""
    text = cell.decode() if isinstance(cell, bytes) else cell
    return None if text == "?" else text


def compare(stream: Stream, chunks: list[Chunk], rows: list[dict[str, object]]) -> None:
    """Raise an error at the first cell that differs."""
    n = sum(map(len, chunks))
    if n != len(rows):
        raise DifferentRecordsError(f"{n} records, not {len(rows)}")
    if not chunks:
        return
    whole, schema = concatenate(chunks), stream.schema
    columns = [(f.name, f.values, whole.X[:, j]) for j, f in enumerate(schema.features)]
    for name, values, cells in [*columns, (schema.target, schema.classes, whole.y)]:
        for at, (cell, row) in enumerate(zip(cells.tolist(), rows, strict=True)):
            if not same(cell, values, row[name], is_target=name == schema.target):
                shown = cell if values is None or math.isnan(cell) else values[int(cell)]
                raise DifferentRecordsError(f"record {at}, column {name!r}: {shown!r}, not {row[name]!r}")


def same(cell: float, values: Sequence[Label] | None, other: object, *, is_target: bool) -> bool:
    """Return whether a cell of a chunk is the value that another reader found."""
    absent = other is None or other != other
    if values is not None:
        if math.isnan(cell) or (is_target and cell < 0):
            return absent
        return not absent and text_of(values[int(cell)]).strip() == text_of(other).strip()
    if absent or math.isnan(cell):
        return absent and math.isnan(cell)
    return float(str(other)) == cell


def check_plan(path: Path) -> None:
    """Check a plan."""
    pq.Plan.from_toml(path).check()


def load_run(path: Path) -> None:
    """Read everything in the directory of a run."""
    run = pq.load(path)
    run.table()
    run.to_arrow()
    run.alarms()
    run.directory.pairs()
    run.directory.significance()
    for learner in run.manifest.learners:
        run.predictions(learner)


def read_save_points(folder: Path) -> None:
    """Read save points; those that are damaged are left out."""
    for path, _ in SavePoints(folder).read():
        assert path.is_file()
    for path in folder.glob("*.state"):
        try:
            unpack(path.read_bytes()[len(b"prequential save point 1\n") + 32 :])
        except ValueError as error:
            raise pq.InputError(str(error)) from None


def read_logs(folder: Path) -> None:
    """Read logs of predictions and labels."""
    for _ in FilePredictions(folder / "scored.csv").chunks(7):
        pass
    for _ in DelayedLogs(folder / "predictions.csv", folder / "labels.csv").chunks(7):
        pass


TARGETS: dict[str, Callable[[Path], None]] = {
    "csv": read_stream,
    "arff": read_stream,
    "parquet": read_stream,
    "plan": check_plan,
    "run": load_run,
    "save": read_save_points,
    "log": read_logs,
}
"""By kind: what is done with the file, or with the folder of which one file is damaged."""
_ROOTS = {"run": "run", "save": "run/save_points", "log": "log", "plan": "plan"}


def placed(kind: str, seed: Path, content: bytes, corpus: Path, folder: Path) -> Path:
    """Write damaged content in place of a seed, with the sound files that belong to it; return what to read."""
    root = _ROOTS.get(kind)
    if root is None:
        path = folder / seed.name
        path.write_bytes(content)
        return path
    copy = folder / kind
    if not copy.exists():
        shutil.copytree(corpus / root, copy, ignore=shutil.ignore_patterns("save_points", "lock", "*.html", "*.png"))
    (copy / seed.relative_to(corpus / root)).write_bytes(content)
    return copy / seed.name if kind == "plan" else copy
