"""What an experiment on tests is made of: streams, protocols, a learner and the copies that it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any, Self

TESTS = ("sign", "wilcoxon", "mcnemar")
"""The tests that are tried, as ``run.significance()`` names them."""
_MAY_CHANGE = ("runs", "alpha")


@dataclass(frozen=True, slots=True)
class Case:
    """Where the learner is compared with its copies: a stream, and the way in which its records are given to folds."""

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
        What a manifest says of it.
    streams
        What is said of each stream, by its name: how many records it has, and what identifies them.
    schemes, tests, folds
        The settings of ``KFold`` that are combined with each other and with each stream.
    noise
        With which probabilities the predictions of the copies are changed; the first copy, with another seed, has none.
    measure
        What the tests over folds compare.
    runs
        How often each combination is repeated.
    alpha
        The level of the tests.
    seed
        From which all others are made.
    version
        The version of this package: another one may give other numbers.
    """

    learner: str
    description: Mapping[str, Any]
    streams: Mapping[str, Mapping[str, Any]]
    schemes: tuple[str, ...]
    tests: tuple[str, ...]
    folds: tuple[int, ...]
    noise: tuple[float, ...]
    measure: str
    runs: int
    alpha: float
    seed: int
    version: str

    @property
    def cases(self) -> tuple[Case, ...]:
        """All combinations, in the order in which they are tabled."""
        return tuple(Case(*one) for one in product(self.streams, self.schemes, self.tests, self.folds))

    @property
    def n_units(self) -> int:
        """How many passes over a stream there are in all."""
        return len(self.cases) * self.runs

    def differences(self, other: Design) -> list[str]:
        """Return in what another design differs, such that its repetitions cannot stand beside those of this one.

        The number of runs and the level of the tests may differ: the p-values are the same.
        """
        return [
            f"{one.name} is {_short(getattr(other, one.name))} here and was {_short(getattr(self, one.name))}"
            for one in fields(self)
            if one.name not in _MAY_CHANGE and getattr(self, one.name) != getattr(other, one.name)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-able data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Take the settings from such data."""
        listed = {name: tuple(data[name]) for name in ("schemes", "tests", "folds", "noise")}
        return cls(**{**data, **listed})


def _short(value: object) -> str:
    text = f"{dict(value)}" if isinstance(value, Mapping) else f"{value}"
    return text if len(text) <= 200 else f"{text[:200]}…"
