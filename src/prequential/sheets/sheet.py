"""A table whose cells are text, before it is written as plain text, Markdown, HTML or LaTeX."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len

from prequential.arguments import check_whole
from prequential.number import fixed

WIDEST = 100
"""The largest width of plain text, in characters; a wider table is cut into blocks."""
GAP = 2
"""The number of spaces between columns of plain text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, whether it is the best of its column, the numbers of its footnotes, whether it is a failure.

    A cell made with ``Cell.of`` also keeps its numbers.
    """

    text: str
    best: bool = False
    notes: tuple[int, ...] = ()
    bad: bool = False
    numbers: tuple[float, ...] = ()
    pattern: str = "{}"
    share: bool = False

    @classmethod
    def of(
        cls, *numbers: float, pattern: str = "{}", share: bool = False, best: bool = False, notes: tuple[int, ...] = ()
    ) -> Cell:
        """Return a cell with numbers, written to four decimals, that can be written again with other digits.

        Parameters
        ----------
        numbers
            The numbers of the cell.
        pattern
            Where they stand in the text, such as ``"{} ± {}"``.
        share
            Whether they may be written in per cent.
        best, notes
            As in a cell of text.

        Examples
        --------
        >>> cell = Cell.of(0.81, 0.012, pattern="{} ± {}", share=True)
        >>> cell.text, cell.written(1, percent=True).text
        ('0.8100 ± 0.0120', '81.0 ± 1.2')
        """
        return cls(pattern.format(*map(fixed, numbers)), best, notes, numbers=numbers, pattern=pattern, share=share)

    def written(self, digits: int | None, *, percent: bool) -> Cell:
        """Return the cell with its numbers written to ``digits`` decimals, shares in per cent."""
        if not self.numbers:
            return self
        scale, usual = (100, 2) if percent and self.share else (1, 4)
        texts = [fixed(scale * value, usual if digits is None else digits) for value in self.numbers]
        return replace(self, text=self.pattern.format(*texts))

    @property
    def marks(self) -> str:
        """The numbers of the footnotes, as superscripts."""
        return ",".join(str(i).translate(_SUPERSCRIPTS) for i in self.notes)


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column: its title and its group of columns.

    ``over`` is a title above neighbouring columns that share it.
    """

    title: str
    group: str = ""
    number: bool = True
    over: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with its caption, a warning above it, footnotes, and a remark below it.

    The first column names the rows.
    """

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    warning: str = ""
    notes: tuple[str, ...] = ()
    remark: str = ""

    def written(self, digits: int | None = None, *, percent: bool = False) -> Sheet:
        """Return the sheet with its numbers written to ``digits`` decimals, and with shares in per cent.

        Headings of columns in per cent say so. p-values and counts stay as they are.
        """
        if digits is not None:
            check_whole(digits, "digits", "a table", least=0, most=15)
        rows = tuple(tuple(cell.written(digits, percent=percent) for cell in row) for row in self.rows)
        headings = list(self.headings)
        if percent:
            of_shares = [any(row[i].share for row in self.rows) for i in range(len(headings))]
            for over, span in self.spans(range(1, len(headings))):
                for i in span:
                    if over and all(of_shares[k] for k in span):
                        headings[i] = replace(headings[i], over=f"{over} (%)")
                    elif of_shares[i]:
                        headings[i] = replace(headings[i], title=f"{headings[i].title} (%)")
        return replace(self, rows=rows, headings=tuple(headings))

    def groups(self) -> list[tuple[str, range]]:
        """Return the groups in order, each with its columns; the first column is in none."""
        found: list[tuple[str, range]] = []
        for i, heading in enumerate(self.headings[1:], start=1):
            if found and found[-1][0] == heading.group:
                found[-1] = (heading.group, range(found[-1][1].start, i + 1))
            else:
                found.append((heading.group, range(i, i + 1)))
        return found

    def spans(self, columns: range) -> list[tuple[str, range]]:
        """Return these columns cut where the title over them changes; a column without such a title is alone."""
        found: list[tuple[str, range]] = []
        for i in columns:
            over, group = self.headings[i].over, self.headings[i].group
            if found and over and found[-1][0] == over and self.headings[i - 1].group == group:
                found[-1] = (over, range(found[-1][1].start, i + 1))
            else:
                found.append((over, range(i, i + 1)))
        return found

    @property
    def has_spans(self) -> bool:
        """Whether any column has a title over it."""
        return any(heading.over for heading in self.headings)

    @property
    def n_named_groups(self) -> int:
        """The number of groups that have a name."""
        return sum(bool(name) for name, _ in self.groups())

    def blocks(self, width: int = WIDEST) -> list[tuple[str, range]]:
        """Cut the columns into blocks of at most ``width`` characters: one block if that fits, or one per group.

        A group that is too wide is cut again, between two spans if possible; every block repeats the names of the rows.
        """
        names = max([self.text_width(0) + self.mark_width(0), *(cell_len(name) for name, _ in self.groups())])
        whole = range(1, len(self.headings))
        pieces = [("", whole)] if self.n_named_groups < 2 and self._fits(whole, width - names) else self.groups()
        found: list[tuple[str, range]] = []
        for name, columns in pieces:
            begin = columns.start
            for _, span in self.spans(columns):
                if span.start > begin and not self._fits(range(begin, span.stop), width - names):
                    found.append((name, range(begin, span.start)))
                    begin = span.start
                for i in span:
                    if i > begin and not self._fits(range(begin, i + 1), width - names):
                        found.append((name, range(begin, i)))
                        begin = i
            found.append((name, range(begin, columns.stop)))
        return found

    def text_width(self, column: int) -> int:
        """Return the width of the texts of a column; the first of a span is widened to fit the title over it."""
        width = self._own_width(column)
        if not (over := self.headings[column].over):
            return width
        span = next(s for _, s in self.spans(range(1, len(self.headings))) if column in s)
        if column > span.start:
            return width
        taken = sum(GAP + self._own_width(i) + self.mark_width(i) for i in span) - GAP
        return width + max(0, cell_len(over) - taken)

    def _own_width(self, column: int) -> int:
        return max([cell_len(self.headings[column].title), *(cell_len(row[column].text) for row in self.rows)])

    def mark_width(self, column: int) -> int:
        """Return the width of the footnote marks of a column."""
        return max((cell_len(row[column].marks) for row in self.rows), default=0)

    def _fits(self, columns: range, width: int) -> bool:
        return sum(GAP + self.text_width(i) + self.mark_width(i) for i in columns) <= width


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
