"""The test bench for models that learn from streams.

>>> import prequential as pq
>>> run = pq.evaluate(pq.streams.SEA(seed=1).take(5000), ["naive_bayes", "no_change"], every=1000)
>>> run.status
'complete'
"""

from prequential import calculators, learners, measures, streams
from prequential.errors import (
    DataError,
    InputError,
    LearnerError,
    MissingExtraError,
    ParameterError,
    PlanError,
    PrequentialError,
    StorageError,
)
from prequential.experiment import LearnerFailedWarning, Run, evaluate, load, score, score_files
from prequential.experiment.plan import Plan
from prequential.learners import Learner, as_learner
from prequential.measures import Cumulative, ExponentialHistogram, Fading, Measure, Sliding
from prequential.protocols import Holdout, Prequential
from prequential.streams import Chunk, Drift, Feature, Schema, Stream, from_arrays, from_river, from_table, read

__version__ = "0.1.0"

__all__ = [
    "Chunk",
    "Cumulative",
    "DataError",
    "Drift",
    "ExponentialHistogram",
    "Fading",
    "Feature",
    "Holdout",
    "InputError",
    "Learner",
    "LearnerError",
    "LearnerFailedWarning",
    "Measure",
    "MissingExtraError",
    "ParameterError",
    "Plan",
    "PlanError",
    "Prequential",
    "PrequentialError",
    "Run",
    "Schema",
    "Sliding",
    "StorageError",
    "Stream",
    "as_learner",
    "calculators",
    "evaluate",
    "from_arrays",
    "from_river",
    "from_table",
    "learners",
    "load",
    "measures",
    "read",
    "score",
    "score_files",
    "streams",
]
