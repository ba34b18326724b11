"""A sheet in LaTeX."""

from __future__ import annotations

import re

from prequential.tables.sheet import Cell, Sheet

_PSI = re.compile("Ψ([₀-₉]+)")
_SIGNS = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "Ψ": r"$\Psi$",
}


def latex(sheet: Sheet) -> str:
    r"""Write a sheet as a LaTeX table with the rules of booktabs (``\usepackage{booktabs}``)."""
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_escaped(sheet.caption)}}}"]
    lines.append(r"\begin{tabular}{" + "".join("r" if h.number else "l" for h in sheet.headings) + "}")
    lines.append(r"\toprule")
    if sheet.n_named_groups > 1:
        lines += _spans(sheet.groups())
    if sheet.has_spans:
        lines += _spans(sheet.spans(range(1, len(sheet.headings))))
    lines += [" & ".join(_escaped(h.title) for h in sheet.headings) + r" \\", r"\midrule"]
    for row in sheet.rows:
        lines.append(" & ".join(_cell(cell) for cell in row) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    notes = [rf"$^{{{i}}}$~{_escaped(note)}." for i, note in enumerate(sheet.notes, start=1)]
    for text in [*map(_escaped, filter(None, [sheet.warning])), *notes, *map(_escaped, filter(None, [sheet.remark]))]:
        lines.append(rf"\par{{\footnotesize {text}}}")
    return "\n".join([*lines, r"\end{table}"])


def _spans(spans: list[tuple[str, range]]) -> list[str]:
    """Return the row of titles that span several columns, and the rules below them."""
    names = [rf"\multicolumn{{{len(span)}}}{{c}}{{{_escaped(title)}}}" for title, span in spans]
    rules = [rf"\cmidrule(lr){{{span.start + 1}-{span.stop}}}" for title, span in spans if title]
    return [" & ".join(["", *names]).strip() + r" \\", " ".join(rules)]


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{_escaped(cell.text)}}}" if cell.best else _escaped(cell.text)
    return text + (f"$^{{{','.join(map(str, cell.notes))}}}$" if cell.notes else "")


def _escaped(text: str) -> str:
    """Escape the signs that have a meaning in LaTeX; Ψ with its α becomes a formula."""
    parts = _PSI.split(text)  # every second part is an α
    plain = ["".join(_SIGNS.get(letter, letter) for letter in part) for part in parts[::2]]
    psi = [rf"$\Psi_{alpha}$" if len(alpha) == 1 else rf"$\Psi_{{{alpha}}}$" for alpha in map(_alpha, parts[1::2])]
    return "".join(piece for pair in zip(plain, [*psi, ""], strict=True) for piece in pair)


def _alpha(subscripts: str) -> str:
    return subscripts.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
