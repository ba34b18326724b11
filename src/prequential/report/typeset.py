"""A sheet in Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from html import escape

from prequential.report.sheet import Cell, Sheet

HTML_WIDEST = 120
"""Characters a line of a table in HTML may have before the table is cut into blocks."""


def markdown(sheet: Sheet) -> str:
    """Set a sheet in Markdown; where there are several groups, each column names its own."""
    named = sheet.n_named_groups > 1
    whole = [f"{h.over} {h.title}".strip() for h in sheet.headings]
    titles = [f"{t} ({h.group})" if named and h.group else t for t, h in zip(whole, sheet.headings, strict=True)]
    lines = [f"**{_markdown(sheet.warning)}**", ""] if sheet.warning else []
    lines.append("| " + " | ".join(map(_markdown, titles)) + " |")
    lines.append("|" + "|".join(" ---: " if h.number else " --- " for h in sheet.headings) + "|")
    for row in sheet.rows:
        cells = [_markdown(c.text) + c.marks if not c.best else f"**{_markdown(c.text)}**{c.marks}" for c in row]
        lines.append("| " + " | ".join(cells) + " |")
    for i, note in enumerate(sheet.notes, start=1):
        lines += ["", f"{Cell('', notes=(i,)).marks} {_markdown(note)}"]
    lines += ["", _markdown(sheet.remark)] if sheet.remark else []
    return "\n".join(lines)


def html(sheet: Sheet, *, warn: bool = True) -> str:
    """Set a sheet as HTML, every text escaped, cut into tables as plain text is.

    Class names (``best``, ``bad``) leave colours to the page.
    """
    blocks = sheet.blocks(HTML_WIDEST)
    parts = (
        [f'<p class="warning" role="alert"><strong>{escape(sheet.warning)}</strong></p>']
        if sheet.warning and warn
        else []
    )
    for title, columns in blocks:
        whole = len(blocks) == 1 or not sheet.n_named_groups
        caption = sheet.caption if whole else title or "records and resources"
        heads = [f'<th scope="col"{_look(sheet, i)}>{escape(sheet.headings[i].title)}</th>' for i in (0, *columns)]
        over = _html_spans(sheet, columns)
        look = ' class="spanned"' if over else ""
        rows = ["<tr>" + "".join(_html(row[i], sheet, i) for i in (0, *columns)) + "</tr>" for row in sheet.rows]
        parts.append(
            f'<div class="scroll"><table{look}><caption>{escape(caption)}</caption>'
            f"<thead>{over}<tr>{''.join(heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )
    if sheet.notes:
        parts.append(f'<ol class="notes">{"".join(f"<li>{escape(note)}</li>" for note in sheet.notes)}</ol>')
    if sheet.remark:
        parts.append(f"<p>{escape(sheet.remark)}</p>")
    return "".join(parts)


def latex(sheet: Sheet) -> str:
    r"""Set a sheet as a LaTeX table with the rules of booktabs (``\usepackage{booktabs}``)."""
    groups = sheet.groups()
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_latex(sheet.caption)}}}"]
    lines.append(r"\begin{tabular}{" + "".join("r" if h.number else "l" for h in sheet.headings) + "}")
    lines.append(r"\toprule")
    if sheet.n_named_groups > 1:
        spans = [rf"\multicolumn{{{len(columns)}}}{{c}}{{{_latex(name)}}}" for name, columns in groups]
        rules = [rf"\cmidrule(lr){{{c.start + 1}-{c.stop}}}" for name, c in groups if name]
        lines += [" & ".join(["", *spans]).strip() + r" \\", " ".join(rules)]
    if sheet.has_spans:
        lines += _latex_spans(sheet)
    lines += [" & ".join(_latex(h.title) for h in sheet.headings) + r" \\", r"\midrule"]
    for row in sheet.rows:
        lines.append(" & ".join(_latex_cell(cell) for cell in row) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    notes = [rf"$^{{{i}}}$~{_latex(note)}." for i, note in enumerate(sheet.notes, start=1)]
    for text in [*map(_latex, filter(None, [sheet.warning])), *notes, *map(_latex, filter(None, [sheet.remark]))]:
        lines.append(rf"\par{{\footnotesize {text}}}")
    return "\n".join([*lines, r"\end{table}"])


def _html(cell: Cell, sheet: Sheet, column: int) -> str:
    text = f"<strong>{escape(cell.text)}</strong>" if cell.best else escape(cell.text)
    text += f"<sup>{','.join(map(str, cell.notes))}</sup>" if cell.notes else ""
    look = _look(sheet, column, "best" if cell.best else "bad" if cell.bad else "")
    return f'<th scope="row"{look}>{text}</th>' if column == 0 else f"<td{look}>{text}</td>"


def _html_spans(sheet: Sheet, columns: range) -> str:
    """Return the row above the titles; nothing where nothing stands there."""
    if not any(sheet.headings[i].over for i in columns):
        return ""
    cells = [
        f'<th scope="colgroup" colspan="{len(span)}" style="text-align:center">{escape(over)}</th>'
        if over
        else f'<td colspan="{len(span)}"></td>'
        for over, span in sheet.spans(columns)
    ]
    return f'<tr class="over"><td></td>{"".join(cells)}</tr>'


def _latex_spans(sheet: Sheet) -> list[str]:
    spans = sheet.spans(range(1, len(sheet.headings)))
    names = [rf"\multicolumn{{{len(span)}}}{{c}}{{{_latex(over)}}}" for over, span in spans]
    rules = [rf"\cmidrule(lr){{{span.start + 1}-{span.stop}}}" for over, span in spans if over]
    return [" & ".join(["", *names]).strip() + r" \\", " ".join(rules)]


def _look(sheet: Sheet, column: int, name: str = "") -> str:
    """Return the attributes of a cell: its class, and the alignment for notebooks, which have no style of ours."""
    number = sheet.headings[column].number
    names = " ".join(filter(None, ["number" if number else "", name]))
    return (f' class="{names}"' if names else "") + f' style="text-align:{"right" if number else "left"}"'


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{_latex(cell.text)}}}" if cell.best else _latex(cell.text)
    return text + (f"$^{{{','.join(map(str, cell.notes))}}}$" if cell.notes else "")


def _latex(text: str) -> str:
    """Take away the meaning LaTeX gives to some signs; Ψ with its α becomes a formula."""
    parts = _PSI.split(text)  # every second part is an α
    plain = ["".join(_LATEX.get(letter, letter) for letter in part) for part in parts[::2]]
    psi = [rf"$\Psi_{alpha}$" if len(alpha) == 1 else rf"$\Psi_{{{alpha}}}$" for alpha in map(_alpha, parts[1::2])]
    return "".join(piece for pair in zip(plain, [*psi, ""], strict=True) for piece in pair)


def _alpha(lowered: str) -> str:
    return lowered.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))


_PSI = re.compile("Ψ([₀-₉]+)")


_LATEX = {
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


def _markdown(text: str) -> str:
    """Take away the meaning Markdown and HTML give to some signs."""
    for sign in "\\`*_[]|":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("<", "&lt;").replace(">", "&gt;")
