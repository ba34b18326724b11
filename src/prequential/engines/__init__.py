"""Engines: where the replicas of a run are computed. Results do not depend on the engine."""

from typing import TYPE_CHECKING

from prequential.engines.ray import Ray
from prequential.namespace import namespace

__all__ = ["Ray"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
