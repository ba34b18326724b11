"""The parameters of learners and detectors, read and changed as in scikit-learn, and shown in their repr."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Self

from prequential.arguments import checked_call
from prequential.errors import UnknownParameterError


class HasParameters:
    """A dataclass whose fields are parameters. The parameters of a part are called ``PART__NAME``."""

    __slots__ = ()

    @checked_call
    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep
            Whether to include the parameters of parts, such as the base of an ensemble.

        Examples
        --------
        >>> from prequential.learners import KNN, NoiseFilter
        >>> NoiseFilter(base=KNN(n_neighbors=3)).get_params()
        {'base': KNN(n_neighbors=3), 'p': 0.05, 'base__n_neighbors': 3, 'base__window_size': 1000}
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass
        parts = {name: value for name, value in own.items() if deep and isinstance(value, HasParameters)}
        return own | {
            f"{name}__{key}": value for name, part in parts.items() for key, value in part.get_params().items()
        }

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; if one of them is invalid, nothing is changed.

        Raises
        ------
        InputError
            If a parameter is unknown or invalid.

        Examples
        --------
        >>> from prequential.learners import KNN, NoiseFilter
        >>> NoiseFilter(base=KNN()).set_params(p=0.1, base__n_neighbors=3)
        NoiseFilter(base=KNN(n_neighbors=3), p=0.1)
        """
        changed = self.with_params(parameters)
        for field in fields(changed):  # type: ignore[arg-type]  # a dataclass
            object.__setattr__(self, field.name, getattr(changed, field.name))
        return self

    @checked_call
    def with_params(self, parameters: Mapping[str, Any]) -> Self:
        """Return a new object with some parameters changed; this one and its parts stay as they are."""
        own = self.get_params(deep=False)
        own |= {key: value for key, value in parameters.items() if key in own}
        nested: dict[str, dict[str, Any]] = {}
        for key in parameters.keys() - own.keys():
            name, _, inner = key.partition("__")
            if not isinstance(own.get(name), HasParameters):
                raise UnknownParameterError(key, type(self).__name__, self.get_params())
            nested.setdefault(name, {})[inner] = parameters[key]
        return type(self)(**own | {name: own[name].with_params(inner) for name, inner in nested.items()})


def call_of(obj: Any) -> str:
    """Return the call that makes a dataclass, with the parameters that are not at their defaults.

    Examples
    --------
    >>> from prequential.learners import KNN
    >>> call_of(KNN()), call_of(KNN(n_neighbors=5))
    ('KNN()', 'KNN(n_neighbors=5)')
    """
    changed = []
    for field in fields(obj):
        value = getattr(obj, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if repr(value) != repr(default):
            changed.append(f"{field.name}={value!r}")
    return f"{type(obj).__name__}({', '.join(changed)})"
