"""Real streams found in a folder, and the records of each that count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow.parquet

import prequential as pq
from prequential.streams.declaration import METADATA_KEY

ID = "instanceId"
"""A file with this column has the same instances twice, for late labels."""


@dataclass(frozen=True)
class Arena:
    """The first records of a stream, in memory."""

    name: str
    stream: pq.Stream

    @cached_property
    def records(self) -> tuple[np.ndarray, np.ndarray]:
        """The features and the codes of the labels."""
        chunks = [(chunk.X.copy(), chunk.y.copy()) for chunk in self.stream.chunks(10_000)]
        return np.concatenate([X for X, _ in chunks]), np.concatenate([y for _, y in chunks])

    @property
    def n_records(self) -> int:
        """How many records there are."""
        return len(self.records[1])

    def write_arff(self, path: Path) -> None:
        """Write them for MOA: nominal values and classes as their codes, so that ties fall as with us."""
        X, y = self.records
        cardinality = self.stream.schema.cardinalities
        with path.open("w", encoding="utf-8") as file:
            file.write("@relation records\n")
            for j, k in enumerate(cardinality):
                file.write(f"@attribute x{j} {_codes(k) if k else 'numeric'}\n")
            file.write(f"@attribute class {_codes(self.stream.schema.n_classes)}\n@data\n")
            for row, label in zip(X.tolist(), y.tolist(), strict=True):
                values = (
                    "?" if v != v else str(int(v)) if k else repr(v) for v, k in zip(row, cardinality, strict=True)
                )
                file.write(",".join(values) + f",{label}\n")


def _text(value: float, nominal: bool) -> str:
    if math.isnan(value):
        return "?"
    return str(int(value)) if nominal else repr(value)


def _codes(n: int) -> str:
    return "{" + ",".join(map(str, range(n))) + "}"


def arenas(folder: Path, n_records: int) -> list[Arena]:
    """Return the classification streams of a folder, by name: Parquet files whose metadata has a schema."""
    found = []
    for path in sorted(folder.glob("*.parquet")):
        schema = pyarrow.parquet.read_schema(path)
        if METADATA_KEY.encode() not in (schema.metadata or {}) or ID in schema.names:
            continue
        stream = pq.streams.read(path)
        if stream.schema.classes:
            found.append(Arena(path.stem, stream.take(n_records)))
    return found
