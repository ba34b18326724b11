"""How much results differ between repetitions of one experiment: the folds of a run, or runs with several seeds."""

from __future__ import annotations

from typing import Protocol


class Spreads(Protocol):
    """The standard deviations of results over folds or seeds."""

    @property
    def n(self) -> int:
        """The number of folds or seeds; 0 if there are none, and then no standard deviations."""

    @property
    def over(self) -> str:
        """The plural of what is repeated: ``folds`` or ``seeds``."""

    def spread(self, learner: str, forgetting: str, metric: str, n: int, *, mean: bool) -> float:
        """Return the standard deviation (n − 1) after ``n`` records, or of the means over all checkpoints up to it.

        NaN if a fold or seed is undefined.
        """
