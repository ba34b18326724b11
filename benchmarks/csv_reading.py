"""How fast and in how much memory a CSV file is read, beside pandas, the csv module and River."""

from __future__ import annotations

import csv
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from benchmarks.figure import Figure
from prequential.streams.readers import CsvStream
from prequential.streams.schema import Feature, Schema

N_FEATURES = 8
N_RECORDS = 2_000_000
N_SLOW = 100_000
N_MEMORY = (1_000_000, 6_000_000)
"""Lengths whose peaks are compared: below a million the allocator still warms up."""
REPEATS = 15
"""Peaks of one file differ by a tenth from process to process, with one thread as with several: so many are needed."""
SCHEMA = Schema(tuple(Feature(f"x{j}") for j in range(N_FEATURES)), ("down", "up"))
BUDGET_ROWS = 1_000_000
BUDGET_MEMORY = 1.05

# VmHWM, not ru_maxrss: the latter survives exec, so that a child would report the peak of the parent.
PEAK = """
import sys
from pathlib import Path
from benchmarks.csv_reading import ours_declared
ours_declared(Path(sys.argv[1]))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def write_stream(path: Path, n: int, seed: int = 1) -> None:
    """Write ``n`` records of 8 numeric features and 2 classes."""
    rng = np.random.default_rng(seed)
    columns = {f"x{j}": rng.random(n).round(6) for j in range(N_FEATURES)}
    pacsv.write_csv(pa.table({**columns, "class": np.where(rng.random(n) < 0.5, "up", "down")}), path)


def ours_declared(path: Path) -> int:
    """Read with a declared schema."""
    return sum(len(chunk) for chunk in CsvStream(path, schema=SCHEMA).chunks())


def ours_inferred(path: Path) -> int:
    """Infer the schema by a pass, then read."""
    return sum(len(chunk) for chunk in CsvStream(path).chunks())


def pandas_chunks(path: Path) -> int:
    """Read by pandas, into the same arrays."""
    import pandas as pd

    n = 0
    for frame in pd.read_csv(path, chunksize=4096):
        X = np.ascontiguousarray(frame.iloc[:, :N_FEATURES].to_numpy(dtype=np.float64))
        y = (frame["class"] == "up").to_numpy(dtype=np.int64)
        n += len(X) if len(X) == len(y) else 0
    return n


def csv_module(path: Path) -> int:
    """Read by the standard library, numbers turned into floats."""
    n = 0
    with path.open(newline="") as file:
        reader = csv.reader(file)
        next(reader)
        for row in reader:
            _ = [float(cell) for cell in row[:N_FEATURES]], row[N_FEATURES]
            n += 1
    return n


def river_iter(path: Path) -> int:
    """Read by River's iter_csv."""
    from river import stream

    converters = dict.fromkeys((f"x{j}" for j in range(N_FEATURES)), float)
    return sum(1 for _ in stream.iter_csv(str(path), target="class", converters=converters))


def rate(read: Callable[[Path], int], path: Path, repeats: int = 3) -> float:
    """Return the records a second of the fastest of some readings."""
    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        n = read(path)
        best = max(best, n / (time.perf_counter() - began))
    return best


def peak_kib(path: Path) -> int:
    """Return the peak memory of a fresh process that reads the file (Linux)."""
    done = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    return int(done.stdout)


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    with tempfile.TemporaryDirectory() as folder:
        long, short = Path(folder) / "long.csv", Path(folder) / "short.csv"
        write_stream(long, N_RECORDS)
        write_stream(short, N_SLOW)
        readers: list[tuple[str, Callable[[Path], int], Path, float | None]] = [
            ("prequential, declared schema", ours_declared, long, BUDGET_ROWS),
            ("prequential, schema inferred first", ours_inferred, long, None),
            ("pandas.read_csv(chunksize=4096)", pandas_chunks, long, None),
            ("csv module, floats", csv_module, short, None),
            ("River iter_csv", river_iter, short, None),
        ]
        figures = [Figure(what, rate(read, path), "records/s", budget) for what, read, path, budget in readers]
        peaks: list[float] = []
        for n in N_MEMORY:
            write_stream(long, n)
            peaks.append(statistics.median(peak_kib(long) for _ in range(REPEATS)) / 1024)
            figures.append(Figure(f"peak memory, {n:,} records", peaks[-1], "MiB"))
        what = f"peak memory, {N_MEMORY[1]:,} against {N_MEMORY[0]:,} records"
        return [*figures, Figure(what, peaks[1] / peaks[0], "×", BUDGET_MEMORY, "at most")]
