"""The schema of a stream: features, target and classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from prequential.arguments import checked_call
from prequential.errors import ParameterError
from prequential.namespace import Suggesting
from prequential.streams.spelling import Classes
from prequential.types import Label
from prequential.wording import listing


@checked_call
@dataclass(frozen=True, slots=True)
class Feature(Suggesting):
    """One column of the feature matrix.

    Parameters
    ----------
    name
        The feature's name.
    values
        The values of a nominal feature in the order of their codes; None for a numeric one.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.Feature("colour", ("red", "green")).values
    ('red', 'green')
    """

    name: str
    values: tuple[Label, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Whether the matrix holds codes of ``values`` rather than numbers."""
        return self.values is not None


@checked_call
@dataclass(frozen=True, slots=True)
class Schema(Suggesting):
    """Features, target and classes of a stream.

    Parameters
    ----------
    features
        The columns of the feature matrix, in order.
    classes
        The class labels in the order of their codes; None for a regression stream.
    target
        The name of the label column.
    open
        Whether new classes and nominal values may appear while the stream is read (sources that can be read only
        once). A chunk then has the schema known after its first record, and a record with a new class or value starts a
        new chunk; existing codes never change.

    Examples
    --------
    >>> schema = Schema((Feature("x"), Feature("day", ("mon", "tue"))), classes=("down", "up"))
    >>> schema.n_features, schema.n_classes, schema.task
    (2, 2, 'classification')
    """

    features: tuple[Feature, ...]
    classes: tuple[Label, ...] | None
    target: str = "class"
    open: bool = False

    def __post_init__(self) -> None:
        names = [feature.name for feature in self.features]
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise ParameterError("features", "Schema", "features with distinct names", twice)
        for owner, values in [(f.name, f.values) for f in self.features] + [(self.target, self.classes)]:
            if values is not None and len(set(values)) != len(values):
                raise ParameterError("values", f"Schema ({owner!r})", "distinct values", values)

    @classmethod
    def numeric(cls, n_features: int, classes: Sequence[Label] | None, target: str = "class") -> Self:
        """Return a schema of numeric features named x0, x1, …."""
        features = tuple(Feature(f"x{j}") for j in range(n_features))
        return cls(features, None if classes is None else tuple(classes), target)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.features)

    @property
    def n_classes(self) -> int:
        """The number of classes known so far; 0 for a regression stream."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def task(self) -> str:
        """``"classification"`` or ``"regression"``."""
        return "regression" if self.classes is None else "classification"

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """The number of known values of each feature, 0 for a numeric one; 1 for a nominal one without known values."""
        return tuple(0 if f.values is None else max(1, len(f.values)) for f in self.features)

    @property
    def values(self) -> dict[str, tuple[Label, ...] | None]:
        """The values of each column by name, the target last; None for a numeric column."""
        return {feature.name: feature.values for feature in self.features} | {self.target: self.classes}

    def code_of(self, label: Label) -> int | None:
        """Return the code of a class in any of its spellings (``"1"`` for 1); None if it is not a class.

        Examples
        --------
        >>> Schema.numeric(0, [0, 1]).code_of("1")
        1
        """
        return Classes(self.classes or (), declared=True).code(label)

    def with_classes(self, classes: Sequence[Label]) -> Schema:
        """Return this schema with other classes."""
        return replace(self, classes=tuple(classes))

    def difference(self, other: Schema) -> str | None:
        """Describe the first difference to another schema; None if they are equal.

        Examples
        --------
        >>> Schema.numeric(2, ["no", "yes"]).difference(Schema.numeric(2, ["yes", "no"]))
        'the classes are no, yes here and yes, no there'
        """
        if self.n_features != other.n_features:
            return f"there are {self.n_features:,} features here and {other.n_features:,} there"
        for j, (one, two) in enumerate(zip(self.features, other.features, strict=True), start=1):
            if one.name != two.name:
                return f"feature {j:,} is {one.name!r} here and {two.name!r} there"
            if one.values != two.values:
                return f"the feature {one.name!r} is {_kind(one.values)} here and {_kind(two.values)} there"
        if self.target != other.target:
            return f"the target is {self.target!r} here and {other.target!r} there"
        if self.classes != other.classes:
            if self.classes is None or other.classes is None:
                return f"the task is {self.task} here and {other.task} there"
            return f"the classes are {listing(self.classes)} here and {listing(other.classes)} there"
        return None if self.open == other.open else "new classes and values may appear in one of them"


def _kind(values: tuple[Label, ...] | None) -> str:
    return "numeric" if values is None else f"nominal ({listing(values)})"
