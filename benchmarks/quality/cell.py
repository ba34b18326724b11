"""Measured cells of the table, one per library, learner, stream and seed, and the file that keeps those of peers."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Cell:
    """What one learner did on one stream."""

    library: str
    version: str
    learner: str
    stream: str
    n_records: int
    seed: int
    accuracy: float
    """In percent."""
    kappa: float
    """In percent."""
    seconds: float
    """Of the processor; reading is left out."""
    nbytes: int
    """Of the model in the end; 0 where the library does not say."""

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What it is a measurement of, library version left out."""
        return self.library, self.learner, self.stream, self.n_records, self.seed


def kept(path: Path) -> list[Cell]:
    """Return the cells of a file; none if there is no file."""
    if not path.exists():
        return []
    kinds: dict[str, Callable[[str], Any]] = {
        "n_records": int,
        "seed": int,
        "nbytes": int,
        "accuracy": float,
        "kappa": float,
        "seconds": float,
    }
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Cell(**{name: kinds.get(name, str)(value) for name, value in row.items()}) for row in rows]


def keep(cells: list[Cell], path: Path) -> None:
    """Write cells to a file, in order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [one.name for one in fields(Cell)], lineterminator="\n")
        writer.writeheader()
        for cell in sorted(
            cells, key=lambda cell: (cell.library, cell.learner, cell.stream, cell.n_records, cell.seed)
        ):
            row = asdict(cell)
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
