"""Engines: where the replicas of a run work. The results are the same wherever it is."""

from prequential.engines.choice import check_engine, make_engine
from prequential.engines.engine import Engine
from prequential.engines.job import Job
from prequential.engines.report import Report, Usage
from prequential.engines.worker import Worker

__all__ = ["Engine", "Job", "Report", "Usage", "Worker", "check_engine", "make_engine"]
