"""The events of a run with delayed labels that are not as they should be, and how long labels take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.types import FloatArray

KINDS = (
    "label without a record",
    "second label, the same",
    "second label, another one",
    "record after its label",
    "record again after its label",
    "label before its record's time",
    "time runs backwards",
    "expired record",
    "label of an expired record",
    "expired record again",
)
"""What can be wrong with an event, in the order of the native codes."""

MEANINGS = {
    "label without a record": "no record with this id waits; it is not scored",
    "second label, the same": "the record had its label already; it is not scored again",
    "second label, another one": "the record had another label already; the first one counts",
    "record after its label": "its label had come before it, so it is not scored",
    "record again after its label": "it is not scored a second time",
    "label before its record's time": "it bears an earlier time; it is scored as if it had come at once",
    "time runs backwards": "the event is taken where it stands",
    "expired record": "it waited longer than the horizon; it is not scored",
    "label of an expired record": "it came too late to be scored",
    "expired record again": "it had been given up, so it is not scored",
}

SCHEMA = pa.schema(
    [("kind", pa.dictionary(pa.int32(), pa.string())), ("id", pa.string()), ("event", pa.int64()), ("t", pa.float64())]
)
"""``event`` is the number of the event in its stream, from 0."""

_PER_OCTAVE = 8
_FEW = 1000


class Latencies:
    """How long labels take: number, least, most, mean, and a histogram whose steps grow by an eighth of an octave.

    Constant memory, whatever the number of labels. Quantiles of the first thousand are exact; of more, each is right to
    a step, 9 % of its value.

    Examples
    --------
    >>> latencies = Latencies()
    >>> latencies.add(np.array([0.0, 10.0, 10.0, 40.0]))
    >>> told = latencies.describe()
    >>> told["n"], told["least"], told["most"], told["mean"], round(told["quantiles"]["0.5"])
    (4, 0.0, 40.0, 15.0, 10)
    """

    def __init__(self) -> None:
        self.n, self._sum = 0, 0.0
        self.least, self.most = math.inf, -math.inf
        self._few: list[float] | None = []  # all of them, while they are few
        self.steps: dict[int | None, int] = {}
        """How many latencies each step has; None: none at all."""

    def add(self, latency: FloatArray) -> None:
        """Take some more."""
        if not len(latency):
            return
        self.n += len(latency)
        if self._few is not None:
            self._few = None if self.n > _FEW else sorted([*self._few, *latency.tolist()])
        self._sum += float(latency.sum())
        self.least, self.most = min(self.least, float(latency.min())), max(self.most, float(latency.max()))
        some = latency[latency > 0]
        if len(some) < len(latency):
            self.steps[None] = self.steps.get(None, 0) + len(latency) - len(some)
        step, n = np.unique(np.floor(np.log2(some) * _PER_OCTAVE).astype(np.int64), return_counts=True)
        for k, many in zip(step.tolist(), n.tolist(), strict=True):
            self.steps[k] = self.steps.get(k, 0) + many

    def quantile(self, share: float) -> float:
        """Return the latency that this share of labels does not exceed: itself, or the middle of its step."""
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
        """Return the whole state."""
        return [self.n, self._sum, self.least, self.most, self._few, list(self.steps), list(self.steps.values())]

    def restore(self, state: list[Any]) -> None:
        """Go on where others were."""
        self.n, self._sum, self.least, self.most, self._few, steps, counts = state
        self.steps = dict(zip(steps, counts, strict=True))

    def describe(self) -> dict[str, Any] | None:
        """Return what a manifest says of the latencies; None before the first."""
        if not self.n:
            return None
        edges = sorted(self.steps, key=lambda k: -math.inf if k is None else k)
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
                for k in edges
            ],
        }
