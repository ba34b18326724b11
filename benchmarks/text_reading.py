"""Reading ARFF and CSV against pyarrow.csv's reader on the same bytes, by seconds of the processor.

Ours makes chunks: a matrix of features and codes of labels; pyarrow makes columns, the label as a category. Both know
the columns.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

import prequential as pq
from benchmarks.figure import Figure

N_RECORDS, N_FEATURES, ROUNDS = 500_000, 10, 7
NAMES = [*(f"x{j}" for j in range(N_FEATURES)), "class"]
TYPES = {**dict.fromkeys(NAMES[:-1], pa.float64()), "class": pa.dictionary(pa.int32(), pa.string())}


def write_file(path: Path, head: str, digits: int) -> None:
    """Write records of numbers with some digits."""
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(size=N_RECORDS) for name in NAMES[:-1]}
    if digits < 17:
        columns = {name: column.round(digits) for name, column in columns.items()}
    table = pa.table({**columns, "class": np.where(rng.random(N_RECORDS) < 0.5, "up", "down")})
    with path.open("wb") as file:
        file.write(head.encode())
        pacsv.write_csv(table, file, pacsv.WriteOptions(include_header=False, quoting_style="none"))


def by_arrow(path: Path, n_head: int) -> int:
    """Read in blocks, in one thread, as a stream is read."""
    options = pacsv.ReadOptions(column_names=NAMES, skip_rows=n_head, block_size=1 << 20, use_threads=False)
    with pacsv.open_csv(path, options, None, pacsv.ConvertOptions(column_types=TYPES)) as reader:
        return sum(batch.num_rows for batch in reader)


def by_us(stream: pq.Stream) -> int:
    """Read as chunks."""
    return sum(len(chunk) for chunk in stream.chunks())


def cpu(work: Callable[[], int]) -> float:
    """Return the seconds of the processor of one call."""
    begun = time.process_time()
    assert work() == N_RECORDS
    return time.process_time() - begun


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    schema = pq.Schema(tuple(pq.Feature(name) for name in NAMES[:-1]), ("down", "up"), target="class")
    arff = [
        "@relation r",
        *(f"@attribute {name} numeric" for name in NAMES[:-1]),
        "@attribute class {down,up}",
        "@data",
    ]
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for digits in (4, 17):
            for kind, head in (("csv", [",".join(NAMES)]), ("arff", arff)):
                path = Path(folder) / f"records{digits}.{kind}"
                write_file(path, "".join(line + "\n" for line in head), digits)
                stream = pq.read(path, schema=schema) if kind == "csv" else pq.read(path)
                assert stream.schema.n_features == N_FEATURES
                n_head = len(head)
                turns = [(cpu(lambda: by_us(stream)), cpu(lambda: by_arrow(path, n_head))) for _ in range(ROUNDS)]  # noqa: B023  # called here
                ours, theirs = (min(column) for column in zip(*turns, strict=True))
                what = f"{kind.upper()}, {digits} digits"
                figures.append(Figure(f"{what}, to chunks, CPU", N_RECORDS / ours, "records/s"))
                figures.append(Figure(f"{what}, against pyarrow.csv", theirs / ours, "× its rows/s", 1.3))
    return figures
