"""Compare two learners by a loss, from their saved predictions or from the trace of their run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from prequential.arguments import is_number
from prequential.comparisons.loss_series import Bound, paired_losses
from prequential.comparisons.paired_losses import MeanLosses, PairedLosses, losses_compared
from prequential.errors import InputError, ParameterError
from prequential.evaluation.comparison import check_learners
from prequential.evaluation.loss_of_predictions import PREDICTED, losses_of
from prequential.evaluation.paired_predictions import check_same_records, start_of
from prequential.metrics.forgetting import AdaptiveWindow, Forgetting, as_forgetting
from prequential.metrics.metric import REGISTRY
from prequential.runs.counted import counted_per_checkpoint
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.runs.values import Values, metric_of
from prequential.types import FloatArray
from prequential.wording import listing, suggestion

_OTHER_NAMES = {"squared": "mse", "squared_error": "mse", "absolute": "mae", "absolute_error": "mae", "0-1": "error"}
_BOUNDS = {"error": 1.0, "brier": 2.0}
"""The largest possible losses, where there is one that is not too large to be of use."""
_OF_OTHERS: dict[str, tuple[str, Callable[[FloatArray], FloatArray]]] = {
    "mse": ("rmse", np.square),
    "error": ("accuracy", lambda values: 1 - values),
}
"""Losses that follow from another metric of the trace."""


def loss_name(loss: object, manifest: Manifest) -> str | None:
    """Return the metric of a loss; None for the error of classifiers, which is compared by pairs.

    By default squared loss for regression, and otherwise the error.
    """
    regression = manifest.schema.get("task") == "regression"
    if loss is None:
        return "mse" if regression else None
    name = getattr(loss, "name", loss)
    if not isinstance(name, str):
        raise ParameterError("loss", "compare", "the name of a loss, such as 'mse' or 'brier'", loss)
    name = _OTHER_NAMES.get(name.strip().lower(), name)
    if name == "error" and not regression:
        return None
    known = [one for one in ("mae", "mse") if regression] or ["error", "log_loss", "brier"]
    known += [one for one in manifest.metrics if _is_own_loss(manifest, one)]
    if name not in known:
        raise InputError(
            f"compare: {name!r} is not a loss of this run.{suggestion(name, known)} Accepted: {listing(known)}."
        )
    return name


def compared_losses(
    one: RunDirectory,
    a: str,
    other: RunDirectory,
    b: str,
    loss: str,
    *,
    called: tuple[str, str],
    forgetting: Sequence[str | Forgetting] | None,
    bound: Bound = None,
    alpha: float = 0.05,
) -> PairedLosses:
    """Compare two learners by a loss: from saved predictions if both have them, otherwise from the trace."""
    check_learners(one, a)
    check_learners(other, b)
    if bound is None:
        bound = _BOUNDS.get(loss, _declared_bound(one.manifest, loss))
    saved = all(run.manifest.kept.get("predictions") for run in (one, other))
    if saved and loss in PREDICTED:
        return _of_predictions(one, a, other, b, loss, called, forgetting, bound, alpha)
    if one is not other:
        raise InputError(
            f"compare: two runs are compared by {loss} from their saved predictions: evaluate both with "
            "predictions=True (--predictions)."
        )
    return _of_trace(one, a, b, loss, forgetting, bound, alpha)


def _of_predictions(
    one: RunDirectory,
    a: str,
    other: RunDirectory,
    b: str,
    loss: str,
    called: tuple[str, str],
    forgetting: Sequence[str | Forgetting] | None,
    bound: Bound,
    alpha: float,
) -> PairedLosses:
    first, second = one.predictions(a), other.predictions(b)
    check_same_records(one, a, first, other, b, second)
    if "weight" in first.column_names:
        raise InputError(
            f"compare: records have weights, and a comparison by {loss} needs records that weigh the same."
        )
    losses = [losses_of(table, loss, run.manifest) for table, run in ((first, one), (second, other))]
    known = np.isfinite(losses[0]) & np.isfinite(losses[1])
    time = first["time"].cast(pa.float64()).to_numpy() if "time" in first.column_names else None
    return paired_losses(
        losses[0],
        losses[1],
        called,
        forgetting=_countable(one.manifest.forgetting) if forgetting is None else forgetting,
        every=one.manifest.every,
        bound=bound,
        alpha=alpha,
        loss=loss,
        time=time,
        start=start_of(first),
        known=known,
    )


def _of_trace(
    run: RunDirectory,
    a: str,
    b: str,
    loss: str,
    forgetting: Sequence[str | Forgetting] | None,
    bound: Bound,
    alpha: float,
) -> PairedLosses:
    if run.manifest.protocol.get("protocol") == "kfold":
        raise InputError(
            "compare: learners with several folds are compared over the folds: run.folds.table() (prequential compare "
            "RUN --metric METRIC)."
        )
    if isinstance(bound, str):
        raise InputError(
            f"compare: bound={bound!r} needs the loss of each record: evaluate with predictions=True (--predictions), "
            "or give the largest possible loss."
        )
    if bound is not None and (not is_number(bound) or not 0 < bound < float("inf")):
        raise ParameterError("bound", "compare", "the largest possible loss, above 0, or 'learned'", bound)
    values = Values(run)
    column, of = _OF_OTHERS.get(loss, (loss, _same)) if loss not in values.metrics else (loss, _same)
    if column not in values.metrics:
        raise InputError(
            f"compare: the trace of {run.path} has no {loss}. Evaluate with metrics=[{loss!r}] (--metric {loss}), or "
            "with predictions=True (--predictions)."
        )
    wanted = _countable(values.forgetting) if forgetting is None else [as_forgetting(one).label for one in forgetting]
    refused = [label for label in wanted if label not in _countable(values.forgetting)]
    if refused or "cumulative" not in values.forgetting:
        raise InputError(
            f"compare: the trace does not have {loss} under {listing(refused or ['cumulative'])} for the same records "
            "of both learners. Evaluate with that forgetting and with cumulative, which the intervals need."
        )
    n = values.checkpoints(a)
    if not np.array_equal(n, values.checkpoints(b)):
        shared = np.intersect1d(n, values.checkpoints(b))
        raise InputError(
            f"compare: {a} and {b} have different checkpoints; they share {len(shared):,}, up to record "
            f"{int(shared[-1]) if len(shared) else 0:,}. One of them failed, or their runs ended early."
        )
    counted = {label: counted_per_checkpoint(values, (a, b), label) for label in dict.fromkeys(("cumulative", *wanted))}
    means = {
        label: MeanLosses(
            n.astype(np.float64),
            np.full(len(n), np.nan),
            counted[label],
            *(of(values.curve(name, label, column)) for name in (a, b)),
        )
        for label in counted
    }
    whole = means["cumulative"]
    variance = None if bound is None else _largest_variance(whole, float(bound), loss)
    return losses_compared(means, a, b, loss=loss, variance=variance, bound=bound, alpha=alpha)


def _largest_variance(whole: MeanLosses, bound: float, loss: str) -> FloatArray:
    """Return an upper bound of V at each checkpoint: the squares of differences are not in the trace.

    In a block of m records after the mean difference c, Σ (d − c)² = Σ d² − 2cΣd + mc², and Σ d² ≤ bound · Σ (a + b).
    """
    largest = np.nanmax(np.maximum(whole.a, whole.b), initial=0.0)
    if largest > bound * (1 + 1e-9):
        raise InputError(
            f"compare: the mean {loss} is {largest:g} at one of the checkpoints, more than bound={bound:g}. Give the "
            "largest possible loss."
        )
    n = whole.n_records
    m, a, b = (np.diff(np.nan_to_num(values), prepend=0.0) for values in (n, n * whole.a, n * whole.b))
    before = np.concatenate([[0.0], np.nan_to_num((whole.a - whole.b)[:-1])])
    found: FloatArray = np.cumsum(bound * np.maximum(a + b, 0.0) - 2 * before * (a - b) + m * before**2)
    return np.where(np.isnan(n), np.nan, np.maximum(found, 0.0))


def _same(values: FloatArray) -> FloatArray:
    return values


def _countable(labels: Sequence[str]) -> list[str]:
    """Return the forgettings under which two learners have the same records: not ADWIN."""
    found = []
    for label in labels:
        try:
            forgetting = as_forgetting(label)
        except InputError:
            continue
        if not isinstance(forgetting, AdaptiveWindow):
            found.append(forgetting.label)
    return found


def _is_own_loss(manifest: Manifest, name: str) -> bool:
    """Return whether a metric of a run is a loss that the user defined."""
    entry = metric_of(manifest, name)
    return name not in REGISTRY and entry is not None and entry.better == "lower"


def _declared_bound(manifest: Manifest, name: str) -> float | None:
    entry = metric_of(manifest, name)
    return None if entry is None else entry.bound
