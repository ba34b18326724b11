"""An e-process: evidence against "equally good" that may be looked at as often as one likes.

Ramdas, Grünwald, Vovk, Shafer 2023, "Game-theoretic statistics and safe anytime-valid inference"; the mixture is
Robbins' (1970), for a coin.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from prequential.errors import ParameterError, is_number
from prequential.types import FloatArray

PRIOR = 10.0
"""The parameters of the Beta mixture.

It expects the better learner to win 50 to 70 % of the records that tell the two apart: there differences are hard to
see and evidence is needed; of clear ones there is soon enough under any mixture (15 wins in a row do for α = 0.05).
"""


def log_e_value(n01: npt.ArrayLike, n10: npt.ArrayLike, *, prior: float = PRIOR) -> FloatArray:
    """Return ln E, the evidence against A and B being equally good, from the records that tell them apart.

    E = 2^(n01+n10)·B(a + n01, a + n10)/B(a, a): the wealth of a gambler who starts with 1 and bets on who wins the
    next such record, at even odds, by what has been seen (n01: A wrong and B right; n10 the other way round; a is
    ``prior``). If at every record, given what came before, either is as likely to be the one that is right, E is a
    martingale: the chance that it *ever* reaches 1/α is at most α (Ville). In (0, ∞), 1 at the start; exact at any
    number of records.

    The hypothesis is that the learners are equal at every record; the confidence sequence looks at their mean.

    Examples
    --------
    >>> np.exp(log_e_value([0, 1, 60], [0, 0, 30])).round(2).tolist()
    [1.0, 1.0, 27.65]
    """
    if not is_number(prior) or not 0 < prior < np.inf:
        raise ParameterError("prior", "log_e_value", "a number above 0", prior)
    first, second = np.asarray(n01, dtype=np.float64), np.asarray(n10, dtype=np.float64)
    if (first < 0).any() or (second < 0).any():
        raise ParameterError("n01", "log_e_value", "counts of at least 0", float(min(first.min(), second.min())))
    mixed: FloatArray = (
        (first + second) * np.log(2)
        + scipy.special.betaln(prior + first, prior + second)
        - scipy.special.betaln(prior, prior)
    )
    return mixed


def anytime_p_value(log_e: npt.ArrayLike) -> FloatArray:
    """Return the p-value at each checkpoint (last axis): 1/max E so far, at most 1.

    With probability 1 − α it never falls to α if the learners are equally good, however often one looks.

    Examples
    --------
    >>> anytime_p_value(np.log([0.5, 20, 4, 100])).round(3).tolist()
    [1.0, 0.05, 0.05, 0.01]
    """
    best = np.maximum.accumulate(np.asarray(log_e, dtype=np.float64), axis=-1)
    p: FloatArray = np.minimum(1.0, np.exp(-np.maximum(best, 0.0)))
    return p
