"""The grammar: a name and, after a colon, positional values and then ``key=value``, with commas between them.

A value with parameters of its own is written in brackets: ``online_bagging:base=(sgd:loss=hinge,l2=0.1),n_models=25``.
The brackets may be left out if it is clear where the value ends, because it has no keys: ``under=fading:0.997``.
Within ``[…]`` commas and brackets have no meaning: ``on=recall[a,b]``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from prequential.errors import InputError

_DEEPEST = 20
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the grammar in its parts; the values are text too, without the brackets around them."""

    name: str
    positional: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> str:
        """The text again."""
        parts = [in_brackets("", one)[1:] for one in self.positional]
        parts += [in_brackets(key, value) for key, value in self.keywords.items()]
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def parsed(text: str, kind: str) -> Text:
    """Split a text into name, positional values and keywords.

    Parameters
    ----------
    text
        The text.
    kind
        What it names, for messages: ``"learner"``.

    Examples
    --------
    >>> parsed("online_bagging:base=(sgd:loss=hinge,l2=0.1),n_models=25", "learner")
    Text(name='online_bagging', positional=(), keywords={'base': 'sgd:loss=hinge,l2=0.1', 'n_models': '25'})
    >>> parsed("kfold:10,bootstrap", "protocol").positional
    ('10', 'bootstrap')
    """
    name, _, rest = text.strip().partition(":")
    name, whole = name.strip(), f"{kind.capitalize()} {text!r}"
    positional: list[str] = []
    keywords: dict[str, str] = {}
    for item in filter(None, map(str.strip, _items(rest, whole))):
        match = _KEY.fullmatch(item)
        if match is None:
            if keywords:
                raise InputError(f"{whole}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
            positional.append(_bare(item))
            continue
        key, value = match[1], match[2].strip()
        if not value:
            raise InputError(f"{whole}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
        if _has_keys(value):
            raise InputError(
                f"{whole}: write a value that has parameters itself in brackets, {key}=({value},…), "
                "so that it is clear to which of the two the following parameters belong."
            )
        if key in keywords:
            raise InputError(f"{whole}: {key} is given twice.")
        keywords[key] = _bare(value)
    return Text(name, tuple(positional), keywords)


def with_colons(text: Text) -> Text:
    """Return a text whose positional values may be separated by colons too: ``histogram:1e7:0.01``.

    Examples
    --------
    >>> with_colons(parsed("histogram:1e7:0.01", "forgetting")).positional
    ('1e7', '0.01')
    """
    return replace(text, positional=tuple(part.strip() for one in text.positional for part in one.split(":")))


def in_brackets(key: str, value: object) -> str:
    """Return ``key=value`` in the form that ``parsed`` reads."""
    text = str(value)
    return f"{key}=({text})" if ":" in text else f"{key}={text}"


def list_items(text: str) -> list[str]:
    """Return the items of ``[a,b]``, or of a text without brackets the text alone.

    Examples
    --------
    >>> list_items("[a, b]"), list_items("a")
    (['a', 'b'], ['a'])
    """
    if not (text.startswith("[") and text.endswith("]")):
        return [text]
    return [item.strip() for item in _items(text[1:-1], f"List {text!r}") if item.strip()]


def _has_keys(value: str) -> bool:
    """Return whether a value without brackets has keys of its own."""
    return ":" in value and not value.startswith("(") and _KEY.fullmatch(value.partition(":")[2]) is not None


def _bare(value: str) -> str:
    return value[1:-1].strip() if value.startswith("(") and value.endswith(")") else value


def _items(text: str, whole: str) -> list[str]:
    """Split at the commas outside of brackets."""
    round_depth, square_depth, items = 0, 0, [""]
    for sign in text:
        square_depth += {"[": 1, "]": -1 if square_depth else 0}.get(sign, 0)
        if not square_depth:
            round_depth += {"(": 1, ")": -1}.get(sign, 0)
        if not 0 <= round_depth <= _DEEPEST:
            break
        if sign == "," and round_depth == 0 and square_depth == 0:
            items.append("")
        else:
            items[-1] += sign
    if round_depth or square_depth:
        raise InputError(f"{whole}: the brackets do not match.")
    return items
