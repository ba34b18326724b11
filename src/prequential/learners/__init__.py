"""The learner contract, the reference learners, and adapters for those of other libraries."""

from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import CATALOGUE, by_name
from prequential.learners.contract import Clock, Learner
from prequential.learners.knn import Knn
from prequential.learners.majority_class import MajorityClass
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.no_change import NoChange
from prequential.learners.sgd import Sgd
from prequential.learners.target import LastTarget, MeanTarget

__all__ = [
    "CATALOGUE",
    "Clock",
    "Knn",
    "LastTarget",
    "Learner",
    "MajorityClass",
    "MeanTarget",
    "NaiveBayes",
    "NoChange",
    "Sgd",
    "as_learner",
    "by_name",
]
