"""The learner contract, the reference learners, and adapters for those of other libraries."""

# Each module registers its learner when it is imported: in the order in which listings show the catalogue.
# isort: off
from prequential.learners.majority_class import MajorityClass
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.no_change import NoChange
from prequential.learners.sgd import SGD
from prequential.learners.knn import KNN
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from prequential.learners.online_bagging import OnlineBagging
from prequential.learners.random_forest import RandomForest
from prequential.learners.adaptive_random_forest import AdaptiveRandomForest
from prequential.learners.adwin_bagging import AdwinBagging
from prequential.learners.leveraging_bagging import LeveragingBagging
from prequential.learners.dynamic_weighted_majority import DynamicWeightedMajority
from prequential.learners.accuracy_updated_ensemble import AccuracyUpdatedEnsemble
from prequential.learners.noise_filter import NoiseFilter
from prequential.learners.target import LastTarget, MeanTarget
from prequential.learners.drift_reset import DriftReset
from prequential.learners.self_training import SelfTraining

# isort: on
from typing import TYPE_CHECKING

from prequential.learners.adapters import LearnerLike, as_learner
from prequential.learners.adapters.capymoa import CapymoaLearner
from prequential.learners.adapters.refit import Refit
from prequential.learners.adapters.river import RiverLearner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.learners.catalogue import names
from prequential.learners.contract import Learner
from prequential.namespace import namespace

__all__ = [
    "KNN",
    "SGD",
    "AccuracyUpdatedEnsemble",
    "AdaptiveRandomForest",
    "AdwinBagging",
    "CapymoaLearner",
    "DriftReset",
    "DynamicWeightedMajority",
    "HoeffdingAdaptiveTree",
    "HoeffdingTree",
    "LastTarget",
    "Learner",
    "LearnerLike",
    "LeveragingBagging",
    "MajorityClass",
    "MeanTarget",
    "NaiveBayes",
    "NoChange",
    "NoiseFilter",
    "OnlineBagging",
    "RandomForest",
    "Refit",
    "RiverLearner",
    "SelfTraining",
    "SklearnLearner",
    "as_learner",
    "names",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
