"""A sheet as an HTML table."""

from __future__ import annotations

from html import escape

from prequential.sheets.sheet import Cell, Sheet

HTML_WIDEST = 120
"""The largest width of a table, in characters; a wider one is cut into blocks."""


def html(sheet: Sheet, *, warn: bool = True) -> str:
    """Write a sheet as HTML, with every text escaped; a wide one as several tables.

    The page gives the class names ``best`` and ``bad`` their colours.
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
        over = _spans(sheet, columns)
        look = ' class="spanned"' if over else ""
        rows = ["<tr>" + "".join(_cell(row[i], sheet, i) for i in (0, *columns)) + "</tr>" for row in sheet.rows]
        parts.append(
            f'<div class="scroll"><table{look}><caption>{escape(caption)}</caption>'
            f"<thead>{over}<tr>{''.join(heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )
    if sheet.notes:
        parts.append(f'<ol class="notes">{"".join(f"<li>{escape(note)}</li>" for note in sheet.notes)}</ol>')
    if sheet.remark:
        parts.append(f"<p>{escape(sheet.remark)}</p>")
    return "".join(parts)


def _cell(cell: Cell, sheet: Sheet, column: int) -> str:
    text = f"<strong>{escape(cell.text)}</strong>" if cell.best else escape(cell.text)
    text += f"<sup>{','.join(map(str, cell.notes))}</sup>" if cell.notes else ""
    look = _look(sheet, column, "best" if cell.best else "bad" if cell.bad else "")
    return f'<th scope="row"{look}>{text}</th>' if column == 0 else f"<td{look}>{text}</td>"


def _spans(sheet: Sheet, columns: range) -> str:
    """Return the row above the titles; empty if there is none."""
    if not any(sheet.headings[i].over for i in columns):
        return ""
    cells = [
        f'<th scope="colgroup" colspan="{len(span)}" style="text-align:center">{escape(over)}</th>'
        if over
        else f'<td colspan="{len(span)}"></td>'
        for over, span in sheet.spans(columns)
    ]
    return f'<tr class="over"><td></td>{"".join(cells)}</tr>'


def _look(sheet: Sheet, column: int, name: str = "") -> str:
    """Return the attributes of a cell: its class, and its alignment for notebooks, which lack the page's style."""
    number = sheet.headings[column].number
    names = " ".join(filter(None, ["number" if number else "", name]))
    return (f' class="{names}"' if names else "") + f' style="text-align:{"right" if number else "left"}"'
