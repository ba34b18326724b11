"""The formats that every table can be written in."""

from __future__ import annotations

from abc import ABC, abstractmethod

from prequential.tables.html_table import html
from prequential.tables.latex import latex
from prequential.tables.markdown import markdown
from prequential.tables.plain_text import plain
from prequential.tables.sheet import Sheet


class Printable(ABC):
    """A table that prints as text, shows itself in a notebook, and can be written in Markdown and LaTeX."""

    __slots__ = ()

    @abstractmethod
    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""

    def __str__(self) -> str:
        return plain(self.sheet())

    def _repr_html_(self) -> str:
        return html(self.sheet())

    def to_markdown(self) -> str:
        """Return the table in Markdown, the best values bold."""
        return markdown(self.sheet())

    def to_latex(self) -> str:
        """Return a LaTeX table (for booktabs), the best values bold."""
        return latex(self.sheet())
