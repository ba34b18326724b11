"""``make bench``: run all benchmarks, print the table, and write it to ``benchmarks/results.md``."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import auc, csv_reading, drift, evaluation, forgetting, generators, learner_memory, learners, memory
from benchmarks.figure import Figure, markdown

PARTS = {
    "Evaluation": evaluation.run,
    "Forgetting": forgetting.run,
    "Sliding AUC": auc.run,
    "Memory": memory.run,
    "Learners": learners.run,
    "Memory of learners": learner_memory.run,
    "Reading CSV": csv_reading.run,
    "Generators": generators.run,
    "Drift detectors": drift.run,
}


def main() -> None:
    """Run the parts named on the command line, or all."""
    wanted = [name for name in PARTS if not sys.argv[1:] or any(word.lower() in name.lower() for word in sys.argv[1:])]
    results: dict[str, list[Figure]] = {}
    for name in wanted:
        print(f"## {name}\n", flush=True)
        results[name] = PARTS[name]()
        print(markdown(results[name]), "\n", flush=True)
    if len(results) == len(PARTS):
        libraries = ", ".join(f"{p} {version(p)}" for p in ("prequential", "numpy", "pyarrow", "pandas", "river"))
        head = (
            "# Benchmarks\n\nWritten by `make bench`; every ratio is of two figures of the same run.\n\n"
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {_processor()}, "
            f"Python {platform.python_version()}, {libraries}.\n"
        )
        parts = [f"\n## {name}\n\n{markdown(figures)}\n" for name, figures in results.items()]
        (Path(__file__).parent / "results.md").write_text(head + "".join(parts), encoding="utf-8")


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return f"{model}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
