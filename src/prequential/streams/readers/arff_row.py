"""Parsing of one line of an ARFF file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

FIELD = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(?!\s*['"])([^,]*?))\s*(,|$)""")
WORD = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,{}]+))""")
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


class RowError(Exception):
    """A line that cannot be parsed."""


def fields(text: str) -> Iterator[str | None]:
    r"""Split at commas outside quotes; None for an unquoted ``?``.

    Examples
    --------
    >>> list(fields("1, 'it\\'s', ?, '?'"))
    ['1', "it's", None, '?']
    """
    at = 0
    while True:
        match = FIELD.match(text, at)
        if match is None:
            raise RowError("a quote that is not closed, or text after a closing quote")
        yield _value(match)
        if match[4] != ",":
            return
        at = match.end()


def words(text: str) -> tuple[str, str]:
    """Return the first word, which may be quoted, and the rest of the line."""
    match = WORD.match(text)
    if match is None:
        raise RowError("a name is missing")
    quoted = match[1] if match[1] is not None else match[2]
    return (match[3] if quoted is None else _unescaped(quoted)), text[match.end() :].strip()


def row(text: str, width: int, absent: Sequence[str | None]) -> list[str | None]:
    """Return the values of a line, dense or sparse.

    Parameters
    ----------
    text
        The line.
    width
        The number of attributes.
    absent
        The values that a sparse line omits.
    """
    text = text.strip()
    if text.startswith("{"):
        return _sparse(text, width, absent)
    values = list(fields(text))
    if len(values) == 1 and width > 1:
        values = _spaced(text)
    if len(values) == width + 1 and text.endswith(","):
        values.pop()  # MOA ends its rows with a comma
    if len(values) != width:
        count = "1 value" if len(values) == 1 else f"{len(values)} values"
        raise RowError(f"{count}, but the header has {width} attributes")
    return values


def _sparse(text: str, width: int, absent: Sequence[str | None]) -> list[str | None]:
    if not text.endswith("}"):
        raise RowError("a sparse row that does not end with }")
    values = list(absent)
    at, inside = 0, text[1:-1].strip()
    while at < len(inside):
        head = re.compile(r"\s*(\d+)\s+").match(inside, at)
        if head is None or int(head[1]) >= width:
            raise RowError(f"an item of a sparse row is not 'index value' with an index from 0 to {width - 1}")
        match = FIELD.match(inside, head.end())
        if match is None:
            raise RowError("a quote that is not closed, or text after a closing quote")
        values[int(head[1])] = _value(match)
        at = match.end()
    return values


def _spaced(text: str) -> list[str | None]:
    """Split at spaces and tabs, for lines without commas."""
    values: list[str | None] = []
    rest = text
    while rest:
        quoted = rest[0] in "'\""
        word, rest = words(rest)
        values.append(None if word == "?" and not quoted else word)
    return values


def _value(match: re.Match[str]) -> str | None:
    quoted = match[1] if match[1] is not None else match[2]
    if quoted is not None:
        return _unescaped(quoted)
    return None if match[3] == "?" else match[3]


def _unescaped(text: str) -> str:
    return ESCAPE.sub(lambda m: ESCAPED.get(m[1], m[1]), text) if "\\" in text else text
