"""What one pass over a stream says of a learner and its copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from prequential.rejections.design import Case


@dataclass(frozen=True, slots=True)
class Contrast:
    """A learner against one of its copies.

    Parameters
    ----------
    noise
        With which probability the copy's predictions are changed; None for the copy that differs in its seed alone.
    value, other
        What the learner and the copy reached: means over the folds.
    identical
        Whether both reached the same in every fold, as copies of a learner that draws no random numbers do.
    p
        The p-value of each test; NaN where it is undefined.
    reason
        Why it is undefined, by test; only of those that are.
    """

    noise: float | None
    value: float
    other: float
    identical: bool
    p: Mapping[str, float]
    reason: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-able data; what is undefined is None."""
        return {
            "noise": self.noise,
            "value": _jsonable(self.value),
            "other": _jsonable(self.other),
            "identical": self.identical,
            "p": {test: _jsonable(p) for test, p in self.p.items()},
            "reason": dict(self.reason),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Take it from such data."""
        p = {str(test): _number(value) for test, value in data["p"].items()}
        noise = None if data["noise"] is None else float(data["noise"])
        value, other = _number(data["value"]), _number(data["other"])
        return cls(noise, value, other, bool(data["identical"]), p, dict(data["reason"]))


@dataclass(frozen=True, slots=True)
class Repetition:
    """One pass of a learner and all its copies over one stream, with the seeds of its run.

    Passes of other cases in the same run have the same seeds, so that cases are compared on the same draws.

    Parameters
    ----------
    case
        Stream and protocol.
    run
        Its number among the repetitions of this case, from 1.
    seconds
        What it took.
    contrasts
        The learner against each of its copies.
    """

    case: Case
    run: int
    seconds: float
    contrasts: tuple[Contrast, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-able data."""
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
        """Take it from such data."""
        case = Case(str(data["stream"]), str(data["scheme"]), str(data["tests"]), int(data["folds"]))
        contrasts = tuple(map(Contrast.from_dict, data["contrasts"]))
        return cls(case, int(data["run"]), float(data["seconds"]), contrasts)


def _jsonable(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
