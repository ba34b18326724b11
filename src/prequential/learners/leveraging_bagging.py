"""Leveraging bagging."""

from __future__ import annotations

from dataclasses import dataclass

from prequential.learners.adwin_bagging import AdwinBagging
from prequential.learners.catalogue import register


@register("leveraging_bagging")
@dataclass(eq=False, kw_only=True, repr=False)
class LeveragingBagging(AdwinBagging):
    """Leveraging bagging: bagging with ADWIN whose members learn each record 6 times on average.

    Random output codes, the second part of the paper and an option in MOA, are not implemented.

    Parameters
    ----------
    lambda_
        Mean of the Poisson draws, the times that a member learns a record; 6 by default, as in the paper.

    The other parameters are those of `AdwinBagging`.

    References
    ----------
    Bifet, Holmes and Pfahringer, "Leveraging bagging for evolving data streams", ECML PKDD 2010.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.LeveragingBagging(n_models=3)
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.85
    """

    lambda_: float = 6.0
