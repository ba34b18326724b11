"""Which tests execute which lines: one run of the tests under coverage, kept until a source or a test changes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from coverage import CoverageData
from mutation import contexts
from mutation.contexts import SLOWEST
from mutation.mutants import Mutant


class Covering:
    """The tests that cover each line of the sources.

    Parameters
    ----------
    root
        The root of the repository.
    folder
        Where the measured coverage is.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._data = [CoverageData(str(path)) for path in sorted(folder.glob("lines-*"))]
        for data in self._data:
            data.read()
        self.seconds: dict[str, float] = {}
        for path in folder.glob("times-*.jsonl"):
            self.seconds |= dict(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
        self._lines = cache(self._lines_of)

    @classmethod
    def measured(
        cls,
        root: Path,
        folder: Path,
        *,
        sources: Sequence[str],
        tests: Sequence[str],
        jobs: int,
        ignored: Sequence[str],
    ) -> Covering:
        """Run the tests under coverage, unless that has been done for the same files."""
        key = _digest(root, [*tests, *ignored])
        done = folder / "key"
        if not done.exists() or done.read_text() != key:
            print("Measuring which tests cover which lines …", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            _measure(root, folder, sources, tests, jobs, ignored)
            done.write_text(key)
        return cls(root, folder)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the lines of a mutant, those first that are likely to fail soonest.

        Of each test function the fastest set of parameters comes first; then a test of the mutant's own package counts
        as four times as fast as another.
        """
        lines = self._lines(mutant.file)
        for first, last in mutant.spans:
            found = {test for line in range(first, last + 1) for test in lines.get(line, ())}
            if found:
                break
        else:
            return []
        package = Path(mutant.file).parent.name
        functions: dict[str, list[str]] = defaultdict(list)
        for test in sorted(found, key=lambda test: (self.seconds[test], test)):
            functions[test.partition("[")[0]].append(test)
        order = {test: k for group in functions.values() for k, test in enumerate(group)}
        return sorted(
            found, key=lambda test: (min(order[test], 3), self.seconds[test] * (1 if package in test else 4), test)
        )

    def _lines_of(self, file: str) -> dict[int, set[str]]:
        lines: dict[int, set[str]] = defaultdict(set)
        for data in self._data:
            for line, tests in data.contexts_by_lineno(str(self._root / file)).items():
                lines[line].update(test for test in tests if self.seconds.get(test, SLOWEST) < SLOWEST)
        return lines


def _measure(
    root: Path, folder: Path, sources: Sequence[str], tests: Sequence[str], jobs: int, ignored: Sequence[str]
) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutation.contexts", *tests]
    words += [f"--hypothesis-profile={contexts.PROFILE}"]
    words += [f"--ignore={path}" for path in ignored]
    words += [f"--numprocesses={jobs}", "--dist=load"] if jobs > 1 else []
    environment = os.environ | {
        contexts.FOLDER: str(folder.resolve()),
        contexts.SOURCES: ":".join(str((root / source).resolve()) for source in sources),
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
    }
    log = folder / "log"
    with log.open("w", encoding="utf-8") as out:
        done = subprocess.run(words, cwd=root, env=environment, check=False, stdout=out)
    lines = log.read_text(encoding="utf-8").splitlines()
    print("\n".join(lines[-12:]), flush=True)
    if done.returncode not in (0, 1):
        raise SystemExit("pytest could not run; see above")
    print(*(line for line in lines if "crashed while running" in line), sep="\n", flush=True)


def _digest(root: Path, words: Sequence[str]) -> str:
    """Return the digest of all sources and tests, except those of this tool."""
    digest = hashlib.sha256(repr(words).encode())
    for top in ("src", "tests"):
        for path in sorted((root / top).rglob("*.py")):
            if not path.is_relative_to(Path(__file__).parent):
                digest.update(f"{path.relative_to(root)}".encode() + path.read_bytes())
    return digest.hexdigest()
