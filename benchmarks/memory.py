"""Peak memory of an evaluation against the length of the stream, each in a process of its own."""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.figure import Figure

LENGTHS = (1_000_000, 20_000_000)
REPEATS = 3

EVALUATION = """
import sys
import prequential as pq
from benchmarks.evaluation import FORGETTING, METRICS
stream = pq.streams.SEA(seed=1).take(int(sys.argv[1]))
pq.evaluate(stream, ["naive_bayes", "majority_class"], metrics=METRICS, forgetting=FORGETTING, progress=False)
"""
# VmHWM, not ru_maxrss: the latter survives exec, so that a child would report the peak of its parent.
PRINT_PEAK = """
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def printed(script: str, *arguments: object) -> list[int]:
    """Run a script in a new process; return the numbers it prints, and its peak in KiB as the last."""
    command = [sys.executable, "-c", script + PRINT_PEAK, *map(str, arguments)]
    return [int(word) for word in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def peak_mib(n: int) -> float:
    """Evaluate ``n`` records in a new process and return its peak."""
    return printed(EVALUATION, n)[-1] / 1024


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    short, long = (statistics.median(peak_mib(n) for _ in range(REPEATS)) for n in LENGTHS)
    return [
        Figure(f"peak memory of an evaluation, {LENGTHS[0]:,} records", short, "MiB"),
        Figure(f"peak memory of an evaluation, {LENGTHS[1]:,} records", long, "MiB"),
        Figure("peak memory, long against short", long / short, "×", 1.05, "at most"),
    ]
