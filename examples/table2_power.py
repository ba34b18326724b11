"""Print table 2 of Bifet et al. (KDD 2015): how often tests reject, our figures next to theirs.

Run it with ``python examples/table2_power.py``; it takes a minute or two. ``--n 100000 --runs 50 --models 10`` is
closer to the paper, which averages over thirteen streams and does not give the lengths of the generated ones.
"""

from __future__ import annotations

import argparse
from typing import Final

import prequential as pq

SCHEMES: Final = ("bootstrap", "cross", "split")
TESTS = {"mcnemar": "McNemar", "sign": "Sign test", "wilcoxon": "Wilcoxon"}
WAYS = {"held_out": "non-prequential", "trained": "prequential"}
PAPER = {  # bootstrap, cross, split; without change, then with noise 0.05, then with 0.10
    ("mcnemar", "held_out"): (0.71, 0.52, 0.66, 0.86, 0.80, 0.73, 0.88, 0.84, 0.75),
    ("mcnemar", "trained"): (0.77, 0.80, 0.42, 0.88, 0.94, 0.56, 0.90, 0.95, 0.58),
    ("sign", "held_out"): (0.11, 0.11, 0.10, 0.77, 0.82, 0.44, 0.82, 0.88, 0.50),
    ("sign", "trained"): (0.12, 0.12, 0.09, 0.77, 0.83, 0.44, 0.82, 0.89, 0.50),
    ("wilcoxon", "held_out"): (0.11, 0.11, 0.14, 0.79, 0.84, 0.51, 0.83, 0.90, 0.55),
    ("wilcoxon", "trained"): (0.11, 0.10, 0.19, 0.80, 0.84, 0.54, 0.83, 0.91, 0.59),
}


def streams(n: int) -> dict[str, pq.Stream]:
    """Return two of the thirteen streams: SEA with drifts of width 50, and the rotating hyperplane."""
    sea: pq.Stream = pq.streams.SEA(1, seed=1)
    for k in (2, 3, 4):
        sea = sea.drift_to(pq.streams.SEA(k, seed=k), at=(k - 1) * n // 4, width=50)
    plane = pq.streams.Hyperplane(n_drifting=10, speed=0.001, seed=1)
    return {"SEA(50)": sea.take(n), "HYP(10,0.001)": plane.take(n)}


def main() -> None:
    """Print the table in Markdown, each cell ours / theirs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1000, help="number of records per stream")
    parser.add_argument("--runs", type=int, default=10, help="number of runs per stream")
    parser.add_argument("--models", type=int, default=5, help="number of trees per forest")
    parser.add_argument("--folds", type=int, default=10, help="number of folds")
    parser.add_argument("--directory", help="directory for the results; an interrupted experiment continues there")
    options = parser.parse_args()
    result = pq.power(
        streams(options.n),
        pq.learners.RandomForest(n_models=options.models),
        schemes=SCHEMES,
        tests=["held_out", "trained"],
        folds=options.folds,
        noise=[0.05, 0.10],
        runs=options.runs,
        directory=options.directory,
    ).pooled()
    rate = {(r.test, r.case.tests, r.noise, r.case.scheme): r.rejection_rate for r in result.rates()}
    kinds = {None: "same", 0.05: "noise 0.05", 0.10: "noise 0.10"}
    print("| test |", " | ".join(f"{kind}, {scheme}" for kind in kinds.values() for scheme in SCHEMES), "|")
    print("|---|" + "---|" * 9)
    for (test, way), theirs in PAPER.items():
        ours = [rate[test, way, noise, scheme] for noise in kinds for scheme in SCHEMES]
        cells = (f"{one:.2f} / {their:.2f}" for one, their in zip(ours, theirs, strict=True))
        print(f"| {TESTS[test]}, {WAYS[way]} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
