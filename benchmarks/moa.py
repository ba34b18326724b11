"""MOA's own evaluation, run from the jar inside CapyMOA."""

from __future__ import annotations

import csv
import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

import prequential as pq

# The evaluator that costs MOA least, and one checkpoint.
EVALUATOR = "BasicClassificationPerformanceEvaluator"
TASK = "EvaluatePrequential -l ({learner}) -s ({stream}) -e {evaluator} -i {n} -f {n} -d {out}"


def jar() -> Path | None:
    """Return the jar; None, and a message, where it cannot be run."""
    spec = importlib.util.find_spec("capymoa")
    if spec is None or spec.origin is None or shutil.which("java") is None:
        print("MOA'S FIGURES ARE LEFT OUT: they need CapyMOA (pip install 'prequential[capymoa]') and Java 17\n")
        return None
    return Path(spec.origin).parent / "jar" / "moa.jar"


def write_arff(stream: pq.Stream, path: Path) -> None:
    """Write numeric records of two classes for MOA to read."""
    with path.open("wb") as file:
        for chunk in stream.chunks(100_000):
            columns: dict[str, Any] = {f"x{j}": column for j, column in enumerate(chunk.X.T)}
            if chunk.start == 0:
                lines = ["@relation records", *(f"@attribute {name} numeric" for name in columns)]
                file.write("\n".join([*lines, "@attribute class {0,1}", "@data", ""]).encode())
            table = pa.table({**columns, "class": chunk.y})
            pacsv.write_csv(table, file, pacsv.WriteOptions(include_header=False))


def cpu_seconds(moa: Path, learner: str, arff: Path, n: int, *, cached: bool) -> float:
    """Return what MOA says its evaluation took: seconds of the thread that evaluates, start and garbage left out.

    Cached: MOA reads the file before its clock starts, and shuffles it; the records have no order to lose.
    """
    stream = f"ArffFileStream -f {arff}"
    if cached:
        stream = f"CacheShuffledStream -s ({stream}) -m {n}"
    out = arff.with_suffix(".csv")
    out.unlink(missing_ok=True)
    task = TASK.format(learner=learner, stream=stream, evaluator=EVALUATOR, n=n, out=out)
    subprocess.run(["java", "-cp", str(moa), "moa.DoTask", task], capture_output=True, check=True)
    with out.open() as file:
        *_, last = csv.DictReader(file)
    return float(last["evaluation time (cpu seconds)"]) / float(last["classified instances"])
