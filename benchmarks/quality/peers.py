"""The same learners of MOA and of River on the same records."""

from __future__ import annotations

import csv
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.moa import EVALUATOR, TASK
from benchmarks.quality.arena import Arena
from benchmarks.quality.cell import Cell
from benchmarks.quality.entrant import Entrant
from benchmarks.quality.ours import cell_of


def moa_cell(jar: Path, entrant: Entrant, arena: Arena, arff: Path, seed: int) -> Cell:
    """Run MOA's evaluation once; the seconds are those of its own clock, in which it also reads the file."""
    out = arff.with_suffix(".csv")
    out.unlink(missing_ok=True)
    assert entrant.moa is not None
    learner = entrant.moa.format(seed=seed)
    records = f"ArffFileStream -f {arff}"
    task = TASK.format(learner=learner, stream=records, evaluator=EVALUATOR, n=arena.n_records, out=out)
    command = ["java", "-XX:+UseSerialGC", "-cp", str(jar), "moa.DoTask", task]
    subprocess.run(command, capture_output=True, check=True, text=True)
    with out.open() as file:
        *_, last = csv.DictReader(file)
    n = float(last["classified instances"])
    if n != arena.n_records:
        raise RuntimeError(f"MOA's {entrant.moa} classified {n:.0f} of {arena.n_records} records")
    return Cell(
        "MOA",
        f"capymoa {version('capymoa')}",
        entrant.name,
        arena.name,
        arena.n_records,
        seed,
        float(last["classifications correct (percent)"]),
        float(last["Kappa Statistic (percent)"]),
        float(last["evaluation time (cpu seconds)"]),
        0,
    )


def river_cell(entrant: Entrant, arena: Arena) -> Cell:
    """Test and train River's learner, record by record; its own time only. The seed is River's 1."""
    assert entrant.river is not None
    features = arena.stream.schema.features
    model = entrant.river([feature.name for feature in features if feature.nominal])
    names = [feature.name for feature in features]
    X, y = arena.records
    said = np.full(len(y), -1)
    seconds = 0.0
    for i, (row, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        record = {name: value for name, value in zip(names, row, strict=True) if value == value}
        began = time.process_time()
        found = model.predict_one(record)
        model.learn_one(record, label)
        seconds += time.process_time() - began
        said[i] = -1 if found is None else found
    return cell_of("River", f"river {version('river')}", entrant, arena, 1, said, seconds, 0)
