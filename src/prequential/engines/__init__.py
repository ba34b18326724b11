"""Engines: where the replicas of a run are computed. Results do not depend on the engine."""

from prequential.engines.choice import check_engine, make_engine
from prequential.engines.engine import Engine
from prequential.engines.job import Job, Key, ReplicaJob
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.worker import Worker

__all__ = ["Engine", "Job", "Key", "ReplicaJob", "ReplicaUpdate", "Worker", "check_engine", "make_engine"]
