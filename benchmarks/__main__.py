"""``make bench``: run all benchmarks, print the table, and write it to ``benchmarks/results.md``."""

from __future__ import annotations

import os
import platform
import re
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    auc,
    csv_reading,
    delayed,
    delayed_logs,
    drift,
    evaluation,
    forgetting,
    generators,
    in_river,
    kfold,
    learner_memory,
    learners,
    memory,
    text_reading,
    vowpal_wabbit,
)
from benchmarks.figure import Figure, markdown

PARTS = {
    "Evaluation": evaluation.run,
    "Forgetting": forgetting.run,
    "Sliding AUC": auc.run,
    "Memory": memory.run,
    "Learners": learners.run,
    "Vowpal Wabbit": vowpal_wabbit.run,
    "Memory of learners": learner_memory.run,
    "Reading text": text_reading.run,
    "Reading CSV": csv_reading.run,
    "Generators": generators.run,
    "Drift detectors": drift.run,
    "In the loop of River": in_river.run,
    "Folds and engines": kfold.run,
    "Delayed labels": delayed.run,
    "Logs of late labels": delayed_logs.run,
}


RESULTS = Path(__file__).parent / "results.md"


def main() -> None:
    """Run the parts named on the command line, or all, and print how the budgets are kept.

    All together are written as one new file; a part alone replaces its section and leaves the others, with their dates.
    """
    wanted = [name for name in PARTS if not sys.argv[1:] or any(word.lower() in name.lower() for word in sys.argv[1:])]
    sections = _sections(RESULTS.read_text(encoding="utf-8")) if sys.argv[1:] and RESULTS.exists() else {}
    budgets: list[Figure] = []
    libraries = ", ".join(f"{p} {version(p)}" for p in ("prequential", "numpy", "pyarrow", "pandas", "river"))
    machine = f"{_processor()}, Python {platform.python_version()}, {libraries}"
    for name in wanted:
        print(f"## {name}\n", flush=True)
        figures = PARTS[name]()
        budgets += [figure for figure in figures if figure.kept is not None]
        table = markdown(figures)
        print(table, "\n", flush=True)
        sections[name] = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {machine}.\n\n{table}\n"
        head = "# Benchmarks\n\nWritten by `make bench`; every ratio is of two figures of the same run.\n"
        parts = [f"\n## {part}\n\n{sections[part]}" for part in PARTS if part in sections]
        RESULTS.write_text(head + "".join(parts), encoding="utf-8")
    print(f"## Budgets: {sum(bool(figure.kept) for figure in budgets)} of {len(budgets)} kept\n")
    print(markdown(budgets))


def _sections(text: str) -> dict[str, str]:
    """Return what is written under each heading."""
    return {
        name: body.strip("\n") + "\n" for name, body in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return f"{model}, {os.cpu_count()} cores"


if __name__ == "__main__":
    main()
