"""The losses of two learners, record by record: their means under every forgetting, and their variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_whole, is_number
from prequential.comparisons.confidence_sequence import predictable_variance
from prequential.comparisons.paired_losses import MeanLosses, PairedLosses, losses_compared
from prequential.errors import InputError, ParameterError
from prequential.metrics.counts import ratio
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, Forgetting, as_forgetting
from prequential.metrics.grid import Checkpoints, Grid
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray

Bound: TypeAlias = float | Literal["learned"] | None
"""The largest possible loss; ``"learned"``: twice the largest loss up to the first checkpoint; None: unknown."""

_SCHEMA = Schema.numeric(0, None)


def paired_losses(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    names: tuple[str, str],
    *,
    forgetting: Sequence[Forgetting | str] = ("cumulative", "sliding:1000"),
    every: int = 1000,
    bound: Bound = None,
    alpha: float = 0.05,
    loss: str = "loss",
    time: FloatArray | None = None,
    start: int = 0,
    known: npt.NDArray[np.bool_] | None = None,
) -> PairedLosses:
    """Compare two learners by their losses, one number of at least 0 per record, in the order of the stream.

    ``bound="learned"`` takes twice the largest loss up to the first checkpoint as bound. The confidence sequence begins
    after that checkpoint, and ends where a loss exceeds the bound. Records that are not ``known``, because they have no
    label, do not count; they come after ``start`` records of the stream.

    Examples
    --------
    >>> found = paired_losses([1.0, 2.0], [2.0, 2.0], ("a", "b"), forgetting=["cumulative"])
    >>> found.last()[0]["difference"]
    -0.5
    """
    if known is not None:
        a, b = (np.where(known, values, 0.0) for values in (a, b))
    first, second = (_losses(name, values) for name, values in zip(names, (a, b), strict=True))
    if len(first) != len(second):
        raise InputError(
            f"{names[0]} has {len(first):,} losses, {names[1]} has {len(second):,}. They must be of the same records."
        )
    if not len(first):
        raise InputError("There are no losses to compare.")
    check_whole(every, "every", "compare", least=1)
    chosen = {one.label: one for one in (Cumulative(), *map(as_forgetting, forgetting))}
    for one in chosen.values():
        if isinstance(one, AdaptiveWindow):
            raise InputError(
                f"{one.label} depends on one learner's own loss, so two learners have no such window in common. "
                "Compare them over all history, a sliding window, a fading factor or an exponential histogram."
            )
        if one.needs_time and time is None:
            raise InputError(f"{one.label} needs the time of each record.")
    counts = np.ones(len(first), np.bool_) if known is None else known
    parts = [_counted(values, counts, list(chosen.values()), every, time) for values in (first, second)]
    n = parts[0].n
    means = {
        label: MeanLosses(
            n.astype(np.float64) + start,
            parts[0].time,
            parts[0].counts.n_records[:, k],
            *(ratio(part.counts.losses[:, k, 0], part.counts.weight[:, k]) for part in parts),
        )
        for k, label in enumerate(chosen)
    }
    limit, since = _limit(bound, np.maximum(first, second), int(n[0]), loss)
    variance = None if limit is None else _variance(first, second, counts, n, limit, int(n[0]) if since else 0)
    return losses_compared(means, *names, loss=loss, variance=variance, bound=limit, alpha=alpha, since=since)


def _counted(
    values: FloatArray,
    known: npt.NDArray[np.bool_],
    forgetting: Sequence[Forgetting],
    every: int,
    time: FloatArray | None,
) -> Checkpoints:
    """Count the losses as absolute errors of a regression whose targets are 0, or missing."""
    grid = Grid(_SCHEMA, forgetting, probabilities=False, skip_abstained=False)
    chunk = Chunk(_SCHEMA, 0, np.empty((len(values), 0)), np.where(known, 0.0, np.nan), time, None)
    passed = grid.update(chunk, values.reshape(-1, 1), every=every)
    if len(values) % every:
        passed.append(grid.checkpoint())
    return Checkpoints.join(passed)


def _limit(bound: Bound, largest: FloatArray, n_first: int, loss: str) -> tuple[float | None, int]:
    """Return the bound, and how many checkpoints it was learned from."""
    if bound is None:
        return None, 0
    if isinstance(bound, str):
        if bound != "learned":
            raise ParameterError("bound", "compare", "the largest possible loss, or 'learned'", bound)
        return 2 * float(largest[:n_first].max()) or 1.0, 1
    if not is_number(bound) or not 0 < bound < float("inf"):
        raise ParameterError("bound", "compare", "the largest possible loss, above 0, or 'learned'", bound)
    above = np.flatnonzero(largest > bound * (1 + 1e-12))
    if len(above):
        raise InputError(
            f"The {loss} of record {above[0]:,} is {largest[above[0]]:g}, more than bound={bound:g}. Give the largest "
            "possible loss, or bound='learned'; without a bound there is no confidence sequence."
        )
    return float(bound), 0


def _variance(
    first: FloatArray,
    second: FloatArray,
    known: npt.NDArray[np.bool_],
    n: npt.NDArray[np.int64],
    limit: float,
    since: int,
) -> FloatArray:
    """Return V at each checkpoint, of the records from ``since`` on; NaN from a loss above the bound on."""
    counts = known[since:]
    v = np.concatenate([[0.0], predictable_variance((first - second)[since:][counts])])[np.cumsum(counts)]
    beyond = np.logical_or.accumulate(np.maximum(first, second)[since:] > limit)
    found: FloatArray = np.concatenate([np.full(since, np.nan), np.where(beyond, np.nan, v)])
    return found[n - 1]


def _losses(name: str, values: npt.ArrayLike) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"The losses of {name} are not numbers ({error}).") from error
    if array.ndim != 1:
        raise InputError(f"The losses of {name} must be a list with one number per record.")
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if len(bad):
        raise InputError(f"A loss is a finite number of at least 0. Record {bad[0]:,} of {name} has {array[bad[0]]:g}.")
    return array
