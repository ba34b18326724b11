"""E-process: evidence against equally good learners that is valid at all checkpoints together.

Ramdas, Grünwald, Vovk, Shafer 2023, "Game-theoretic statistics and safe anytime-valid inference"; the mixture is
Robbins' (1970), for a coin.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import check_number
from prequential.elementary import exp, log
from prequential.errors import ParameterError
from prequential.types import FloatArray

PRIOR = 10.0
"""The parameter a of the Beta(a, a) mixture.

It expects the better learner to win 50 to 70 % of the discordant records. Differences in that range are hard to detect;
larger ones are detected soon under any mixture (15 wins in a row are enough for α = 0.05).
"""


def log_e_value(n01: npt.ArrayLike, n10: npt.ArrayLike, *, prior: float = PRIOR) -> FloatArray:
    """Return ln E, the evidence against A and B being equally good, from the discordant records.

    E = 2^(n01+n10)·B(a + n01, a + n10)/B(a, a), in (0, ∞) and 1 at the start; n01 counts A wrong and B right, n10 A
    right and B wrong, and a is ``prior``. It is the wealth of a gambler who starts with 1 and bets at even odds on who
    is right in the next discordant record, given those so far. If both learners are equally likely to be right in every
    discordant record, given the records before it, E is a martingale: the probability that it *ever* reaches 1/α is at
    most α (Ville's inequality). Exact at any number of records.

    The hypothesis is that the learners are equal at every record; the confidence sequence is about their mean.

    Examples
    --------
    >>> np.exp(log_e_value([0, 1, 60], [0, 0, 30])).round(2).tolist()
    [1.0, 1.0, 27.65]
    """
    check_number(prior, "prior", "log_e_value", above=0)
    first, second = np.asarray(n01, dtype=np.float64), np.asarray(n10, dtype=np.float64)
    if (first < 0).any() or (second < 0).any():
        raise ParameterError("n01", "log_e_value", "counts of at least 0", float(min(first.min(), second.min())))
    mixed: FloatArray = (
        (first + second) * log(2)
        + scipy.special.betaln(prior + first, prior + second)
        - scipy.special.betaln(prior, prior)
    )
    return mixed


def anytime_p_value(log_e: npt.ArrayLike) -> FloatArray:
    """Return the anytime-valid p-value at each checkpoint (last axis): 1/max E so far, at most 1.

    If the learners are equally good, the probability that it ever falls to α is at most α, however often you look.

    Examples
    --------
    >>> anytime_p_value(np.log([0.5, 20, 4, 100])).round(3).tolist()
    [1.0, 0.05, 0.05, 0.01]
    """
    best = np.maximum.accumulate(np.asarray(log_e, dtype=np.float64), axis=-1)
    p: FloatArray = exp(-np.maximum(best, 0.0))
    return p
