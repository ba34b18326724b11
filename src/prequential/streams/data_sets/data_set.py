"""A real stream that is known by name: what it holds, where it comes from, and how to recognise its file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from prequential.errors import InputError
from prequential.wording import listing, suggestion


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSet:
    """A data set; the file itself is not part of the package.

    Parameters
    ----------
    name, title
        The short name, and the one that people know.
    task
        ``"classification"``, ``"regression"``, or ``"late labels"`` for rows of events.
    n_records, n_numeric, n_nominal, n_classes
        Its size; ``n_classes`` is 0 for regression.
    provenance, licence
        Where it comes from, and under which terms as far as they are known.
    checksum
        Checksum of names and values (``content.checksum``).
    file_sha256
        SHA-256 of the Parquet file from which the checksum was computed; a file with these bytes needs no other check.
    read
        Options of the reader.
    unavailable
        Why there is no file of it, if that is so.
    """

    name: str
    title: str
    task: str
    n_records: int
    n_numeric: int
    n_nominal: int
    n_classes: int
    provenance: str = ""
    licence: str = ""
    checksum: str = ""
    file_sha256: str = ""
    read: Mapping[str, Any] = field(default_factory=dict)
    unavailable: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, for JSON."""
        names = ("name", "title", "task", "n_records", "n_numeric", "n_nominal", "n_classes", "provenance", "licence")
        return {key: getattr(self, key) for key in (*names, "checksum", "unavailable")}


@cache
def known() -> Mapping[str, DataSet]:
    """Return all data sets by name."""
    text = files("prequential.streams.data_sets").joinpath("known.toml").read_text(encoding="utf-8")
    return {name: DataSet(name=name, **table) for name, table in tomllib.loads(text).items()}


def data_set(name: str) -> DataSet:
    """Return a data set by name; the error for an unknown one suggests the right one."""
    if name in known():
        return known()[name]
    raise InputError(f"Unknown data set {name!r}.{suggestion(name, known())} Accepted: {listing(known(), 40)}.")
