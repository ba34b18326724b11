"""The Hoeffding tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from prequential import _native
from prequential.errors import ParameterError, is_number, is_whole
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class HoeffdingTree(NativeLearner):
    """A decision tree that splits a leaf when Hoeffding's bound says that the best split is the best for good (VFDT).

    A leaf searches for a split each time it has seen ``grace`` more records (by weight). It is split where the gain
    of the best feature exceeds that of the second best, and that of no split at all (0), by more than
    ε = √(R² ln(1/δ) / 2n), R the range of the gain and n the weight of the leaf's records
    (what it inherited at birth included, as in MOA and River), or where ε < τ. The children
    start with the class weights that the split gives them. A numeric feature is kept as one Gaussian a class; a
    nominal one is split into a branch for each code up to the highest seen, or into one value and all others, whichever
    gains more. A record with a missing value goes where most records went, and one whose value a branch has not seen
    yet is scored there. O(depth + features × classes) a record.

    Parameters
    ----------
    leaf
        What a leaf predicts: ``"mc"`` its majority class, ``"nb"`` by naive Bayes, ``"nba"`` by whichever of the two
        has been right more often there.
    densities
        How naive Bayes takes a class whose values of a numeric feature hardly differ. ``"bounded"``: as varying by at
        least 1e-5 of what the feature was seen to vary by in all classes, so that a class seen once has a density too.
        ``"moa"``: as MOA does, for comparisons with it: such a class has the density 1 at its value and 0 elsewhere,
        and a record to which no class gives a density is taken for the first class. Densities are then multiplied, not
        their logarithms added, and a nominal value is smoothed by the highest code of its class.
    grace
        Weight that a leaf sees between two searches; 200, as in the paper and in MOA.
    delta
        δ, in (0, 1): the chance that a split is not the best; 1e-7, as in the paper and in MOA.
    tau
        τ: a bound below it decides a tie; 0.05, as in the paper and in MOA.
    criterion
        ``"info_gain"`` (in bits) or ``"gini"``.
    binary
        Never split a nominal feature into a branch for each value.
    n_points
        Thresholds that are tried for a numeric feature; 10, as in MOA.
    least_share
        Share of its records that at least two branches of a split must get; 0.01, as in MOA.
    subspace
        Features that a leaf looks at, drawn for each leaf: a number, a share in (0, 1), or ``"sqrt"`` for
        ⌊√features⌋ + 1; None for all.
    max_bytes
        Bound of the tree's memory, 0 for none; 32 MiB, as in MOA. When it is reached, the leaves that promise least
        (the least weight outside of their majority class) are deactivated: they predict their majority class, and are
        not split. No leaf is split once nodes alone take three quarters of it: the rest is kept for the leaves that
        promise most. The three environments of Gama et al.: 100 KiB (a sensor), 32 MiB (a handheld), 400 MiB (a
        server).

    References
    ----------
    Domingos and Hulten, "Mining high-speed data streams", KDD 2000. Gama, Rocha and Medas, "Accurate decision trees for
    mining high-speed data streams", KDD 2003 (naive-Bayes leaves). Holmes, Kirkby and Pfahringer, "Stress-testing
    Hoeffding trees", PKDD 2005 (adaptive leaves).
    """

    leaf: Literal["mc", "nb", "nba"] = "nba"
    densities: Literal["bounded", "moa"] = "bounded"
    grace: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    criterion: Literal["info_gain", "gini"] = "info_gain"
    binary: bool = False
    n_points: int = 10
    least_share: float = 0.01
    subspace: int | float | Literal["sqrt"] | None = None
    max_bytes: int = 33_554_432

    def __post_init__(self) -> None:
        check_tree(self, type(self).__name__)
        if not is_whole(self.max_bytes, 0) or 0 < self.max_bytes < 10_000 or self.max_bytes > 2**62:
            raise ParameterError(
                "max_bytes", type(self).__name__, "0 or a whole number of at least 10,000", self.max_bytes
            )

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.hoeffding_tree(
            schema.n_classes, schema.cardinalities, tree_rules(self, schema), self.max_bytes, seed
        )


def check_flag(learner: object, name: str) -> None:
    """Check a parameter that is true or false."""
    value = getattr(learner, name)
    if not isinstance(value, bool):
        raise ParameterError(name, type(learner).__name__, "True or False", value)


def check_tree(tree: HoeffdingTree, caller: str) -> None:
    """Check the parameters that all trees share."""
    if tree.leaf not in ("mc", "nb", "nba"):
        raise ParameterError("leaf", caller, "'mc', 'nb' or 'nba'", tree.leaf)
    if tree.densities not in ("bounded", "moa"):
        raise ParameterError("densities", caller, "'bounded' or 'moa'", tree.densities)
    if tree.criterion not in ("info_gain", "gini"):
        raise ParameterError("criterion", caller, "'info_gain' or 'gini'", tree.criterion)
    for name, most in (("grace", 1_000_000_000), ("n_points", 1000)):
        if not is_whole(getattr(tree, name), 1) or getattr(tree, name) > most:
            raise ParameterError(name, caller, f"a whole number from 1 to {most:,}", getattr(tree, name))
    check_flag(tree, "binary")
    if not (is_number(tree.delta) and 0 < tree.delta < 1):
        raise ParameterError("delta", caller, "in (0, 1)", tree.delta)
    if not (is_number(tree.tau) and 0 <= tree.tau < math.inf):
        raise ParameterError("tau", caller, "a number of at least 0", tree.tau)
    if not (is_number(tree.least_share) and 0 <= tree.least_share <= 0.5):
        raise ParameterError("least_share", caller, "in [0, 0.5]", tree.least_share)
    s = tree.subspace
    if s is not None and s != "sqrt" and not is_whole(s, 1) and not (isinstance(s, float) and 0 < s < 1):
        raise ParameterError("subspace", caller, "a whole number of at least 1, a share in (0, 1), 'sqrt' or None", s)


def tree_rules(tree: HoeffdingTree, schema: Schema) -> _native.TreeRules:
    """Return the parameters that all trees share in native form."""
    return _native.TreeRules(
        tree.leaf,
        tree.densities,
        tree.criterion,
        tree.binary,
        tree.n_points,
        n_drawn(tree.subspace, schema.n_features),
        tree.grace,
        tree.delta,
        tree.tau,
        tree.least_share,
    )


def n_drawn(subspace: int | float | str | None, n_features: int) -> int:
    """Return how many features a leaf looks at; 0 for all.

    Examples
    --------
    >>> n_drawn("sqrt", 10), n_drawn(0.6, 10), n_drawn(3, 10), n_drawn(None, 10)
    (4, 6, 3, 0)
    """
    if subspace is None:
        return 0
    if isinstance(subspace, str):
        return min(n_features, math.isqrt(n_features) + 1)
    return min(n_features, subspace if isinstance(subspace, int) else max(1, round(subspace * n_features)))
