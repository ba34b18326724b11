"""A loss of your own: any function of the label and the prediction, record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_number, checked_call
from prequential.errors import InputError, ParameterError
from prequential.metrics.counts import Counts, ratio
from prequential.metrics.metric import REGISTRY, Metric
from prequential.types import FloatArray
from prequential.wording import listing

MOST_SUMS = 64
"""The largest number of sums that a grid keeps for losses."""

LossFunction = Callable[[Any, Any], Any]


@checked_call
def loss(function: LossFunction, *, name: str | None = None, bound: float | None = None) -> Metric:
    """Return a loss of your own as a metric: its mean over the records, under every forgetting.

    It can be used wherever a metric can: in ``evaluate``, plans and on the command line (``--metric FILE.py:NAME``), as
    the series of a drift detector (``on=``), in ``pq.compare(run, loss=…)`` and for intervals. Lower is better.

    Parameters
    ----------
    function
        Called with the labels and predictions of some records, it returns one number of at least 0 per record.
        Classification: ``function(y, p)`` with the codes of the labels, an array of n whole numbers (0 for the first
        class of the stream), and the probabilities, an array of n × C: scores relative to their sum, all 0 for an
        abstention. Regression: ``function(y, p)`` with n targets and n predictions. It must treat each record alone,
        as results must not depend on how the stream is divided into chunks. Records without a label are left out.
    name
        Its name in traces and tables; by default that of the function.
    bound
        The largest possible loss. A larger one is an error. Confidence sequences need it.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> def hinge(y, p):
    ...     right = p[np.arange(len(y)), y]
    ...     others = p.copy()
    ...     others[np.arange(len(y)), y] = -np.inf
    ...     return np.maximum(0, 1 - right + others.max(axis=1))
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, "naive_bayes", metrics=pq.loss(hinge, bound=2), forgetting="cumulative")
    >>> [(row["metric"], round(row["value"], 2)) for row in run.table().to_dicts()]
    [('hinge', 0.55)]
    """
    if not callable(function):
        raise ParameterError("function", "loss", "a function of labels and predictions", function)
    given = getattr(function, "__name__", "") if name is None else name
    if not isinstance(given, str) or not given or not given.isprintable() or any(c in given for c in "[]<>,"):
        raise ParameterError("name", "loss", "a name for traces and tables, such as 'hinge'", given)
    if given in REGISTRY:
        raise InputError(f"loss: there is a metric {given!r} already. Give your loss another name: name='my_{given}'.")
    if bound is not None:
        check_number(bound, "bound", "loss", above=0)
    return Metric(
        given,
        MeanOfOwn(function),
        needs="losses",
        better="lower",
        loss=function,
        bound=None if bound is None else float(bound),
    )


@dataclass(frozen=True)
class MeanOfOwn:
    """The mean of a user-defined loss, found at its place among the losses of a grid, counted from the end."""

    function: LossFunction
    place: int = -1

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # the summary of the metric
        lines = (getattr(self.function, "__doc__", None) or "").strip().splitlines()
        return lines[0] if lines else "A user-defined loss: the mean over the records."

    def __call__(self, counts: Counts) -> FloatArray:
        """Compute the mean."""
        if counts.losses.shape[-1] < -self.place:
            return counts.weight * float("nan")
        return ratio(counts.losses[..., self.place], counts.weight)


def own_losses(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """Return the metrics that are computed from losses that a grid keeps for them, such as those of the user's own."""
    return tuple(one for one in metrics if one.loss is not None)


def placed(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return these metrics, each loss reading the place where a grid of these metrics keeps it."""
    place, found = -sum(one.n_sums for one in metrics), []
    if -place > MOST_SUMS:
        kept = listing(f"{one.name} ({one.n_sums})" for one in metrics if one.n_sums)
        raise InputError(
            f"These metrics keep {-place} sums under each forgetting: {kept}. Accepted: at most {MOST_SUMS} in one run."
        )
    for one in metrics:
        if one.loss is not None:
            compute: Any = one.compute
            one, place = replace(one, compute=replace(compute, place=place)), place + one.n_sums
        found.append(one)
    return tuple(found)


def computed(
    losses: Sequence[Metric], y: npt.NDArray[Any], p: FloatArray, counted: npt.NDArray[np.bool_], first: int
) -> FloatArray:
    """Return the columns of each loss, mostly one, 0 for records that do not count; refuse a loss that is not allowed.

    ``first`` is the index of the first record, for messages.
    """
    found = np.zeros((len(y), sum(one.n_sums for one in losses)))
    at = np.flatnonzero(counted)
    if not len(at):
        return found
    k = 0
    for one in losses:
        assert one.loss is not None
        if one.n_sums > 1:  # ours: there is nothing to check
            found[at, k : k + one.n_sums] = one.loss(y[at], p[at])
            k += one.n_sums
            continue
        try:
            values = np.asarray(one.loss(y[at], p[at]), dtype=np.float64)
        except Exception as error:
            place = f"records {first + int(at[0]):,} to {first + int(at[-1]):,}"
            raise InputError(f"The loss {one.name} fails on {place}: {type(error).__name__}: {error}") from error
        if values.shape != at.shape:
            raise InputError(
                f"The loss {one.name} must return one number per record, here an array of {len(at):,}. Got the shape "
                f"{values.shape}."
            )
        most = np.inf if one.bound is None else one.bound
        bad = np.flatnonzero(~((values >= 0) & (values <= most) & np.isfinite(values)))
        if len(bad):
            accepted = "a finite number of at least 0" if one.bound is None else f"0 to its bound {most:g}"
            place = f"record {first + int(at[bad[0]]):,}"
            raise InputError(f"The loss {one.name} of {place} is {values[bad[0]]:g}. Accepted: {accepted}.")
        found[at, k] = values
        k += 1
    return found
