"""The conventions of every evaluation. Reports print these sentences, and tests check them."""

from __future__ import annotations

CONVENTIONS: tuple[str, ...] = (
    "Shares are fractions from 0 to 1, never percent.",
    "An undefined value is NaN, shown as – with its reason, and never 0 or 1. An example is κ when the baseline is "
    "always right.",
    "A learner that gives no prediction, or scores that are all zero or not finite, abstains. An abstention counts as "
    "wrong, or is left out with abstain = skip; the number of abstentions is reported either way. In regression an "
    "abstention has no error and is always left out.",
    "Baselines are causal: they predict the majority, or the last, of the labels known before the record. Before the "
    "first label they abstain.",
    "If several classes have the highest score, the one with the lowest code is predicted. A tied pair counts one half "
    "in the AUC, and each pair of an abstention counts as wrong.",
    "The last checkpoint is always reported, and so is a window that is not full yet.",
    "Learners are never changed in place: each run creates a fresh learner from its parameters, and each learner gets "
    "the stream from its first record.",
    "Predicting, learning and scoring are timed separately.",
    "A drift is detected once, by the first alarm within its tolerance; later alarms there are repeats, and all other "
    "alarms are false. The mean delay is over detected drifts only, and is shown with the misses and false alarms. "
    "Every score is shown with that of a dummy that gives the same number of alarms without looking at the data.",
    "A learner that fails is reported with the record and the traceback; the other learners continue. No error is "
    "hidden.",
    "Records whose label never arrives are counted as unlabelled: they enter no metric and are not learned.",
)
"""One or more sentences per convention, in the order of their numbers."""
