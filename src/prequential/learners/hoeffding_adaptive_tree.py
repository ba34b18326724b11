"""The Hoeffding adaptive tree."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.errors import ParameterError, is_number, is_whole
from prequential.learners.hoeffding_tree import HoeffdingTree, check_flag, tree_rules
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class HoeffdingAdaptiveTree(HoeffdingTree):
    """A Hoeffding tree that replaces the parts of it whose error has risen (HAT).

    Every node watches the error of the tree below it with an ADWIN. Where it rises, an alternate tree is begun at that
    node and learns beside it. Once both error windows hold more than ``least_width`` records, the alternate takes the
    place of the node where its error is lower by more than √(2p(1 − p) ln(2/δ) (1/n₁ + 1/n₂)), p the error of the node
    and δ ``switch_delta``, and is dropped where it is higher by as much. An alternate tree has no alternates itself.

    Parameters
    ----------
    adwin_delta
        δ of the ADWINs; 0.002, as in MOA.
    switch_delta
        δ of the comparison with an alternate tree; 0.05, as in MOA.
    least_width
        Records in both error windows before they are compared; 300, as in MOA.
    bootstrap
        Leaves learn a record as often as a Poisson(1) draw says, but at least once, as in MOA and River.

    The other parameters are those of `HoeffdingTree`.

    References
    ----------
    Bifet and Gavaldà, "Adaptive learning from evolving data streams", IDA 2009.
    """

    adwin_delta: float = 0.002
    switch_delta: float = 0.05
    least_width: int = 300
    bootstrap: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("adwin_delta", "switch_delta"):
            value = getattr(self, name)
            if not (is_number(value) and 0 < value < 1):
                raise ParameterError(name, type(self).__name__, "in (0, 1)", value)
        check_flag(self, "bootstrap")
        if not is_whole(self.least_width, 1) or self.least_width > 1_000_000_000:
            raise ParameterError("least_width", type(self).__name__, "a whole number of at least 1", self.least_width)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.hoeffding_adaptive_tree(
            schema.n_classes,
            schema.cardinalities,
            tree_rules(self, schema),
            self.adwin_delta,
            self.switch_delta,
            self.least_width,
            self.bootstrap,
            self.max_bytes,
            seed,
        )
