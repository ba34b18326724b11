"""The process that reads damaged files; it says on standard output what it does, so that a crash can be located."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

from fuzz.corpus import write_corpus
from fuzz.mutators import BINARY, TEXT, mutated
from fuzz.targets import TARGETS, placed

from prequential.errors import PrequentialError


def content_of(seeds: list[Path], kind: str, seed: int, index: int) -> tuple[Path, bytes]:
    """Return the seed file and the damaged content of an input; the same for the same arguments."""
    draw = random.Random(f"{kind}:{seed}:{index}")
    source = draw.choice(seeds)
    binary = source.suffix in (".parquet", ".state", ".gz")
    return source, mutated(source.read_bytes(), BINARY if binary else TEXT, draw)


def outcome(kind: str, path: Path) -> tuple[str, str]:
    """Read a damaged file; return accepted, warned, refused, or the exception that is a bug, and its traceback."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            TARGETS[kind](path)
        except PrequentialError:
            return "refused", ""
        except Exception as error:
            if type(error).__name__ == "DifferentRecordsError" and _is_said(str(error), caught):
                return "warned", ""
            return type(error).__name__, traceback.format_exc()
    return ("warned" if caught else "accepted"), ""


def _is_said(difference: str, caught: list[warnings.WarningMessage]) -> bool:
    """Return whether a warning is about the column in which records differ."""
    _, found, rest = difference.partition("column ")
    column = rest.partition(": ")[0]
    return bool(found) and any(f"column {column}:" in str(one.message) for one in caught)


def main(seed: int, kind: str, first: int, last: int) -> None:
    """Read the inputs ``first`` to ``last`` of a kind, one line of JSON before and after each."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = write_corpus(Path(folder) / "corpus")[kind]
        work = Path(folder) / "work"
        work.mkdir()
        for index in range(first, last):
            source, content = content_of(seeds, kind, seed, index)
            print(json.dumps([index]), flush=True)
            path = placed(kind, source, content, Path(folder) / "corpus", work)
            found, trace = outcome(kind, path)
            placed(kind, source, source.read_bytes(), Path(folder) / "corpus", work)
            print(json.dumps([index, found, source.name, trace]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
