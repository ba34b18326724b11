"""Tests over folds: whether every two learners differ, at every checkpoint, computed during the run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.comparisons.mcnemar import fading_scale, mcnemar_p_value, signed_mcnemar
from prequential.comparisons.over_folds import fold_differences, sign_tests, wilcoxon_tests
from prequential.comparisons.paired import ESTIMATED, WEIGHTED
from prequential.comparisons.sample import least_pairs
from prequential.metrics.forgetting import ExponentialHistogram, Fading, Forgetting
from prequential.metrics.metric import Metric
from prequential.runs.significance import SCHEMA
from prequential.runs.trace import Measured
from prequential.types import FloatArray, IntArray
from prequential.user_warning import warn_user

ALPHA = 0.05
"""Significance level; with too few folds to reject at this level, differences are not tested."""
_COUNTS = ("n_a_right", "n_b_right", "n_both_right", "n_both_wrong", "n_records")


class FewFoldsWarning(UserWarning):
    """There are too few folds: a test over them could not reject at 0.05 with any values.

    Examples
    --------
    >>> import warnings
    >>> import prequential as pq
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", pq.FewFoldsWarning)  # an error instead of a warning
    """


class Significance:
    """Collects the values of all folds, and tests the differences between learners.

    The folds of two learners are paired: they test the same records. Besides the sign test and Wilcoxon's test over
    folds, McNemar's test is computed for contrast. It counts the records that all folds tested, so with many records
    it finds almost any difference significant.

    Parameters
    ----------
    metrics, forgetting
        Those of the run. A metric without a better direction is not tested.
    n_folds
        Number of folds per learner. If there are too few, a warning is given before the run.
    """

    def __init__(self, metrics: Sequence[Metric], forgetting: Sequence[Forgetting], n_folds: int) -> None:
        if n_folds < least_pairs(ALPHA):
            warn_user(
                f"{_too_few(n_folds)}. Differences are not tested; KFold(10, 'bootstrap') (--folds 10) is usual.",
                FewFoldsWarning,
            )
        self._tested = {one.name for one in metrics if one.better is not None}
        self._forgetting = {one.label: one for one in forgetting}
        self._unit = 0.0 if any(one.needs == "targets" for one in metrics) else 1.0  # errors have the target's unit
        self._values: dict[str, Sequence[Measured]] = {}

    def add(self, learner: str, folds: Sequence[Measured]) -> None:
        """Add the values of all folds of a learner at some checkpoints."""
        self._values[learner] = folds

    def drain(self, pairs: pa.Table | None) -> pa.Table | None:
        """Return the tests of the values added since the last call, and remove the values.

        ``pairs`` counts how often one learner was right where the other was wrong, at the same checkpoints and where a
        learner failed. The rows do not depend on when and how often this is called.
        """
        values, self._values = self._values, {}
        tables = []
        for a, b in combinations(values, 2):
            tables += self._over_folds(a, b, values[a], values[b])
        if pairs is not None:
            for a, b in _paired(pairs):
                tables += self._mcnemar(a, b, pairs)
        return pa.concat_tables(tables).unify_dictionaries() if tables else None

    def _over_folds(self, a: str, b: str, of_a: Sequence[Measured], of_b: Sequence[Measured]) -> list[pa.Table]:
        widest = max((*of_a, *of_b), key=lambda one: len(one.names))
        known = dict(zip(widest.names, widest.declared, strict=True))
        names = [name for name in known if name.partition("[")[0] in self._tested]
        n = of_a[0].n
        for one in (*of_a, *of_b):
            n = np.intersect1d(n, one.n)
        if not len(n) or not names:
            return []
        first, second = (_stacked(folds, n, names) for folds in (of_a, of_b))
        difference = fold_differences(first, second, unit=self._unit)
        time = of_a[0].time[np.searchsorted(of_a[0].n, n)]
        n_folds, need = len(of_a), least_pairs(ALPHA)
        undefined = np.isnan(difference).any(axis=-1)
        shown = ~undefined | np.array([known[name] for name in names])  # as in the trace: see `rows`
        reason = np.where(undefined, 1, 2 if n_folds < need else 0)
        tables = []
        for test, compute in (("sign", sign_tests), ("wilcoxon", wilcoxon_tests)):
            statistic, p = compute(difference)
            if n_folds < need:
                p = np.full_like(p, np.nan)
            values = (statistic, p, reason)
            why = ["", "undefined in a fold", _too_few(n_folds)]
            table = _table((a, b), n, time, (list(self._forgetting), names), test, values, why)
            tables.append(table if shown.all() else table.filter(pa.array(shown.ravel())))
        return tables

    def _mcnemar(self, a: str, b: str, pairs: pa.Table) -> list[pa.Table]:
        """Test the records that exactly one of the two learners predicted correctly, all folds together."""
        ours = pairs.filter(
            pc.and_(pc.equal(pairs["a"].cast(pa.string()), a), pc.equal(pairs["b"].cast(pa.string()), b))
        )
        label = np.asarray(ours["forgetting"].cast(pa.string()).to_pylist(), dtype=np.str_)
        tables = []
        for forgetting, one in self._forgetting.items():
            mine = label == forgetting
            if not mine.any():  # each learner has its own ADWIN window, so pairs are not counted
                continue
            n, first, place = np.unique(ours["n"].to_numpy()[mine], return_index=True, return_inverse=True)
            each = {name: ours[name].to_numpy()[mine] for name in _COUNTS}
            total = {name: np.bincount(place.reshape(-1), each[name], minlength=len(n)) for name in _COUNTS}
            n_records, weight = total["n_records"], sum(total[name] for name in _COUNTS[:4])
            scale = np.ones(len(n))
            if isinstance(one, Fading):
                faded = fading_scale(one.alpha, each["n_records"]) * each["n_records"]
                sums = np.bincount(place.reshape(-1), faded, minlength=len(n))
                scale = np.divide(sums, n_records, out=scale, where=n_records > 0)
            statistic = signed_mcnemar(total["n_b_right"], total["n_a_right"])
            estimated = isinstance(one, ExponentialHistogram)
            reason = np.where(estimated, 2, np.where(np.isclose(weight, n_records, rtol=1e-9, atol=1e-9), 0, 1))
            p = np.where(reason == 0, mcnemar_p_value(statistic, scale), np.nan)
            time = ours["time"].to_numpy()[mine][first]
            shape = (len(n), 1, 1)
            tables.append(
                _table(
                    (a, b),
                    n,
                    time,
                    ([forgetting], ["accuracy"]),
                    "mcnemar",
                    (statistic.reshape(shape), p.reshape(shape), reason.reshape(shape)),
                    ["", WEIGHTED, ESTIMATED],
                )
            )
        return tables


def _paired(pairs: pa.Table) -> list[tuple[str, str]]:
    """Return the pairs of learners in a table."""
    names = pa.table({name: pairs[name].cast(pa.string()) for name in ("a", "b")})
    return [(row["a"], row["b"]) for row in names.group_by(["a", "b"], use_threads=False).aggregate([]).to_pylist()]


def _too_few(n_folds: int) -> str:
    return f"{n_folds} folds are too few: {least_pairs(ALPHA)} are needed to reject at α = {ALPHA:g}"


def _table(
    learners: tuple[str, str],
    n: IntArray,
    time: FloatArray,
    axes: tuple[Sequence[str], Sequence[str]],
    test: str,
    values: tuple[FloatArray, FloatArray, IntArray],
    reasons: Sequence[str],
) -> pa.Table:
    """Return rows of statistics, p-values and reason codes, given with the axes (checkpoint, forgetting, metric)."""
    statistic, p, reason = values
    k, f, m = statistic.shape
    zeros = np.zeros(k * f * m, np.int32)
    return pa.table(
        [
            _named(zeros, [learners[0]]),
            _named(zeros, [learners[1]]),
            pa.array(np.repeat(n, f * m)),
            pa.array(np.repeat(time, f * m), from_pandas=True),
            _named(np.tile(np.repeat(np.arange(f), m), k), axes[0]),
            _named(np.tile(np.arange(m), k * f), axes[1]),
            _named(zeros, [test]),
            pa.array(statistic.ravel()),
            pa.array(p.ravel()),
            _named(reason.ravel(), reasons),
        ],
        schema=SCHEMA,
    )


def _named(codes: npt.NDArray[np.integer], values: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(list(values), pa.string()))


def _stacked(folds: Sequence[Measured], n: IntArray, names: Sequence[str]) -> FloatArray:
    """Return values with the axes (checkpoint, forgetting, name, fold); NaN if a fold does not have the name yet."""
    parts = []
    for one in folds:
        values = np.full((len(n), one.values.shape[1], len(names)), np.nan)
        for k, name in enumerate(names):
            if name in one.names:
                values[..., k] = one.values[np.searchsorted(one.n, n), :, one.names.index(name)]
        parts.append(values)
    return np.stack(parts, axis=-1)
