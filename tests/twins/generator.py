"""Pure-Python twins of the generators: record i of a seed, by its definition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from twins.counts import philox, uniform

Record = tuple[list[float], int]


class Draws:
    """The random numbers of one record, in order."""

    def __init__(self, seed: int, purpose: str, index: int = 0) -> None:
        self._words = self._all(seed, int.from_bytes(purpose.encode()), index)
        self._kept: float | None = None

    @staticmethod
    def _all(seed: int, purpose: int, index: int) -> Iterator[int]:
        part = 0
        while True:
            yield from philox([index, part, 0, 0], [seed, purpose])
            part += 1

    def word(self) -> int:
        return next(self._words)

    def uniform(self) -> float:
        return uniform(self.word())

    def uniforms(self, n: int) -> list[float]:
        return [self.uniform() for _ in range(n)]

    def below(self, n: int) -> int:
        return self.word() * n >> 64

    def normal(self) -> float:
        """Box and Muller: two uniform numbers give two normal ones."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        radius, angle = math.sqrt(-2 * math.log(1 - self.uniform())), 2 * math.pi * self.uniform()
        self._kept = radius * math.sin(angle)
        return radius * math.cos(angle)


def exchanged(x: list[float], pairs: list[tuple[int, int]]) -> list[float]:
    """Return features after pairs of them were swapped, one pair after the other."""
    holds = list(range(len(x)))  # the feature at each position
    for a, b in pairs:
        at_a, at_b = holds.index(a), holds.index(b)
        holds[at_a], holds[at_b] = b, a
    return [x[j] for j in holds]


def led(
    seed: int,
    i: int,
    n_features: int = 24,
    noise: float = 0.1,
    n_drifting: int = 0,
    model_seed: int | None = None,
) -> Record:
    #    _0_
    #   1   2     the segments of a digit
    #    _3_
    #   4   5
    #    _6_
    shown = ["012456", "25", "02346", "02356", "1235", "01356", "013456", "025", "0123456", "012356"]
    draws = Draws(seed, "LED", i)
    digit = draws.below(10)
    x = [float((str(j) in shown[digit]) != (draws.uniform() < noise)) for j in range(7)]
    if n_features > 7:
        bits = draws.word()
        x += [float(bits >> j & 1) for j in range(n_features - 7)]
    drift = None if model_seed is None else Draws(model_seed, "LEDM")
    first, second = (0, 0) if drift is None else (drift.below(7), drift.below(n_features - 7))
    pairs = [((first + j) % 7, 7 + (second + j) % (n_features - 7)) for j in range(n_drifting)]
    return exchanged(x, pairs), digit


def waveform(seed: int, i: int, n_features: int = 21, n_drifting: int = 0, model_seed: int = 1) -> Record:
    draws = Draws(seed, "WAVE", i)
    label, share = draws.below(3), draws.uniform()
    one, other = [(WAVES[0], WAVES[1]), (WAVES[0], WAVES[2]), (WAVES[1], WAVES[2])][label]
    x = [share * a + (1 - share) * b + draws.normal() for a, b in zip(one, other, strict=True)]
    x += [draws.normal() for _ in range(n_features - 21)]
    drift = Draws(model_seed, "WAVED")
    first = drift.below(n_features)
    second = first + 1 + drift.below(n_features - 1)
    pairs = [((first + j) % n_features, (second + j) % n_features) for j in range(n_drifting)]
    return exchanged(x, pairs), label


TRIANGLE = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
WAVES = [[0.0] * (before) + TRIANGLE + [0.0] * (10 - before) for before in (1, 9, 5)]


def hyperplane(
    seed: int,
    i: int,
    n_features: int = 10,
    n_drifting: int = 2,
    speed: float = 0.0,
    reversal: float = 0.1,
    noise: float = 0.05,
) -> Record:
    weights = Draws(seed, "HYPERM").uniforms(n_features)
    for j in range(n_drifting):
        steps, direction = 0, 1
        for k in range(i):
            steps += direction
            if Draws(seed, "HYPERW", k).uniforms(n_drifting)[j] < reversal:
                direction = -direction
        weights[j] += speed * steps
    draws = Draws(seed, "HYPER", i)
    x = draws.uniforms(n_features)
    beyond = sum(w * v for w, v in zip(weights, x, strict=True)) >= sum(weights) * 0.5
    return x, int(beyond != (draws.uniform() < noise))


def bounced(start: float, step: float, n: int) -> float:
    """Return a coordinate after n steps, without rounding."""
    at, by = Fraction(start), Fraction(step)
    for _ in range(n):
        at += by
        if not 0 <= at <= 1:
            at, by = Fraction(int(at > 1)), -by
    return float(at)


def random_rbf(
    seed: int,
    i: int,
    n_features: int = 10,
    n_classes: int = 2,
    n_centroids: int = 50,
    speed: float = 0.0,
    n_drifting: int | None = None,
    model_seed: int = 1,
) -> Record:
    labels, spreads, weights, centres, steps = [], [], [], [], []
    for c in range(n_centroids):
        model = Draws(model_seed, "RBFM", c)
        labels.append(model.below(n_classes))
        spreads.append(model.uniform())
        weights.append(model.uniform())
        centres.append(model.uniforms(n_features))
        direction = model.uniforms(n_features)
        moves = n_drifting is None or c < n_drifting
        steps.append([speed * moves * d / math.hypot(*direction) for d in direction])
    draws = Draws(seed, "RBF", i)
    left, c = draws.uniform() * sum(weights), 0
    while left >= weights[c]:
        left -= weights[c]
        c += 1
    direction = [2 * u - 1 for u in draws.uniforms(n_features)]
    distance = draws.normal() * spreads[c] / math.hypot(*direction)
    centre = [bounced(a, s, i if speed else 0) for a, s in zip(centres[c], steps[c], strict=True)]
    return [a + distance * d for a, d in zip(centre, direction, strict=True)], labels[c]


@cache
def tree(
    model_seed: int,
    n_classes: int,
    n_nominal: int,
    n_values: int,
    n_numeric: int,
    max_depth: int,
    first_leaf_level: int,
    leaf_share: float,
) -> object:
    """A leaf is a class; a node is (feature, threshold or None, children)."""
    draws = Draws(model_seed, "TREEM")

    def grown(depth: int, candidates: list[int], ranges: dict[int, tuple[float, float]]) -> object:
        if depth >= max_depth or not candidates or (depth >= first_leaf_level and draws.uniform() < leaf_share):
            return draws.below(n_classes)
        feature = candidates[draws.below(len(candidates))]
        if feature < n_nominal:
            rest = [j for j in candidates if j != feature]
            return feature, None, [grown(depth + 1, rest, ranges) for _ in range(n_values)]
        low, high = ranges[feature]
        cut = low + (high - low) * draws.uniform()
        parts = [(low, cut), (cut, high)]
        return feature, cut, [grown(depth + 1, candidates, {**ranges, feature: part}) for part in parts]

    features = list(range(n_nominal + n_numeric))
    return grown(0, features, dict.fromkeys(features[n_nominal:], (0.0, 1.0)))


def random_tree(
    seed: int,
    i: int,
    n_classes: int = 2,
    n_nominal: int = 5,
    n_values: int = 5,
    n_numeric: int = 5,
    max_depth: int = 5,
    first_leaf_level: int = 3,
    leaf_share: float = 0.15,
    model_seed: int = 1,
) -> Record:
    draws = Draws(seed, "TREE", i)
    x = [float(draws.below(n_values)) for _ in range(n_nominal)] + draws.uniforms(n_numeric)
    node = tree(model_seed, n_classes, n_nominal, n_values, n_numeric, max_depth, first_leaf_level, leaf_share)
    while isinstance(node, tuple):
        feature, cut, children = node
        node = children[int(x[feature]) if cut is None else int(x[feature] >= cut)]
    assert isinstance(node, int)
    return x, node


def agrawal(seed: int, i: int, concept: int = 1, perturbation: float = 0.05) -> Record:
    draws = Draws(seed, "AGRAWAL", i)
    salary = 20_000 + 130_000 * draws.uniform()
    commission = 10_000 + 65_000 * draws.uniform()
    commission = 0.0 if salary >= 75_000 else commission
    age, level, car, zipcode = 20 + draws.below(61), draws.below(5), draws.below(20), draws.below(9)
    wealth = (9 - zipcode) * 100_000
    value, years, loan = wealth * (0.5 + draws.uniform()), 1 + draws.below(30), 500_000 * draws.uniform()
    label = int(not in_group_a(concept, salary, commission, age, level, value, years, loan))

    def perturbed(value: float, low: float, high: float, width: float | None = None) -> float:
        by = (high - low if width is None else width) * (2 * draws.uniform() - 1) * perturbation
        return min(max(value + by, low), high)

    if perturbation:
        salary = perturbed(salary, 20_000, 150_000)
        commission = perturbed(commission, 10_000, 75_000) if commission else 0.0
        age = math.floor(perturbed(age, 20, 80) + 0.5)
        value = perturbed(value, 0, 135_000, wealth)
        years = math.floor(perturbed(years, 1, 30) + 0.5)
        loan = perturbed(loan, 0, 500_000)
    return [salary, commission, age, level, car, zipcode, value, years, loan], label


def in_group_a(
    concept: int, salary: float, commission: float, age: int, level: int, value: float, years: int, loan: float
) -> bool:
    """Return whether a record is in group A, by the ten rules."""
    income = salary + commission
    young, middle = age < 40, 40 <= age < 60
    if concept == 1:
        return not middle
    if concept == 2:
        if young:
            return 50_000 <= salary <= 100_000
        return 75_000 <= salary <= 125_000 if middle else 25_000 <= salary <= 75_000
    if concept == 3:
        return level in ((0, 1) if young else (1, 2, 3) if middle else (2, 3, 4))
    if concept == 4:
        if young:
            return 25_000 <= salary <= 75_000 if level in (0, 1) else 50_000 <= salary <= 100_000
        if middle:
            return 50_000 <= salary <= 100_000 if level in (1, 2, 3) else 75_000 <= salary <= 125_000
        return 50_000 <= salary <= 100_000 if level in (2, 3, 4) else 25_000 <= salary <= 75_000
    if concept == 5:
        if young:
            return 100_000 <= loan <= 300_000 if 50_000 <= salary <= 100_000 else 200_000 <= loan <= 400_000
        if middle:
            return 200_000 <= loan <= 400_000 if 75_000 <= salary <= 125_000 else 300_000 <= loan <= 500_000
        return 300_000 <= loan <= 500_000 if 25_000 <= salary <= 75_000 else 100_000 <= loan <= 300_000
    if concept == 6:
        if young:
            return 50_000 <= income <= 100_000
        return 75_000 <= income <= 125_000 if middle else 25_000 <= income <= 75_000
    if concept == 7:
        return 2 * income / 3 - loan / 5 - 20_000 > 0
    if concept == 8:
        return 2 * income / 3 - 5000 * level - 20_000 > 0
    if concept == 9:
        return 2 * income / 3 - 5000 * level - loan / 5 - 10_000 > 0
    equity = value * (years - 20) / 10 if years >= 20 else 0.0
    return 2 * income / 3 - 5000 * level + equity / 5 - 10_000 > 0


def stagger(seed: int, i: int, concept: int = 1) -> Record:
    draws = Draws(seed, "STAG", i)
    size, colour, shape = (draws.below(3) for _ in range(3))
    rule = {1: (size, colour) == (0, 0), 2: colour == 2 or shape == 0, 3: size in (1, 2)}[concept]
    return [float(size), float(colour), float(shape)], int(rule)


def sine(seed: int, i: int, concept: int = 1, n_features: int = 4) -> Record:
    x = Draws(seed, "SINE", i).uniforms(n_features)
    curve = math.sin(x[0]) if concept in (1, 2) else 0.5 + 0.3 * math.sin(3 * math.pi * x[0])
    positive = x[1] < curve if concept in (1, 3) else x[1] >= curve
    return x, 0 if positive else 1


def mixed(seed: int, i: int, concept: int = 1) -> Record:
    draws = Draws(seed, "MIXED", i)
    v, w, x, y = draws.below(2), draws.below(2), draws.uniform(), draws.uniform()
    z = y < 0.5 + 0.3 * math.sin(3 * math.pi * x)
    positive = (v and w) or (v and z) or (w and z)
    return [float(v), float(w), x, y], int(bool(positive) != (concept == 1))


def rotating_gaussian(seed: int, i: int, period: int | None = 10_000, spread: float = 1.0) -> Record:
    draws = Draws(seed, "GAUSS", i)
    label = draws.below(2)
    angle = 2 * math.pi * ((i % period / period if period else 0.0) + label / 2)
    return [math.cos(angle) + spread * draws.normal(), math.sin(angle) + spread * draws.normal()], label
