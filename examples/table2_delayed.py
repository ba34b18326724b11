"""Print table II of Grzenda, Gomes and Bifet (IJCNN 2020), our figures next to theirs.

Run it with ``python examples/table2_delayed.py DATA``; DATA is a folder with ``delayed_electricity.parquet``
and ``delayed_hyperplane_sample.parquet``. B = 100, α = 2; a waiting record is predicted again after every tenth label.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import prequential as pq

LEARNERS = {
    "NB": "naive_bayes",
    "NC": "no_change",
    "MC": "majority_class",
    "kNN": "knn:n_neighbors=10,window_size=1000",
    "HT": "hoeffding_tree",
    "HAT": "hoeffding_adaptive_tree",
    "ARF": "adaptive_random_forest",
}
STAGES = ("initial", "bin 50", "final", "Ψ₂")
PAPER = {
    "electricity": (
        (53.44, 49.78, 57.51, 64.36, 56.93, 59.54, 57.00),
        (53.70, 48.33, 57.49, 63.81, 57.04, 59.85, 58.21),
        (54.34, 85.37, 57.56, 71.58, 61.59, 64.99, 68.27),
        (53.49, 51.93, 57.51, 62.95, 56.82, 59.62, 56.88),
    ),
    "hyperplane_sample": (
        (75.60, 49.60, 52.40, 73.20, 75.60, 75.20, 72.80),
        (85.20, 56.40, 48.40, 82.80, 85.20, 84.00, 82.40),
        (92.40, 46.40, 46.80, 92.80, 91.60, 91.20, 92.40),
        (83.43, 50.70, 49.57, 81.07, 82.77, 82.50, 80.94),
    ),
}
OPTIONS: dict[str, dict[str, Any]] = {  # a date that is text in the file; MOA reads it as a number
    "electricity": {"target": "ValueToPredict", "numeric": "trueDate"},
    "hyperplane_sample": {"target": "class"},
}


def measured(path: Path, options: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    """Return the accuracies of each learner at the four stages, in percent."""
    run = pq.evaluate(
        pq.read(path, id="instanceId", time="timeStamp", **options),
        {short: pq.as_learner(name) for short, name in LEARNERS.items()},
        protocol=pq.Delayed(bins=100, psi_alpha=2, reevaluate_every=10, first_class=True),
        metrics="accuracy",
        forgetting="cumulative",
        every=10**9,
    )
    bins = {(row["learner"], row["bin"]): row["value"] for row in run.delays.bins().to_pylist()}
    psi = {row["learner"]: row["value"] for row in run.to_arrow().to_pylist() if row["metric"] == "accuracy_psi_2"}
    return {one: tuple(100 * v for v in (bins[one, 0], bins[one, 50], bins[one, 101], psi[one])) for one in LEARNERS}


def main() -> None:
    """Print the table in Markdown, each cell ours / theirs."""
    folder = Path(sys.argv[1])
    print("| stream | metric |", " | ".join(LEARNERS), "|")
    print("|---|---|" + "---|" * len(LEARNERS))
    for stream, theirs in PAPER.items():
        ours = measured(folder / f"delayed_{stream}.parquet", OPTIONS[stream])
        for i, stage in enumerate(STAGES):
            cells = (f"{ours[one][i]:.2f} / {value:.2f}" for one, value in zip(LEARNERS, theirs[i], strict=True))
            print(f"| {stream} | {stage} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
