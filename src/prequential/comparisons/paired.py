"""Comparison of two learners of one run at every checkpoint and under every forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.confidence_sequence import confidence_sequence
from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.comparisons.error_difference import error_difference
from prequential.comparisons.interval import checked_alpha
from prequential.comparisons.mcnemar import fading_scale, mcnemar_p_value, signed_mcnemar
from prequential.comparisons.pair_table import PairTable, texts
from prequential.comparisons.q_statistic import q_reason, q_statistic
from prequential.comparisons.sign_test import SignTest, sign_test
from prequential.comparisons.wilcoxon import Wilcoxon, wilcoxon
from prequential.errors import InputError
from prequential.metrics.counts import ratio
from prequential.metrics.forgetting import ExponentialHistogram, Fading, Forgetting, as_forgetting
from prequential.types import FloatArray
from prequential.wording import listing

NUMBERS = (
    "n_records",
    "n_both_right",
    "n_a_right",
    "n_b_right",
    "n_both_wrong",
    "error_a",
    "error_b",
    "difference",
    "low",
    "high",
    "batch_low",
    "batch_high",
    "q",
    "mcnemar",
    "p_value",
    "sequence_low",
    "sequence_high",
    "log_e_value",
    "anytime_p_value",
)
"""The columns of numbers of a comparison, for each checkpoint and forgetting."""

WEIGHTED = "records have weights: no p-value or interval can be computed from weighted sums"
ESTIMATED = "counts are estimated: no p-value or interval can be computed from them"
FORGETFUL = "the confidence sequence and the e-process exist over all history only"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedTrace(PairTable):
    """The comparison of the errors of two learners of one run: one row per fold, checkpoint and forgetting.

    Parameters
    ----------
    a, b
        Names of the two learners.
    alpha
        The error rate of the confidence sequence; intervals for one look have the confidence 1 − α.
    table
        The columns fold, n, time, forgetting, then:

        - ``n_records``, and the weight of the records that both, one or neither predicted right;
        - ``error_a``, ``error_b``, their ``difference`` with Newcombe's interval (``low``, ``high``), for one look;
        - ``batch_low``, ``batch_high``: the interval of the difference by batch means (see `batch_half_width`), for one
          look, which also holds if errors depend on those before; NaN for the first checkpoints;
        - ``q``, the Q statistic; ``mcnemar``, signed, with its ``p_value``, for one look (faded counts: see
          `fading_scale`);
        - ``sequence_low``, ``sequence_high``: the confidence sequence of the difference; ``log_e_value`` and
          ``anytime_p_value``: the e-process. Both are valid for any number of looks; NaN except over all history;
        - ``reason``: why a value is undefined or infinite.

        All differences are A minus B: negative if A is better.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), ["naive_bayes", "no_change"])
    >>> pq.compare(run).trace.a
    'naive_bayes'
    """

    NUMBERS: ClassVar[tuple[str, ...]] = NUMBERS

    @classmethod
    def of_pairs(cls, pairs: pa.Table, a: str, b: str, *, alpha: float = 0.05) -> PairedTrace:
        """Compute the comparison from the tidy table of pairs, in which the pair may also be stored as b and a."""
        checked_alpha(alpha, "compare")
        rows, swapped = _rows_of(pairs, a, b)
        rows = rows.sort_by([("fold", "ascending"), ("n", "ascending")])
        columns = {name: rows[name].to_numpy() for name in rows.column_names if name.startswith("n")}
        if swapped:
            columns["n_a_right"], columns["n_b_right"] = columns["n_b_right"], columns["n_a_right"]
        columns["variance"] = rows["variance"].to_numpy()
        found = {name: np.full(len(rows), np.nan) for name in NUMBERS}
        reasons = np.full(len(rows), "", dtype=object)
        label, fold = texts(rows["forgetting"]), rows["fold"].to_numpy()
        for each in np.unique(fold):
            whole = np.flatnonzero((fold == each) & (label == "cumulative"))
            history = {name: columns[name][whole] for name in ("n", "n_records", "n_a_right", "n_b_right")}
            weighted = (fold == each) & (label == "cumulative") & np.isnan(columns["variance"])
            n_plain = columns["n"][weighted].min(initial=np.iinfo(np.int64).max)
            for one in np.unique(label):
                at = np.flatnonzero((label == one) & (fold == each))
                values, why = _compared({k: v[at] for k, v in columns.items()}, str(one), n_plain, alpha, history)
                for name in NUMBERS:
                    found[name][at] = values[name]
                reasons[at] = why
        table = pa.table(
            {
                "fold": rows["fold"],
                "n": rows["n"],
                "time": rows["time"],
                "forgetting": rows["forgetting"],
                **found,
                "reason": pa.array(reasons.tolist(), pa.string()),
            }
        )
        return cls(a, b, alpha, table)

    def over_folds(self, forgetting: str) -> tuple[SignTest, Wilcoxon]:
        """Compare the accuracies of the folds at the last checkpoint, with the sign test and the Wilcoxon test.

        Raises
        ------
        InputError
            If there are fewer folds than the tests need.
        """
        rows = [row for row in self.last() if row["forgetting"] == forgetting]
        a, b = ([1 - float(str(row[name])) for row in rows] for name in ("error_a", "error_b"))
        return sign_test(a, b, alpha=self.alpha), wilcoxon(a, b, alpha=self.alpha)


def _rows_of(pairs: pa.Table, a: str, b: str) -> tuple[pa.Table, bool]:
    first, second = (pairs[name].cast(pa.string()) for name in ("a", "b"))
    for one, other, swapped in ((a, b, False), (b, a, True)):
        rows = pairs.filter(pc.and_(pc.equal(first, one), pc.equal(second, other)))
        if len(rows):
            return rows, swapped
    known = dict.fromkeys(zip(first.to_pylist(), second.to_pylist(), strict=True))
    counted = listing(f"{x} and {y}" for x, y in known) or "none"
    raise InputError(f"The pair {a!r} and {b!r} was not counted. Counted pairs: {counted}.")


def _compared(
    counts: Mapping[str, npt.NDArray[np.float64]],
    label: str,
    n_plain: int,
    alpha: float,
    history: Mapping[str, npt.NDArray[np.float64]],
) -> tuple[dict[str, FloatArray], list[str]]:
    """Compute the columns of one forgetting and fold; from ``n_plain`` records on, some have a weight other than 1.

    ``history`` has the counts over all history, from which the batches are made.
    """
    both, only_a, only_b, neither = (counts[f"n_{w}"] for w in ("both_right", "a_right", "b_right", "both_wrong"))
    table = np.stack([np.stack([neither, only_b], axis=-1), np.stack([only_a, both], axis=-1)], axis=-2)
    weight, n = table.sum(axis=(-2, -1)), counts["n_records"]
    forgetting = _forgetting(label)
    estimated = isinstance(forgetting, ExponentialHistogram)
    plain = np.isclose(weight, n, rtol=1e-9, atol=1e-9) & (counts["n"] < n_plain) & (not estimated)
    scale = fading_scale(forgetting.alpha, n) if isinstance(forgetting, Fading) else np.ones(len(n))
    difference, low, high = error_difference(table, confidence=1 - alpha, n_effective=weight / scale)
    statistic = signed_mcnemar(only_b, only_a)
    half = np.where(plain, _batch_half_width(counts["n"], weight / scale, history, 1 - alpha), np.nan)
    out = {
        "n_records": n,
        "n_both_right": both,
        "n_a_right": only_a,
        "n_b_right": only_b,
        "n_both_wrong": neither,
        "error_a": ratio(neither + only_b, weight),
        "error_b": ratio(neither + only_a, weight),
        "difference": difference,
        "low": np.where(plain, low, np.nan),
        "high": np.where(plain, high, np.nan),
        "batch_low": np.maximum(difference - half, -1.0),
        "batch_high": np.minimum(difference + half, 1.0),
        "q": q_statistic(neither + only_b, neither + only_a),
        "mcnemar": statistic,
        "p_value": np.where(plain, mcnemar_p_value(statistic, scale), np.nan),
        **{name: np.full(len(n), np.nan) for name in NUMBERS[-4:]},
    }
    whole = label == "cumulative"
    if whole:
        out |= _anytime(n, only_b, only_a, counts["variance"], plain, alpha)
    reasons = [
        _reason(whole, estimated, bool(p), float(w), float(d), float(sa), float(sb))
        for p, w, d, sa, sb in zip(plain, weight, only_a + only_b, neither + only_b, neither + only_a, strict=True)
    ]
    return out, reasons


def _batch_half_width(
    n: FloatArray, n_effective: FloatArray, history: Mapping[str, FloatArray], confidence: float
) -> FloatArray:
    """Return the half-widths at some of the checkpoints over all history; NaN where there is no such checkpoint."""
    at = np.searchsorted(history["n"], n)
    if not len(history["n"]) or (at == len(history["n"])).any() or (history["n"][at] != n).any():
        return np.full(len(n), np.nan)  # a holdout test has no history
    m = np.full(len(history["n"]), np.nan)
    m[at] = n_effective
    total = history["n_b_right"] - history["n_a_right"]
    return batch_half_width(history["n_records"], total, m, confidence=confidence)[at]


def _anytime(
    n: FloatArray,
    n01: FloatArray,
    n10: FloatArray,
    variance: FloatArray,
    usable: npt.NDArray[np.bool_],
    alpha: float,
) -> dict[str, FloatArray]:
    """Compute the columns that are valid for any number of looks, up to the first record with a weight other than 1."""
    usable = np.logical_and.accumulate(usable)
    out = {name: np.full(len(n), np.nan) for name in NUMBERS[-4:]}
    sequence = confidence_sequence(n[usable], (n01 - n10)[usable], variance[usable], alpha=alpha)
    evidence = log_e_value(n01[usable], n10[usable])
    for name, values in zip(
        NUMBERS[-4:], (sequence.low, sequence.high, evidence, anytime_p_value(evidence)), strict=True
    ):
        out[name][usable] = values
    return out


def _forgetting(label: str) -> Forgetting | None:
    try:
        return as_forgetting(label)
    except InputError:
        return None  # a protocol's own, such as a holdout test: its records have equal weight


def _reason(
    whole: bool, estimated: bool, plain: bool, weight: float, discordant: float, loss_a: float, loss_b: float
) -> str:
    found = []
    if not weight:
        found.append("no record counts yet")
    elif not discordant:
        found.append("the learners have the same loss on every record, so p = 1")
    if estimated:
        found.append(ESTIMATED)
    elif not plain:
        found.append(WEIGHTED)
    elif not whole:
        found.append(FORGETFUL)
    if weight:
        found.append(q_reason(loss_a, loss_b))
    return "; ".join(filter(None, found))
