"""The data of a card's figures: the error over the last 500 records, one panel per stream."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.runs.known_drift import KnownDrift
from prequential.testbed.cards.error_counts import WINDOW, ErrorCounts
from prequential.testbed.cards.results import Results, StreamEntry
from prequential.types import FloatArray, IntArray

MOST = 0.85
"""Gradual drifts that cover more of the stream than this are not marked: they would shade the whole panel."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPanel:
    """One stream: the curves of all learners and of the optimum, means over the seeds.

    ``top`` is the highest error shown: the maximum of the learner itself and of the better half of the others.
    """

    stream: str
    n: IntArray
    curves: dict[str, FloatArray]
    optimum: FloatArray
    drifts: tuple[KnownDrift, ...]
    top: float


def card_panels(results: Results) -> list[CardPanel]:
    """Return one panel per stream."""
    found = []
    for stream, entry in results.streams.items():
        n, optimum = _mean_curve(entry.optimum)
        curves = {name: _mean_curve(one.errors[stream])[1] for name, one in results.learners.items()}
        top = _top(results.learner, n, curves, optimum)
        found.append(CardPanel(stream, n, curves, optimum, _marked(entry), top))
    return found


def _marked(entry: StreamEntry) -> tuple[KnownDrift, ...]:
    """Return the drifts that are drawn."""
    halves = [(d["at"], d["width"] / 2 if d["width"] > 1 else 0.0, bool(d["real"])) for d in entry.drifts]
    drifts = [KnownDrift(at - half, at + half, real) for at, half, real in halves]
    moving = np.zeros(entry.n_records, dtype=np.bool_)
    for drift in drifts:
        if not drift.abrupt:
            moving[max(0, int(drift.begin)) : int(drift.end)] = True
    return tuple(drift for drift in drifts if drift.abrupt or moving.mean() <= MOST)


def _mean_curve(errors: ErrorCounts) -> tuple[IntArray, FloatArray]:
    """Return the mean over the seeds that did not fail; NaN if all failed."""
    n, values = errors.curve()
    defined = values[~np.isnan(values).any(axis=1)]
    return n, defined.mean(axis=0) if len(defined) else np.full(len(n), np.nan)


def _top(own: str, n: IntArray, curves: dict[str, FloatArray], optimum: FloatArray) -> float:
    later = n >= WINDOW  # the high errors at the start would hide the rest
    heights = {name: float(curve[later].max()) for name, curve in curves.items() if not np.isnan(curve).any()}
    others = sorted(height for name, height in heights.items() if name != own)
    shown = [float(optimum[later].max()), heights.get(own, 0.0), *others[: -(-len(others) // 2)]]
    return min(1.02, max(0.05, 1.12 * max(shown)))
