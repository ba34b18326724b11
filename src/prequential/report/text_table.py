"""A table that prints as text and shows itself in a notebook."""

from __future__ import annotations

from dataclasses import dataclass

from prequential.report.plain import plain
from prequential.report.sheet import Sheet
from prequential.report.typeset import html, latex, markdown


@dataclass(frozen=True, slots=True)
class TextTable:
    """A sheet, and the ways to write it."""

    content: Sheet

    def __str__(self) -> str:
        return plain(self.content)

    def _repr_html_(self) -> str:
        return html(self.content)

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return markdown(self.content)

    def to_latex(self) -> str:
        """Return a LaTeX table (for booktabs)."""
        return latex(self.content)

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        return self.content
