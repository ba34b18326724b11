"""All items of all papers by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from prequential.arguments import checked_call
from prequential.errors import InputError
from prequential.papers.item import ITEMS, Item
from prequential.wording import listing, suggestion

PAPERS = {
    "gama2013": "Gama, Sebastião, Rodrigues: On evaluating stream learning algorithms (2013)",
    "brzezinski2014": "Brzezinski, Stefanowski: Prequential AUC for classifier evaluation and drift detection in "
    "evolving data streams (2014)",
    "grzenda2020": "Grzenda, Gomes, Bifet: Performance measures for evolving predictions under delayed labelling "
    "classification (2020)",
    "bifet2015": "Bifet, De Francisci Morales, Read, Holmes, Pfahringer: Efficient online evaluation of big data "
    "stream classifiers (2015)",
    "cervantes": "Cervantes, Gagné, Isasi, Parizeau: Evaluating and characterizing incremental learning from "
    "non-stationary data",
}
"""The papers by the name of their module."""
_MORE = ("bifet2015_folds",)
"""Other modules with items of these papers."""


def items() -> Mapping[str, Item]:
    """Return all items; the modules of the papers are imported at the first call."""
    for module in (*PAPERS, *_MORE):
        import_module(f"prequential.papers.{module}")
    order = {paper: k for k, paper in enumerate(PAPERS)}
    return {one.name: one for one in sorted(ITEMS.values(), key=lambda one: order[one.paper])}


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of all tables and figures that can be reproduced.

    Examples
    --------
    >>> from prequential import papers
    >>> "cervantes.table3" in papers.names()
    True
    """
    return tuple(items())


def found(name: str) -> list[Item]:
    """Return the item of a name, or all items of a paper; the error for an unknown name suggests the closest."""
    known = items()
    if name in known:
        return [known[name]]
    of_paper = [one for one in known.values() if one.paper == name]
    if of_paper:
        return of_paper
    raise InputError(
        f"Unknown item {name!r}.{suggestion(name, [*known, *PAPERS])} Accepted: a paper ({listing(PAPERS)}) or one of "
        f"its items: {listing(known, 50)}."
    )
