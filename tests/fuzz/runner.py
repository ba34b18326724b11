"""Run the worker over many inputs, survive its crashes and hangs, and count what happened."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.corpus import write_corpus
from fuzz.targets import TARGETS
from fuzz.worker import content_of

TESTS = Path(__file__).resolve().parents[1]
SOUND = ("accepted", "refused", "warned")
TIME_LIMIT = 30.0
"""Seconds after which an input counts as a hang."""


@dataclass(slots=True)
class Report:
    """What became of the inputs.

    Parameters
    ----------
    counts
        By kind: the number of inputs by outcome.
    faults
        Kind, index, outcome, seed file and traceback of each input that is a bug.
    """

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in TARGETS})
    faults: list[tuple[str, int, str, str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        others = sorted({name for one in self.counts.values() for name in one} - set(SOUND))
        columns = ("inputs", *SOUND, *others)
        lines = ["".join(["kind    ", *(f"{name:>12}" for name in columns)])]
        for kind, one in self.counts.items():
            lines.append(f"{kind:8}" + "".join(f"{one.total() if c == 'inputs' else one[c]:>12,}" for c in columns))
        return "\n".join(lines)


def fuzz(report: Report, kind: str, *, seed: int, first: int, last: int, time_limit: float = TIME_LIMIT) -> None:
    """Read the inputs ``first`` to ``last`` of a kind; a crash or hang counts, and the next input follows."""
    while first < last:
        words = [sys.executable, "-m", "fuzz.worker", str(seed), kind, str(first), str(last)]
        environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONFAULTHANDLER": "1", "OMP_NUM_THREADS": "1"}
        with tempfile.TemporaryFile("w+") as errors:
            child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
            lines: queue.Queue[str | None] = queue.Queue()
            reader = threading.Thread(target=_forward, args=(child, lines), daemon=True)
            reader.start()
            begun, done, hung = _follow(report, kind, lines, time_limit)
            child.kill()
            code = child.wait()
            reader.join()
            assert child.stdout is not None
            child.stdout.close()
            errors.seek(0)
            tail = errors.read()[-4000:]
        if begun is None:
            raise RuntimeError(f"the worker did not start (exit code {code}):\n{tail}")
        if done == last - 1:
            return
        what = "hang" if hung else "crash"
        report.counts[kind][what] += 1
        report.faults.append((kind, begun, what, "", tail))
        first = begun + 1


def _forward(child: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    """Put each line of a worker into a queue, and None at its end."""
    assert child.stdout is not None
    for line in child.stdout:
        lines.put(line)
    lines.put(None)


def _follow(
    report: Report, kind: str, lines: queue.Queue[str | None], time_limit: float
) -> tuple[int | None, int | None, bool]:
    """Count the outcomes that a worker reports; return the last input begun, the last one done, and if it hangs."""
    begun: int | None = None
    done: int | None = None
    while True:
        try:
            line = lines.get(timeout=time_limit if begun is not None else 10 * time_limit)
        except queue.Empty:
            return begun, done, True
        if line is None:
            return begun, done, False
        index, *rest = json.loads(line)
        if not rest:
            begun = index
            continue
        done = index
        report.counts[kind][rest[0]] += 1
        if rest[0] not in SOUND:
            report.faults.append((kind, index, *rest))


def save_faults(report: Report, folder: Path, *, seed: int) -> None:
    """Write each input that is a bug, and its traceback, into a folder."""
    if not report.faults:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        seeds = write_corpus(Path(corpus) / "corpus")
        for kind, index, what, _, trace in report.faults:
            source, content = content_of(seeds[kind], kind, seed, index)
            name = f"{kind}-{seed}-{index}-{what}"
            (folder / f"{name}-{source.name}").write_bytes(content)
            (folder / f"{name}.txt").write_text(trace, encoding="utf-8")
