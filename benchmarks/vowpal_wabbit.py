"""Our SGD beside Vowpal Wabbit's: progressive loss of a logistic model over the same records.

Theirs: ``--sgd --loss_function logistic`` over its own binary cache; its seconds of the processor include reading the
cache, predicting, learning and its progressive loss, not starting Python or writing the cache. Ours: an evaluation of
``sgd`` from a Parquet file, with reading, counting the log loss and accuracy, and checkpoints at every 1,000 records;
the schema is known to both. Theirs is one linear model in single precision; ours is in double precision, and
standardises features.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import prequential as pq
from benchmarks.evaluation import N_RECORDS, records
from benchmarks.figure import Figure

ROUNDS = 5

THEIRS = """
import sys, time
import vowpalwabbit
file, cache, quiet = sys.argv[1], sys.argv[2], "--quiet"
options = f"--sgd --loss_function logistic -d {file} --cache_file {cache} {quiet}"
begun = time.process_time()
model = vowpalwabbit.Workspace(options)
model.finish()
print(time.process_time() - begun)
"""


def write_text(stream: pq.Stream, path: Path) -> None:
    """Write records in the format of Vowpal Wabbit: the label -1 or 1, then the features."""
    with path.open("w") as file:
        for chunk in stream.chunks(10_000):
            for x, y in zip(chunk.X.tolist(), chunk.y.tolist(), strict=True):
                file.write(f"{2 * y - 1} | " + " ".join(f"x{j}:{v!r}" for j, v in enumerate(x)) + "\n")


def their_seconds(text: Path, cache: Path) -> float:
    """Run Vowpal Wabbit over its cache in a process of its own."""
    command = [sys.executable, "-c", THEIRS, str(text), str(cache)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])


def our_seconds(path: Path, schema: pq.Schema) -> float:
    """Evaluate from Parquet, once the schema is known."""
    stream = pq.read(path, schema=schema)
    begun = time.process_time()
    pq.evaluate(stream, "sgd", metrics=["accuracy", "log_loss"], progress=False)
    return time.process_time() - begun


def run() -> list[Figure]:
    """Measure, and return one row a figure; none, and a message, without Vowpal Wabbit."""
    if importlib.util.find_spec("vowpalwabbit") is None:
        print("VOWPAL WABBIT'S FIGURES ARE LEFT OUT: they need pip install vowpalwabbit\n")
        return []
    stream = records()
    with tempfile.TemporaryDirectory() as folder:
        text, cache, parquet = (Path(folder) / name for name in ("records.vw", "records.cache", "records.parquet"))
        write_text(stream, text)
        pq.write(stream, parquet)
        their_seconds(text, cache)  # writes the cache
        rounds = [(our_seconds(parquet, stream.schema), their_seconds(text, cache)) for _ in range(ROUNDS)]
    ours, theirs = (min(column) for column in zip(*rounds, strict=True))
    return [
        Figure("sgd, evaluation from Parquet, 1M × 10, CPU", N_RECORDS / ours, "records/s"),
        Figure("Vowpal Wabbit --sgd, logistic, from its cache, CPU", N_RECORDS / theirs, "records/s"),
        Figure("sgd against Vowpal Wabbit, CPU", theirs / ours, "× as fast", 3),
    ]
