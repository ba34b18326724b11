"""The reference learners of a card: those that the testbed's paper characterises.

Where the paper names no parameters they are MOA's, except for the rate of gradient descent: with MOA's present default
of 0.0001 the average error on NSGT is 22 %, with 0.01 it is 7.4 %, and the paper reports 7.68 %.
"""

from __future__ import annotations

from prequential.learners.adwin_bagging import AdwinBagging
from prequential.learners.contract import Learner
from prequential.learners.dynamic_weighted_majority import DynamicWeightedMajority
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.knn import KNN
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.sgd import SGD

REFERENCES: dict[str, tuple[str, Learner]] = {
    "NB": ("naive Bayes", NaiveBayes()),
    "SGD": (
        "linear support vector machine by gradient descent",
        SGD(loss="hinge", learning_rate=0.01, standardise=False),
    ),
    "DWM": ("dynamic weighted majority of naive Bayes", DynamicWeightedMajority(base=NaiveBayes())),
    "OZAB": ("bagging with ADWIN of 10 Hoeffding trees", AdwinBagging(base=HoeffdingTree(), n_models=10)),
    "NN100": ("nearest neighbour of the last 100 records", KNN(n_neighbors=1, window_size=100)),
    "NN1500": ("nearest neighbour of the last 1,500", KNN(n_neighbors=1, window_size=1500)),
    "NN6000": ("nearest neighbour of the last 6,000", KNN(n_neighbors=1, window_size=6000)),
}
"""Long name and learner by the paper's short names."""
