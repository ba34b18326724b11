"""Statistical tests that compare learners: two record by record or fold by fold, several over several streams.

The modules write ``import scipy``, not ``import scipy.stats``: SciPy then loads ``scipy.stats`` at its first use, which
takes longer than importing the rest of this package.
"""

from __future__ import annotations

from prequential.comparisons.confidence_sequence import (
    ConfidenceSequence,
    confidence_sequence,
    predictable_variance,
    stitched_boundary,
)
from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.comparisons.error_difference import error_difference
from prequential.comparisons.friedman import Friedman, friedman, ranks
from prequential.comparisons.holm import PairTest, holm, pairwise_wilcoxon
from prequential.comparisons.interval import Interval
from prequential.comparisons.mcnemar import McNemar, fading_scale, mcnemar, signed_mcnemar
from prequential.comparisons.nemenyi import Nemenyi, critical_difference, nemenyi
from prequential.comparisons.paired import PairedTrace
from prequential.comparisons.pairs import count_pairs
from prequential.comparisons.q_statistic import q_statistic
from prequential.comparisons.ranking import Ranking, ranking
from prequential.comparisons.sign_test import SignTest, sign_test
from prequential.comparisons.wilcoxon import Wilcoxon, wilcoxon

__all__ = [
    "ConfidenceSequence",
    "Friedman",
    "Interval",
    "McNemar",
    "Nemenyi",
    "PairTest",
    "PairedTrace",
    "Ranking",
    "SignTest",
    "Wilcoxon",
    "anytime_p_value",
    "confidence_sequence",
    "count_pairs",
    "critical_difference",
    "error_difference",
    "fading_scale",
    "friedman",
    "holm",
    "log_e_value",
    "mcnemar",
    "nemenyi",
    "pairwise_wilcoxon",
    "predictable_variance",
    "q_statistic",
    "ranking",
    "ranks",
    "sign_test",
    "signed_mcnemar",
    "stitched_boundary",
    "wilcoxon",
]
