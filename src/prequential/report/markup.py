"""Small pieces of HTML; text is escaped here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape


def section(identifier: str, title: str, *content: str) -> str:
    """Return a section with a heading; empty if it has no content."""
    body = "\n".join(filter(None, content))
    return f'<section id="{identifier}">\n<h2>{escape(title)}</h2>\n{body}\n</section>' if body else ""


def details(summary: str, content: str) -> str:
    """Return a collapsed block that opens on a click; the content is markup."""
    return f"<details>\n<summary>{escape(summary)}</summary>\n{content}\n</details>"


def code(text: str) -> str:
    """Return preformatted text in a box."""
    return f'<pre tabindex="0"><code>{escape(text)}</code></pre>'


def chooser(title: str, name: str, values: Sequence[str], ticked: Collection[str], *, one: bool = False) -> str:
    """Return check boxes for what the figures show, or buttons for ``one`` of them; empty if there is no choice."""
    if len(values) < 2:
        return ""
    kind = "radio" if one else "checkbox"
    boxes = []
    for value in values:
        mark = " checked" if value in ticked else ""
        box = f'<input type="{kind}" name="{name}" value="{escape(value)}" autocomplete="off"{mark}>'
        boxes.append(f"<label>{box} {escape(value)}</label>")
    return f'<fieldset class="chooser"><legend>{escape(title)}</legend>{"".join(boxes)}</fieldset>'


def plot(title: str, data: str, *, label: str, caption: str) -> str:
    """Return a figure with title and caption; ``data`` is Plotly's JSON, which the page's script draws."""
    safe = data.replace("<", "\\u003c")
    return (
        f'<figure>\n<h3>{escape(title)}</h3>\n<div class="plot" role="img" aria-label="{escape(label)}">'
        f'<script type="application/json">{safe}</script></div>\n'
        "<noscript><p>The figures need JavaScript.</p></noscript>\n"
        f"<figcaption>{escape(caption)}</figcaption>\n</figure>"
    )


def facts(pairs: Mapping[str, object]) -> str:
    """Return names and values as a list; None and empty values are left out."""
    shown = {name: value for name, value in pairs.items() if value not in (None, "", [], {})}
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(written(value))}</dd></div>" for name, value in shown.items()
    )
    return f'<dl class="facts">{items}</dl>' if items else ""


def written(value: object) -> str:
    """Write a value of the manifest for a reader.

    Examples
    --------
    >>> written({"w": 1000, "leaf": "nba"}), written(["a", "b"]), written(45312)
    ('w = 1000, leaf = nba', 'a, b', '45,312')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_inner(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_inner, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def _inner(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({written(value)})"
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return f"[{written(value)}]"
    return value if isinstance(value, str) else "none" if value is None else json.dumps(value, ensure_ascii=False)
