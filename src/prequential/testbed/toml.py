"""Mixtures as TOML.

A mixture is a table with ``n_records`` and optionally ``name`` and ``summary``. It contains classes (``[[class]]``:
name, weight), their Gaussians (``[[class.gaussian]]``: centre, variances, rotation, weight, start) and the transforms
of those (``[[class.gaussian.transform]]``: begin, end or duration, move, rotate, scale, weight, turn, about). The
parameters are those of the classes of this package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from prequential.arguments import checked_path, is_whole
from prequential.errors import InputError, MissingFileError, PlanError
from prequential.testbed.faults import faults_of
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.toml_text import PARTS
from prequential.testbed.transform import Transform
from prequential.wording import listing, suggestion


def read_mixture(path: str | Path) -> Mixture:
    """Read a mixture from a file; all its faults are reported together."""
    path = checked_path(path, "path", "testbed")
    if not path.is_file():
        raise MissingFileError(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(path, [f"not TOML: {error}"]) from error
    return mixture_of({"name": path.stem, **table}, path)


def is_mixture(path: Path) -> bool:
    """Return whether a file is the TOML of a mixture, and not of a plan; False if it cannot be read."""
    if path.suffix != ".toml" or not path.is_file():
        return False
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return False
    return "class" in data and "stream" not in data


def mixture_of(table: Mapping[str, Any], source: str | Path | None = None) -> Mixture:
    """Build a mixture from a table; all its faults are reported together."""
    faults: list[str] = []
    mixture = _Reader(faults).mixture(table)
    if faults or mixture is None:
        raise PlanError(source, faults)
    return mixture


@cache
def nine() -> dict[str, Mixture]:
    """Return the nine mixtures of the testbed by name."""
    text = files("prequential.testbed").joinpath("nine.toml").read_text(encoding="utf-8")
    return {name: mixture_of({"name": name, **table}, "nine.toml") for name, table in tomllib.loads(text).items()}


def unknown_stream(name: str, also: str = "") -> InputError:
    """Return the error for a name that is not a testbed stream; ``also`` adds other accepted values."""
    return InputError(
        f"Unknown stream of the testbed: {name!r}.{suggestion(name.upper(), nine())} Accepted: {listing(nine())}{also}."
    )


class _Reader:
    """Builds the parts of a mixture from tables, and collects their faults."""

    def __init__(self, faults: list[str]) -> None:
        self._faults = faults

    def mixture(self, table: Mapping[str, Any]) -> Mixture | None:
        mixture: Mixture | None = self._build(Mixture, "", table, classes=self._class)
        return mixture

    def _class(self, table: Mapping[str, Any], place: str) -> MixtureClass | None:
        named = table.get("name")
        place = f"class {named}" if isinstance(named, str) else place
        part: MixtureClass | None = self._build(MixtureClass, place, table, gaussians=self._gaussian)
        return part

    def _gaussian(self, table: Mapping[str, Any], place: str) -> Gaussian | None:
        part: Gaussian | None = self._build(Gaussian, place, table, transforms=self._transform)
        return part

    def _transform(self, table: Mapping[str, Any], place: str) -> Transform | None:
        begin: Any = table.get("begin")
        duration: Any = table.get("duration")
        if "duration" in table:
            table = {key: value for key, value in table.items() if key != "duration"}
            if "end" in table:
                self._report(place, "give 'end' or 'duration', not both.")
                return None
            if not is_whole(duration):
                self._report(place, f"duration must be a whole number of at least 0, not {duration!r}.")
                return None
            if is_whole(begin):
                table["end"] = begin + duration
        part: Transform | None = self._build(Transform, place, table, also=("duration",))
        return part

    def _build(
        self,
        kind: type[Any],
        place: str,
        table: Mapping[str, Any],
        also: tuple[str, ...] = (),
        **parts: Callable[..., Any],
    ) -> Any:
        """Build one object and its parts; None if it has a fault."""
        before = len(self._faults)
        names = {PARTS.get(field.name, field.name): field.name for field in fields(kind)}
        given: dict[str, Any] = {}
        for key, value in table.items():
            if key not in names:
                accepted = (*names, *also)
                self._report(
                    place, f"unknown parameter {key!r}.{suggestion(key, accepted)} Accepted: {listing(accepted)}."
                )
            elif names[key] in parts:
                given[names[key]] = self._parts(key, value, place, parts[names[key]])
            else:
                given[names[key]] = value
        for field in fields(kind):
            if field.default is MISSING and field.name not in given:
                self._report(place, f"{PARTS.get(field.name, field.name)} is missing.")
        if len(self._faults) > before:
            return None
        try:
            return kind(**given)
        except InputError as error:
            for fault in faults_of(error):
                self._report(place, fault)
            return None

    def _parts(self, key: str, value: Any, place: str, build: Callable[[Any, str], Any]) -> list[Any]:
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self._report(place, f"{key} must be a list of tables, [[…{key}]], not {value!r}.")
            return []
        return [build(one, f"{place}, {key} {k}" if place else f"{key} {k}") for k, one in enumerate(value, start=1)]

    def _report(self, place: str, fault: str) -> None:
        self._faults.append(f"{place}: {fault}" if place else fault)
