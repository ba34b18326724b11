"""A tidy table as a result: columns of numbers and text, printed with its first rows."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import pyarrow as pa

from prequential.number import count, plural
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet

_SHOWN = 10
"""The number of rows in the printed table."""


class Tidy(Printable):
    """A result that is a table of columns: it prints its first rows, and its data have all."""

    __slots__ = ()

    @property
    @abstractmethod
    def caption(self) -> str:
        """What the table is."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """Return the table."""

    def sheet(self) -> Sheet:
        """Return the first rows as text."""
        table = self.to_arrow()
        headings = tuple(Heading(field.name, number=_is_number(field.type)) for field in table.schema)
        rows = tuple(tuple(map(_cell, row.values())) for row in table.slice(0, _SHOWN).to_pylist())
        more = table.num_rows - len(rows)
        remark = f"… and {count(more)} more" if more else ""
        return Sheet(f"{self.caption} · {plural(table.num_rows, 'row')}", headings, rows, remark=remark)


class TidyTable(Tidy):
    """A tidy table: ``table["column"]``, ``len(table)``, and all methods of an Arrow table.

    Parameters
    ----------
    table
        The data.
    caption
        What they are, for the printed table.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), "naive_bayes", predictions=True)
    >>> found = run.predictions("naive_bayes")
    >>> found["record"].to_pylist()[:3], len(found)
    ([0, 1, 2], 2000)
    """

    __slots__ = ("_caption", "_table")

    def __init__(self, table: pa.Table, caption: str) -> None:
        self._table, self._caption = table, caption

    @property
    def caption(self) -> str:
        """What the table is."""
        return self._caption

    def to_arrow(self) -> pa.Table:
        """Return the data as an Arrow table."""
        return self._table

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        return self._table[name]

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def equals(self, other: object) -> bool:
        """Return whether another table has the same data."""
        table = other.to_arrow() if isinstance(other, TidyTable) else other
        return isinstance(table, pa.Table) and bool(self._table.equals(table))

    def __eq__(self, other: object) -> bool:
        return self.equals(other)

    __hash__ = None  # type: ignore[assignment]  # as in Arrow

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(pa.Table, name):
            return getattr(self._table, name)
        return super().__getattr__(name)  # type: ignore[misc]  # the advice on names is hidden from type checkers


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell("–")
    if isinstance(value, float):
        return Cell.of(value) if not value.is_integer() or math.isinf(value) else Cell(f"{value:,.15g}")
    return Cell(count(value) if isinstance(value, int) and not isinstance(value, bool) else str(value))
