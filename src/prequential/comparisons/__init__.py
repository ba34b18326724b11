"""Statistical tests that compare learners: two record by record or fold by fold, several over several streams.

The modules write ``import scipy``, not ``import scipy.stats``: SciPy then loads ``scipy.stats`` at its first use, which
takes longer than importing the rest of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.bayesian import BayesianSignedRank, bayesian_signed_rank
from prequential.comparisons.confidence_sequence import ConfidenceSequence, confidence_sequence
from prequential.comparisons.error_difference import error_difference
from prequential.comparisons.friedman import Friedman, friedman
from prequential.comparisons.holm import PairTest, holm, pairwise_wilcoxon
from prequential.comparisons.interval import Interval
from prequential.comparisons.mcnemar import McNemar, mcnemar
from prequential.comparisons.nemenyi import Nemenyi, nemenyi
from prequential.comparisons.paired import PairedTrace
from prequential.comparisons.paired_losses import PairedLosses
from prequential.comparisons.q_statistic import q_statistic
from prequential.comparisons.ranking import Ranking, ranking
from prequential.comparisons.sign_test import SignTest, sign_test
from prequential.comparisons.wilcoxon import Wilcoxon, wilcoxon
from prequential.namespace import namespace

__all__ = [
    "BayesianSignedRank",
    "ConfidenceSequence",
    "Friedman",
    "Interval",
    "McNemar",
    "Nemenyi",
    "PairTest",
    "PairedLosses",
    "PairedTrace",
    "Ranking",
    "SignTest",
    "Wilcoxon",
    "batch_half_width",
    "bayesian_signed_rank",
    "confidence_sequence",
    "error_difference",
    "friedman",
    "holm",
    "mcnemar",
    "nemenyi",
    "pairwise_wilcoxon",
    "q_statistic",
    "ranking",
    "sign_test",
    "wilcoxon",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
