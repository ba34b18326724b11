"""A sheet in Markdown."""

from __future__ import annotations

from prequential.sheets.sheet import Cell, Sheet


def markdown(sheet: Sheet) -> str:
    """Write a sheet in Markdown; if there are several groups of columns, each column names its own."""
    named = sheet.n_named_groups > 1
    whole = [f"{h.over} {h.title}".strip() for h in sheet.headings]
    titles = [f"{t} ({h.group})" if named and h.group else t for t, h in zip(whole, sheet.headings, strict=True)]
    lines = [f"**{_escaped(sheet.warning)}**", ""] if sheet.warning else []
    lines.append("| " + " | ".join(map(_escaped, titles)) + " |")
    lines.append("|" + "|".join(" ---: " if h.number else " --- " for h in sheet.headings) + "|")
    for row in sheet.rows:
        cells = [_escaped(c.text) + c.marks if not c.best else f"**{_escaped(c.text)}**{c.marks}" for c in row]
        lines.append("| " + " | ".join(cells) + " |")
    for i, note in enumerate(sheet.notes, start=1):
        lines += ["", f"{Cell('', notes=(i,)).marks} {_escaped(note)}"]
    lines += ["", _escaped(sheet.remark)] if sheet.remark else []
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Escape the signs that have a meaning in Markdown and HTML."""
    for sign in "\\`*_[]|":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("<", "&lt;").replace(">", "&gt;")
