"""The Hoeffding tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from prequential import _native
from prequential.arguments import check_choice, check_flag, check_number, check_whole, is_whole
from prequential.errors import ParameterError
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("hoeffding_tree")
@dataclass(eq=False, kw_only=True, repr=False)
class HoeffdingTree(NativeLearner):
    """Hoeffding tree (VFDT): a decision tree that splits a leaf when Hoeffding's bound favours the best split.

    A leaf searches for a split each time it has seen ``grace_period`` more records (by weight). It splits if the gain
    of the best feature exceeds that of the second best, and that of no split (0), by more than ε = √(R² ln(1/δ) / 2n),
    or if ε < τ. R is the range of the gain and n the weight of the leaf's records, including what it inherited from its
    parent, as in MOA and River. The children start with the class weights that the split assigns to them. A numeric
    feature is modelled by one Gaussian per class. A nominal feature is split into one branch per code up to the highest
    seen, or into one value against all others, whichever has the higher gain; the former only if the leaf has seen at
    least ``grace_period`` records for each value on average. A record with a missing value follows the branch that had
    the most records; a record whose branch has seen none yet is scored there too. O(depth + features × classes) per
    record.

    Parameters
    ----------
    leaf_prediction
        Prediction of a leaf: ``"mc"`` majority class, ``"nb"`` naive Bayes, ``"nba"`` (naive Bayes adaptive) the one of
        the two that has been right more often in that leaf.
    densities
        How naive Bayes treats a class of which a leaf has seen little. ``"bounded"``: the variance of a numeric feature
        is at least a quarter of that within classes, divided by the weight of the class, and no recorded value has a
        probability above 1 (see `NaiveBayes`); nominal values are smoothed by Laplace's rule. ``"moa"``: as in MOA, for
        comparisons with it: a class whose values do not vary has the density 1 at its value and 0 elsewhere, and a
        record to which no class gives a density is assigned to the first class. Densities are then multiplied instead
        of adding their logarithms, a nominal value is smoothed by the highest code of its class, and a nominal feature
        may be split into one branch per code whatever the leaf has seen.
    grace_period
        Weight that a leaf sees between two searches for a split; 200 by default, as in the paper and in MOA.
    delta
        δ, in (0, 1): the probability that a split is not the best; 1e-7 by default, as in the paper and in MOA.
    tau
        τ: a bound ε below it decides a tie; 0.05 by default, as in the paper and in MOA.
    split_criterion
        ``"info_gain"`` (in bits) or ``"gini"``.
    binary_split
        Whether to split nominal features only into one value against all others.
    n_points
        Number of thresholds tried for a numeric feature; 10 by default, as in MOA.
    min_branch_fraction
        Share of the records that at least two branches of a split must get; 0.01 by default, as in MOA.
    max_features
        Number of features that each leaf considers, drawn at random: a number, a share in (0, 1), or ``"sqrt"`` for
        ⌊√features⌋ + 1; None for all.
    max_bytes
        Largest memory of the tree in bytes, 0 for no limit; 32 MiB by default, as in MOA. When it is reached, the least
        promising leaves (the least weight outside of the majority class) are deactivated: they predict their majority
        class and are not split. No leaf is split once the nodes alone take three quarters of it: the rest is kept for
        the most promising leaves. Gama et al. (2013) name three environments: a sensor (hundreds of KB), a handheld
        (tens of MB) and a server (several GB); Kirkby (2007), whom they cite, has 100 KB, 32 MB and 400 MB.

    References
    ----------
    Domingos and Hulten, "Mining high-speed data streams", KDD 2000. Gama, Rocha and Medas, "Accurate decision trees for
    mining high-speed data streams", KDD 2003 (naive-Bayes leaves). Holmes, Kirkby and Pfahringer, "Stress-testing
    Hoeffding trees", PKDD 2005 (adaptive leaves).

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.HoeffdingTree(grace_period=100)
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    leaf_prediction: Literal["mc", "nb", "nba"] = "nba"
    densities: Literal["bounded", "moa"] = "bounded"
    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    split_criterion: Literal["info_gain", "gini"] = "info_gain"
    binary_split: bool = False
    n_points: int = 10
    min_branch_fraction: float = 0.01
    max_features: int | float | Literal["sqrt"] | None = None
    max_bytes: int = 33_554_432

    def __post_init__(self) -> None:
        check_tree(self, type(self).__name__)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.hoeffding_tree(schema.n_classes, schema.cardinalities, tree_rules(self), self.max_bytes, seed)


def check_tree(tree: Any, caller: str) -> None:
    """Check the parameters that all trees share; ``tree`` has them as attributes."""
    if not is_whole(tree.max_bytes, 0) or 0 < tree.max_bytes < 10_000 or tree.max_bytes > 2**62:
        raise ParameterError("max_bytes", caller, "0 or a whole number of at least 10,000", tree.max_bytes)
    check_choice(tree.leaf_prediction, "leaf_prediction", caller, ("mc", "nb", "nba"))
    check_choice(tree.densities, "densities", caller, ("bounded", "moa"))
    check_choice(tree.split_criterion, "split_criterion", caller, ("info_gain", "gini"))
    check_whole(tree.grace_period, "grace_period", caller, least=1, most=1_000_000_000)
    check_whole(tree.n_points, "n_points", caller, least=1, most=1000)
    check_flag(tree.binary_split, "binary_split", caller)
    check_number(tree.delta, "delta", caller, above=0, below=1)
    check_number(tree.tau, "tau", caller, least=0)
    check_number(tree.min_branch_fraction, "min_branch_fraction", caller, least=0, most=0.5)
    s = tree.max_features
    if s is not None and s != "sqrt" and not is_whole(s, 1) and not (isinstance(s, float) and 0 < s < 1):
        raise ParameterError(
            "max_features", caller, "a whole number of at least 1, a share in (0, 1), 'sqrt' or None", s
        )


def tree_rules(tree: HoeffdingTree) -> _native.TreeRules:
    """Return the native form of the parameters that all trees share."""
    drawn = tree.max_features
    return _native.TreeRules(
        tree.leaf_prediction,
        tree.densities,
        tree.split_criterion,
        tree.binary_split,
        tree.n_points,
        -1 if isinstance(drawn, str) else drawn or 0,
        tree.grace_period,
        tree.delta,
        tree.tau,
        tree.min_branch_fraction,
    )
