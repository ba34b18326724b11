"""The commands that are killed, each with what it must leave behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import prequential as pq

PARTS = ("trace", "pairs", "significance", "alarms", "bins", "irregular")
LEARNER = '''
class Counting:
    """Predicts the class of the last record in a cell of a grid, and is slow, as learners in Python are."""

    def __init__(self):
        self.last = {}

    def predict_one(self, x):
        return self.last.get(self.cell(x))

    def learn_one(self, x, y):
        self.last[self.cell(x)] = y

    def cell(self, x):
        return tuple(int(float(value)) for value in x.values())
'''
_SAVED = "-o OUT --save-seconds 0.02 -q --json"
_NATIVE = "-l naive_bayes -l hoeffding_tree"
_LEARNERS = f"{_NATIVE} -l counting.py:Counting"
_SEA = "SEA -n 12000 --drift-to SEA:concept=3,at=6000 --seed 5"
_DELAY = "--protocol delayed --delay uniform:10,90 --bins 4"
_WORDS = {
    "run": f"run {_SEA} {_LEARNERS} -d ddm --every 100 --predictions {_SAVED}",
    "kfold": f"run {_SEA} {_NATIVE} --protocol kfold --folds 6 --scheme bootstrap --every 500 --no-report {_SAVED}",
    "holdout": f"run {_SEA} {_LEARNERS} --protocol holdout --share 0.1 --no-report {_SAVED}",
    "delayed": f"run {_SEA} -l naive_bayes {_DELAY} --every 200 --no-report {_SAVED}",
    "processes": f"run {_SEA} {_LEARNERS} --engine processes --workers 2 --every 100 {_SAVED}",
    "score": f"score one.csv two.csv -m accuracy -m auc -f sliding:500 --every 50 --no-report {_SAVED}",
    "score --delayed": f"score --delayed predictions.csv labels.csv --bins 4 --every 50 --no-report {_SAVED}",
    "detect": f"detect {_SEA} {_LEARNERS} -d ddm -d adwin --no-figure {_SAVED.replace('-o', '--directory')}",
    "power": "power SEA -n 400 -l random_forest:n_models=2 --folds 6 --runs 4 -o OUT -q --json",
}
COMMANDS = {name: tuple(line.split()) for name, line in _WORDS.items()}
NEVER_FORKED = ("processes",)
"""Commands that start processes themselves: they always get a new process."""


def write_inputs(folder: Path) -> None:
    """Write the files that the commands read."""
    (folder / "counting.py").write_text(LEARNER, encoding="utf-8")
    labels = ["ab"[i * i % 7 % 2] for i in range(20_000)]
    for name, step in (("one", 3), ("two", 5)):
        rows = (f"{y},{'ab'[i % step % 2]},{i * step % 97 / 97:.3f}\n" for i, y in enumerate(labels))
        (folder / f"{name}.csv").write_text("label,prediction,score_b\n" + "".join(rows), encoding="utf-8")
    log = (f"r{i},{i},{'ab'[i % 3 % 2]}\n" for i in range(8000))
    (folder / "predictions.csv").write_text("id,time,prediction\n" + "".join(log), encoding="utf-8")
    late = (f"r{i},{i + 40.5},{labels[i]}\n" for i in range(8000))
    (folder / "labels.csv").write_text("id,time,label\n" + "".join(late), encoding="utf-8")


def content(command: str, folder: Path) -> dict[str, str]:
    """Return all results in a directory by part, to the last bit and without times."""
    if command == "power":
        lines = (folder / "repetitions.jsonl").read_text(encoding="utf-8").splitlines()
        found: list[dict[str, Any]] = [{**json.loads(line), "seconds": None} for line in lines]
        return {"repetitions": repr(sorted(map(repr, found)))}
    run = pq.load(folder)
    parts: dict[str, Callable[[], Any]] = {name: getattr(run.directory, name) for name in PARTS}
    tables = {name: repr(sorted(map(repr, read().to_pylist()))) for name, read in parts.items()}
    if command == "run":
        tables |= {f"predictions of {name}": repr(run.predictions(name).to_pylist()) for name in run.learners}
    counts = {name: (one.n_records, one.n_abstained, one.n_unlabelled) for name, one in run.manifest.learners.items()}
    return {"status": run.status, "records": repr((run.manifest.n_records, counts)), **tables}
