"""Leveraging bagging."""

from __future__ import annotations

from dataclasses import dataclass

from prequential.learners.adwin_bagging import AdwinBagging


@dataclass(eq=False, kw_only=True)
class LeveragingBagging(AdwinBagging):
    """Leveraging bagging: bagging with ADWIN whose members learn each record more often, 6 times on average.

    Random output codes, the other half of the paper, which MOA has as an option, are not part of it.

    Parameters
    ----------
    base
        What the members are; Hoeffding trees, as in MOA.
    size
        Number of members; 10 as in MOA.
    mean
        Mean of the Poisson draws that say how often a member learns a record; 6 as in the paper.
    delta
        Confidence of ADWIN: the smaller, the fewer alarms; 0.002 as in MOA.

    References
    ----------
    Bifet, Holmes and Pfahringer, "Leveraging bagging for evolving data streams", ECML PKDD 2010.
    """

    mean: float = 6.0
