"""The first records of a stream, printed as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prequential.data_frame import data_frame

if TYPE_CHECKING:
    import pandas as pd

_WIDEST = 120
"""Maximum length of a line; features that do not fit are left out."""
_GAP = "  "


@dataclass(frozen=True, slots=True, repr=False)
class Head:
    """The first records of a stream; it prints as a table, with the target in the last column.

    Parameters
    ----------
    table
        The records.

    Examples
    --------
    >>> from prequential.streams import SEA
    >>> SEA(seed=1).head(2)
    attrib1  attrib2  attrib3  class
    8.10175  4.64764  3.16566  groupB
    2.25601  2.23067  3.32166  groupA
    """

    table: pa.Table

    def to_arrow(self) -> pa.Table:
        """Return the records as an Arrow table."""
        return self.table

    def to_pandas(self) -> pd.DataFrame:
        """Return the records as a pandas DataFrame."""
        return data_frame(self.table, "head.to_pandas()")

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return each record as a dict; None where a value is missing."""
        rows: list[dict[str, Any]] = self.table.to_pylist()
        return rows

    def __repr__(self) -> str:
        columns = []
        for name, column in zip(self.table.column_names, self.table.columns, strict=True):
            columns.append(_padded([name, *map(_text, column.to_pylist())], right=pa.types.is_floating(column.type)))
        *features, target = columns
        width, n_shown = len(target[0]) + len(_GAP) + 1, 0
        while n_shown < len(features) and width + len(features[n_shown][0]) + len(_GAP) <= _WIDEST:
            width += len(features[n_shown][0]) + len(_GAP)
            n_shown += 1
        shown = features[:n_shown]
        if n_shown < len(features):
            shown.append(["…"] * len(target))
        lines = [_GAP.join(cells).rstrip() for cells in zip(*shown, target, strict=True)]
        hidden = len(features) - n_shown
        return "\n".join([*lines, *([f"… {hidden:,} more feature{'s' if hidden > 1 else ''}"] if hidden else [])])


def _text(value: object) -> str:
    if value is None:
        return "?"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _padded(cells: list[str], *, right: bool) -> list[str]:
    width = max(map(len, cells))
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]
