"""A table or figure of a paper, and the function that makes it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from prequential.papers.claim import Claim
from prequential.papers.paper_table import PaperTable
from prequential.papers.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What the function of an item returns.

    Parameters
    ----------
    table
        The table, ours beside the paper's.
    figures
        The pictures that were written, each with a description of the paper's figure.
    claims
        Conclusions of the paper that these results decide.
    differs
        What is different from the paper and known.
    """

    table: PaperTable | None = None
    figures: dict[Path, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure of a paper.

    Parameters
    ----------
    name
        The name for the command, such as ``"gama2013.table2"``.
    title
        What it shows.
    make
        The function that makes it.
    needs
        The data sets that it needs.
    """

    name: str
    title: str
    make: Callable[[Work], Made]
    needs: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """The paper, such as ``"gama2013"``."""
        return self.name.partition(".")[0]

    @property
    def kind(self) -> Literal["table", "figure"]:
        """Whether it is a table or a figure."""
        return "table" if ".table" in self.name else "figure"


ITEMS: dict[str, Item] = {}
"""All items by name, in the order in which the modules of the papers are imported."""


def item(
    name: str, title: str, *, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[Work], Made]], Callable[[Work], Made]]:
    """Register the function that makes an item."""

    def add(make: Callable[[Work], Made]) -> Callable[[Work], Made]:
        ITEMS[name] = Item(name, title, make, needs)
        return make

    return add
