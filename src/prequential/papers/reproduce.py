"""Reproduce a table or figure of a paper."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from pathlib import Path

from prequential.arguments import checked_call, checked_path, is_number
from prequential.errors import InputError, ParameterError
from prequential.papers.catalogue import found
from prequential.papers.item import Item
from prequential.papers.reproduction import FILE, Reproduction
from prequential.papers.work import Work
from prequential.wording import listing


@checked_call
def reproduce(
    name: str,
    *,
    scale: float = 1.0,
    directory: str | Path | None = None,
    engine: str = "auto",
    workers: int | None = None,
    progress: bool | None = None,
) -> Reproduction:
    """Reproduce a table or figure of one of the papers, ours beside the paper's.

    Parameters
    ----------
    name
        The item, such as ``"gama2013.table2"``; ``papers.names()`` lists them.
    scale
        1 for the paper's lengths and numbers of runs; 0.1 for a quick look with a tenth of them.
    directory
        Directory for the runs; by default a temporary one that is kept. An item that is finished there is loaded, runs
        that are finished are not repeated.
    engine, workers
        Where the runs are computed, as in ``pq.evaluate``.
    progress
        Whether to show progress; by default if standard error is a terminal.

    Examples
    --------
    >>> from prequential import papers
    >>> made = papers.reproduce("cervantes.figure1", scale=0.1)
    >>> made.name, made.scale
    ('cervantes.figure1', 0.1)
    """
    check_scale(scale, "reproduce")
    chosen = found(name)
    if len(chosen) > 1:
        raise InputError(f"{name!r} has several items. Name one of them: {listing([one.name for one in chosen], 30)}.")
    home = (
        Path(tempfile.mkdtemp(prefix="prequential-"))
        if directory is None
        else checked_path(directory, "directory", "reproduce")
    )
    return of_item(chosen[0], work_of(home, chosen[0], scale, engine, workers, progress))


def of_item(one: Item, work: Work) -> Reproduction:
    """Reproduce an item, or load it if it is finished."""
    if (work.directory / FILE).is_file():
        done = Reproduction.load(work.directory)
        if done.scale != work.scale:
            raise InputError(
                f"{work.directory} has {one.name} on the scale {done.scale:g}, not {work.scale:g}. Give another "
                "directory."
            )
        return done
    work.directory.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    made = one.make(work)
    result = Reproduction(
        name=one.name,
        title=one.title,
        scale=work.scale,
        seconds=time.perf_counter() - begun,
        machine=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        directory=work.directory,
        table=made.table,
        figures=made.figures,
        claims=made.claims,
        differs=made.differs,
    )
    result.save()
    return result


def work_of(home: Path, one: Item, scale: float, engine: str, workers: int | None, progress: bool | None) -> Work:
    """Return the work of an item in the directory of a book."""
    return Work(home / one.name, home / "runs" / one.paper, scale, engine, workers, progress)


def check_scale(scale: float, caller: str) -> None:
    """Check a scale."""
    if not is_number(scale) or not 0 < scale <= 1:
        raise ParameterError("scale", caller, "above 0 and at most 1", scale)
