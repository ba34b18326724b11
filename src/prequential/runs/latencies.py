"""How long labels take in a run with delayed labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prequential.types import FloatArray

_PER_OCTAVE = 8
_FEW = 1000


class Latencies:
    """Number, minimum, maximum, mean, quantiles and histogram of the time between records and their labels.

    Memory is constant. Histogram steps grow by an eighth of an octave. Quantiles are exact up to 1,000 labels; beyond
    that they are accurate to one step, 9 % of their value.

    Examples
    --------
    >>> latencies = Latencies()
    >>> latencies.add(np.array([0.0, 10.0, 10.0, 40.0]))
    >>> summary = latencies.describe()
    >>> summary["n"], summary["least"], summary["most"], summary["mean"], round(summary["quantiles"]["0.5"])
    (4, 0.0, 40.0, 15.0, 10)
    """

    def __init__(self) -> None:
        self.n, self._sum = 0, 0.0
        self.least, self.most = math.inf, -math.inf
        self._few: list[float] | None = []  # all latencies, sorted, up to _FEW of them
        self.steps: dict[int | None, int] = {}
        """The number of latencies in each step of the histogram; the key None is latency 0."""

    def add(self, latency: FloatArray) -> None:
        """Add latencies."""
        if not len(latency):
            return
        self.n += len(latency)
        if self._few is not None:
            self._few = None if self.n > _FEW else sorted([*self._few, *latency.tolist()])
        self._sum = float(np.cumsum(np.concatenate([[self._sum], latency]))[-1])  # in order, whatever the chunks
        self.least, self.most = min(self.least, float(latency.min())), max(self.most, float(latency.max()))
        positive = latency[latency > 0]
        if len(positive) < len(latency):
            self.steps[None] = self.steps.get(None, 0) + len(latency) - len(positive)
        step, n = np.unique(np.floor(np.log2(positive) * _PER_OCTAVE).astype(np.int64), return_counts=True)
        for k, n_step in zip(step.tolist(), n.tolist(), strict=True):
            self.steps[k] = self.steps.get(k, 0) + n_step

    def quantile(self, share: float) -> float:
        """Return the latency that this share of labels does not exceed: the value itself, or the middle of its step."""
        if self._few is not None:
            return self._few[max(0, math.ceil(share * self.n) - 1)]
        left = share * self.n
        for step in sorted(self.steps, key=lambda k: -math.inf if k is None else k):
            left -= self.steps[step]
            if left <= 0:
                middle = 0.0 if step is None else 2 ** ((step + 0.5) / _PER_OCTAVE)
                return min(max(middle, self.least), self.most)
        return self.most

    def state(self) -> list[Any]:
        """Return the whole state, for `restore`."""
        return [self.n, self._sum, self.least, self.most, self._few, list(self.steps), list(self.steps.values())]

    def restore(self, state: list[Any]) -> None:
        """Restore from `state()`."""
        self.n, self._sum, self.least, self.most, self._few, steps, counts = state
        self.steps = dict(zip(steps, counts, strict=True))

    def describe(self) -> dict[str, Any] | None:
        """Return the summary for the manifest; None before the first label."""
        if not self.n:
            return None
        steps = sorted(self.steps, key=lambda k: -math.inf if k is None else k)
        return {
            "n": self.n,
            "least": self.least,
            "most": self.most,
            "mean": self._sum / self.n,
            "exact": self._few is not None,
            "quantiles": {str(q): self.quantile(q) for q in (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)},
            "histogram": [
                [
                    0.0 if k is None else 2 ** (k / _PER_OCTAVE),
                    0.0 if k is None else 2 ** ((k + 1) / _PER_OCTAVE),
                    self.steps[k],
                ]
                for k in steps
            ],
        }
