"""The conclusion of a comparison, in a sentence that claims no more than the tests show."""

from __future__ import annotations

import numpy as np

from prequential.comparisons.paired import WEIGHTED, PairedTrace
from prequential.comparisons.paired_losses import PairedLosses
from prequential.comparisons.ranking import Ranking
from prequential.errors import InputError
from prequential.number import chance_of, count, fixed, span
from prequential.runs.status import one_line


def pair_conclusion(trace: PairedTrace, stage: str = "") -> str:
    """Return whether one of two learners is better after all records, and by how much.

    With late labels, by the predictions of a stage, after all labels.
    """
    return _over_folds(trace) if len(trace.folds) > 1 else _anytime(trace, stage)


def loss_conclusion(trace: PairedLosses) -> str:
    """Return whether one of two learners has the lower mean loss over all records, and by how much."""
    a, b, loss = one_line(trace.a), one_line(trace.b), one_line(trace.loss)
    last = {name: float(values[-1]) for name, values in trace.series("cumulative", trace.folds[0]).items()}
    after, sure = f"After {count(int(last['n']))} records", f"{100 * (1 - trace.alpha):g} %"
    low, high, kind = last["sequence_low"], last["sequence_high"], "the confidence sequence"
    looks = f"{sure}, however often one looks"
    if np.isnan(low):
        low, high, kind = last["batch_low"], last["batch_high"], "the interval by batch means"
        looks = f"{sure}, for one look"
    if np.isnan(low):
        means = f"{a} has a mean {loss} of {fixed(last['loss_a'])}, {b} of {fixed(last['loss_b'])}"
        return f"{after} {means}; there is no interval."
    if low <= 0 <= high:
        return (
            f"{after} {kind} contains 0: the mean {loss} of {a} may be up to {fixed(-low)} lower or up to "
            f"{fixed(high)} higher than that of {b} ({looks})."
        )
    near, far = sorted((abs(low), abs(high)))
    side = "lower" if high < 0 else "higher"
    return (
        f"{after} {kind} excludes 0: the mean {loss} of {a} is {fixed(near)} to {fixed(far)} {side} than that of {b} "
        f"({looks})."
    )


def _anytime(trace: PairedTrace, stage: str) -> str:
    unit = "labels" if stage else "records"
    a, b = one_line(trace.a), one_line(trace.b)
    if "holdout" in trace.forgetting:
        return _of_test(trace, a, b)
    if "cumulative" not in trace.forgetting:
        return f"There is no confidence sequence of {a} and {b}: it needs the forgetting 'cumulative'."
    series = trace.series("cumulative", trace.folds[0])
    low, high = series["sequence_low"], series["sequence_high"]
    head = f"By the {stage} predictions, after" if stage else "After"
    after, sure = f"{head} {count(int(series['n'][-1]))} {unit}", f"{100 * (1 - trace.alpha):g} %"
    if np.isnan(low[-1]):
        return f"{after} there is no confidence sequence of {a} and {b}: {WEIGHTED}."
    apart = (low > 0) | (high < 0)
    if apart[-1]:
        less = bool(high[-1] < 0)
        near, far = sorted((abs(float(low[-1])), abs(float(high[-1]))))
        return (
            f"{after} the confidence sequence excludes 0: {a} errs {_points(near)} to {_points(far)} percentage points "
            f"{'less' if less else 'more'} than {b} ({sure}, however often one looks)."
        )
    text = (
        f"{after} the confidence sequence contains 0: {a} may err up to {_points(-float(low[-1]))} percentage points "
        f"less or up to {_points(float(high[-1]))} more than {b} ({sure}, however often one looks)."
    )
    if apart.any():
        text += f" It excluded 0 before, last after {count(int(series['n'][apart][-1]))} {unit}."
    p = float(series["anytime_p_value"][-1])
    if p <= trace.alpha:
        text += (
            f" But the hypothesis that they are equally good at every record is rejected (e-process, {chance_of(p)})."
        )
    return text


def _of_test(trace: PairedTrace, a: str, b: str) -> str:
    series = trace.series("holdout", trace.folds[0])
    last = {name: float(values[-1]) for name, values in series.items()}
    head = f"On the holdout test at record {count(int(last['n']))}, of {count(int(last['n_records']))} records,"
    if np.isnan(last["difference"]):
        return f"{head} {a} and {b} cannot be compared: no record counts."
    text = f"{head} {a} errs as often as {b}"
    if last["difference"]:
        side = "less" if last["difference"] < 0 else "more"
        text = f"{head} {a} errs {_points(abs(last['difference']))} percentage points {side} than {b}"
    if np.isnan(last["p_value"]):
        return f"{text}; there is no p-value: {WEIGHTED}."
    return f"{text} (McNemar, {chance_of(last['p_value'])}, valid for this test alone)."


def _over_folds(trace: PairedTrace) -> str:
    forgetting = trace.forgetting[0]
    try:
        signs, ranks = trace.over_folds(forgetting)
    except InputError as too_few:
        return str(too_few)
    a, b = one_line(trace.a), one_line(trace.b)
    n = len(trace.folds)
    if ranks.n_ties == n:
        return f"Over {n} folds ({forgetting}) {a} and {b} have equal accuracies: p = 1."
    shown = "is better than" if ranks.estimate > 0 else "is worse than"
    head = f"{a} {shown} {b}" if ranks.p_value <= trace.alpha else f"no difference between {a} and {b} is shown"
    return (
        f"Over {n} folds ({forgetting}) {head}: Wilcoxon {chance_of(ranks.p_value)} ({ranks.method}), accuracy "
        f"differs by {fixed(ranks.estimate)} {span(ranks.interval.low, ranks.interval.high)}; {a} is better in "
        f"{signs.statistic} of {n - signs.n_ties} folds, sign test {chance_of(signs.p_value)}."
    )


def rank_conclusion(ranking: Ranking) -> str:
    """Return whether several learners differ, and which do not differ significantly from the best."""
    test, cd = ranking.friedman, ranking.nemenyi.critical_difference
    k, n = test.n_learners, test.n_streams
    over = f"over {n} {ranking.over} (Iman–Davenport F = {fixed(test.f_statistic)}, {chance_of(test.f_p_value)})"
    if test.f_p_value > ranking.alpha:
        return f"No difference between the {k} learners is shown {over}."
    best = int(np.argmin(test.mean_ranks))
    close = [i for i in range(k) if i != best and test.mean_ranks[i] - test.mean_ranks[best] < cd]
    close.sort(key=lambda i: test.mean_ranks[i])
    text = f"The learners differ {over}. {one_line(ranking.learners[best])} ranks first; "
    if not close:
        return text + f"all others are worse (Nemenyi, α = {ranking.alpha:g})."
    names = ", ".join(one_line(ranking.learners[i]) for i in close)
    return text + f"not significantly different from it: {names} (Nemenyi, α = {ranking.alpha:g})."


def _points(share: float) -> str:
    return f"{100 * share + 0.0:.2f}"
