"""The distribution of label latencies: the data to draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prequential.number import three_digits, waiting_time

_QUANTILES = {"0.5": "median", "0.95": "95 % within"}

_TICKS = [1.0, 10.0, 60.0, 600.0, 3600.0, 6 * 3600.0, *(86400.0 * days for days in (1, 7, 30, 120, 365))]
"""Round waiting times, from a second to a year."""

Step = tuple[float, float, int]
"""Lower edge, upper edge, number of labels."""


@dataclass(frozen=True, slots=True, eq=False)
class LatencyHistogram:
    """The histogram of a manifest, on a logarithmic axis, on which its steps are equally wide.

    ``quantiles`` holds label and position of the marked quantiles; ``written`` writes a latency.
    """

    steps: tuple[Step, ...]
    quantiles: tuple[tuple[str, float], ...]
    written: Callable[[float], str] = three_digits

    @property
    def outline(self) -> tuple[list[float], list[float]]:
        """The outline of the bars; it is 0 where there are no labels."""
        x, y = [self.steps[0][0]], [0.0]
        for low, high, n in self.steps:
            if low > x[-1] * 1.001:
                x += [x[-1], low]
                y += [0.0, 0.0]
            x += [low, high]
            y += [float(n)] * 2
        return [*x, x[-1]], [*y, 0.0]

    @property
    def edges(self) -> tuple[float, float]:
        """The lower edge of the first step and the upper edge of the last."""
        return self.steps[0][0], self.steps[-1][1]

    @property
    def unit(self) -> str:
        """The end of a title: what latencies are counted in, if it is not known."""
        return "" if self.written is waiting_time else ", in the unit of the stream's time"

    @property
    def ticks(self) -> list[float]:
        """Round numbers between the edges."""
        low, high = self.edges
        usual = [tick for tick in _TICKS if low <= tick <= high] if self.written is waiting_time else []
        return usual if len(usual) > 2 else round_numbers(low, high)


def latency_histogram(latency: Mapping[str, Any]) -> LatencyHistogram | None:
    """Return the histogram of a manifest's latencies; None unless there are two different ones, one above 0."""
    steps = tuple((low, high, n) for low, high, n in latency["histogram"] if high > 0)
    if not steps or latency["least"] == latency["most"]:
        return None
    quantiles = ((words, latency["quantiles"][share]) for share, words in _QUANTILES.items())
    written = written_latency(latency)
    return LatencyHistogram(steps, tuple((f"{words} {written(at)}", at) for words, at in quantiles), written)


def written_latency(latency: Mapping[str, Any]) -> Callable[[float], str]:
    """Return the function that writes latencies: in days, hours and minutes if times are dates, else as numbers."""
    return waiting_time if latency.get("unit") == "seconds" else three_digits


def round_numbers(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten between two numbers, or evenly spaced numbers if they are close.

    Examples
    --------
    >>> round_numbers(1300, 3200), round_numbers(0.5, 30)
    ([1500.0, 2000.0, 2500.0, 3000.0], [0.5, 1.0, 2.0, 5.0, 10.0, 20.0])
    >>> round_numbers(1, 2e4)
    [1.0, 10.0, 100.0, 1000.0, 10000.0]
    """
    decades = math.log10(high / low)
    if decades < 0.8:
        rough = 10 ** math.floor(math.log10((high - low) / 3))
        step = next(rough * k for k in (10, 5, 2, 1) if (high - low) / (rough * k) >= 3)
        return [float(f"{tick:.6g}") for tick in np.arange(math.ceil(low / step), high / step) * step]
    multiples: Sequence[int] = (1, 2, 5) if decades < 4 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1, max(1, round(decades / 8)))
    return [float(f"{k}e{p}") for p in powers for k in multiples if low <= float(f"{k}e{p}") <= high]
