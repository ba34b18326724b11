"""The result of one pass of a learner and its copies over a stream."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from prequential.number import finite_or_none
from prequential.power.design import Case


@dataclass(frozen=True, slots=True)
class Contrast:
    """A learner compared with one of its copies.

    Parameters
    ----------
    noise
        The probability with which the copy's predictions are changed; None for the copy with another seed.
    value, other
        The metric of the learner and of the copy, means over the folds.
    identical
        Whether the values are equal in every fold, as for a learner without random numbers.
    p
        The p-value of each test; NaN where it is undefined.
    reason
        Why a p-value is undefined, by test.
    """

    noise: float | None
    value: float
    other: float
    identical: bool
    p: Mapping[str, float]
    reason: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON data; undefined numbers are None."""
        return {
            "noise": self.noise,
            "value": finite_or_none(self.value),
            "other": finite_or_none(self.other),
            "identical": self.identical,
            "p": {test: finite_or_none(p) for test, p in self.p.items()},
            "reason": dict(self.reason),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Restore it from ``to_dict()``."""
        p = {str(test): _number(value) for test, value in data["p"].items()}
        noise = None if data["noise"] is None else float(data["noise"])
        value, other = _number(data["value"]), _number(data["other"])
        return cls(noise, value, other, bool(data["identical"]), p, dict(data["reason"]))


@dataclass(frozen=True, slots=True)
class Repetition:
    """One pass of a learner and all its copies over one stream.

    All cases of one run have the same seeds, so that they are compared on the same draws.

    Parameters
    ----------
    case
        Stream and protocol.
    run
        Its number among the repetitions of this case, from 1.
    seconds
        Its duration.
    contrasts
        The comparison with each copy.
    """

    case: Case
    run: int
    seconds: float
    contrasts: tuple[Contrast, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        one = self.case
        return {
            "stream": one.stream,
            "scheme": one.scheme,
            "tests": one.tests,
            "folds": one.folds,
            "run": self.run,
            "seconds": self.seconds,
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Restore it from ``to_dict()``."""
        case = Case(str(data["stream"]), str(data["scheme"]), str(data["tests"]), int(data["folds"]))
        contrasts = tuple(map(Contrast.from_dict, data["contrasts"]))
        return cls(case, int(data["run"]), float(data["seconds"]), contrasts)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
