"""Metrics of predictions that are repeated while a record waits for its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prequential.arguments import check_whole, checked_list, is_number
from prequential.elementary import exp, log
from prequential.errors import ParameterError
from prequential.metrics.metric import Metric, of_scores
from prequential.types import FloatArray


def prioritised(values: FloatArray, alpha: float) -> FloatArray:
    """Average a metric over the bins 0 to B (last axis): Ψ_α = Σ Λ(b) α^(−b/B) / Σ α^(−b/B).

    With α = 1 it is the plain mean; a larger α gives earlier bins more weight: with α = 2 the initial prediction counts
    twice as much as that of bin B. NaN if the metric is undefined in a bin.

    References
    ----------
    Grzenda, Gomes and Bifet, "Performance metrics for evolving predictions under delayed labelling classification",
    IJCNN 2020.

    Examples
    --------
    >>> float(prioritised(np.array([0.5, 0.5, 0.8]), 1).round(4)), float(prioritised(np.array([0.6, 0.3]), 2).round(4))
    (0.6, 0.5)
    """
    weights = exp(-log(alpha) * np.arange(values.shape[-1]) / max(1, values.shape[-1] - 1))
    result: FloatArray = (values * weights).sum(axis=-1) / weights.sum()
    return result


@dataclass(frozen=True, slots=True)
class Binned:
    """The bins of the waiting time, and the stages at which each metric is reported.

    Bin 0 is the prediction at arrival, bins 1 to B divide the time until the label arrives, and bin B + 1 is the
    prediction just before the label is learned. Every metric is reported for bin 0 (``accuracy_initial``), for bin
    B + 1 (``accuracy_final``), and prioritised over bins 0 to B (``accuracy_psi_2`` for α = 2).

    Parameters
    ----------
    bins
        B, the number of bins.
    alphas
        The values of α, each at least 1.

    Examples
    --------
    >>> Binned(100, (1, 2)).names("kappa")
    ['kappa_initial', 'kappa_psi_1', 'kappa_psi_2', 'kappa_final']
    """

    bins: int
    alphas: tuple[float, ...]

    @classmethod
    def checked(cls, bins: int, alpha: float | Sequence[float], caller: str) -> Binned:
        """Check the parameters and return the bins."""
        check_whole(bins, "bins", caller, least=1, most=10_000)
        alphas = (alpha,) if is_number(alpha) else checked_list(alpha, "psi_alpha", caller, "numbers")  # type: ignore[arg-type]  # checked there
        if not alphas or not all(is_number(one) and 1 <= one < float("inf") for one in alphas):
            raise ParameterError("psi_alpha", caller, "a number of at least 1, or a list of such numbers", alpha)
        distinct = tuple(dict.fromkeys(float(one) for one in alphas))
        if len({f"{one:g}" for one in distinct}) < len(distinct):
            raise ParameterError("psi_alpha", caller, "a list of numbers that differ in their first six digits", alpha)
        return cls(int(bins), distinct)

    @property
    def stages(self) -> list[str]:
        """The stages at which a metric is reported, in order."""
        return ["initial", *(f"psi_{alpha:g}" for alpha in self.alphas), "final"]

    def stages_of(self, metric: Metric) -> list[str]:
        """Return the stages of a metric; scores are kept for the initial and the final prediction only."""
        return ["initial", "final"] if of_scores(metric) else self.stages

    def names(self, metric: str, stages: Sequence[str] | None = None) -> list[str]:
        """Return the names of a metric at some stages, by default all; for one class, ``recall_initial[UP]``."""
        base, bracket, label = metric.partition("[")
        return [f"{base}_{stage}{bracket}{label}" for stage in (self.stages if stages is None else stages)]

    def stage_summary(self, stage: str) -> str:
        """Return a stage in words."""
        plain = {"initial": "when the record arrived", "final": "just before its label was learned"}
        return plain.get(stage) or f"prioritised over the bins of the waiting time, α = {stage.removeprefix('psi_')}"

    def reported(self, values: FloatArray) -> FloatArray:
        """Reduce values with the axes (checkpoint, bin, forgetting) to (checkpoint, forgetting, stage)."""
        waiting = np.moveaxis(values[:, : self.bins + 1], 1, -1)
        middle = [prioritised(waiting, alpha) for alpha in self.alphas]
        return np.stack([values[:, 0], *middle, values[:, self.bins + 1]], axis=-1)
