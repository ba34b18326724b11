"""The tests over folds at the last checkpoint: the data of the significance table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy

from prequential.comparisons.over_folds import fold_differences
from prequential.errors import InputError
from prequential.runs.directory import RunDirectory
from prequential.runs.positive import positive_of, titled
from prequential.runs.significance import checked_tests, fold_tests, unknown_choice
from prequential.runs.values import metric_of
from prequential.tables.fold_values import FoldValues, spread
from prequential.types import FloatArray

Key = tuple[str, str, str, str]
"""A, B, metric, forgetting."""


@dataclass(frozen=True, slots=True)
class SignificanceRow:
    """Two learners, one metric, one forgetting.

    Parameters
    ----------
    a, b, metric, forgetting
        The learners, and what they are compared by.
    n
        Records at the checkpoint.
    mean_a, mean_b
        The means of the folds.
    difference, std
        The mean of A − B over the folds, and its standard deviation; NaN where a fold is undefined.
    n_a_better, n_b_better
        The number of folds in which each is ahead, in the direction of the metric.
    effect
        The rank-biserial correlation of Wilcoxon's test: from −1, B is better in all folds, to 1; NaN where all are
        equal.
    sign_p_value, wilcoxon_p_value, mcnemar_p_value
        The p-values; NaN if there is no test. McNemar's test is of the accuracy, for contrast.
    reason
        Why a p-value is undefined.
    positive
        The positive class, if the metric depends on it.
    """

    a: str
    b: str
    metric: str
    forgetting: str
    n: int
    mean_a: float
    mean_b: float
    difference: float
    std: float
    n_a_better: int
    n_b_better: int
    effect: float
    sign_p_value: float
    wilcoxon_p_value: float
    mcnemar_p_value: float
    reason: str
    positive: str | None = None

    @property
    def title(self) -> str:
        """The metric, with its positive class if there is one."""
        return titled(self.metric, self.positive)


def significance_rows(
    directory: RunDirectory,
    folds: FoldValues,
    *,
    metrics: str | Sequence[str] | None,
    forgetting: str | Sequence[str] | None,
    learners: tuple[str, str] | None,
) -> list[SignificanceRow]:
    """Read the tests at the last checkpoint that each pair of learners shares; for the parameters see the table."""
    found = _last_tests(checked_tests(directory.significance(), directory.path))
    keys = [key for key in found if set(found[key]) != {"mcnemar"}] or list(found)
    for place, what, requested in ((2, "metric", metrics), (3, "forgetting", forgetting)):
        keys = _chosen(keys, place, what, requested)
    if learners is not None:
        for name in learners:
            _chosen(keys, 0, "learner", [name], also=1)
        keys = [key for key in keys if set(key[:2]) == set(learners)]
        if not keys:
            raise InputError(f"{directory.path}: {learners[0]!r} and {learners[1]!r} have no checkpoint in common.")
    manifest = directory.manifest
    unit = 0.0 if manifest.schema["task"] == "regression" else 1.0
    rows = []
    for key in keys:
        a, b = key[:2] if learners is None else learners
        better = getattr(metric_of(manifest, key[2]), "better", None)
        row = _row((a, b, *key[2:]), found[key], folds, lower=better == "lower", unit=unit)
        rows.append(replace(row, positive=positive_of(manifest.positive, key[2])))
    return rows


def _last_tests(table: pa.Table) -> dict[Key, dict[str, dict[str, Any]]]:
    """Return the tests of each pair at the last checkpoint that it shares, by the name of the test."""
    ends: dict[tuple[str, str], int] = {}
    pairs = fold_tests(table).group_by(["learner_a", "learner_b"]).aggregate([("n", "max")])
    for row in pairs.to_pylist():
        ends[row["learner_a"], row["learner_b"]] = row["n_max"]
    last = table.filter(pc.is_in(table["n"], pa.array(sorted(set(ends.values())), pa.int64())))
    found: dict[Key, dict[str, dict[str, Any]]] = {}
    for row in last.to_pylist():
        pair = row["learner_a"], row["learner_b"]
        if ends.get(pair) == row["n"]:
            found.setdefault((*pair, row["metric"], row["forgetting"]), {})[row["test"]] = row
    return found


def _chosen(keys: list[Key], place: int, what: str, requested: str | Sequence[str] | None, also: int = -1) -> list[Key]:
    """Return the keys whose element at ``place`` is requested; ``also`` is another place where names are known."""
    if requested is None:
        return keys
    wanted = [requested] if isinstance(requested, str) else list(requested)
    known = list(dict.fromkeys(key[k] for k in ((place,) if also < 0 else (place, also)) for key in keys))
    for name in wanted:
        if name not in known and name not in {one.partition("[")[0] for one in known}:
            raise unknown_choice(what, name, known)
    return [key for key in keys if key[place] in wanted or key[place].partition("[")[0] in wanted]


def _row(key: Key, tests: dict[str, dict[str, Any]], folds: FoldValues, *, lower: bool, unit: float) -> SignificanceRow:
    a, b, metric, forgetting = key
    n = int(next(iter(tests.values()))["n"])
    nothing = np.full(max(1, folds.n_folds), np.nan)
    first, second = (folds.at(name, n).get((forgetting, metric), nothing) for name in (a, b))
    p = {name: float(tests[name]["p_value"]) if name in tests else math.nan for name in ("sign", "wilcoxon", "mcnemar")}
    why = [str(test["reason"]) for test in tests.values() if test["reason"]]
    if "wilcoxon" not in tests:
        why.append("no metric of the run says which learner is better")
    reason = "; ".join(dict.fromkeys(why))
    return compared(key, n, first, second, p, reason, lower=lower, unit=unit)


def compared(
    key: Key,
    n: int,
    first: FloatArray,
    second: FloatArray,
    p: Mapping[str, float],
    reason: str,
    *,
    lower: bool,
    unit: float,
) -> SignificanceRow:
    """Return the row of two learners with these results, one per fold or seed, and these p-values by test."""
    a, b, metric, forgetting = key
    difference = fold_differences(first, second, unit=unit)
    ahead = -difference if lower else difference
    differing = ahead[ahead != 0]
    ranks = np.sign(differing) * scipy.stats.rankdata(np.abs(differing))
    return SignificanceRow(
        a,
        b,
        metric,
        forgetting,
        n,
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        difference=float(difference.mean()),
        std=spread(difference),
        n_a_better=int((ahead > 0).sum()),
        n_b_better=int((ahead < 0).sum()),
        effect=float(ranks.sum() / np.abs(ranks).sum()) if len(ranks) else math.nan,
        sign_p_value=p["sign"],
        wilcoxon_p_value=p["wilcoxon"],
        mcnemar_p_value=p["mcnemar"],
        reason=reason,
    )
