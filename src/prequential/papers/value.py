"""One number of a paper, or ours for the same place: a mean with its spread, or the delay of detections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any

from prequential.number import fixed


@dataclass(frozen=True, slots=True)
class Value:
    """A number of a table.

    Parameters
    ----------
    mean
        The number; NaN if it is undefined.
    sd
        Its standard deviation over runs, if there are several.
    n
        The number of runs.
    missed, false
        For delays of detections: the number of missed drifts and of false alarms.
    """

    mean: float
    sd: float | None = None
    n: int | None = None
    missed: int | None = None
    false: int | None = None

    @classmethod
    def of(cls, values: Sequence[float], *, missed: int | None = None, false: int | None = None) -> Value:
        """Return the mean and standard deviation of the results of several runs; undefined ones are left out.

        Examples
        --------
        >>> Value.of([1.0, 2.0, 3.0])
        Value(mean=2.0, sd=1.0, n=3, missed=None, false=None)
        """
        known = [float(value) for value in values if not math.isnan(value)]
        spread = stdev(known) if len(known) > 1 else None
        return cls(mean(known) if known else math.nan, spread, len(values), missed, false)

    def text(self, digits: int) -> str:
        """Return it as a paper writes it: ``488 ± 12 (1; 0)``.

        Examples
        --------
        >>> Value(488.0, 12.3, 10, 1, 0).text(0), Value(math.nan).text(2)
        ('488 ± 12 (1; 0)', '–')
        """
        counts = "" if self.missed is None and self.false is None else f" ({self.missed or 0}; {self.false or 0})"
        if math.isnan(self.mean):
            return f"–{counts}"
        spread = "" if self.sd is None else f" ± {fixed(self.sd, digits)}"
        return f"{fixed(self.mean, digits)}{spread}{counts}"

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON; what is not known is left out, NaN becomes None."""
        given = {key: value for key, value in asdict(self).items() if value is not None}
        return {**given, "mean": None if math.isnan(self.mean) else self.mean}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Value:
        """Restore it from ``to_dict``."""
        return cls(**{**data, "mean": math.nan if data["mean"] is None else data["mean"]})
