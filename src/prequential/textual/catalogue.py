"""The classes of one kind by name: learners, detectors, forgettings, protocols, delays, generators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from prequential.arguments import checked_call
from prequential.errors import InputError
from prequential.textual.call import Raw, call, fitted, instance, parameters_of
from prequential.textual.grammar import Text, in_brackets, parsed, with_colons
from prequential.wording import listing, suggestion

T = TypeVar("T")
C = TypeVar("C", bound=type)


class Catalogue(Mapping[str, type[T]]):
    """The classes of one kind, each under one name.

    Parameters
    ----------
    kind
        What the objects are, for messages: ``"learner"``.
    aliases
        Other accepted names: ``{"nb": "naive_bayes"}``.
    synonyms
        Names of other libraries, for which the message suggests ours.
    colons
        Whether colons may separate positional values.
    """

    def __init__(
        self,
        kind: str,
        *,
        aliases: Mapping[str, str] | None = None,
        synonyms: Mapping[str, str] | None = None,
        colons: bool = False,
    ) -> None:
        self.kind, self._colons = kind, colons
        self._aliases, self._synonyms = dict(aliases or {}), dict(synonyms or {})
        self._classes: dict[str, type[T]] = {}
        self._names: dict[type, str] = {}

    def add(self, name: str, cls: C) -> C:
        """Add a class; calls with wrong arguments get messages of this package from now on."""
        self._classes[name] = cls
        self._names[cls] = name
        _HOMES[cls] = self
        return checked_call(cls)

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

    def names(self) -> tuple[str, ...]:
        """Return the names, in the order of registration."""
        return tuple(self._classes)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __getitem__(self, name: str) -> type[T]:
        """Return a class by name: ours, an alias, or the name of the class."""
        found = self._find(name)
        if found is None:
            raise InputError(
                f"Unknown {self.kind} {name!r}.{self.suggestion(name)} {self.kind.capitalize()}s: {listing(self, 40)}."
            )
        return found

    def name_of(self, cls: type) -> str:
        """Return the name of a class."""
        return self._names[cls]

    def of_text(self, text: str) -> T:
        """Return the object that a text names."""
        parts = self.parsed(text)
        cls = self[parts.name]
        keywords = {key: Raw(value) for key, value in parts.keywords.items()}
        found: T = call(cls, [Raw(one) for one in parts.positional], keywords)
        return found

    def of_table(self, table: Mapping[str, Any]) -> T:
        """Return the object that a table describes: its ``type`` and parameters."""
        options = dict(table)
        if "type" not in options:
            hint = f" 'name' is its label; 'type' is the {self.kind}." if "name" in options else ""
            raise InputError(f"A table of a {self.kind} needs 'type'.{hint} Accepted: {listing(self, 40)}.")
        found: T = call(self[str(options.pop("type"))], (), options)
        return found

    def of_class(self, cls: type) -> T:
        """Return an object of a class that needs no arguments."""
        found: T = instance(cls)
        return found

    def table(self, text: str) -> dict[str, Any]:
        """Return an object given as text as the table of a plan, with ``type``; nested objects stay text."""
        parts = self.parsed(text)
        keywords = {key: Raw(value) for key, value in parts.keywords.items()}
        values = fitted(self[parts.name], [Raw(one) for one in parts.positional], keywords, nested=False)
        return {"type": parts.name, **values}

    def parsed(self, text: str) -> Text:
        """Split a text of this kind."""
        found = parsed(text, self.kind)
        return with_colons(found) if self._colons else found

    def defaults(self, name: str) -> dict[str, object]:
        """Return the parameters of a class with their defaults; a default that is an object as text."""
        cls = self[name]
        fields = getattr(cls, "__dataclass_fields__", {})
        found = {}
        for key, one in parameters_of(cls).items():
            factory = getattr(fields.get(key), "default_factory", None)
            default = factory() if callable(factory) else one.default
            found[key] = None if default is one.empty else as_text(default)
        return found

    def text_of(self, obj: T) -> str:
        """Return the text that names an object, without the parameters that have their default."""
        name = self._names[type(obj)]
        defaults = self.defaults(name)
        shown = {key: as_text(getattr(obj, key)) for key in defaults}
        other = [in_brackets(key, value) for key, value in shown.items() if value != defaults[key]]
        return ":".join(filter(None, (name, ",".join(other))))

    def _find(self, name: str) -> type[T] | None:
        key = _folded(name)
        spelt = {_folded(one): cls for one, cls in self._classes.items()}
        spelt |= {_folded(cls.__name__): cls for cls in self._classes.values()}
        if key not in spelt and key in self._aliases:
            key = _folded(self._aliases[key])
        return spelt.get(key)

    def suggestion(self, name: str, others: Iterable[str] = ()) -> str:
        """Return ``" Did you mean 'x'?"`` for the closest name, also among others; empty if none is close."""
        known = {_folded(one): ours for one, ours in (self._synonyms | self._aliases).items()}
        found = known.get(_folded(name))
        if found is not None:
            return f" Did you mean {found!r}?"
        start, bracket, rest = name.partition("(")
        if bracket and rest.endswith(")") and self._find(start) is not None:
            return f" Write {':'.join(filter(None, (start, rest[:-1].replace(' ', ''))))!r}."
        several = [one for one in re.split(r"[,\s]+", name) if one]
        if len(several) > 1 and all(self._find(one) is not None or _folded(one) in known for one in several):
            return f" Give several as a list: {several}."
        return suggestion(name, [*self._classes, *self._aliases, *others])


def as_text(value: object) -> object:
    """Return the label of an object that has one, the text of an object of a catalogue, or the value unchanged."""
    label = getattr(value, "label", None)
    if isinstance(label, str):
        return label
    home = _HOMES.get(type(value))
    return value if home is None else home.text_of(value)


_HOMES: dict[type, Catalogue[Any]] = {}
"""The catalogue that has a class."""


def _folded(name: str) -> str:
    return name.strip().casefold().replace("_", "").replace("-", "").replace(" ", "")
