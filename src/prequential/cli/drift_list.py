"""Known drifts on the command line: ``5000,10000:500``, or a file with one line per drift."""

from __future__ import annotations

import csv
from pathlib import Path

from prequential.errors import DataError, InputError
from prequential.streams.drift import Drift


def drift_list(text: str) -> list[Drift]:
    """Read drifts: AT or AT:WIDTH with commas between them, or the path of a file with lines ``at`` or ``at,width``.

    Examples
    --------
    >>> [(drift.at, drift.width) for drift in drift_list("5000,10000:500")]
    [(5000, 1), (10000, 500)]
    """
    path = Path(text)
    if not path.is_file():
        if not text.strip() or any(c.isalpha() or c in "/\\" for c in text):
            raise InputError(
                f"--drifts {text}: neither a file nor record indices. Accepted: AT or AT:WIDTH, such as 5000,10000:500."
            )
        return [_drift(item.split(":"), f"--drifts {text}") for item in text.split(",")]
    drifts = []
    with path.open(newline="", encoding="utf-8-sig") as file:
        for line, row in enumerate(csv.reader(file), start=1):
            cells = [cell.strip() for cell in row if cell.strip()]
            if not cells or cells[0].startswith("#") or (line == 1 and cells[0].lower() == "at"):
                continue
            drifts.append(_drift(cells, path, line))
    return drifts


def _drift(cells: list[str], source: str | Path, line: int | None = None) -> Drift:
    try:
        numbers = [int(cell) for cell in cells]
        if not 1 <= len(numbers) <= 2 or numbers[0] < 0 or (len(numbers) == 2 and numbers[1] < 1):
            raise ValueError
    except ValueError:
        raise DataError(
            "not a drift",
            source=source,
            row=line,
            value=" ".join(cells),
            accepted="the record index of its middle, from 0, and optionally its width in records",
        ) from None
    return Drift(numbers[0], numbers[1] if len(numbers) > 1 else 1)
