"""The settings of a power experiment: streams, protocols, a learner and the copies it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any, Self

TESTS = ("sign", "wilcoxon", "mcnemar")
"""The tests, by their names in ``run.folds.significance()``."""
_MAY_CHANGE = ("runs", "alpha")


@dataclass(frozen=True, slots=True)
class Case:
    """A stream with the settings of ``KFold``: one setting in which the learner is compared with its copies."""

    stream: str
    scheme: str
    tests: str
    folds: int

    def __str__(self) -> str:
        return f"{self.stream}, {self.scheme}, {self.folds} folds, tests={self.tests!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """All settings of an experiment.

    Parameters
    ----------
    learner
        The name of the learner.
    description
        Its description in a manifest.
    streams
        Number of records and their digest, by the name of the stream.
    schemes, tests, folds
        The settings of ``KFold`` that are combined with each other and with each stream.
    noise
        The probabilities with which predictions of the noisy copies are changed.
    metric
        The metric that the tests over folds compare.
    runs
        Number of repetitions of each combination.
    alpha
        The significance level.
    seed
        The seed from which all others are derived.
    version
        The version of this package: another one may give other numbers.
    positive
        The positive class, if it was given.
    metric_name
        The metric as tables name it: with its positive class, given or not.
    """

    learner: str
    description: Mapping[str, Any]
    streams: Mapping[str, Mapping[str, Any]]
    schemes: tuple[str, ...]
    tests: tuple[str, ...]
    folds: tuple[int, ...]
    noise: tuple[float, ...]
    metric: str
    runs: int
    alpha: float
    seed: int
    version: str
    positive: str | None = None
    metric_name: str = ""

    @property
    def cases(self) -> tuple[Case, ...]:
        """All combinations, in the order of the table."""
        return tuple(Case(*one) for one in product(self.streams, self.schemes, self.tests, self.folds))

    @property
    def n_units(self) -> int:
        """The total number of passes over a stream."""
        return len(self.cases) * self.runs

    def differences(self, other: Design) -> list[str]:
        """Return the differences that prevent adding repetitions of another design to those of this one.

        The number of runs and the significance level may differ: the p-values are the same.
        """
        return [
            f"{one.name} is {_short(getattr(other, one.name))} here and was {_short(getattr(self, one.name))}"
            for one in fields(self)
            if one.name not in _MAY_CHANGE and getattr(self, one.name) != getattr(other, one.name)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Restore the settings from ``to_dict()``."""
        listed = {name: tuple(data[name]) for name in ("schemes", "tests", "folds", "noise")}
        return cls(**{**data, **listed})


def _short(value: object) -> str:
    text = f"{dict(value)}" if isinstance(value, Mapping) else f"{value}"
    return text if len(text) <= 200 else f"{text[:200]}…"
