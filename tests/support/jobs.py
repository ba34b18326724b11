"""The jobs of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import prequential as pq
from prequential.engines.job import Job, ReplicaJob
from prequential.evaluation.settings import UncheckedSettings
from prequential.learners import as_learner
from prequential.protocols import Protocol


def replica_jobs(
    stream: pq.Stream,
    learners: Mapping[str, Any],
    protocol: Protocol | None = None,
    *,
    setting: Mapping[str, Any] | None = None,
    **settings_given: Any,
) -> list[Job]:
    """Return one job per learner and fold; ``setting`` replaces fields of the shared setting."""
    settings = UncheckedSettings(caller="a test", protocol=protocol, **settings_given).checked(stream)
    shared = replace(settings.setting(), **(setting or {}))
    bound = {name: as_learner(one).bound_to(stream) for name, one in learners.items()}
    return [
        ReplicaJob(name, fold, learner, settings.protocol, shared, 1)
        for name, learner in bound.items()
        for fold in settings.protocol.folds
    ]
