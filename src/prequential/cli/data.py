"""``prequential data``: real streams by name, whether their files are there, and how to add one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_entries, print_json, print_line
from prequential.errors import DataError
from prequential.streams.data_sets.add import add_file
from prequential.streams.data_sets.check import check_file
from prequential.streams.data_sets.data import how_to_obtain
from prequential.streams.data_sets.data_set import DataSet, data_set, known
from prequential.streams.data_sets.folder import VARIABLE, data_folder, file_of


def data(
    name: Annotated[str | None, typer.Argument(help="A data set to describe (default: list all).")] = None,
    file: Annotated[
        Path | None, typer.Argument(help="File of this data set (CSV, ARFF or Parquet): check it and copy it there.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """List the real streams that have a name, describe one, or add the file of one.

    [bold]prequential data[/]
    [bold]prequential data electricity[/]
    [bold]prequential data electricity ~/downloads/elecNormNew.arff[/]

    The files are not part of the package. They are looked for in the folder
    that PREQUENTIAL_DATA names, by default in the user's cache, and used only
    if names, values and order of the records are the known ones. Then the name
    is a stream in every command: prequential run electricity
    """
    folder = data_folder()
    if name is None:
        _list(folder, as_json=as_json)
        return
    one = data_set(name)
    if file is not None:
        added = add_file(one, file, folder)
        if not as_json:
            print_line(f"{added}: {one.title}, checked. Use it: prequential run {one.name}", Console())
            return
    if as_json:
        print_json(_described(one, folder))
    else:
        _describe(one, folder)


def _list(folder: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"folder": str(folder), "data_sets": [_described(one, folder) for one in known().values()]})
        return
    console = Console(highlight=False)
    facts = {one.name: f"{one.task}, {_size(one)}; file: {_status(one, folder)}" for one in known().values()}
    shown = ((one.name, (one.title, facts[one.name])) for one in known().values())
    print_entries("Real streams", shown, console)
    print_line(f"Folder: {folder} (set {VARIABLE} for another one)", console)
    print_line("More on one, and how to obtain it: prequential data electricity", console)


def _size(one: DataSet) -> str:
    """Return the numbers of records, features and classes, as far as they are known."""
    kinds = f", {one.n_numeric} numeric and {one.n_nominal} nominal features" if one.checksum else ""
    return f"{one.n_records:,} records{kinds}" + (f", {one.n_classes} classes" if one.n_classes else "")


def _describe(one: DataSet, folder: Path) -> None:
    console = Console(highlight=False)
    print_line(f"{one.name}  {one.title}", console, style="bold")
    print_line(_size(one), console)
    print_line(f"provenance: {one.provenance}", console)
    print_line(f"licence: {one.licence}", console)
    if one.checksum:
        print_line(f"checksum of names and values: {one.checksum}", console)
    path = file_of(one, folder)
    print_line(f"file: {_status(one, folder)}" + ("" if path is None else f" ({path})"), console)
    if path is None:
        print_line(how_to_obtain(one), console)


def _described(one: DataSet, folder: Path) -> dict[str, Any]:
    path = file_of(one, folder)
    return {**one.to_dict(), "file": None if path is None else str(path), "status": _status(one, folder)}


def _status(one: DataSet, folder: Path) -> str:
    """Return whether the file is there and the right one."""
    path = file_of(one, folder)
    if path is None:
        return "unavailable" if one.unavailable else "missing"
    try:
        check_file(one, path)
    except DataError:
        return "another checksum"
    return "ready"
