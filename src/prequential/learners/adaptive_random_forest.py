"""The adaptive random forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prequential import _native
from prequential.arguments import check_flag, check_number
from prequential.learners.catalogue import register
from prequential.learners.forest import Forest
from prequential.streams.schema import Schema


@register("adaptive_random_forest")
@dataclass(eq=False, kw_only=True, repr=False)
class AdaptiveRandomForest(Forest):
    """Adaptive random forest (ARF): bagged randomised trees, each replaced when its error rises.

    Each member learns each record with a Poisson weight. Two ADWINs watch its error on records before it learns them.
    The ADWIN with the larger δ gives a warning: a background tree starts to learn. The other one signals a drift: the
    background tree, or a new tree if there is none, replaces the member. A member's vote is relative to its sum and
    weighted by its accuracy since it started.

    Parameters
    ----------
    n_models
        Number of members.
    lambda_
        Mean of the Poisson weights; 6 by default, as in the paper.
    warning_delta, drift_delta
        δ of the two ADWINs; 0.01 and 0.001 by default, as in the paper.
    weighted
        Whether to weight votes by accuracy.
    max_features
        Number of features that each leaf considers, drawn at random: a number, a share in (0, 1), ``"sqrt"`` for
        ⌊√features⌋ + 1, or None for all; 0.6 by default, as in MOA.
    grace_period, delta
        Of the trees; 50 and 0.01 by default, as in MOA.
    base
        Another learner for the members instead of a Hoeffding tree; then no parameter of a tree may be given.

    The other parameters are those of `HoeffdingTree`.

    References
    ----------
    Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.AdaptiveRandomForest(n_models=3)
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.84
    """

    lambda_: float = 6.0
    max_features: int | float | Literal["sqrt"] | None = 0.6
    grace_period: int = 50
    delta: float = 0.01
    warning_delta: float = 0.01
    drift_delta: float = 0.001
    weighted: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag(self.weighted, "weighted", "AdaptiveRandomForest")
        check_number(self.warning_delta, "warning_delta", "AdaptiveRandomForest", above=0, below=1)
        check_number(self.drift_delta, "drift_delta", "AdaptiveRandomForest", above=0, below=1)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.adaptive_random_forest(
            self._base(schema, seed),
            self.n_models,
            self.lambda_,
            self.warning_delta,
            self.drift_delta,
            self.weighted,
            seed,
        )
