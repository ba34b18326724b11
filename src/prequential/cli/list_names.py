"""``prequential list``: what has a name, and what one name means."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_entries, print_json, print_line
from prequential.cli.listed import KINDS, Entry
from prequential.drift.catalogue import DETECTORS
from prequential.errors import InputError
from prequential.learners.catalogue import LEARNERS
from prequential.metrics.forgetting import FORGETTINGS
from prequential.metrics.synonyms import metric_suggestion
from prequential.protocols.protocol import PROTOCOLS
from prequential.textual.catalogue import Catalogue
from prequential.wording import listing, suggestion


def list_names(
    kind: Annotated[str, typer.Argument(help=f"{listing(KINDS)}.")],
    name: Annotated[str | None, typer.Argument(help="One of them, to explain (default: list all).")] = None,
    as_json: options.Json = False,
) -> None:
    """List learners, metrics, detectors, streams and more, or explain one.

    [bold]prequential list learners[/]
    [bold]prequential list learners hoeffding_tree[/]
    [bold]prequential list streams --json[/]

    Parameters follow a name after a colon: sgd:loss=hinge,learning_rate=0.1
    A learner that is a parameter and has parameters goes into brackets:
    online_bagging:base=(sgd:loss=hinge),n_models=25
    """
    if kind not in KINDS:
        _refuse_name(kind)
        near = next((one for one in KINDS if one.removesuffix("s") == kind.lower()), None)
        raise InputError(
            f"Unknown kind {kind!r}."
            f"{suggestion(kind, KINDS) if near is None else f' Did you mean {near!r}?'} Accepted: {listing(KINDS)}."
        )
    entries = list(KINDS[kind]())
    if name is None:
        _list(kind, entries, as_json=as_json)
        return
    one = _found(kind, entries, name)
    if as_json:
        print_json(one.to_dict())
    else:
        _explain(one)


def _refuse_name(word: str) -> None:
    """Raise if a name was given where its kind is expected."""
    for kind, entries in KINDS.items():
        if any(one.name.partition("[")[0] == word for one in entries()):
            raise InputError(f"{word!r} is one of the {kind}: prequential list {kind} {word}")


def _found(kind: str, entries: list[Entry], name: str) -> Entry:
    """Return the entry of a name; it may be followed by the class of a metric, or by parameters."""
    known = {one.name.partition("[")[0]: one for one in entries}
    wanted = name.partition(":")[0].partition("[")[0]
    catalogue = _CATALOGUES.get(kind)
    if catalogue is not None and wanted in catalogue:
        wanted = catalogue.name_of(catalogue[wanted])
    if wanted in known:
        return known[wanted]
    if catalogue is not None:
        hint = catalogue.suggestion(wanted)
    else:
        hint = metric_suggestion(wanted, known) if kind == "metrics" else suggestion(wanted, known)
    raise InputError(f"Unknown {kind.removesuffix('s')} {name!r}.{hint} Accepted: {listing(known, 40)}.")


_CATALOGUES: dict[str, Catalogue[Any]] = {
    "learners": LEARNERS,
    "detectors": DETECTORS,
    "forgettings": FORGETTINGS,
    "protocols": PROTOCOLS,
}
"""The kinds whose names may also be short names and names of classes."""


def _list(kind: str, entries: list[Entry], *, as_json: bool) -> None:
    if as_json:
        print_json([{k: v for k, v in one.to_dict().items() if k != "text"} for one in entries])
        return
    console = Console(highlight=False)
    print_entries(kind.capitalize(), ((one.name, _lines(one)) for one in entries), console)
    print_line(f"More on one: prequential list {kind} {entries[0].name.partition('[')[0]}", console)
    if kind == "learners":
        print_line("Other learners: --learner FILE.py:NAME or MODULE:NAME (River, scikit-learn, CapyMOA).", console)


def _lines(one: Entry) -> tuple[str, ...]:
    """Return what the list says about an entry: its summary, its parameters, and facts that are short."""
    facts = (f"{fact}: {_written(value)}" for fact, value in one.facts.items() if fact != "guesses")
    return one.summary, one.defaults, "; ".join(facts)


def _explain(one: Entry) -> None:
    console = Console(highlight=False)
    print_line(f"{one.name}  ({one.defaults or 'no parameters'})", console, style="bold")
    for fact, value in one.facts.items():
        if f"{fact.capitalize()}:" in one.text:
            continue
        print_line(f"{fact}: {_written(value)}", console)
    print_line(f"\n{one.text}\n", console)
    print_line(f"Example: {one.example}", console)


def _written(value: object) -> str:
    if value is None:
        return "not known"
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
