"""What ``prequential run`` does without a stream, and without learners."""

from __future__ import annotations

from typing import Any

DEFAULT_LEARNERS: dict[str, list[dict[str, Any]]] = {
    "classification": [{"name": name} for name in ("majority_class", "no_change", "naive_bayes", "sgd")],
    "regression": [{"name": name} for name in ("mean_target", "last_target")],
}
"""The learners that are run if none is named, by task, as tables of a plan."""

DEMONSTRATION: dict[str, Any] = {
    "every": 1000,
    "seed": 1,
    "metrics": ["accuracy", "kappa", "kappa_m", "kappa_t"],
    "forgetting": ["cumulative", "sliding:1000", "fading:0.999"],
    "stream": {
        "generator": "SEA",
        "n": 200_000,
        "concept": 1,
        "noise": 0.1,
        "seed": 1,
        "drift": [
            {"at": 50_000, "concept": 4, "seed": 2},
            {"at": 100_000, "width": 10_000, "concept": 3, "seed": 3},
            {"at": 150_000, "concept": 2, "seed": 4},
        ],
    },
    "protocol": {"name": "prequential"},
    "learner": DEFAULT_LEARNERS["classification"],
}
"""The plan that is run if no stream is named: SEA with two abrupt drifts and a gradual one."""
