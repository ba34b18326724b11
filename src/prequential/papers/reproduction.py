"""A reproduced table or figure: what was made, on which scale, and how long it took."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prequential.errors import StorageError
from prequential.number import duration
from prequential.papers.claim import Claim
from prequential.papers.paper_table import PaperTable
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.whole_file import write_whole

FILE = "reproduction.json"


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Reproduction(Printable):
    """A table or figure of a paper, reproduced.

    Parameters
    ----------
    name, title
        The item.
    scale
        1 for the paper's lengths and numbers of runs.
    seconds, machine
        How long it took, and on which machine.
    directory
        Where its runs and pictures are.
    table
        The table, ours beside the paper's, if the item is a table.
    figures
        The pictures, each with a description of the paper's figure.
    claims
        Conclusions of the paper, checked.
    differs
        Known differences from the paper.

    Examples
    --------
    >>> from prequential import papers
    >>> made = papers.reproduce("cervantes.figure1", scale=0.1)
    >>> [path.name for path in made.figures][:2]
    ['NSGT.png', 'NSGT-F.png']
    """

    name: str
    title: str
    scale: float
    seconds: float
    machine: str
    directory: Path
    table: PaperTable | None = None
    figures: dict[Path, str]
    claims: tuple[Claim, ...] = ()
    differs: tuple[str, ...] = ()

    def sheet(self) -> Sheet:
        """Return the table; for a figure, its pictures."""
        if self.table is not None:
            return self.table.sheet()
        headings = (Heading("file", number=False), Heading("what it shows", number=False))
        rows = tuple((Cell(str(path)), Cell(text)) for path, text in self.figures.items())
        return Sheet(self.title, headings, rows)

    def paragraphs(self) -> tuple[str, ...]:
        """Return the claims, known differences, scale and time."""
        claims = "\n".join(claim.line() for claim in self.claims)
        differs = "\n".join(f"Differs: {text}" for text in self.differs)
        return claims, differs, f"Scale {self.scale:g}, {duration(self.seconds)}."

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one row per value of a table, or per picture."""
        if self.table is not None:
            return self.table.to_dicts()
        return [{"file": str(path), "shows": text} for path, text in self.figures.items()]

    def save(self) -> None:
        """Write what was made to its directory; the table also as CSV, Markdown and LaTeX."""
        data = {
            **{key: getattr(self, key) for key in ("name", "title", "scale", "seconds", "machine")},
            "table": None if self.table is None else self.table.to_json(),
            "figures": {path.name: text for path, text in self.figures.items()},
            "claims": [claim.to_dict() for claim in self.claims],
            "differs": list(self.differs),
        }
        if self.table is not None:
            from pyarrow import csv  # not needed to read

            table = self.to_arrow()
            csv.write_csv(table, self.directory / "table.csv")
            write_whole(self.directory / "table.md", self.table.to_markdown().encode())
            write_whole(self.directory / "table.tex", self.table.to_latex().encode())
        write_whole(self.directory / FILE, json.dumps(data, indent=1).encode())

    @classmethod
    def load(cls, directory: Path) -> Reproduction:
        """Load what was made."""
        try:
            data = json.loads((directory / FILE).read_text(encoding="utf-8"))
            table = data.pop("table")
            return cls(
                **{
                    **data,
                    "directory": directory,
                    "table": None if table is None else PaperTable.from_json(table),
                    "figures": {directory / name: text for name, text in data["figures"].items()},
                    "claims": tuple(Claim(**one) for one in data["claims"]),
                    "differs": tuple(data["differs"]),
                }
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{directory / FILE} cannot be read: {error}.") from error
