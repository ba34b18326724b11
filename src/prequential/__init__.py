"""The test bench for models that learn from streams.

>>> import prequential as pq
>>> run = pq.evaluate(pq.streams.SEA(seed=1).take(5000), ["naive_bayes", "no_change"], every=1000)
>>> run.status
'complete'
"""

from prequential import calculators, comparisons, drift, learners, measures, streams, testbed
from prequential.drift import AdwinDetector, Ddm, DriftReset, Eddm, PageHinkley, Ratio, score_alarms
from prequential.errors import (
    DataError,
    InputError,
    LearnerError,
    MissingExtraError,
    ParameterError,
    PlanError,
    PrequentialError,
    StorageError,
    UnknownParameterError,
)
from prequential.experiment import (
    FewFoldsWarning,
    LearnerFailedWarning,
    Run,
    compare,
    compare_many,
    evaluate,
    load,
    power,
    score,
    score_delayed,
    score_files,
)
from prequential.experiment.plan import Plan
from prequential.learners import Learner, as_learner
from prequential.measures import Adwin, Cumulative, ExponentialHistogram, Fading, Measure, RollingAUC, Sliding
from prequential.protocols import Delayed, Holdout, KFold, Prequential
from prequential.report import Comparison, Power, RankTable, SignificanceTable
from prequential.streams import (
    Chunk,
    Drift,
    DriftBeyondEndWarning,
    Feature,
    Schema,
    Stream,
    from_arrays,
    from_events,
    from_river,
    from_table,
    read,
    write,
)

__version__ = "0.1.0"

__all__ = [
    "Adwin",
    "AdwinDetector",
    "Chunk",
    "Comparison",
    "Cumulative",
    "DataError",
    "Ddm",
    "Delayed",
    "Drift",
    "DriftBeyondEndWarning",
    "DriftReset",
    "Eddm",
    "ExponentialHistogram",
    "Fading",
    "Feature",
    "FewFoldsWarning",
    "Holdout",
    "InputError",
    "KFold",
    "Learner",
    "LearnerError",
    "LearnerFailedWarning",
    "Measure",
    "MissingExtraError",
    "PageHinkley",
    "ParameterError",
    "Plan",
    "PlanError",
    "Power",
    "Prequential",
    "PrequentialError",
    "RankTable",
    "Ratio",
    "RollingAUC",
    "Run",
    "Schema",
    "SignificanceTable",
    "Sliding",
    "StorageError",
    "Stream",
    "UnknownParameterError",
    "as_learner",
    "calculators",
    "compare",
    "compare_many",
    "comparisons",
    "drift",
    "evaluate",
    "from_arrays",
    "from_events",
    "from_river",
    "from_table",
    "learners",
    "load",
    "measures",
    "power",
    "read",
    "score",
    "score_alarms",
    "score_delayed",
    "score_files",
    "streams",
    "testbed",
    "write",
]
