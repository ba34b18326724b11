"""The role of each column of a table: target, time, weight, identifier or feature."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from prequential.arguments import checked_list
from prequential.errors import InputError, ParameterError
from prequential.streams.data_warning import warn_of_target
from prequential.types import Label
from prequential.wording import listing, suggestion

TASKS = ("auto", "classification", "regression")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The roles of columns.

    Parameters
    ----------
    target
        The column of the labels; None to let the reader choose.
    task
        ``"classification"``, ``"regression"``, or ``"auto"`` to decide by the labels.
    classes
        All classes in the order of their codes; None to collect those that occur.
    time, weight, id
        The columns of times, weights and identifiers; they are not features.
    ignore
        Columns to leave out, one name or several.
    nominal, numeric
        Features to treat as nominal or as numeric, one name or several.
    """

    target: str | None = None
    task: str = "auto"
    classes: Sequence[Label] | None = None
    time: str | None = None
    weight: str | None = None
    id: str | None = None
    ignore: str | Iterable[str] = ()
    nominal: str | Iterable[str] = ()
    numeric: str | Iterable[str] = ()

    def __post_init__(self) -> None:
        for part in ("ignore", "nominal", "numeric"):
            object.__setattr__(self, part, as_names(getattr(self, part)))
        if self.task not in TASKS:
            raise ParameterError("task", "a reader", f"one of {listing(TASKS)}", self.task)
        if self.classes is not None:
            object.__setattr__(self, "classes", checked_classes(self.classes, "a reader"))
            if self.task == "regression":
                raise ParameterError("task", "a reader", "'classification' or 'auto' if there are classes", self.task)
            object.__setattr__(self, "task", "classification")
        for part in ("target", "time", "weight", "id", "ignore", "nominal", "numeric"):
            given = getattr(self, part)
            for name in given if isinstance(given, tuple) else (given,):
                if name is not None and not isinstance(name, str):
                    raise ParameterError(part, "a reader", "the name of a column", name)
        both = sorted(set(self.nominal) & set(self.numeric))
        if both:
            raise ParameterError("numeric", "a reader", "columns that are not in 'nominal'", both[0])

    @property
    def roles(self) -> dict[str, str]:
        """The columns that are not features, by role."""
        roles = {"target": self.target, "time": self.time, "weight": self.weight, "id": self.id}
        return {role: name for role, name in roles.items() if name is not None}

    def resolved(self, names: Sequence[str], source: str | Path, usual: Iterable[str] = ()) -> Columns:
        """Check every name against the columns of the table, and choose a target if none is given.

        The target is the first of the ``usual`` names that exists, else the last column without another role.
        """
        named = [*self.roles.items()]
        for role in ("ignore", "nominal", "numeric"):
            named += [(role, name) for name in getattr(self, role)]
        for role, name in named:
            if name not in names:
                raise InputError(
                    f"{source}: there is no column {name!r} ({role}=).{suggestion(name, names)} "
                    f"The columns are: {listing(names)}."
                )
        taken = [*self.roles.values(), *self.ignore]
        twice = next((name for i, name in enumerate(taken) if name in taken[:i]), None)
        if twice is not None:
            roles = [role for role, name in named if name == twice and role not in ("nominal", "numeric")]
            raise InputError(f"{source}: column {twice!r} has two roles: {' and '.join(dict.fromkeys(roles))}.")
        if self.target is not None:
            return self
        free = [name for name in names if name not in taken]
        if not free:
            raise InputError(f"{source}: no column is left for the target. The columns are: {listing(names)}.")
        target = next((name for name in usual if name in free), free[-1])
        warn_of_target(free, target, source)
        return replace(self, target=target)

    def features(self, names: Iterable[str]) -> list[str]:
        """Return the names of the features, in the order of the table."""
        taken = {*self.roles.values(), *self.ignore}
        return [name for name in names if name not in taken]

    def describe(self) -> dict[str, object]:
        """Return the options that were given, for a manifest."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items() if v not in (None, ())}


def checked_classes(classes: Iterable[Label], caller: str) -> tuple[Label, ...]:
    """Return declared classes: at least one, each once."""
    found = checked_list(classes, "classes", caller, "classes")
    if not found or len(set(found)) < len(found):
        raise ParameterError("classes", caller, "a list of one or more classes, each of them once", classes)
    return tuple(one.item() if isinstance(one, np.generic) else one for one in found)


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return one column name or several as a tuple."""
    return (names,) if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
