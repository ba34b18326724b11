"""Seeded damage to files: bytes, blocks, cells and metadata."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Sequence
from typing import TypeAlias

Mutator: TypeAlias = Callable[[bytearray, random.Random], bytearray]

CELLS = [
    *(b"oops", b"", b"?", b"NA", b"1e999", b"-1e999", b"nan", b"inf", b"1,5", b'"', b'""', b"'", b"{", b"}", b"%"),
    *(b"\0", b"\xff", b"\xc3\xa9", b"0x10", b"1_000", b" 1 ", b"+1", b"1.", b".5", b"1e5", b"-0", b"9" * 400, b"\r"),
    *(b"\n", b"\t", b"\xef\xbb\xbf", b"true", b"None", b"[]", b"2024-05-01", b"-1", b"99999999999999999999", b"\\"),
]


def flip(data: bytearray, draw: random.Random) -> bytearray:
    """Change some bits."""
    for _ in range(draw.choice((1, 1, 2, 8))):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return data


def replace_bytes(data: bytearray, draw: random.Random) -> bytearray:
    """Replace some bytes by others."""
    for _ in range(draw.choice((1, 1, 4))):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return data


def truncate(data: bytearray, draw: random.Random) -> bytearray:
    """Remove the end."""
    return data[: draw.randrange(1, len(data) + 1)]


def duplicate(data: bytearray, draw: random.Random) -> bytearray:
    """Insert a copy of a block at another place."""
    start = draw.randrange(len(data))
    at = draw.randrange(len(data))
    return data[:at] + data[start : start + draw.choice((1, 10, 100, 1000))] + data[at:]


def delete(data: bytearray, draw: random.Random) -> bytearray:
    """Remove a block."""
    at = draw.randrange(len(data))
    return data[:at] + data[at + draw.choice((1, 2, 10, 100)) :]


def replace_cell(data: bytearray, draw: random.Random) -> bytearray:
    """Replace a cell of a text, between separators, by an odd one."""
    marks = [i for i, byte in enumerate(data) if byte in b",;\t\n= "] or [0]
    start = draw.choice(marks) + 1
    end = next((i for i in range(start, len(data)) if data[i] in b",;\t\n"), len(data))
    return data[:start] + draw.choice(CELLS) + data[end:]


def insert_cell(data: bytearray, draw: random.Random) -> bytearray:
    """Insert an odd text anywhere."""
    at = draw.randrange(len(data) + 1)
    return data[:at] + draw.choice(CELLS) + data[at:]


def damage_head(data: bytearray, draw: random.Random) -> bytearray:
    """Change bytes at the start, where a text file has its header."""
    for _ in range(draw.choice((1, 2, 4))):
        data[draw.randrange(min(len(data), 200))] = draw.choice(b"\0\xff,;\"'{}?%\n\t @=[]0a")
    return data


def change_digit(data: bytearray, draw: random.Random) -> bytearray:
    """Replace a digit by another character of a number."""
    places = [i for i, byte in enumerate(data) if byte in b"0123456789"]
    if places:
        data[draw.choice(places)] = draw.choice(b"0123456789.-eE")
    return data


def move_line(data: bytearray, draw: random.Random) -> bytearray:
    """Move, repeat or remove a line."""
    lines = bytes(data).split(b"\n")
    line = lines.pop(draw.randrange(len(lines)))
    for _ in range(draw.choice((0, 1, 2))):
        lines.insert(draw.randrange(len(lines) + 1), line)
    return bytearray(b"\n".join(lines))


def change_line_ends(data: bytearray, draw: random.Random) -> bytearray:
    """Change all or one of the line ends, or add empty lines."""
    end = draw.choice((b"\r\n", b"\r", b"\n\n", b"\r\n\r\n", b" \n", b"\n "))
    return bytearray(bytes(data).replace(b"\n", end, draw.choice((-1, 1, 5))))


def quote_cell(data: bytearray, draw: random.Random) -> bytearray:
    """Put quotes or spaces around a cell."""
    marks = [i for i, byte in enumerate(data) if byte in b",;\t\n"] or [0]
    start = draw.choice(marks) + 1
    end = next((i for i in range(start, len(data)) if data[i] in b",;\t\n"), len(data))
    left, right = draw.choice(((b'"', b'"'), (b"'", b"'"), (b" ", b""), (b"", b" "), (b'"', b'",'), (b' "', b'" ')))
    return data[:start] + left + data[start:end] + right + data[end:]


def damage_footer(data: bytearray, draw: random.Random) -> bytearray:
    """Change bytes of the metadata at the end of a Parquet file."""
    length = struct.unpack("<I", data[-8:-4])[0] if len(data) >= 8 else len(data)
    start = max(0, len(data) - 8 - length)
    for _ in range(draw.choice((1, 1, 2, 8))):
        data[draw.randrange(start, len(data))] = draw.randrange(256)
    return data


TEXT: Sequence[Mutator] = (
    *(flip, replace_bytes, truncate, duplicate, delete),
    *(replace_cell, replace_cell, replace_cell, insert_cell, damage_head),
    *(change_digit, change_digit, change_digit, move_line, change_line_ends, quote_cell),
)
BINARY: Sequence[Mutator] = (flip, replace_bytes, truncate, duplicate, delete, damage_footer, damage_footer)


def mutated(content: bytes, mutators: Sequence[Mutator], draw: random.Random) -> bytes:
    """Return damaged content: one change in most cases, up to four."""
    data = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        if data:
            data = draw.choice(mutators)(data, draw)
    return bytes(data)
