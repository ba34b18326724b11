"""Tests over the repetitions of one experiment: folds of a run, or runs with several seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np

from prequential.comparisons.interval import checked_alpha
from prequential.comparisons.over_folds import fold_differences, sign_tests, wilcoxon_tests
from prequential.comparisons.ranking import ranking
from prequential.comparisons.sample import least_pairs
from prequential.errors import InputError
from prequential.metrics.metric import is_share
from prequential.runs.status import one_line, warning
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values
from prequential.tables.rank_table import RankTable
from prequential.tables.result_rows import Column, result_columns
from prequential.tables.significance_rows import SignificanceRow, compared
from prequential.tables.significance_table import SignificanceTable
from prequential.types import FloatArray
from prequential.wording import listing

Results = Callable[[str, str, str], FloatArray]
"""Returns the results of a learner under a forgetting and by a metric, one per repetition."""


def repeated_ranks(
    values: Values,
    results: Results,
    names: Sequence[str],
    *,
    over: Literal["folds", "seeds"],
    metric: str | None = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
    alpha: float = 0.05,
) -> RankTable:
    """Rank learners over folds or seeds; by default by the first metric over all history, or the first forgetting."""
    default = "cumulative" if "cumulative" in values.forgetting else values.forgetting[0]
    found = result_columns(values, values.metrics[0] if metric is None else metric, forgetting or default)
    if len(found) != 1:
        shown = listing(f"{one.metric}, {one.forgetting}" for one in found)
        raise InputError(f"Learners are ranked by one metric under one forgetting. Got: {shown}.")
    (column,) = found
    if column.better is None:
        raise InputError(f"{column.metric!r} does not say which learner is better. Choose another metric (--metric).")
    chosen = values.choose_learners(learners)
    if len(chosen) < 2:
        raise InputError(f"Ranks need at least 2 learners. Got {listing(chosen) or 'none'}.")
    if len(names) < 2:
        raise InputError(f"Ranks need at least 2 {over}. Got {len(names)}.")
    table = np.stack([results(name, column.forgetting, column.metric) for name in chosen], axis=1)
    if not np.isfinite(table).all():
        row, which = np.argwhere(~np.isfinite(table))[0]
        raise InputError(
            f"{column.title} ({column.forgetting}) of {chosen[which]!r} is undefined with {names[row]}"
            f"{f' ({column.undefined})' if column.undefined else ''}: it cannot be ranked. Choose another metric "
            "(--metric)."
        )
    ranked = ranking(table, chosen, names, better=column.better, metric=column.title, alpha=alpha, over=over)
    return RankTable(ranked, share=is_share(column.metric))


def repeated_tests(
    values: Values,
    results: Results,
    n: int,
    *,
    over: Literal["folds", "seeds"],
    mean: bool,
    pair: tuple[str, str] | None = None,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    alpha: float = 0.05,
) -> SignificanceTable:
    """Test the differences of learners over folds or seeds: the sign test and Wilcoxon's test of paired results."""
    alpha = checked_alpha(alpha, "tests")
    if n < 2:
        raise InputError(f"A test over {over} needs at least 2 of them, and at least 6 to reject at 0.05. Got {n}.")
    columns = [one for one in result_columns(values, metrics, forgetting) if one.better is not None]
    if not columns:
        raise InputError("None of the metrics says which learner is better, so there is nothing to test.")
    names = values.choose_learners(pair)
    if pair is not None and len(set(pair)) < 2:
        raise InputError(f"{pair[0]!r} cannot be compared with itself: name two learners.")
    if len(names) < 2:
        raise InputError(f"A test needs two learners. There is {listing(names)}.")
    pairs = [pair] if pair is not None else list(combinations(names, 2))
    unit = 0.0 if values.manifest.schema["task"] == "regression" else 1.0
    rows = [
        _tested(values, results, column, a, b, alpha=alpha, over=over, unit=unit)
        for a, b in pairs
        for column in columns
    ]
    name = one_line(values.manifest.name)
    return SignificanceTable(name, warning(values.manifest), n, alpha, tuple(rows), over=over, mean=mean)


def _tested(
    values: Values, results: Results, column: Column, a: str, b: str, *, alpha: float, over: str, unit: float
) -> SignificanceRow:
    first, second = (results(name, column.forgetting, column.metric) for name in (a, b))
    difference = fold_differences(first, second, unit=unit)
    need, reason = least_pairs(alpha), ""
    _, signs = sign_tests(difference)
    _, ranks = wilcoxon_tests(difference)
    p = {"sign": float(signs), "wilcoxon": float(ranks), "mcnemar": float("nan")}
    if np.isnan(difference).any():
        reason = f"undefined with one of the {over}"
    elif len(first) < need:
        reason = f"{len(first)} {over} are too few: {need} are needed to reject at α = {alpha:g}"
        p = dict.fromkeys(p, float("nan"))
    n = min((int(values.checkpoints(name)[-1]) for name in (a, b) if len(values.checkpoints(name))), default=0)
    key = (a, b, column.metric, column.forgetting)
    row = compared(key, n, first, second, p, reason, lower=column.better == "lower", unit=unit)
    return replace(row, positive=column.positive)
