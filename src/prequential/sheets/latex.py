"""A sheet in LaTeX, in ASCII only: every other character becomes a command that pdfLaTeX knows."""

from __future__ import annotations

import re
import unicodedata

from prequential.sheets.sheet import Cell, Sheet

_PSI = re.compile("Ψ([₀-₉]+)")
_BARE = re.compile(r"(?<!\\)([%&#])")
_SIGNS = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "÷": r"$\div$",
    "∞": r"$\infty$",
    "Σ": r"$\sum$",
    "√": r"$\surd$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "½": r"$\frac{1}{2}$",
    "°": r"$^\circ$",
    "…": r"\ldots{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "§": r"\S{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    "\u00a0": "~",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
}
"""Combining accents, and the LaTeX command of each."""
_GREEK_AS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
_RAISED = {**dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)), "⁻": "-"}
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))


def latex(sheet: Sheet, *, caption: str | None = None, label: str | None = None) -> str:
    r"""Write a sheet as a LaTeX table with the rules of booktabs (``\usepackage{booktabs}``).

    ``caption`` and ``label`` are LaTeX already; by default the caption is that of the sheet. Signs beyond ASCII, and a
    ``%``, ``&`` or ``#`` without a backslash, are escaped in a caption too: the last three would end the table.
    """
    title = _escaped(sheet.caption) if caption is None else _caption(caption)
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{title}}}"]
    if label is not None:
        lines.append(rf"\label{{{label}}}")
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


def _caption(text: str) -> str:
    r"""Return a caption in LaTeX as ASCII.

    Examples
    --------
    >>> print(_caption(r"Share ≥ 50 % of \emph{all}, in $\kappa$"))
    Share $\geq$ 50 \% of \emph{all}, in $\kappa$
    """
    text = _BARE.sub(r"\\\1", unicodedata.normalize("NFC", text))
    return "".join(letter if letter.isascii() else _sign(letter) for letter in text)


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
    plain = ["".join(map(_sign, unicodedata.normalize("NFC", part))) for part in parts[::2]]
    psi = [rf"$\Psi_{alpha}$" if len(alpha) == 1 else rf"$\Psi_{{{alpha}}}$" for alpha in map(_alpha, parts[1::2])]
    return "".join(piece for pair in zip(plain, [*psi, ""], strict=True) for piece in pair)


def _sign(letter: str) -> str:
    """Return a letter as pdfLaTeX can set it; one that it cannot set is named by its code point."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter.isascii():
        return letter if letter.isprintable() else " "
    if letter in _RAISED:
        return f"$^{{{_RAISED[letter]}}}$"
    if letter in _LOWERED:
        return f"$_{{{_LOWERED[letter]}}}$"
    if letter in _GREEK_AS_LATIN:
        return _GREEK_AS_LATIN[letter]
    kind, _, name = unicodedata.name(letter, "").partition(" LETTER ")
    if kind in ("GREEK SMALL", "GREEK CAPITAL") and name.isalpha():
        name = "lambda" if name == "LAMDA" else name.lower()
        return rf"$\{name if kind == 'GREEK SMALL' else name.capitalize()}$"
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return rf"\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return f"[U+{ord(letter):04X}]"


def _alpha(subscripts: str) -> str:
    return subscripts.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
