"""Pure-Python twins of the drift detectors: short, slow, and meant to be read as their specification.

Each takes a whole series and returns the positions of the alarms, and is not incremental if it can be avoided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain


def page_hinkley(series: Sequence[float], delta: float, threshold: float) -> list[int]:
    alarms, n, total, m, least = [], 0, 0.0, 0.0, math.inf
    for i, x in enumerate(series):
        n, total = n + 1, total + x
        m += x - total / n - delta
        least = min(least, m)
        if m - least >= threshold:
            alarms.append(i)
            n, total, m, least = 0, 0.0, 0.0, math.inf
    return alarms


def faded(values: Sequence[float], alpha: float) -> float:
    weights = [alpha ** (len(values) - 1 - k) for k in range(len(values))]
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)


def windowed(values: Sequence[float], w: int) -> float:
    return math.fsum(values[-w:]) / len(values[-w:])


def ratio(
    series: Sequence[float],
    short: Callable[[Sequence[float]], float],
    long: Callable[[Sequence[float]], float],
    delta: float,
    threshold: float,
) -> list[int]:
    """Algorithm 4 of Gama et al. (2013); the minimum m starts at 1."""
    alarms, past, ratios, m, least = [], [], [], 0.0, 1.0
    for i, x in enumerate(series):
        past.append(x)
        if long(past) == 0:
            continue
        ratios.append(short(past) / long(past))
        m += ratios[-1] - math.fsum(ratios) / len(ratios) - delta
        least = min(least, m)
        if m - least >= threshold:
            alarms.append(i)
            past, ratios, m, least = [], [], 0.0, 1.0
    return alarms


def ddm(series: Sequence[float], level: float, min_records: int) -> list[int]:
    """Gama et al. (2004), as in MOA: minimum from record min_records − 1 on, alarms from min_records on."""
    alarms, since, least = [], [], (math.inf, 0.0, 0.0)
    for i, x in enumerate(series):
        since.append(x)
        n = len(since)
        p = math.fsum(since) / n
        s = math.sqrt(p * (1 - p) / n)
        if n >= min_records - 1 and p + s <= least[0]:
            least = (p + s, p, s)
        if n >= min_records and p + s > least[1] + level * least[2]:
            alarms.append(i)
            since, least = [], (math.inf, 0.0, 0.0)
    return alarms


def eddm(series: Sequence[float], beta: float, min_errors: int) -> list[int]:
    """Baena-García et al. (2006), as in MOA."""
    alarms, begin, last, distances, highest = [], 0, -1, [], 0.0
    for i, x in enumerate(series):
        if x == 0:
            continue
        distances.append(i - last)
        last = i
        if i - begin + 1 < min_errors:
            continue
        mean = math.fsum(distances) / len(distances)
        level = mean + 2 * math.sqrt(math.fsum((d - mean) ** 2 for d in distances) / len(distances))
        if level > highest:
            highest = level
        elif len(distances) > min_errors and level / highest < beta:
            alarms.append(i)
            begin, last, distances, highest = i + 1, i, [], 0.0
    return alarms


def adwin(
    series: Sequence[float],
    delta: float = 0.002,
    clock: int = 32,
    max_buckets: int = 5,
    min_side: int = 5,
    bound: str = "variance",
) -> tuple[list[int], list[int]]:
    """Return positions where the window shrank, and where its mean rose; buckets have their values, oldest first."""
    buckets: list[list[float]] = []
    shrunk, risen = [], []
    for i, x in enumerate(series):
        before = mean(flat(buckets))
        buckets.append([x])
        size = 1
        while sum(len(b) == size for b in buckets) > max_buckets:
            k = next(k for k, b in enumerate(buckets) if len(b) == size)
            buckets[k : k + 2] = [buckets[k] + buckets[k + 1]]
            size *= 2
        if (i + 1) % clock or sum(map(len, buckets)) <= 10:
            continue
        changed = False
        while any(differ(buckets, k, delta, min_side, bound) for k in range(1, len(buckets))):
            del buckets[0]
            changed = True
        if changed:
            shrunk.append(i)
            if mean(flat(buckets)) > before:
                risen.append(i)
    return shrunk, risen


def flat(buckets: list[list[float]]) -> list[float]:
    return list(chain.from_iterable(buckets))


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def differ(buckets: list[list[float]], k: int, delta: float, min_side: int, bound: str) -> bool:
    older, younger = flat(buckets[:k]), flat(buckets[k:])
    if min(len(older), len(younger)) < min_side + 2:
        return False
    whole = older + younger
    if bound == "theorem3":  # as printed: m is the harmonic mean of the sides, δ' = δ/n
        m = 1 / (1 / len(older) + 1 / len(younger))
        return abs(mean(older) - mean(younger)) >= math.sqrt(1 / (2 * m) * math.log(4 / (delta / len(whole))))
    variance = math.fsum((x - mean(whole)) ** 2 for x in whole) / len(whole)
    confidence = math.log(2 * math.log(len(whole)) / delta)
    m = 1 / (len(older) - min_side + 1) + 1 / (len(younger) - min_side + 1)
    return abs(mean(older) - mean(younger)) > math.sqrt(2 * m * variance * confidence) + 2 / 3 * confidence * m
