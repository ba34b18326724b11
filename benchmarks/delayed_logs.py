"""Two logs through ``score_delayed``: how many events a second, and at which peak of memory.

``PREQUENTIAL_EVENTS`` says how many predictions there are, and as many labels; 10,000,000 by default.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from benchmarks.figure import Figure
from benchmarks.memory import printed

N = int(os.environ.get("PREQUENTIAL_EVENTS", "10_000_000"))
DELAY = 1000.0
_CHUNK = 1 << 20
WHAT = ("prediction", "label")

SCORING = """
import sys, time
import prequential as pq
begun, worked = time.perf_counter(), time.process_time()
pq.score_delayed(sys.argv[1], sys.argv[2], progress=False, directory=sys.argv[3])
print(round(1e3 * (time.perf_counter() - begun)), round(1e3 * (time.process_time() - worked)))
"""


def write_logs(folder: Path, n: int, seed: int = 1) -> tuple[Path, Path]:
    """Write a prediction a second, four of five of them right, and labels that come after 500 to 1,500 seconds."""
    rng = np.random.default_rng(seed)
    names = pa.array(["down", "up"])
    schemas = [pa.schema([("id", pa.int64()), ("time", pa.float64()), (what, pa.string())]) for what in WHAT]
    paths = [folder / f"{what}s.parquet" for what in WHAT]
    waiting = pa.table({"id": [], "time": [], "label": []}, schema=schemas[1])
    with (
        pa.parquet.ParquetWriter(paths[0], schemas[0]) as predictions,
        pa.parquet.ParquetWriter(paths[1], schemas[1]) as labels,
    ):
        for start in range(0, n, _CHUNK):
            ids = np.arange(start, min(n, start + _CHUNK))
            label = (rng.random(len(ids)) < 0.4).astype(np.int32)
            said = np.where(rng.random(len(ids)) < 0.8, label, 1 - label).astype(np.int32)
            comes = ids + DELAY * (0.5 + rng.random(len(ids)))
            predictions.write_table(pa.table([ids, ids.astype(float), names.take(pa.array(said))], schema=schemas[0]))
            due = pa.table([ids, comes, names.take(pa.array(label))], schema=schemas[1])
            due = pa.concat_tables([waiting, due]).sort_by("time")
            ready = int(np.searchsorted(due["time"].to_numpy(), ids[-1] + DELAY / 2))
            labels.write_table(due[:ready])
            waiting = due[ready:]
        labels.write_table(waiting)
    return paths[0], paths[1]


def run() -> list[Figure]:
    """Measure, and return one row a figure; a fifth of the events first, to see whether memory grows with them."""
    figures: list[Figure] = []
    peaks: list[float] = []
    for n in (N // 5, N):
        with TemporaryDirectory() as folder:
            logs = write_logs(Path(folder), n)
            wall, worked, peak = printed(SCORING, *logs, Path(folder) / "run")
        peaks.append(peak / 1024)
        what = f"score_delayed, {n:,} predictions and {n:,} labels"
        budget = 500_000 if n == N else None
        figures += [
            Figure(f"{what}, four metrics in 102 bins under two forgettings", 2 * n / (wall / 1e3), "events/s", budget),
            Figure(f"{what}, by processor time", 2 * n / (worked / 1e3), "events/s"),
            Figure(f"{what}, peak memory", peaks[-1], "MiB"),
        ]
    figures.append(Figure("peak memory, five times the events", peaks[1] / peaks[0], "×", 1.1, "at most"))
    return figures
