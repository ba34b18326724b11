"""The book: all reproduced items of a directory on one HTML page, and the page of the documentation."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from prequential.number import duration
from prequential.papers.catalogue import PAPERS
from prequential.papers.claim import Claim
from prequential.papers.reproduction import Reproduction
from prequential.report.markup import details, section
from prequential.whole_file import write_whole

STYLE = """
.claims li { margin: .3em 0 } .holds { color: #1a7f37 } .fails { color: #b35900; font-weight: 600 }
main img { max-width: 100%; height: auto; background: #fff }
main .scroll { overflow-x: auto }
"""


def write_book(made: Sequence[Reproduction], path: Path) -> Path:
    """Write one page with all items: an index, tables with both columns, pictures, claims and differences."""
    from prequential.report.document import document  # imports Plotly, which is slow

    claims = [claim for one in made for claim in one.claims]
    content = [f"<h1>Five papers, reproduced</h1><p>{escape(summary(made))}</p>", _index(made)]
    for paper, items in groupby(made, key=lambda one: one.name.partition(".")[0]):
        content.append(section(paper, PAPERS.get(paper, paper), *map(_item, items)))
    content.append(section("claims", "What does not hold", _claims([one for one in claims if not one.holds])))
    return write_whole(path, document("Five papers, reproduced", content, summary(made), style=STYLE).encode())


def markdown_page(made: Sequence[Reproduction]) -> str:
    """Return the page of the documentation: all tables and claims."""
    lines = ["# The papers, reproduced", "", summary(made), ""]
    for paper, items in groupby(made, key=lambda one: one.name.partition(".")[0]):
        lines += [f"## {PAPERS.get(paper, paper)}", ""]
        for one in items:
            lines += [f"### {one.name}: {one.title}", ""]
            if one.table is not None:
                lines += [one.table.to_markdown(), ""]
            lines += [f"- {claim.line()}" for claim in one.claims]
            lines += [f"- Differs: {text}" for text in one.differs]
            lines += ["", f"Scale {one.scale:g}; {duration(one.seconds)}; {one.machine}.", ""]
    return "\n".join(lines)


def summary(made: Sequence[Reproduction]) -> str:
    """Return the book in one line."""
    claims = [claim for one in made for claim in one.claims]
    holds = sum(claim.holds for claim in claims)
    seconds = sum(one.seconds for one in made)
    machines = ", ".join(dict.fromkeys(one.machine for one in made))
    time = f"{duration(seconds)} on {machines}"
    return f"{len(made)} tables and figures; {holds} of {len(claims)} claims hold; {time}."


def _index(made: Sequence[Reproduction]) -> str:
    rows = "".join(
        f'<li><a href="#{escape(one.name)}">{escape(one.name)}</a>: {escape(one.title)}</li>' for one in made
    )
    return f"<nav><ul>{rows}</ul></nav>"


def _item(one: Reproduction) -> str:
    parts = [f'<h3 id="{escape(one.name)}">{escape(one.name)}: {escape(one.title)}</h3>']
    if one.table is not None:
        parts.append(f'<div class="scroll">{one.table.to_html()}</div>')
    parts += [_picture(path, text) for path, text in one.figures.items()]
    parts.append(_claims(one.claims))
    if one.differs:
        parts.append(details("What differs", "".join(f"<p>{escape(text)}</p>" for text in one.differs)))
    parts.append(f"<p>Scale {one.scale:g}; {duration(one.seconds)}; {escape(one.machine)}.</p>")
    return "\n".join(parts)


def _claims(claims: Sequence[Claim]) -> str:
    lines = "".join(f'<li class="{"holds" if one.holds else "fails"}">{escape(one.line())}</li>' for one in claims)
    return f'<ul class="claims">{lines}</ul>' if lines else ""


def _picture(path: Path, text: str) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{escape(text)}" loading="lazy">'
        f"<figcaption>{escape(text)}</figcaption></figure>"
    )
