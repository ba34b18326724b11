"""What holds in every evaluation. Reports print these sentences; tests keep them true."""

from __future__ import annotations

CONVENTIONS: tuple[str, ...] = (
    "Shares are fractions from 0 to 1, never percent.",
    "An undefined value is NaN, shown as – with its reason, and never 0 or 1: κ, for one, where the baseline is always "
    "right.",
    "A learner that gives no prediction (none at all, or scores that are all zero or not finite) abstains. An "
    "abstention counts as wrong, or is left out where the run says abstain = skip; their number is reported "
    "either way. In regression it has no error that could be counted, and is always left out.",
    "Baselines are causal: they predict the majority, or the last, of the labels known before the record. Before the "
    "first label they abstain.",
    "Of classes with the same highest score, the one with the lowest code is predicted. A tied pair counts one half in "
    "the AUC, and each pair of an abstention counts as wrong.",
    "The last checkpoint is always reported, and so is a window that is not full yet.",
    "Learners are never changed in place: each is made fresh from its parameters, and each gets the stream from its "
    "first record.",
    "Predicting, learning and scoring are timed apart.",
    "A drift is detected once, by the first alarm in its tolerance; later alarms there are repeats, all others are "
    "false. The mean delay is over detected drifts only, with misses and false alarms beside it, and beside every "
    "score stands that of a dummy that gives as many alarms without looking.",
    "A learner that fails is reported with the record and the traceback; the other learners go on. No error is "
    "swallowed.",
    "Records whose label never comes are counted as unlabelled: they enter no measure and are not learned.",
)
"""One sentence or two a convention, in the order of the design document."""
