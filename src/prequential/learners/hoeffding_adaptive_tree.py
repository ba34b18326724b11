"""The Hoeffding adaptive tree."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.arguments import check_flag, check_number, check_whole
from prequential.learners.catalogue import register
from prequential.learners.hoeffding_tree import HoeffdingTree, tree_rules
from prequential.streams.schema import Schema


@register("hoeffding_adaptive_tree")
@dataclass(eq=False, kw_only=True, repr=False)
class HoeffdingAdaptiveTree(HoeffdingTree):
    """Hoeffding adaptive tree (HAT): a Hoeffding tree that replaces subtrees whose error has risen.

    An ADWIN at every node, leaves included, watches the error of its subtree. When the error rises, an alternate tree
    starts at that node and learns alongside. Once both error windows hold more than ``drift_window_threshold`` records,
    the alternate replaces the node if its error is lower by more than √(2p(1 − p) ln(2/δ) (1/n₁ + 1/n₂)), where p is
    the error of the node and δ is ``switch_delta``; it is dropped if its error is higher by as much. An alternate tree
    has no alternates itself.

    Parameters
    ----------
    adwin_delta
        δ of the ADWINs; 0.002 by default, as in MOA.
    switch_delta
        δ of the comparison with an alternate tree; 0.05 by default, as in MOA.
    drift_window_threshold
        Records in both error windows before they are compared; 300 by default, as in MOA.
    bootstrap
        Whether a leaf learns each record max(1, k) times, k ~ Poisson(1), as in MOA and River.

    The other parameters are those of `HoeffdingTree`.

    References
    ----------
    Bifet and Gavaldà, "Adaptive learning from evolving data streams", IDA 2009.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.HoeffdingAdaptiveTree(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    adwin_delta: float = 0.002
    switch_delta: float = 0.05
    drift_window_threshold: int = 300
    bootstrap: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        caller = type(self).__name__
        check_number(self.adwin_delta, "adwin_delta", caller, above=0, below=1)
        check_number(self.switch_delta, "switch_delta", caller, above=0, below=1)
        check_flag(self.bootstrap, "bootstrap", caller)
        check_whole(self.drift_window_threshold, "drift_window_threshold", caller, least=1, most=1_000_000_000)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.hoeffding_adaptive_tree(
            schema.n_classes,
            schema.cardinalities,
            tree_rules(self),
            self.adwin_delta,
            self.switch_delta,
            self.drift_window_threshold,
            self.bootstrap,
            self.max_bytes,
            seed,
        )
