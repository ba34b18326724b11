"""Phrases shared by messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(word: object, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the closest known word, ignoring case; empty if none is close."""
    spelt = {one.casefold(): one for one in reversed(list(known))}
    near = difflib.get_close_matches(str(word).casefold(), list(spelt), n=1)
    return f" Did you mean {spelt[near[0]]!r}?" if near else ""


def listing(values: Iterable[object], most: int = 12) -> str:
    """Join values for a message, and cut the list after ``most`` of them."""
    items = [str(v) for v in values]
    cut = f", … ({len(items)} in all)" if len(items) > most else ""
    return ", ".join(items[:most]) + cut


def one_line(reason: object, most: int = 200) -> str:
    r"""Return the message of another library as one line, cut after ``most`` characters, without a full stop.

    Examples
    --------
    >>> one_line(ValueError("not a file.\n  in line 3"))
    'not a file. in line 3'
    """
    text = " ".join(str(reason).split()).rstrip(".")
    text = text or type(reason).__name__
    return text if len(text) <= most else f"{text[:most]}…"
