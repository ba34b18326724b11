"""Pure-Python twins of the native core: short, slow, and meant to be read as its specification.

Twins are not incremental: a forgetting processes every record again at every checkpoint. Sums are ``math.fsum``, so
they are exact up to the rounding of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any

from twins.density import Densities

EPSILON = 2.0**-52


# --- records and their outcomes -------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """A label (None if unknown), and the prediction or the scores of a learner, or both."""

    label: int | None
    prediction: int | None = None
    scores: tuple[float, ...] | None = None
    weight: float = 1.0
    time: float = 0.0


def predicted(record: Record) -> int | None:
    """Return the class with the highest score, the lowest code in a tie; None for an abstention."""
    scores = record.scores
    if scores is None:
        return record.prediction
    if not all(map(math.isfinite, scores)) or not any(s > 0 for s in scores):
        return None
    return max(range(len(scores)), key=lambda c: (scores[c], -c))


def probabilities(record: Record, n_classes: int) -> list[float]:
    """Return scores divided by their sum; all zero for an abstention."""
    if record.scores is None or predicted(record) is None:
        return [0.0] * n_classes
    total = math.fsum(record.scores)
    return [s / total for s in record.scores] + [0.0] * (n_classes - len(record.scores))


def log_loss(record: Record, n_classes: int) -> float:
    assert record.label is not None
    return -math.log(min(max(probabilities(record, n_classes)[record.label], EPSILON), 1 - EPSILON))


def brier(record: Record, n_classes: int) -> float:
    return math.fsum((p - (c == record.label)) ** 2 for c, p in enumerate(probabilities(record, n_classes)))


# --- forgetting: the factor by which each record counts at a given time ---------------------------------

Kept = list[tuple[int, float]]
"""Positions of records, each with the factor by which it counts."""


def cumulative(past: Sequence[Record], now: float) -> Kept:
    return [(k, 1.0) for k in range(len(past))]


def sliding(w: int) -> Callable[[Sequence[Record], float], Kept]:
    return lambda past, now: [(k, 1.0) for k in range(len(past))][-w:]


def seconds(length: float) -> Callable[[Sequence[Record], float], Kept]:
    return lambda past, now: [(k, 1.0) for k, record in enumerate(past) if record.time > now - length]


def fading(alpha: float) -> Callable[[Sequence[Record], float], Kept]:
    return lambda past, now: [(k, alpha ** (len(past) - 1 - k)) for k in range(len(past))]


def adwin_start(losses: Sequence[float], delta: float, bound: str = "variance") -> tuple[int, int]:
    """Return the start of the window of ADWIN after these losses, and how often it has shrunk."""
    rows: list[list[list[float]]] = [[]]  # rows[k]: buckets of 2^k losses, oldest first
    start = alarms = 0
    for n, loss in enumerate(losses, 1):
        rows[0].append([loss])
        for k in range(len(rows)):
            if len(rows[k]) > 5:
                rows += [[]] if k + 1 == len(rows) else []
                rows[k + 1].append(rows[k].pop(0) + rows[k].pop(0))
        before = start
        while n % 32 == 0 and n - start > 10:
            if not _cut(losses[start:n], [len(b) for r in rows[::-1] for b in r], delta, bound):
                break
            start += len(rows[-1].pop(0))
            while len(rows) > 1 and not rows[-1]:
                rows.pop()
        alarms += start > before
    return start, alarms


def _cut(window: Sequence[float], sizes: Sequence[int], delta: float, bound: str) -> bool:
    n, mean = len(window), math.fsum(window) / len(window)
    variance = math.fsum((x - mean) ** 2 for x in window) / n
    confidence = math.log(2 * math.log(n) / delta)
    for n0 in accumulate(sizes):
        n1 = n - n0
        if min(n0, n1) > 6:
            m = 1 / (n0 - 4) + 1 / (n1 - 4)
            gap = abs(math.fsum(window[:n0]) / n0 - math.fsum(window[n0:]) / n1)
            if bound == "theorem3":
                harmonic = 1 / (1 / n0 + 1 / n1)
                if gap >= math.sqrt(1 / (2 * harmonic) * math.log(4 / (delta / n))):
                    return True
            elif gap > math.sqrt(2 * m * variance * confidence) + 2 / 3 * m * confidence:
                return True
    return False


def adwin(delta: float, *, skip: bool = False, bound: str = "variance") -> Callable[[Sequence[Record], float], Kept]:
    """Keep the records after the last dropped one; a skipped abstention has no loss and is dropped with the next."""
    starts: dict[int, int] = {}

    def kept(past: Sequence[Record], now: float) -> Kept:
        with_loss = [k for k, r in enumerate(past) if not (skip and predicted(r) is None)]
        checks = len(with_loss) // 32
        if checks not in starts:  # nothing changes between two checks
            losses = [float(predicted(past[k]) != past[k].label) for k in with_loss[: 32 * checks]]
            starts[checks] = adwin_start(losses, delta, bound)[0]
        first = with_loss[starts[checks] - 1] + 1 if starts[checks] else 0
        return [(k, 1.0) for k in range(first, len(past))]

    return kept


# --- the grid -------------------------------------------------------------------------------------------


@dataclass
class Counts:
    """The counts of a checkpoint."""

    matrix: list[list[float]]
    majority_hits: float
    no_change_hits: float
    weight: float
    n_records: float
    losses: list[float]
    n_unlabelled: int
    n_abstained: int


@dataclass
class Grid:
    """Counts at every record, under one forgetting."""

    n_classes: int
    forgetting: Callable[[Sequence[Record], float], Kept]
    probabilities: bool = False
    skip: bool = False
    scored: list[Record] = field(default_factory=list)
    counted: list[bool] = field(default_factory=list)
    majority_right: list[bool] = field(default_factory=list)
    no_change_right: list[bool] = field(default_factory=list)
    last_label: int | None = None
    n_unlabelled: int = 0
    n_abstained: int = 0

    def majority(self, now: float) -> int | None:
        """Return the label with the largest weight, the lowest code in a tie; None before the first label."""
        kept = self.forgetting(self.scored, now)
        weights = [
            math.fsum(f * self.scored[k].weight for k, f in kept if self.scored[k].label == c)
            for c in range(self.n_classes)
        ]
        best = max(range(self.n_classes), key=lambda c: (weights[c], -c), default=None)
        return best if best is not None and weights[best] > 0 else None

    def update(self, record: Record) -> Counts:
        """Count a record; the baselines use only the labels before it (convention 4)."""
        if record.label is None:
            self.n_unlabelled += 1
            return self.read(record.time)
        if record.weight == 0:  # it neither counts nor trains
            return self.read(record.time)
        if predicted(record) is None:
            self.n_abstained += 1
        self.majority_right.append(self.majority(record.time) == record.label)
        self.no_change_right.append(self.last_label == record.label)
        self.counted.append(
            predicted(record) is not None or not self.skip
        )  # otherwise only the baselines use its label
        self.scored.append(record)
        self.last_label = record.label
        return self.read(record.time)

    def read(self, now: float) -> Counts:
        left = [(k, f) for k, f in self.forgetting(self.scored, now) if self.counted[k]]
        kept = [(k, f * self.scored[k].weight) for k, f in left]
        none = self.n_classes
        cells: dict[tuple[int | None, int], list[float]] = {}
        for k, weight in kept:
            code = predicted(self.scored[k])
            cells.setdefault((self.scored[k].label, none if code is None else code), []).append(weight)
        matrix = [[math.fsum(cells.get((y, p), [])) for p in range(none + 1)] for y in range(self.n_classes)]
        losses = []
        if self.probabilities:
            losses = [
                math.fsum(w * loss(self.scored[k], self.n_classes) for k, w in kept) for loss in (log_loss, brier)
            ]
        return Counts(
            matrix,
            math.fsum(w for k, w in kept if self.majority_right[k]),
            math.fsum(w for k, w in kept if self.no_change_right[k]),
            math.fsum(w for _, w in kept),
            math.fsum(f for _, f in left),
            losses,
            self.n_unlabelled,
            self.n_abstained,
        )


# --- the order of scores --------------------------------------------------------------------------------

Ranked = tuple[float, bool, float]
"""Score, whether the record is positive, and weight, in the order of arrival."""


def ranking(rows: Sequence[Record], positive: int, n_classes: int) -> list[Ranked]:
    """Return records with the probability of a class; an abstention gets the worst rank for its label."""
    found = []
    for record in rows:
        mine = record.label == positive
        silent = predicted(record) is None
        score = (-math.inf if mine else math.inf) if silent else probabilities(record, n_classes)[positive]
        found.append((score, mine, record.weight))
    return found


def auc(rows: Sequence[Ranked], *, paper: bool = False) -> float:
    """Return the share of pairs in which the positive has the higher score, in exact arithmetic."""
    positives = [(s, k, Fraction(w)) for k, (s, mine, w) in enumerate(rows) if mine]
    negatives = [(s, k, Fraction(w)) for k, (s, mine, w) in enumerate(rows) if not mine]
    if not positives or not negatives:
        return math.nan
    right = Fraction(0)
    for s, k, w in positives:
        for t, j, v in negatives:
            tie = Fraction(k < j) if paper else Fraction(1, 2)
            right += w * v * (tie if s == t else int(s > t))
    total = sum(w for *_, w in positives) * sum(v for *_, v in negatives)
    return float(right / total)


def scored_auc(rows: Sequence[Ranked]) -> float:
    """Return the mean over pairs of the positive part of the difference of scores; 0 for an abstention."""
    positives = [(s, w) for s, mine, w in rows if mine]
    negatives = [(s, w) for s, mine, w in rows if not mine]
    if not positives or not negatives:
        return math.nan
    gains = [w * v * (s - t) for s, w in positives for t, v in negatives if s > t]
    return math.fsum(gains) / (math.fsum(w for _, w in positives) * math.fsum(v for _, v in negatives))


def average_precision(rows: Sequence[Ranked]) -> float:
    total = math.fsum(w for _, mine, w in rows if mine)
    if total == 0:
        return math.nan
    found = 0.0
    for threshold in {s for s, mine, _ in rows if mine}:
        here = math.fsum(w for s, mine, w in rows if mine and s == threshold)
        right = math.fsum(w for s, mine, w in rows if mine and s >= threshold)
        taken = math.fsum(w for s, _, w in rows if s >= threshold)
        found += here / total * right / taken
    return found


def hand_till(rows: Sequence[Record], n_classes: int) -> float:
    """Return Hand and Till's M, over ordered pairs of classes."""
    found = []
    for i in range(n_classes):
        for j in range(i):
            part = [r for r in rows if r.label in (i, j)]
            found.append((auc(ranking(part, i, n_classes)) + auc(ranking(part, j, n_classes))) / 2)
    return mean([m for m in found if not math.isnan(m)])


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def ranks(rows: Sequence[Record], n_classes: int) -> list[float]:
    """Return AUC, Hand and Till's M, average precision and scored AUC, over the classes that are present."""
    classes = [1] if n_classes == 2 else range(n_classes)
    rankings = [ranking(rows, c, n_classes) for c in classes] if n_classes > 1 else []
    over = [[f(one) for one in rankings] for f in (auc, average_precision, scored_auc)]
    auc_, precision, scored = (mean([v for v in values if not math.isnan(v)]) for values in over)
    return [auc_, hand_till(rows, n_classes), precision, scored]


# --- exponential histogram ------------------------------------------------------------------------------


@dataclass
class Bucket:
    """Consecutive amounts: the positions of the first and the last, and their sum."""

    first: float
    last: float
    sum: float


class ExponentialSum:
    """Non-negative amounts over a window, within a relative error.

    Unlike the others, this twin is incremental: which amounts share a bucket depends on when it is compressed.
    """

    def __init__(self, error: float) -> None:
        self.error = error
        self.buckets: list[Bucket] = []
        self.n_noted, self.limit = 0, 4

    def push(self, place: float, amount: float, edge: float) -> None:
        if amount == 0:
            return
        n_gone = sum(bucket.last <= edge for bucket in self.buckets)
        if n_gone >= self.n_noted or len(self.buckets) == self.limit:
            self.buckets = self.compressed(self.buckets[n_gone:])
            self.n_noted, self.limit = len(self.buckets), max(4, 2 * len(self.buckets))
        if len(self.buckets) > self.n_noted and self.buckets[-1].first == place:
            self.buckets[-1].sum += amount
        else:
            self.buckets.append(Bucket(place, place, amount))

    def compressed(self, buckets: list[Bucket]) -> list[Bucket]:
        """Merge neighbours, from the newest on, if their sum is small compared with all newer amounts."""
        found: list[Bucket] = []  # newest first
        newer = 0.0
        for bucket in reversed(buckets):
            if found and bucket.sum + found[-1].sum <= 2 * self.error * newer:
                found[-1] = Bucket(bucket.first, found[-1].last, found[-1].sum + bucket.sum)
            else:
                newer += found[-1].sum if found else 0.0
                found.append(bucket)
        return found[::-1]

    def value(self, edge: float) -> float:
        left = [bucket for bucket in self.buckets if bucket.last > edge]
        if not left:
            return 0.0
        oldest = left[0].sum if left[0].first > edge else left[0].sum / 2
        return math.fsum([oldest, *(bucket.sum for bucket in left[1:])])


class ExponentialGrid:
    """Counts at every record under an exponential histogram of ``w`` records or of ``seconds``."""

    def __init__(
        self, n_classes: int, error: float, *, w: float = math.inf, seconds: float = math.inf, skip: bool = False
    ) -> None:
        self.n_classes, self.w, self.seconds, self.skip = n_classes, w, seconds, skip
        self.cells = [[ExponentialSum(error) for _ in range(n_classes + 1)] for _ in range(n_classes)]
        self.labels = [ExponentialSum(error) for _ in range(n_classes)]
        self.majority_misses, self.no_change_misses, self.counted, self.silent, *self.losses = (
            ExponentialSum(error) for _ in range(6)
        )
        self.last_label: int | None = None
        self.n, self.n_unlabelled, self.n_abstained = 0, 0, 0

    def edge(self, now: float) -> float:
        return now - self.seconds if math.isinf(self.w) else self.n - self.w

    def majority(self, now: float) -> int | None:
        weights = [label.value(self.edge(now)) for label in self.labels]
        best = max(range(self.n_classes), key=lambda c: (weights[c], -c))
        return best if weights[best] > 0 else None

    def update(self, record: Record) -> Counts:
        if record.label is None:
            self.n_unlabelled += 1
        elif record.weight > 0:
            self.n_abstained += predicted(record) is None
            self.insert(record, record.label, predicted(record), self.majority(record.time))
            self.last_label = record.label
        return self.read(record.time)

    def insert(self, record: Record, label: int, said: int | None, majority: int | None) -> None:
        self.n += 1
        place, edge = record.time if math.isinf(self.w) else float(self.n), self.edge(record.time)
        self.labels[label].push(place, record.weight, edge)
        if said is None and self.skip:
            self.silent.push(place, 1.0, edge)
            return
        self.cells[label][self.n_classes if said is None else said].push(place, record.weight, edge)
        self.majority_misses.push(place, record.weight * (majority != label), edge)
        self.no_change_misses.push(place, record.weight * (self.last_label != record.label), edge)
        self.counted.push(place, 1.0, edge)
        for kept, loss in zip(self.losses, (log_loss, brier), strict=True):
            kept.push(place, record.weight * loss(record, self.n_classes), edge)

    def read(self, now: float) -> Counts:
        edge = self.edge(now)
        matrix = [[cell.value(edge) for cell in row] for row in self.cells]
        weight = math.fsum(cell for row in matrix for cell in row)
        n_records = self.counted.value(edge)
        if math.isfinite(self.w):  # the number of records in the window is known
            n_records = max(0.0, min(self.w, self.n) - self.silent.value(edge))
        return Counts(
            matrix,
            weight - self.majority_misses.value(edge),
            weight - self.no_change_misses.value(edge),
            weight,
            n_records,
            [loss.value(edge) for loss in self.losses],
            self.n_unlabelled,
            self.n_abstained,
        )


def regression(records: Sequence[tuple[float, float, float]], kept: Kept) -> dict[str, float]:
    """Return MAE, MSE, RMSE and R² of (target, prediction, weight), by their definitions."""
    rows = [(*records[k], f * records[k][2]) for k, f in kept]
    total = math.fsum(w for *_, w in rows)
    if total == 0:
        return dict.fromkeys(("mae", "mse", "rmse", "r2"), math.nan)
    mean = math.fsum(w * y for y, _, _, w in rows) / total
    squares = math.fsum(w * (p - y) ** 2 for y, p, _, w in rows)
    spread = math.fsum(w * (y - mean) ** 2 for y, _, _, w in rows)
    return {
        "mae": math.fsum(w * abs(p - y) for y, p, _, w in rows) / total,
        "mse": squares / total,
        "rmse": math.sqrt(squares / total),
        "r2": 1 - squares / spread if spread > 0 else math.nan,
    }


def kappa(p0: float, baseline: float) -> float:
    return (p0 - baseline) / (1 - baseline) if baseline < 1 else math.nan


# --- learners: scores(x) before learn(x, y, w) ----------------------------------------------------------


def normalised(scores: list[float]) -> list[float]:
    total = sum(scores)
    return [s / total for s in scores] if total > 0 else scores


class MajorityClass:
    """Shares of all labels, or of the last ``window`` ones."""

    def __init__(self, n_classes: int, window: int | None = None) -> None:
        self.n_classes, self.window = n_classes, window
        self.labels: list[tuple[int, float]] = []

    def scores(self, x: Sequence[float]) -> list[float]:
        past = self.labels if self.window is None else self.labels[-self.window :]
        return normalised([math.fsum(w for y, w in past if y == c) for c in range(self.n_classes)])

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.labels.append((y, w))


class NoChange:
    """The last label."""

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes
        self.last: int | None = None

    def scores(self, x: Sequence[float]) -> list[float]:
        return [float(c == self.last) for c in range(self.n_classes)]

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.last = y


class NaiveBayes:
    """Naive Bayes with the densities of `twins.density`."""

    def __init__(self, n_classes: int, cardinality: Sequence[int]) -> None:
        self.densities = Densities(n_classes, cardinality, marginal=True)
        self.weights = [0.0] * n_classes

    def scores(self, x: Sequence[float]) -> list[float]:
        seen = [c for c, w in enumerate(self.weights) if w > 0]
        logs = {c: math.log(self.weights[c]) + self.densities.log_density(x, c) for c in seen}
        top = max(logs.values(), default=0.0)
        return normalised([math.exp(logs[c] - top) if c in logs else 0.0 for c in range(len(self.weights))])

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.weights[y] += w
        self.densities.learn(x, y, w)


class SGD:
    """One linear model per class, one against the rest; a class is used from its first label on."""

    def __init__(
        self,
        n_classes: int,
        cardinality: Sequence[int],
        *,
        loss: str = "log",
        rate: float = 0.01,
        l2: float = 0.0,
        standardise: bool = True,
    ) -> None:
        self.n_classes, self.cardinality = n_classes, cardinality
        self.loss, self.rate, self.l2, self.standardise = loss, rate, l2, standardise
        self.weights: dict[int, dict[object, float]] = {}
        self.past: list[list[tuple[float, float]]] = [[] for _ in cardinality]

    def inputs(self, x: Sequence[float]) -> dict[object, float]:
        """Return the bias, the standardised numbers, and a 1 for each nominal value; a missing value is 0."""
        found: dict[object, float] = {"bias": 1.0}
        for j, value in enumerate(x):
            if math.isnan(value):
                continue
            if self.cardinality[j]:
                found[j, value] = 1.0
            else:
                found[j] = self.standard(j, value) if self.standardise else value
        return found

    def standard(self, j: int, value: float) -> float:
        total = math.fsum(w for _, w in self.past[j])
        if total == 0:
            return 0.0
        mean = math.fsum(w * v for v, w in self.past[j]) / total
        variance = math.fsum(w * (v - mean) ** 2 for v, w in self.past[j]) / total
        return (value - mean) / math.sqrt(variance) if variance > 0 else 0.0

    def margin(self, c: int, inputs: dict[object, float]) -> float:
        return math.fsum(self.weights[c].get(key, 0.0) * value for key, value in inputs.items())

    def scores(self, x: Sequence[float]) -> list[float]:
        inputs = self.inputs(x)
        return normalised(
            [1 / (1 + math.exp(-self.margin(c, inputs))) if c in self.weights else 0.0 for c in range(self.n_classes)]
        )

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        for j, value in enumerate(x):
            if not self.cardinality[j] and not math.isnan(value):
                self.past[j].append((value, w))
        self.weights.setdefault(y, {})
        inputs = self.inputs(x)
        for c, weights in self.weights.items():
            sign = 1.0 if c == y else -1.0
            margin = sign * self.margin(c, inputs)
            pull = 1 / (1 + math.exp(margin)) if self.loss == "log" else float(margin < 1)
            for key in weights.keys() - {"bias"}:
                weights[key] *= max(0.0, 1 - self.rate * self.l2 * w)
            for key, value in inputs.items():
                weights[key] = weights.get(key, 0.0) + self.rate * w * sign * pull * value


# --- ensembles of learners created by `make` ------------------------------------------------------------


def best(scores: Sequence[float]) -> int | None:
    """Return the class with the highest score, the lowest in a tie; None for an abstention."""
    return max(range(len(scores)), key=lambda c: scores[c]) if any(scores) else None


def added(votes: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Return the weighted sum of votes, each divided by its sum."""
    total = [0.0] * len(votes[0])
    for vote, weight in zip(votes, weights, strict=True):
        if any(vote):
            total = [t + v * (weight / sum(vote)) for t, v in zip(total, vote, strict=True)]
    return total


def poisson(mean: float, u: float) -> int:
    """Return the Poisson number for a uniform draw u, by inversion."""
    k, p, below = 0, math.exp(-mean), math.exp(-mean)
    while u >= below and p > 0:
        k += 1
        p *= mean / k
        below += p
    return k


class OnlineBagging:
    """Each member learns each record with a weight drawn from Poisson."""

    def __init__(self, make: Callable[[], Any], seed: int, size: int = 10, mean: float = 1.0) -> None:
        self.make, self.seed, self.mean = make, seed, mean
        self.members = [make() for _ in range(size)]
        self.n = 0

    def draw(self, m: int) -> int:
        block = philox([self.n, m // 4, 0, 0], [self.seed, int.from_bytes(b"BAG")])
        return poisson(self.mean, uniform(block[m % 4]))

    def scores(self, x: Sequence[float]) -> list[float]:
        return added([member.scores(x) for member in self.members], [1.0] * len(self.members))

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        for m, member in enumerate(self.members):
            if self.draw(m) > 0:
                member.learn(x, y, w * self.draw(m))
        self.n += 1


class AdwinBagging(OnlineBagging):
    """When the error of any member rises, the one with the highest error is replaced; the new one learns the record."""

    def __init__(
        self, make: Callable[[], Any], seed: int, size: int = 10, mean: float = 1.0, delta: float = 0.002
    ) -> None:
        super().__init__(make, seed, size, mean)
        self.delta = delta
        self.losses: list[list[float]] = [[] for _ in self.members]
        self.n_replaced = 0

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        for losses, member in zip(self.losses, self.members, strict=True):
            losses.append(float(best(member.scores(x)) != y))
        super().learn(x, y, w)
        if any(map(self.risen, self.losses)):
            errors = [self.error(losses) for losses in self.losses]
            worst = errors.index(max(errors))
            self.members[worst], self.losses[worst] = self.make(), []
            self.members[worst].learn(x, y, w)
            self.n_replaced += 1

    def error(self, losses: list[float]) -> float:
        window = losses[adwin_start(losses, self.delta)[0] :]
        return sum(window) / len(window)

    def risen(self, losses: list[float]) -> bool:
        if len(losses) % 32:
            return False
        shrunk = adwin_start(losses, self.delta)[0] > adwin_start(losses[:-1], self.delta)[0]
        return shrunk and self.error(losses) > self.error(losses[:-1])


class DynamicWeightedMajority:
    """Weighted experts, reviewed every ``period`` records; the score of a class is the weight of its votes."""

    def __init__(
        self,
        make: Callable[[], Any],
        n_classes: int,
        period: int = 50,
        *,
        beta: float = 0.5,
        theta: float = 0.01,
        size: int = 100,
    ) -> None:
        self.make, self.n_classes = make, n_classes
        self.period, self.beta, self.theta, self.size = period, beta, theta, size
        self.experts: list[tuple[Any, float]] = [(make(), 1.0)]
        self.n = 0

    def scores(self, x: Sequence[float]) -> list[float]:
        votes = [(best(expert.scores(x)), weight) for expert, weight in self.experts]
        return [sum(weight for c, weight in votes if c == k) for k in range(self.n_classes)]

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.n += 1
        if self.n % self.period == 0:
            self.review(x, y)
        for expert, _ in self.experts:
            expert.learn(x, y, w)

    def review(self, x: Sequence[float], y: int) -> None:
        self.experts = [(e, weight * (1 if best(e.scores(x)) == y else self.beta)) for e, weight in self.experts]
        wrong = best(self.scores(x)) != y
        most = max(weight for _, weight in self.experts)
        self.experts = [(e, weight / most) for e, weight in self.experts if weight / most >= self.theta]
        if wrong:
            if len(self.experts) == self.size:
                self.experts.remove(min(self.experts, key=lambda expert: expert[1]))
            self.experts.append((self.make(), 1.0))


class AccuracyUpdatedEnsemble:
    """Members with their squared errors since they joined, in steps of 2^-31, and a candidate."""

    def __init__(self, make: Callable[[], Any], n_classes: int, size: int = 10, window: int = 500) -> None:
        self.make, self.n_classes, self.size, self.window = make, n_classes, size, window
        self.members: list[tuple[Any, list[int]]] = []
        self.candidate = make()
        self.labels: list[int] = []

    def error(self, steps: list[int]) -> float:
        recent = steps[-self.window :]
        return sum(recent) / 2**31 / len(recent) if recent else 0.0

    def scores(self, x: Sequence[float]) -> list[float]:
        if not self.members:
            return added([self.candidate.scores(x)], [1.0])
        recent = self.labels[-self.window :]
        shares = [recent.count(c) / len(recent) for c in range(self.n_classes)]
        chance = sum(p * (1 - p) * (1 - p) for p in shares)
        weights = [1 / (chance + self.error(steps) + 1e-9) for _, steps in self.members]
        return added([member.scores(x) for member, _ in self.members], weights)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        for member, steps in self.members:
            vote = member.scores(x)
            miss = 1 - vote[y] / sum(vote) if any(vote) else 1.0
            steps.append(int(miss * miss * 2**31 + 0.5))
            member.learn(x, y, w)
        self.candidate.learn(x, y, w)
        self.labels.append(y)
        if len(self.labels) % self.window == 0:
            if len(self.members) == self.size:
                self.members.remove(max(self.members, key=lambda member: self.error(member[1])))
            self.members.append((self.candidate, []))
            self.candidate = self.make()


class KNN:
    """kNN that keeps all records, and computes ranges and distances of the last ``window`` at every prediction.

    The squared differences are added in the order of the features, so that ties are the same as in the kernel.
    """

    def __init__(self, n_classes: int, cardinality: Sequence[int], *, k: int, window: int) -> None:
        self.n_classes, self.cardinality, self.k, self.window = n_classes, cardinality, k, window
        self.records: list[tuple[Sequence[float], int, float]] = []

    def scores(self, x: Sequence[float]) -> list[float]:
        past = self.records[-self.window :]
        votes = [0.0] * self.n_classes
        if past:
            squares = [[self.difference(x[j], row[j], j) ** 2 for j in range(len(x))] for row, _, _ in past]
            distances = [sum(row) for row in squares]
            radius = sorted(distances)[min(self.k, len(past)) - 1]
            for (_, y, w), distance in zip(past, distances, strict=True):
                votes[y] += w * (distance <= radius)
        return normalised(votes)

    def learn(self, x: Sequence[float], y: int, w: float) -> None:
        self.records.append((x, y, w))

    def difference(self, a: float, b: float, j: int) -> float:
        if self.cardinality[j]:
            return float(a != b)  # NaN differs from NaN
        known = [row[j] for row, _, _ in self.records[-self.window :] if not math.isnan(row[j])]
        low, high = min(known, default=0.0), max(known, default=0.0)
        scale = 1 / (high - low) if high > low else 0.0
        if not math.isnan(a) and not math.isnan(b):
            return (a - b) * scale
        if math.isnan(a) and math.isnan(b):
            return 1.0
        at = ((b if math.isnan(a) else a) - low) * scale
        return max(at, 1 - at)


# --- random numbers and generators ----------------------------------------------------------------------

WORD = 2**64 - 1


def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """Philox4x64-10 (Salmon et al. 2011): ten rounds of two multiplications."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
        c = [(b >> 64) ^ c[1] ^ k[0], b & WORD, (a >> 64) ^ c[3] ^ k[1], a & WORD]
        k = [(k[0] + 0x9E3779B97F4A7C15) & WORD, (k[1] + 0xBB67AE8584CAA73B) & WORD]
    return c


def uniform(bits: int) -> float:
    return (bits >> 11) * 2.0**-53


def sea(seed: int, i: int, concept: int, noise: float) -> tuple[list[float], int]:
    """Return record i: three features in [0, 10), and a class by a threshold on two of them, with label noise."""
    u = [uniform(bits) for bits in philox([i, 0, 0, 0], [seed, int.from_bytes(b"SEA")])]
    x = [10 * v for v in u[:3]]
    beyond = x[0] + x[1] > {1: 8.0, 2: 9.0, 3: 7.0, 4: 9.5}[concept]
    return x, int(beyond != (u[3] < noise))
