"""The columns of a file that a stream is written to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.errors import DataError, InputError
from prequential.streams.arrow_table import role_names
from prequential.streams.chunk import Chunk
from prequential.streams.declaration import FORMAT, Declaration
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label

ID_TYPES = (pa.types.is_integer, pa.types.is_floating, pa.types.is_string, pa.types.is_boolean)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a chunk.

    Parameters
    ----------
    name
        Its name.
    cells
        The numbers, or the codes of a nominal column, NaN where a value is missing; or the identifiers.
    values
        The values of a nominal column, in the order of their codes; None for any other.
    """

    name: str
    cells: npt.NDArray[Any]
    values: tuple[Label, ...] | None = None


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The columns of a file: features, then time, weight and identifier if present, and the target last.

    Parameters
    ----------
    schema
        Features and target.
    time, weight, id
        The names of the other columns; None if the records have none.
    id_type
        The Arrow type of the identifiers.
    """

    schema: Schema
    time: str | None = None
    weight: str | None = None
    id: str | None = None
    id_type: str | None = None

    @classmethod
    def of(cls, schema: Schema, chunk: Chunk | None) -> FileColumns:
        """Return the columns that the records of a stream need, according to its first chunk."""
        columns = cls(schema, **role_names(schema, chunk))
        if chunk is None or chunk.id is None:
            return columns
        kind = pa.array(chunk.id).type
        if not any(fits(kind) for fits in ID_TYPES):
            raise InputError(
                f"Identifiers of type {kind} cannot be written. Accepted: whole numbers, numbers and text."
            )
        return replace(columns, id_type=str(kind))

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in order."""
        others = (name for name in (self.time, self.weight, self.id) if name is not None)
        return (*(feature.name for feature in self.schema.features), *others, self.schema.target)

    def declare(self, schema: Schema, **fields: Any) -> Declaration:
        """Return the declaration of the stream.

        Parameters
        ----------
        schema
            The schema known at the end.
        fields
            Other fields of ``Declaration``.
        """
        numeric = dict.fromkeys(name for name in (self.time, self.weight) if name is not None)
        return Declaration(
            names=self.names,
            values={**schema.values, **numeric},
            target=schema.target,
            task=schema.task,
            time=self.time,
            weight=self.weight,
            id=self.id,
            id_type=self.id_type,
            format=FORMAT,
            **fields,
        )

    def of_chunk(self, chunk: Chunk) -> Iterator[Column]:
        """Yield the columns of a chunk, in order."""
        schema = chunk.schema
        for feature, cells in zip(schema.features, chunk.X.T, strict=True):
            yield self._checked(Column(feature.name, cells, feature.values), chunk)
        weight = np.ones(len(chunk)) if chunk.weight is None and self.weight is not None else chunk.weight
        for name, cells in ((self.time, chunk.time), (self.weight, weight), (self.id, chunk.id)):
            if (name is None) != (cells is None):
                raise InputError(
                    f"From record {chunk.start} on, the records have other columns than before (time, weight or "
                    "identifier). Accepted: the same columns for all records."
                )
            if name is not None and cells is not None:
                yield Column(name, cells)
        labels: FloatArray = np.where(chunk.labelled, chunk.y, np.nan)
        yield self._checked(Column(schema.target, labels, schema.classes), chunk)

    def _checked(self, column: Column, chunk: Chunk) -> Column:
        infinite = np.isinf(column.cells)
        if infinite.any():
            raise DataError(
                "an infinite value",
                source="write",
                row=chunk.start + int(infinite.argmax()),
                row_kind="record",
                column=column.name,
                accepted="finite numbers, and NaN where a value is missing",
            )
        return column
