"""A pure-Python twin of the Hoeffding tree: short, slow, and meant to be read as its specification.

A leaf keeps the records it has learned, and means, variances and counts are computed from them whenever they are asked
for. Written from the papers that `HoeffdingTree` names and from its docstring, not from the C++.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from twins.counts import normalised
from twins.density import Densities


@dataclass(frozen=True)
class Rules:
    """The parameters of `HoeffdingTree`."""

    leaf_prediction: str = "nba"
    densities: str = "bounded"
    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    split_criterion: str = "info_gain"
    binary_split: bool = False
    n_points: int = 10
    min_branch_fraction: float = 0.01


def impurity(weights: Sequence[float], criterion: str) -> float:
    """Return the entropy in bits, or Gini's index."""
    total = math.fsum(weights)
    shares = [w / total for w in weights if w > 0]
    if criterion == "gini":
        return 1 - math.fsum(p * p for p in shares)
    return -math.fsum(p * math.log2(p) for p in shares)


# --- splits ---------------------------------------------------------------------------------------------


@dataclass
class Split:
    """A split on one feature; `branches` has the class weights of each branch."""

    feature: int
    branches: list[list[float]]
    gain: float
    threshold: float = math.nan
    """Threshold of a numeric feature: at most this, or more."""
    values: tuple[float, ...] = ()
    """Values of a nominal feature, one branch per value; an additional last branch is for all others."""

    def branch(self, x: Sequence[float]) -> int:
        value = x[self.feature]
        if math.isnan(value):
            return self.heaviest()
        if not self.values:
            return 0 if value <= self.threshold else 1
        if value in self.values:
            return self.values.index(value)
        return len(self.values) if len(self.branches) > len(self.values) else self.heaviest()

    def heaviest(self) -> int:
        weights = [math.fsum(branch) for branch in self.branches]
        return weights.index(max(weights))


def gain(branches: Sequence[Sequence[float]], n_all: float, rules: Rules) -> float:
    """Return the decrease of impurity times the share of known values; −∞ unless two branches get enough weight."""
    weights = [math.fsum(branch) for branch in branches]
    known = math.fsum(weights)
    if sum(w > rules.min_branch_fraction * known for w in weights) < 2:
        return -math.inf
    before = impurity([math.fsum(column) for column in zip(*branches, strict=True)], rules.split_criterion)
    after = math.fsum(
        w / known * impurity(b, rules.split_criterion) for w, b in zip(weights, branches, strict=True) if w > 0
    )
    return (before - after) * known / n_all


# --- nodes ----------------------------------------------------------------------------------------------


class Leaf:
    """A leaf: class weights, including those inherited from the split, and the records since it was created."""

    def __init__(self, n_classes: int, cardinality: Sequence[int], rules: Rules, inherited: Sequence[float]) -> None:
        self.cardinality, self.rules = cardinality, rules
        self.class_weights = list(inherited)
        self.densities = Densities(n_classes, cardinality)
        self.known = self.densities.known
        self.seen = [0.0] * n_classes
        self.mc_right = self.nb_right = 0.0
        self.since_search = 0.0

    @property
    def weight(self) -> float:
        return math.fsum(self.class_weights)

    def scores(self, x: Sequence[float]) -> list[float]:
        bayes = self.rules.leaf_prediction == "nb" or (
            self.rules.leaf_prediction == "nba" and self.nb_right >= self.mc_right
        )
        return self.bayes(x) if bayes else normalised(self.class_weights)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        if self.rules.leaf_prediction == "nba":
            self.mc_right += w * right(self.class_weights, y)
            self.nb_right += w * self.bayes_is_right(x, y)
        self.class_weights[y] += w
        self.seen[y] += w
        self.since_search += w
        self.densities.learn(x, y, w)

    def bayes_is_right(self, x: Sequence[float], y: int) -> bool:
        return right(self.bayes(x), y)

    def bayes(self, x: Sequence[float]) -> list[float]:
        if not any(self.seen):
            return normalised(self.class_weights)
        logs = [self.log_joint(x, c) if w > 0 else -math.inf for c, w in enumerate(self.seen)]
        return normalised([math.exp(log - max(logs)) for log in logs])

    def log_joint(self, x: Sequence[float], c: int) -> float:
        return math.log(self.class_weights[c]) + self.densities.log_density(x, c)

    def values(self, j: int) -> list[float]:
        """Return the values of a feature in this leaf, in order."""
        return sorted({v for row in self.known for v, _ in row[j].values})

    def best_of(self, j: int) -> Split | None:
        """Return the split of a feature with the largest gain, the first in a tie; None if no split is valid."""
        values = self.values(j)
        found = self.nominal(j, values) if self.cardinality[j] else self.numeric(j, values)
        best = max(found, key=lambda split: split.gain, default=None)
        return best if best and best.gain > -math.inf else None

    def numeric(self, j: int, values: Sequence[float]) -> list[Split]:
        if not values:
            return []
        found, n, least, greatest = [], self.rules.n_points, values[0], values[-1]
        for k in range(1, n + 1):
            threshold = least + (greatest - least) * k / (n + 1)
            below = [row[j].up_to(threshold) for row in self.known]
            above = [row[j].weight - b for row, b in zip(self.known, below, strict=True)]
            found.append(self.split(j, [below, above], threshold=threshold))
        return found

    def nominal(self, j: int, values: Sequence[float]) -> list[Split]:
        """Return the split with one branch per code up to the highest, and one split per value against all others.

        The first needs a grace period of records for each value on average, but not with MOA's rules.
        """
        codes = [float(v) for v in range(int(max(values, default=-1)) + 1)]
        each = [[row[j].of(v) for row in self.known] for v in codes]
        total = [row[j].weight for row in self.known]
        found = []
        enough = self.rules.grace_period * len(values)
        if not self.rules.binary_split and (self.rules.densities == "moa" or math.fsum(total) >= enough):
            found.append(self.split(j, each, values=tuple(codes)))
        for v, one in zip(codes, each, strict=True):
            rest = [t - o for t, o in zip(total, one, strict=True)]
            found.append(self.split(j, [one, rest], values=(v,)))
        return found

    def split(
        self, j: int, branches: list[list[float]], *, threshold: float = math.nan, values: tuple[float, ...] = ()
    ) -> Split:
        return Split(j, branches, gain(branches, math.fsum(self.seen), self.rules), threshold, values)


class MoaLeaf(Leaf):
    """A leaf with MOA's densities: raw products, and 1 or 0 for a class whose values do not differ.

    Written from `NaiveBayes.doNaiveBayesPrediction`, `GaussianEstimator` and `NominalAttributeClassObserver`.
    """

    def bayes_is_right(self, x: Sequence[float], y: int) -> bool:
        votes = self.bayes(x)
        return votes.index(max(votes)) == y  # without votes, the first class is predicted

    def bayes(self, x: Sequence[float]) -> list[float]:
        if not any(self.seen):
            return normalised(self.class_weights)
        votes = [
            weight * math.prod(self.density(c, j, value) for j, value in enumerate(x) if not math.isnan(value))
            for c, weight in enumerate(self.class_weights)
        ]
        return normalised(votes if max(votes) > 0 else [1.0] + [0.0] * (len(votes) - 1))

    def density(self, c: int, j: int, value: float) -> float:
        known = self.known[c][j]
        if not known.values:
            return 0.0
        if self.cardinality[j]:
            return (known.of(value) + 1) / (known.weight + max(known.values)[0] + 1)
        if known.weight > 1 and known.normal.stdev > 0:
            return known.normal.pdf(value)
        return float(value == known.normal.mean)


def right(scores: Sequence[float], y: int) -> bool:
    """Return whether the class with the highest score, the lowest in a tie, is the label; an abstention is wrong."""
    return max(scores) > 0 and scores.index(max(scores)) == y


@dataclass
class Inner:
    """An inner node."""

    split: Split
    children: list[Leaf | Inner]


class HoeffdingTree:
    """A leaf is split when Hoeffding's bound separates the best feature from the second best."""

    def __init__(self, n_classes: int, cardinality: Sequence[int], rules: Rules) -> None:
        self.n_classes, self.cardinality, self.rules = n_classes, cardinality, rules
        self.labels: set[int] = set()
        self.n_leaves, self.n_splits = 1, 0
        self.root: Leaf | Inner = self.leaf([0.0] * n_classes)

    def leaf(self, inherited: Sequence[float]) -> Leaf:
        kind = MoaLeaf if self.rules.densities == "moa" else Leaf
        return kind(self.n_classes, self.cardinality, self.rules, inherited)

    def scores(self, x: Sequence[float]) -> list[float]:
        """Return the scores of the leaf of a record; if it has no weight, those of the sibling with most records."""
        node = self.root
        while isinstance(node, Inner):
            child = node.children[node.split.branch(x)]
            empty = isinstance(child, Leaf) and child.weight == 0
            node = node.children[node.split.heaviest()] if empty else child
        return node.scores(x)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.labels.add(y)
        inner, leaf = self.way(x)
        leaf.learn(x, y, w)
        split = self.found(leaf)
        if split is None:
            return
        node = Inner(split, [self.leaf(weights) for weights in split.branches])
        self.n_leaves += len(split.branches) - 1
        self.n_splits += 1
        if inner:
            inner[-1].children[inner[-1].split.branch(x)] = node
        else:
            self.root = node

    def way(self, x: Sequence[float]) -> tuple[list[Inner], Leaf]:
        """Return the inner nodes that a record passes, and its leaf."""
        node, passed = self.root, list[Inner]()
        while isinstance(node, Inner):
            passed.append(node)
            node = node.children[node.split.branch(x)]
        return passed, node

    def found(self, leaf: Leaf) -> Split | None:
        """Return the split of a leaf if it is due; None otherwise."""
        if leaf.since_search < self.rules.grace_period:
            return None
        leaf.since_search = 0.0
        if sum(w > 0 for w in leaf.class_weights) < 2:
            return None
        splits = [split for j in range(len(self.cardinality)) if (split := leaf.best_of(j))]
        splits.sort(key=lambda split: -split.gain)
        if not splits or splits[0].gain <= 0:
            return None
        second = max(0.0, splits[1].gain if len(splits) > 1 else 0.0)
        epsilon = self.epsilon(leaf.weight)
        return splits[0] if splits[0].gain - second > epsilon or epsilon < self.rules.tau else None

    def epsilon(self, n: float) -> float:
        """Return Hoeffding's bound for the mean of n values in a range R, with error probability δ."""
        R = 1.0 if self.rules.split_criterion == "gini" else math.log2(max(2, len(self.labels)))
        return math.sqrt(R * R * math.log(1 / self.rules.delta) / (2 * n))
