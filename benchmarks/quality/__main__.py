"""``make quality``: measure what is not measured yet, and write docs/quality.md.

``DATA=FOLDER make quality``, or ``python -m benchmarks.quality FOLDER``. Ours are always measured again; the figures of
MOA and River are kept in ``peers.csv``, since they change only with a version, and those there are not run again.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.moa import jar
from benchmarks.quality.arena import Arena, arenas
from benchmarks.quality.cell import Cell, keep, kept
from benchmarks.quality.entrant import ENTRANTS, Entrant
from benchmarks.quality.ours import our_cell
from benchmarks.quality.page import write
from benchmarks.quality.peers import moa_cell, river_cell

DOCS = Path(__file__).parents[2] / "docs"
PEERS = Path(__file__).parent / "peers.csv"


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="benchmarks.quality", description=__doc__)
    parser.add_argument("data", nargs="?", default=os.environ.get("DATA"), help="folder of Parquet files with a schema")
    parser.add_argument("--records", type=int, default=30_000, help="the first records of each stream")
    parser.add_argument("--seeds", type=int, default=3, help="seeds of randomised learners")
    parser.add_argument("--learners", nargs="*", default=[e.name for e in ENTRANTS])
    parser.add_argument("--peers", nargs="*", default=["MOA", "River"], help="measure what is missing of these")
    asked = parser.parse_args()
    if not asked.data:
        parser.error("name a folder with streams, or set DATA")
    field = arenas(Path(asked.data), asked.records)
    entrants = [e for e in ENTRANTS if e.name in asked.learners]
    ours = []
    for e in entrants:
        for arena in field:
            ours += [our_cell(e, arena, seed) for seed in seeds(e, asked.seeds)]
        print(e.name, flush=True)
    for cell in missing(entrants, field, asked.seeds, asked.peers):
        keep([*(c for c in kept(PEERS) if c.key != cell.key), cell], PEERS)
        print(cell.library, cell.learner, cell.stream, cell.seed, f"{cell.accuracy:.2f}", flush=True)
    sizes = {(arena.name, arena.n_records) for arena in field}
    names = {e.name for e in entrants}
    theirs = [c for c in kept(PEERS) if (c.stream, c.n_records) in sizes and c.learner in names]
    said = (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}: the first "
        f"{asked.records:,} records of each of {len(field)} streams; ours with {asked.seeds} seed(s) where randomised."
    )
    write([*ours, *theirs], DOCS / "quality.md", DOCS / "quality.png", said)


def seeds(e: Entrant, n: int) -> range:
    """Return the seeds of a learner."""
    return range(1, (n if e.randomised else 1) + 1)


def missing(entrants: list[Entrant], field: list[Arena], n_seeds: int, peers: list[str]) -> Iterator[Cell]:
    """Measure what the file of peers does not have."""
    current = {f"{package} {version(package)}" for package in ("capymoa", "river") if find_spec(package)}
    known = {cell.key for cell in kept(PEERS) if cell.version in current}
    moa = jar() if "MOA" in peers else None
    with TemporaryDirectory() as room:
        for arena in field:
            arff = Path(room) / f"{arena.name}.arff"
            for e in entrants:
                for seed in seeds(e, n_seeds):
                    if moa is None or e.moa is None or (seed > 1 and "{seed}" not in e.moa):
                        continue
                    if ("MOA", e.name, arena.name, arena.n_records, seed) in known:
                        continue
                    if not arff.exists():
                        arena.write_arff(arff)
                    yield moa_cell(moa, e, arena, arff, seed)
                if "River" in peers and e.river and ("River", e.name, arena.name, arena.n_records, 1) not in known:
                    yield river_cell(e, arena)


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"{time.monotonic() - began:.0f} s")
