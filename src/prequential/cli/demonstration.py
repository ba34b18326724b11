"""What ``prequential run`` does without a stream, and without learners."""

from __future__ import annotations

from typing import Any

DEFAULT_LEARNERS: dict[str, list[dict[str, Any]]] = {
    "classification": [{"type": name} for name in ("majority_class", "no_change", "naive_bayes", "sgd")],
    "regression": [{"type": name} for name in ("mean_target", "last_target")],
}
"""The learners that are run if none is named, by task, as tables of a plan."""

DEMONSTRATION: dict[str, Any] = {
    "every": 1000,
    "seed": 1,
    "metrics": ["accuracy", "kappa", "kappa_m", "kappa_t"],
    "forgetting": ["cumulative", "sliding:1000", "fading:0.999"],
    "stream": {
        "type": "SEA",
        "n": 200_000,
        "change": [
            {"type": "drift_to", "at": 50_000, "to": {"type": "SEA", "concept": 4, "seed": 2}},
            {"type": "drift_to", "at": 100_000, "width": 10_000, "to": {"type": "SEA", "concept": 3, "seed": 3}},
            {"type": "drift_to", "at": 150_000, "to": {"type": "SEA", "concept": 2, "seed": 4}},
        ],
    },
    "protocol": {"type": "prequential"},
    "learner": DEFAULT_LEARNERS["classification"],
}
"""The plan that is run if no stream is named: SEA with two abrupt drifts and a gradual one."""
