"""The learners that a command runs if none is named."""

from __future__ import annotations

from typing import Any

DEFAULT_LEARNERS: dict[str, list[dict[str, Any]]] = {
    "classification": [{"type": name} for name in ("majority_class", "no_change", "naive_bayes", "sgd")],
    "regression": [{"type": name} for name in ("mean_target", "last_target")],
}
"""The learners by task, as tables of a plan."""
