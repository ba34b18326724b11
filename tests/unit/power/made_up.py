"""Synthetic experiments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from prequential.power.design import Case, Design
from prequential.power.repetition import Contrast, Repetition

CASE = Case("SEA", "cross", "held_out", 10)


def design(**other: Any) -> Design:
    settings: dict[str, Any] = {
        "learner": "forest",
        "description": {"learner": "RandomForest", "n_models": 3},
        "streams": {"SEA": {"n_records": 100, "records": "0a"}},
        "schemes": ("cross",),
        "tests": ("held_out",),
        "folds": (10,),
        "noise": (0.05,),
        "metric": "accuracy",
        "runs": 4,
        "alpha": 0.05,
        "seed": 1,
        "version": "0.1.0",
    }
    return Design(**{**settings, **other})


def contrast(p: Mapping[str, float], noise: float | None = None, **other: Any) -> Contrast:
    why = {test: "weights" for test, value in p.items() if math.isnan(value)}
    settings: dict[str, Any] = {"value": 0.9, "other": 0.875, "identical": False, "reason": why}
    return Contrast(noise=noise, p=p, **{**settings, **other})


def repetitions(p_values: Sequence[tuple[float, float]], case: Case = CASE) -> list[Repetition]:
    """One repetition per pair of p-values, equal for all tests: of the copy with another seed, and of the noisy one."""
    return [
        Repetition(
            case,
            run,
            0.5,
            tuple(
                contrast(dict.fromkeys(("sign", "wilcoxon", "mcnemar"), p), noise)
                for p, noise in ((same, None), (noisy, 0.05))
            ),
        )
        for run, (same, noisy) in enumerate(p_values, start=1)
    ]
