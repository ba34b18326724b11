"""The test bench for models that learn from data streams.

>>> import prequential as pq
>>> run = pq.evaluate(pq.streams.SEA(seed=1).take(5000), ["naive_bayes", "no_change"], every=1000)
>>> run.status
'complete'
"""

from typing import TYPE_CHECKING

from prequential import (
    calculators,
    comparisons,
    drift,
    engines,
    forgettings,
    learners,
    metrics,
    protocols,
    streams,
    testbed,
)
from prequential.drift import as_detector
from prequential.errors import (
    CallError,
    DataError,
    InputError,
    LearnerError,
    MissingExtraError,
    MissingFileError,
    ParameterError,
    PlanError,
    PrequentialError,
    StorageError,
    UnknownNameError,
    UnknownParameterError,
)
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.calibrate import calibrate
from prequential.evaluation.compare import compare
from prequential.evaluation.detect import detect
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.run import Run, load
from prequential.evaluation.significance import FewFoldsWarning
from prequential.forgettings import (
    AdaptiveWindow,
    Cumulative,
    ExponentialHistogram,
    Fading,
    Sliding,
    as_forgetting,
)
from prequential.learners import Learner, as_learner
from prequential.metrics import Metric, as_metric
from prequential.metrics.loss import loss
from prequential.namespace import namespace
from prequential.plans.plan import Plan
from prequential.power.experiment import power
from prequential.power.table import Power
from prequential.protocols import Delayed, Holdout, KFold, Prequential, as_protocol
from prequential.replication.replicate import replicate
from prequential.replication.replication import Replication
from prequential.scoring.delayed_logs import UnseenClassWarning
from prequential.scoring.score import score
from prequential.scoring.score_delayed import score_delayed
from prequential.scoring.scorer import Scorer
from prequential.streams import (
    Chunk,
    DataWarning,
    Drift,
    DriftBeyondEndWarning,
    Feature,
    Schema,
    Stream,
    as_stream,
    from_arrays,
    from_events,
    from_iterable,
    from_table,
    read,
    write,
)
from prequential.streams.data_sets.data import data
from prequential.tables.comparison import Comparison
from prequential.tables.rank_table import RankTable
from prequential.tables.significance_table import SignificanceTable

__version__ = "0.1.0"

__all__ = [
    "AdaptiveWindow",
    "CallError",
    "Chunk",
    "Comparison",
    "Cumulative",
    "DataError",
    "DataWarning",
    "Delayed",
    "Drift",
    "DriftBeyondEndWarning",
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
    "Metric",
    "MissingExtraError",
    "MissingFileError",
    "ParameterError",
    "Plan",
    "PlanError",
    "Power",
    "Prequential",
    "PrequentialError",
    "RankTable",
    "Replication",
    "Run",
    "Schema",
    "Scorer",
    "SignificanceTable",
    "Sliding",
    "StorageError",
    "Stream",
    "UnknownNameError",
    "UnknownParameterError",
    "UnseenClassWarning",
    "as_detector",
    "as_forgetting",
    "as_learner",
    "as_metric",
    "as_protocol",
    "as_stream",
    "calculators",
    "calibrate",
    "compare",
    "comparisons",
    "data",
    "detect",
    "drift",
    "engines",
    "evaluate",
    "forgettings",
    "from_arrays",
    "from_events",
    "from_iterable",
    "from_table",
    "learners",
    "load",
    "loss",
    "metrics",
    "power",
    "protocols",
    "read",
    "replicate",
    "score",
    "score_delayed",
    "streams",
    "testbed",
    "write",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
