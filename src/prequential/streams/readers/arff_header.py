"""The header of an ARFF file: its attributes and its length."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from prequential.errors import DataError
from prequential.streams.readers.arff_row import RowError, fields, words

ISO_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"
JAVA_DATE = re.compile(r"'((?:[^']|'')*)'|(yyyy|yy|y|MM|M|dd|d|HH|H|mm|m|ss|s|SSS|S)|([A-Za-z]+)|(.)")
STRPTIME = {"y": "%Y", "yy": "%y", "yyyy": "%Y", "M": "%m", "d": "%d", "H": "%H", "m": "%M", "s": "%S", "S": "%f"}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared column.

    Parameters
    ----------
    name
        Its name.
    kind
        ``"numeric"``, ``"nominal"``, ``"string"`` or ``"date"``.
    values
        The values of a nominal attribute, in order.
    format
        The format of a date attribute, for ``strptime``.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    format: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """All attributes, and the number of lines up to and including ``@data``."""

    attributes: tuple[Attribute, ...]
    n_lines: int


def read_header(lines: Iterable[bytes], source: str | Path) -> Header:
    """Read lines up to ``@data``."""
    attributes: list[Attribute] = []
    number = 0
    for number, raw in enumerate(lines, 1):
        text = _decoded(raw, number, source).strip()
        if not text or text.startswith("%"):
            continue
        keyword, _, rest = text.partition(" ") if "\t" not in text.split(" ")[0] else text.partition("\t")
        match keyword.lower():
            case "@relation":
                continue
            case "@attribute":
                attribute = _attribute(rest, number, source)
                if any(attribute.name == other.name for other in attributes):
                    raise DataError(
                        "an attribute declared twice",
                        source=source,
                        row=number,
                        value=attribute.name,
                        accepted="distinct names",
                    )
                attributes.append(attribute)
            case "@data":
                if not attributes:
                    raise DataError(
                        "no @attribute before @data", source=source, row=number, accepted="at least one attribute"
                    )
                return Header(tuple(attributes), number)
            case _:
                raise DataError(
                    "not an ARFF header line",
                    source=source,
                    row=number,
                    value=text[:60],
                    accepted="@relation, @attribute, @data, % comments and empty lines",
                )
    raise DataError("no @data line", source=source, row=number or None, accepted="a header that ends with @data")


def _decoded(raw: bytes, number: int, source: str | Path) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise DataError("not UTF-8", source=source, row=number, value=raw[:60], accepted="text in UTF-8") from None


def _attribute(rest: str, number: int, source: str | Path) -> Attribute:
    try:
        name, kind = words(rest)
        if kind.startswith("{"):
            if not kind.endswith("}"):
                raise RowError("a list of values that does not end with }")
            inside = kind[1:-1].strip()
            values = tuple("?" if value is None else value for value in fields(inside)) if inside else ()
            twice = next((v for i, v in enumerate(values) if v in values[:i]), None)
            if twice is not None:
                raise RowError(f"the value {twice!r} is declared twice")
            return Attribute(name, "nominal", values)
        word, more = words(kind)
        match word.lower():
            case "numeric" | "real" | "integer":
                return Attribute(name, "numeric")
            case "string":
                return Attribute(name, "string")
            case "date":
                return Attribute(name, "date", format=_strptime(words(more)[0] if more else ISO_FORMAT))
        raise RowError(f"unknown type {word!r}")
    except RowError as error:
        raise DataError(
            f"not an attribute ({error})",
            source=source,
            row=number,
            value=rest[:60],
            accepted="@attribute name type, where type is numeric, real, integer, string, date or {a, b}",
        ) from None


def _strptime(java: str) -> str:
    """Translate a Java date format to Python."""
    parts: list[str] = []
    for match in JAVA_DATE.finditer(java):
        literal, token, unknown, other = match.groups()
        if unknown:
            raise RowError(f"unknown field {unknown!r} in the date format {java!r}")
        if token:
            field = STRPTIME.get(token) or STRPTIME[token[0]]
            if field in parts:
                raise RowError(f"the field {token!r} occurs twice in the date format {java!r}")
            parts.append(field)
        else:
            text = (literal.replace("''", "'") or "'") if literal is not None else other
            parts.append(text.replace("%", "%%"))
    return "".join(parts)
