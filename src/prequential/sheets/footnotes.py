"""The footnotes of a table."""

from __future__ import annotations


class Footnotes:
    """Numbers footnotes from 1 in the order of their first use; equal texts share a number.

    Examples
    --------
    >>> notes = Footnotes()
    >>> notes.number("undefined"), notes.number("", "failed"), notes.number("undefined")
    ((1,), (2,), (1,))
    >>> notes.texts
    ('undefined', 'failed')
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, *texts: str) -> tuple[int, ...]:
        """Return the numbers of texts; an empty text has none."""
        return tuple(self._numbers.setdefault(text, len(self._numbers) + 1) for text in texts if text)

    @property
    def texts(self) -> tuple[str, ...]:
        """All footnotes."""
        return tuple(self._numbers)
