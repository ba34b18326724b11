"""A pure-Python twin of the densities of naive Bayes and of tree leaves: it keeps every value.

Written from the docstring of `NaiveBayes`, not from the C++.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist


@dataclass
class Known:
    """The values of a feature in the records of a class, with weights; missing values are left out."""

    values: list[tuple[float, float]] = field(default_factory=list)

    def add(self, value: float, w: float) -> None:
        self.values.append((value, w))
        self.__dict__.pop("weight", None)
        self.__dict__.pop("normal", None)

    @cached_property
    def weight(self) -> float:
        return math.fsum(w for _, w in self.values)

    @cached_property
    def normal(self) -> NormalDist:
        """Return the mean and the unbiased deviation; with a weight of at most 1, the deviation of the values."""
        mean = math.fsum(w * v for v, w in self.values) / self.weight
        squares = math.fsum(w * (v - mean) ** 2 for v, w in self.values)
        return NormalDist(mean, math.sqrt(squares / (self.weight - 1 if self.weight > 1 else self.weight)))

    def of(self, value: float) -> float:
        return math.fsum(w for v, w in self.values if v == value)

    def up_to(self, threshold: float) -> float:
        """Return the weight up to a threshold: 0 below the least value, all above the greatest, else by the normal."""
        if not self.values or threshold < min(self.values)[0]:
            return 0.0
        if threshold >= max(self.values)[0]:
            return self.weight
        return self.weight * self.normal.cdf(threshold)


@dataclass(frozen=True)
class Summary:
    """What all classes share about a feature, as it was at some record."""

    within: float = 0.0
    total: float = 0.0
    mean: float = 0.0
    weights: dict[float, float] = field(default_factory=dict)
    """The weight of each value."""


class Densities:
    """The statistics of each feature in each class."""

    def __init__(self, n_classes: int, cardinality: Sequence[int], *, marginal: bool = False) -> None:
        self.cardinality, self.marginal = cardinality, marginal
        self.known = [[Known() for _ in cardinality] for _ in range(n_classes)]
        self.distinct: list[list[float]] = [[] for _ in cardinality]
        self.last = [math.nan] * len(cardinality)
        self.gap = [math.inf] * len(cardinality)
        self.summaries = [Summary()] * len(cardinality)
        self.n_records = self.due = 0

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.n_records += 1
        new = set()
        for j, value in enumerate(x):
            if math.isnan(value):
                continue
            self.known[y][j].add(value, w)
            if value not in self.distinct[j]:
                self.distinct[j].append(value)
                new.add(j)
            step = abs(value - self.last[j])
            if step > 0:
                self.gap[j] = min(self.gap[j], step)
            self.last[j] = value
        if due := self.n_records >= self.due:
            self.due = self.n_records + max(1, self.n_records // 8)
        for j, n_values in enumerate(self.cardinality):
            if due or (j in new and (n_values or len(self.distinct[j]) <= 3)):
                self.summaries[j] = self.summary(j)

    def summary(self, j: int) -> Summary:
        classes = [row[j] for row in self.known if row[j].values]
        values = [pair for known in classes for pair in known.values]
        if not values:
            return Summary()
        weights: dict[float, float] = {}
        for v, w in values:
            weights[v] = weights.get(v, 0.0) + w
        weight = math.fsum(w for _, w in values)
        mean = math.fsum(w * v for v, w in values) / weight
        n = self.n_records
        total = math.fsum(w * (v - mean) ** 2 for v, w in values) / weight * n / (n - 1) if n > 1 else 0.0
        within = math.fsum(w * (v - known.normal.mean) ** 2 for known in classes for v, w in known.values)
        spread = within > 1e-20 * weight * mean**2 and n > len(classes)  # anything less is rounding
        return Summary(within / weight * n / (n - len(classes)) if spread else total, total, mean, weights)

    def log_density(self, x: Sequence[float], c: int) -> float:
        """Return the logarithm of the density of a record in a class."""
        log_p = 0.0
        for j, value in enumerate(x):
            known, summary = self.known[c][j], self.summaries[j]
            n_values = len(self.distinct[j])
            if math.isnan(value) or n_values < (1 if self.cardinality[j] else 2):
                continue
            n_all = math.fsum(summary.weights.values())
            if self.cardinality[j]:
                prior, share = n_values, 1 / n_values
                if self.marginal:
                    prior, share = 2 * n_values, (summary.weights.get(value, 0.0) + 1) / (n_all + n_values)
                log_p += math.log((known.of(value) + prior * share) / (known.weight + prior))
            elif n_values == 2:
                share = (summary.weights.get(value, 0.0) + 0.5) / (n_all + 1)
                log_p += math.log((known.of(value) + share) / (known.weight + 1))
            else:
                mean, variance = summary.mean, summary.total
                if known.values:
                    mean = known.normal.mean
                    variance = min(0.25 * summary.within / known.weight, summary.total)
                    if known.weight > 1:
                        variance = max(known.normal.variance, variance)
                size = max(2 * math.pi * variance, self.gap[j] ** 2)
                log_p -= 0.5 * ((value - mean) ** 2 / variance + math.log(size))
        return log_p
