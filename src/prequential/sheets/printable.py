"""The interface of every result: it prints as a table, gives its data, and is written for papers and pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from html import escape
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prequential.data_frame import data_frame
from prequential.namespace import Suggesting
from prequential.number import finite_or_none
from prequential.sheets.html_table import html
from prequential.sheets.latex import latex
from prequential.sheets.markdown import markdown
from prequential.sheets.plain_text import plain
from prequential.sheets.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd


class Printable(Suggesting, ABC):
    """A result that prints as a table, also in a notebook, and gives its data in several formats.

    A subclass defines ``sheet`` and one of ``to_arrow`` and ``to_dicts``. A dataclass needs ``repr=False``.
    """

    __slots__ = ()

    @abstractmethod
    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""

    def paragraphs(self) -> tuple[str, ...]:
        """Return the text below the table, such as a conclusion."""
        return ()

    def __str__(self) -> str:
        return "\n\n".join(filter(None, [plain(self.sheet()), *self.paragraphs()]))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the data as one dictionary per row; undefined numbers are None."""
        return [{key: finite_or_none(value) for key, value in row.items()} for row in self.to_arrow().to_pylist()]

    def to_arrow(self) -> pa.Table:
        """Return the data as an Arrow table."""
        return pa.Table.from_pylist(self.to_dicts())

    def to_pandas(self) -> pd.DataFrame:
        """Return the data as a pandas DataFrame."""
        return data_frame(self.to_arrow(), "to_pandas()")

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_html(self, *, digits: int | None = None, percent: bool = False) -> str:
        """Return the table as HTML, with the text below it; parameters as in ``to_latex``."""
        below = ("<br>".join(map(escape, text.splitlines())) for text in self.paragraphs() if text)
        return html(self.sheet().written(digits, percent=percent)) + "".join(f"<p>{text}</p>" for text in below)

    def to_markdown(self, *, digits: int | None = None, percent: bool = False) -> str:
        """Return the table in Markdown, the best values bold; parameters as in ``to_latex``."""
        return markdown(self.sheet().written(digits, percent=percent))

    def to_latex(
        self, *, caption: str | None = None, label: str | None = None, digits: int | None = None, percent: bool = False
    ) -> str:
        r"""Return a LaTeX table (for booktabs), the best values bold; it has ASCII characters only.

        Parameters
        ----------
        caption
            The caption, in LaTeX, or plain text without ``_``, ``^``, ``$`` and braces; by default that of the table.
        label
            The label for ``\ref``.
        digits
            Number of decimals of metrics; by default 4, and 2 in per cent.
        percent
            Whether to write metrics that are shares, such as accuracy and kappa, in per cent.
        """
        return latex(self.sheet().written(digits, percent=percent), caption=caption, label=label)


def sheet_dicts(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the rows of a sheet by heading: the number of a cell that has one, otherwise its text."""
    names = [" ".join(filter(None, [one.group, one.over, one.title])) for one in sheet.headings]
    return [
        {
            name: finite_or_none(cell.numbers[0]) if len(cell.numbers) == 1 else cell.text
            for name, cell in zip(names, row, strict=True)
        }
        for row in sheet.rows
    ]
