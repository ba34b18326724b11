"""What each column of a table is for: the target, a clock, weights, identifiers, features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from prequential.errors import InputError, ParameterError, listing, suggestion

TASKS = ("auto", "classification", "regression")
USUAL_TARGETS = ("class", "target", "label", "y")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The part each column plays.

    Parameters
    ----------
    target
        The column of the labels; None for the reader's own choice.
    task
        ``"classification"``, ``"regression"``, or ``"auto"``: what the labels look like decides.
    time, weight, id
        The columns of the clock, the weights and the identifiers; they are no features.
    ignore
        Columns to leave out.
    nominal, numeric
        Features to take as nominal or as numeric, whatever they look like.
    """

    target: str | None = None
    task: str = "auto"
    time: str | None = None
    weight: str | None = None
    id: str | None = None
    ignore: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise ParameterError("task", "a reader", f"one of {listing(TASKS)}", self.task)
        for part in ("target", "time", "weight", "id", "ignore", "nominal", "numeric"):
            given = getattr(self, part)
            for name in given if isinstance(given, tuple) else (given,):
                if name is not None and not isinstance(name, str):
                    raise ParameterError(part, "a reader", "the name of a column", name)
        both = sorted(set(self.nominal) & set(self.numeric))
        if both:
            raise ParameterError("numeric", "a reader", "other columns than those of 'nominal'", both[0])

    @property
    def roles(self) -> dict[str, str]:
        """The columns named for a part other than a feature, by that part."""
        parts = {"target": self.target, "time": self.time, "weight": self.weight, "id": self.id}
        return {part: name for part, name in parts.items() if name is not None}

    def settled(self, names: Sequence[str], source: str | Path, usual: Iterable[str] = ()) -> Columns:
        """Check every name against the columns there are, and choose a target where none is named.

        The target is the first of the ``usual`` names that is there, else the last column that plays no other part.
        """
        named = [*self.roles.items()]
        for part in ("ignore", "nominal", "numeric"):
            named += [(part, name) for name in getattr(self, part)]
        for part, name in named:
            if name not in names:
                raise InputError(
                    f"{source}: there is no column {name!r} ({part}=).{suggestion(name, names)} "
                    f"The columns are: {listing(names)}."
                )
        taken = [*self.roles.values(), *self.ignore]
        twice = next((name for i, name in enumerate(taken) if name in taken[:i]), None)
        if twice is not None:
            raise InputError(f"{source}: column {twice!r} is named for two different parts.")
        if self.target is not None:
            return self
        free = [name for name in names if name not in taken]
        if not free:
            raise InputError(f"{source}: no column is left to be the target. The columns are: {listing(names)}.")
        return replace(self, target=next((name for name in usual if name in free), free[-1]))

    def features(self, names: Iterable[str]) -> list[str]:
        """Return the names of the features, in the order of the table."""
        taken = {*self.roles.values(), *self.ignore}
        return [name for name in names if name not in taken]

    def describe(self) -> dict[str, object]:
        """Return the options that were given, for a manifest."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items() if v not in (None, ())}


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return column names as a tuple; a single name may stand alone."""
    return (names,) if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
