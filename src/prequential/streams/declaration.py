"""The declaration of a stream in its file: schema, columns, drifts and origin.

A Parquet file has it in its metadata, under ``stream_schema``; a text file has it in a sidecar file, for example
``data.csv.stream.json`` for ``data.csv``. Readers use it, so that a written stream reads back as the same stream.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from prequential.errors import DataError, InputError
from prequential.streams.drift import Drift
from prequential.streams.schema import Feature, Schema
from prequential.types import Label
from prequential.wording import listing

FORMAT = 1
METADATA_KEY = "stream_schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The declaration of a stream; for a file from another program, most of it may be absent.

    Parameters
    ----------
    names
        All columns of the file, in order.
    values
        The declared columns: the values of a nominal one, None for a numeric one.
    target, task, time, weight, id
        The columns of labels, times, weights and identifiers; and whether the labels are classes.
    id_type
        The Arrow type of the identifiers.
    missing
        The text of a missing value in a CSV file.
    n_records, size_bytes
        The number of records, valid as long as the file has this size.
    drifts, bayes_error
        The known drifts, and the lowest possible error.
    made_by
        The description of the stream that was written.
    format
        The version of this format; 0 if the file was not written by this package.
    """

    names: tuple[str, ...] = ()
    values: Mapping[str, tuple[Label, ...] | None] = field(default_factory=dict)
    target: str | None = None
    task: str | None = None
    time: str | None = None
    weight: str | None = None
    id: str | None = None
    id_type: str | None = None
    missing: str | None = None
    n_records: int | None = None
    size_bytes: int | None = None
    drifts: tuple[Drift, ...] = ()
    bayes_error: float | None = None
    made_by: Mapping[str, Any] | None = None
    format: int = 0

    def schema(self, features: Sequence[str], target: str) -> Schema | None:
        """Return the schema of these columns; None if they are not all declared."""
        if self.task is None or target != self.target or not {*features, target} <= set(self.values):
            return None
        return Schema(tuple(Feature(name, self.values[name]) for name in features), self.values[target], target)

    def to_json(self) -> str:
        """Return it as JSON."""
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("names", "values")}
        data = {
            **{name: value for name, value in given.items() if value is not None},
            "drifts": [asdict(drift) for drift in self.drifts],
            "attributes": [{"name": name, **self._kind(name)} for name in self.names],
        }
        return json.dumps(data, ensure_ascii=False, default=str)

    def _kind(self, name: str) -> dict[str, object]:
        if name not in self.values:
            return {"type": "string"}
        values = self.values[name]
        return {"type": "numeric"} if values is None else {"type": "nominal", "values": [_plain(v) for v in values]}

    @classmethod
    def from_json(cls, text: str | bytes, source: str | Path) -> Self:
        """Read it from JSON; unknown fields, added by a newer version, are ignored.

        Parameters
        ----------
        text
            The JSON.
        source
            Its file, for error messages.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataError(f"not JSON ({error})", source=source) from None
        try:
            attributes = data.get("attributes", [])
            values = {
                one["name"]: tuple(one["values"]) if one["type"] == "nominal" else None
                for one in attributes
                if one["type"] in ("nominal", "numeric")
            }
            known = {one.name for one in fields(Drift)}
            drifts = tuple(Drift(**{k: v for k, v in one.items() if k in known}) for one in data.get("drifts", []))
            rest = {one.name for one in fields(cls)} - {"names", "values", "drifts"}
            given = {k: v for k, v in data.items() if k in rest}
            found = cls(names=tuple(one["name"] for one in attributes), values=values, drifts=drifts, **given)
            found._check()
            return found
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            accepted = (
                "an object with 'target' and 'attributes', each of which has 'name', 'type' and, if nominal, 'values'"
            )
            raise DataError(
                f"not the declaration of a stream ({type(error).__name__}: {error})",
                source=source,
                accepted=accepted,
            ) from None

    def _check(self) -> None:
        """Raise a TypeError or ValueError for a value of the wrong type."""
        labels = [value for values in self.values.values() for value in values or ()]
        for kinds, given in (
            (str, self.names),
            (str | int | float, labels),
            (str | None, [getattr(self, name) for name in _TEXTS]),
            (int | None, (self.n_records, self.size_bytes, self.format)),
            (int, [number for drift in self.drifts for number in (drift.at, drift.width)]),
            (float | int | None, (self.bayes_error,)),
        ):
            wrong = [value for value in given if not isinstance(value, kinds)]
            if wrong:
                raise TypeError(f"{wrong[0]!r} is not of type {getattr(kinds, '__name__', kinds)}")
        if self.id_type is not None:
            pa.type_for_alias(self.id_type)
        if self.target is not None and self.target in self.values:
            task = "regression" if self.values[self.target] is None else "classification"
            if self.task not in (None, task):
                raise ValueError(f"the task is {self.task}, but the target is one of {task}")


_TEXTS = ("target", "task", "time", "weight", "id", "id_type", "missing")
NOTHING = Declaration()


def sidecar_path(path: Path) -> Path:
    """Return the path of the sidecar of a text file."""
    return path.with_name(path.name + ".stream.json")


def read_sidecar(path: Path) -> Declaration:
    """Read the sidecar of a text file; an empty declaration if there is none.

    The number of records is omitted if the file has changed since.
    """
    sidecar = sidecar_path(path)
    if not sidecar.is_file():
        return NOTHING
    declared = Declaration.from_json(sidecar.read_bytes(), sidecar)
    if declared.size_bytes == path.stat().st_size:
        return declared
    return replace(declared, n_records=None)


def check_sidecar(declared: Declaration, names: Sequence[str], path: Path) -> None:
    """Refuse a sidecar that does not belong to its file."""
    if declared.names and declared.names != tuple(names):
        raise InputError(
            f"{sidecar_path(path)} does not fit {path.name}: it declares the columns {listing(declared.names)}, but "
            f"the file has {listing(names)}. Remove the sidecar, or write the stream again."
        )


def _plain(value: Label) -> object:
    """Return a value that JSON can represent exactly."""
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not math.isfinite(value)):
        raise InputError(f"The value {value!r} cannot be declared. Accepted: text, finite numbers, true and false.")
    return value
