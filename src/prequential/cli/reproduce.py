"""``prequential reproduce``: the tables and figures of the papers, ours beside theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_entries, print_json, print_line, print_note
from prequential.errors import InputError, MissingFileError, StorageError
from prequential.papers.book import summary, write_book
from prequential.papers.catalogue import found, items
from prequential.papers.item import Item
from prequential.papers.reproduce import check_scale, of_item, work_of
from prequential.papers.reproduction import Reproduction
from prequential.papers.work import Work
from prequential.whole_file import write_whole

_BOOK = "book.json"


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Items such as cervantes.table3, or papers (default: list all).")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Reproduce everything.", metavar="")] = False,
    scale: Annotated[
        float,
        typer.Option(help="1 for the papers' lengths and numbers of runs, 0.1 for a quick look.", metavar="SHARE"),
    ] = 1.0,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the book and of its runs.", metavar="DIR")
    ] = Path("reproduction"),
    engine: options.Engine = "auto",
    workers: options.Workers = None,
    as_json: options.Json = False,
) -> None:
    """Reproduce tables and figures of the papers, ours beside theirs.

    [bold]prequential reproduce[/]
    [bold]prequential reproduce cervantes.table3 --scale 0.2[/]
    [bold]prequential reproduce --all -o reproduction[/]

    The runs are kept in the directory of the book: what is finished is not
    repeated, so a stopped command continues where it was. A figure is written
    as PNG, a table also as CSV, Markdown and LaTeX, all as one HTML book.
    """
    if every and names:
        raise InputError("--all names all items: leave out the names.")
    chosen = list(items().values()) if every else [one for name in names or [] for one in found(name)]
    if not chosen:
        _list(as_json=as_json)
        return
    check_scale(scale, "reproduce")
    _begin(output, scale)
    console, made = Console(highlight=False), []
    for one in dict.fromkeys(chosen):
        result = _made(one, work_of(output, one, scale, engine, workers, False if as_json else None))
        if result is None:
            continue
        made.append(result)
        if not as_json:
            print_line(f"{result.name}\n{result}\n", console)
    if made:
        book = write_book(_all(output), output / "book.html")
        if as_json:
            print_json([{"name": one.name, "rows": one.to_dicts(), "claims": _claims(one)} for one in made])
        else:
            print_line(f"{summary(made)}\nbook  {book}", console)


def _made(one: Item, work: Work) -> Reproduction | None:
    """Reproduce an item; skip it if its data are not there."""
    try:
        return of_item(one, work)
    except MissingFileError as error:
        print_note(f"{one.name} is skipped: {error}", style="yellow")
        return None


def _begin(output: Path, scale: float) -> None:
    """Check that a directory is new, or has a book on the same scale."""
    mark = output / _BOOK
    if mark.is_file():
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))["scale"]
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{mark} cannot be read: {error}.") from error
        if known != scale:
            raise InputError(
                f"{output} has a book on the scale {known:g}, not {scale:g}. Give --scale {known:g}, or another "
                "directory with -o."
            )
        return
    if output.exists() and any(output.iterdir()):
        raise InputError(f"{output} has other files. Give a new directory with -o.")
    write_whole(mark, json.dumps({"scale": scale}).encode())


def _all(output: Path) -> list[Reproduction]:
    """Return everything that is finished in a directory, in the order of the papers."""
    return [Reproduction.load(output / name) for name in items() if (output / name / "reproduction.json").is_file()]


def _claims(one: Reproduction) -> list[dict[str, object]]:
    return [claim.to_dict() for claim in one.claims]


def _list(*, as_json: bool) -> None:
    entries = [{"name": one.name, "title": one.title, "needs": list(one.needs)} for one in items().values()]
    if as_json:
        print_json(entries)
        return
    console = Console(highlight=False)
    needs = {one.name: f"data sets: {', '.join(one.needs)}" if one.needs else "" for one in items().values()}
    shown = ((one.name, (one.title, needs[one.name])) for one in items().values())
    print_entries("Tables and figures", shown, console)
    print_line("Reproduce one: prequential reproduce cervantes.table3 --scale 0.2", console)
