"""The parameter of a drift detector that was found for an admissible rate of false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prequential.drift import Detector
from prequential.number import count, plural
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet


@dataclass(frozen=True, slots=True, repr=False)
class Calibration(Printable):
    """The parameter of a detector for an admissible rate of false alarms, as ``pq.calibrate`` returns it.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> losses = (np.random.default_rng(1).random(20_000) < 0.2).astype(float)
    >>> found = pq.calibrate(pq.drift.PageHinkley(delta=0.05), losses, false_alarms_per=1000)
    >>> found.detector.threshold == found.value, len(found.detector.detect(losses)) == found.n_alarms
    (True, True)
    """

    detector: Detector
    """The detector with this value."""
    parameter: str
    """The name of the parameter."""
    value: float
    """The value with most alarms at which, and at all more cautious ones tried, the observed rate is admissible."""
    interval: tuple[float, float]
    """Bold and cautious limit: values with more alarms than at the first one are excluded by the data, and at the
    second one the data show that the rate is admissible."""
    false_alarms_per: float
    """The admissible rate is one false alarm in so many records."""
    rate: float
    """False alarms per record at the value."""
    rate_interval: tuple[float, float]
    """The confidence interval of this rate."""
    n_alarms: int
    """False alarms at the value."""
    n_records: int
    """Records in all."""
    n_parts: int
    """Runs, series, or parts of a single series."""
    dispersion: float
    """φ ≥ 1, variance / mean of the counts of alarms of the parts; 1 is that of Poisson counts."""
    alpha: float
    """1 − the confidence of the intervals."""

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, and the detector as text."""
        return {
            "detector": self.detector.label,
            "parameter": self.parameter,
            "value": self.value,
            "interval": list(self.interval),
            "false_alarms_per": self.false_alarms_per,
            "rate": self.rate,
            "rate_interval": list(self.rate_interval),
            "n_alarms": self.n_alarms,
            "n_records": self.n_records,
            "n_parts": self.n_parts,
            "dispersion": self.dispersion,
            "alpha": self.alpha,
        }

    def sheet(self) -> Sheet:
        """Return the value and the rate with their intervals as text."""
        level = f"{100 * (1 - self.alpha):.4g} %"
        heads = (Heading(self.parameter, number=False), *map(Heading, ("value", f"{level} from", "to")))
        thousand = 1000.0
        rows = (
            (Cell(self.parameter), *(Cell(f"{one:.4g}") for one in (self.value, *self.interval))),
            (
                Cell("false alarms per 1,000 records"),
                *(Cell(f"{thousand * one:.4g}") for one in (self.rate, *self.rate_interval)),
            ),
        )
        caption = f"{self.detector.name} · at most one false alarm per {self.false_alarms_per:,.15g} records"
        remark = (
            f"{plural(self.n_alarms, 'false alarm')} in {count(self.n_records)} records, {self.n_parts} runs or parts, "
            f"dispersion {self.dispersion:.3g}. The second limit of {self.parameter} is the cautious one."
        )
        return Sheet(caption, heads, rows, remark=remark)
