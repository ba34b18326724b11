"""Run tests against mutants: a process that has imported the libraries forks one child per mutant.

The child replaces the source of one module before anything of the package is imported, and runs the tests of the mutant
until one fails. Nothing is written to the sources.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.util
import json
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest
from mutation.contexts import PROFILE
from mutation.mutants import Mutant

LIBRARIES = (
    *("numpy", "scipy.stats", "scipy.signal", "scipy.optimize", "pyarrow.parquet", "pyarrow.compute", "pyarrow.csv"),
    *("pandas", "matplotlib.figure", "plotly.graph_objects", "rich.table", "typer.testing", "hypothesis.strategies"),
)
"""Imported once, before the first fork; those that start threads (polars, Ray, a JVM) are not among them."""

STAGES = (1.0, 5.0, 25.0)
"""Tests run in stages of this many seconds, because collecting the files of all tests takes long; then the rest."""

MEMORY = 6 << 30


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests said about a mutant."""

    status: str
    """``killed``, ``survived``, ``timeout`` or ``uncovered``."""
    by: str = ""
    """The first test that failed."""
    n_tests: int = 0
    seconds: float = 0.0

    @property
    def is_caught(self) -> bool:
        """Whether a test noticed the change; an endless loop is noticed too."""
        return self.status in ("killed", "timeout")


@dataclass(frozen=True, slots=True)
class Task:
    """A mutant (or none, for a control) and its tests, with the seconds that each takes."""

    name: str
    mutant: Mutant | None
    tests: dict[str, float]


class Runner:
    """Runs tasks in forked processes.

    Parameters
    ----------
    root
        The root of the repository, where pytest is run.
    source
        The directory from which modules are imported.
    folder
        For temporary files.
    jobs
        How many processes run at a time.
    libraries
        What to import before the first fork.
    """

    def __init__(self, root: Path, source: Path, folder: Path, jobs: int, libraries: Sequence[str] = LIBRARIES) -> None:
        self._root, self._source, self._folder, self._jobs = root, source, folder, jobs
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        for name in libraries:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Yield the outcome of each task as it ends."""
        waiting = list(reversed(tasks))
        running: dict[int, tuple[Task, float]] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                task = waiting.pop()
                running[self._fork(task)] = (task, time.monotonic())
            child, status = os.waitpid(-1, 0)
            task, begun = running.pop(child)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what the tests have started
            yield task, self._outcome(task, status, time.monotonic() - begun)

    def _fork(self, task: Task) -> int:
        folder = self._folder / task.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        sys.stdout.flush()
        child = os.fork()
        if child:
            return child
        code = 70
        try:
            os.setsid()
            log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.chdir(self._root)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            self._in_child(task, folder)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _in_child(self, task: Task, folder: Path) -> None:
        _limit(120.0)
        watch = Watch(task.tests, folder / "result.json")
        if task.mutant is not None:
            watch.write("import")
            path = self._root / task.mutant.file
            module = module_name(self._source, path)
            sys.meta_path.insert(0, Mutated(module, path, task.mutant))
            try:
                importlib.import_module(module)
            except Exception:
                traceback.print_exc()
                return
        for stage in stages(task.tests):
            watch.expected = stage
            files = sorted({test.partition("::")[0] for test in stage})
            words = ["-q", "-x", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist"]
            words += ["-o", "python_classes=NoTests"]  # `Tested` is none, in a source given for its doctests
            words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is imported already
            words += [f"--basetemp={folder / 'temporary'}", f"--hypothesis-profile={PROFILE}", *files]
            watch.write("collection")
            code = pytest.main(words, plugins=[watch])
            if watch.failed or code:
                watch.write(watch.failed or "collection")
                return
        watch.write("")

    def _outcome(self, task: Task, status: int, seconds: float) -> Outcome:
        folder = self._folder / task.name
        result = folder / "result.json"
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}
        shutil.rmtree(folder / "temporary", ignore_errors=True)
        by, n_tests = found.get("by", ""), found.get("n_tests", 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            raise RuntimeError(f"{task.name}: the tests could not be started; see {folder / 'log'}")
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF):
            return Outcome("timeout", by, n_tests, seconds)
        return Outcome("killed" if by else "survived", by, n_tests, seconds)


class Watch:
    """A pytest plugin: it chooses the tests, limits the time of each, and writes down the one that is running."""

    def __init__(self, seconds: dict[str, float], result: Path) -> None:
        self.expected: list[str] = []
        self.failed = ""
        self.n_tests = 0
        self._seconds = seconds
        self._result = result

    def write(self, by: str) -> None:
        """Write down what kills the mutant if the process ends now."""
        self._result.write_text(json.dumps({"by": by, "n_tests": self.n_tests}), encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in self.expected if name in found]
        if len(items) < len(self.expected):
            raise pytest.UsageError("The mutant changes which tests there are.")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.n_tests += 1
        self.write(item.nodeid)
        _limit(self._seconds[item.nodeid])
        try:
            return (yield)
        finally:
            _limit(60.0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from its changed source."""

    def __init__(self, module: str, path: Path, mutant: Mutant) -> None:
        self._module, self._path, self._mutant = module, path, mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._module:
            return None
        places = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._path, loader=self, submodule_search_locations=places
        )

    def get_source(self, fullname: str) -> str:
        return self._mutant.apply(self._path.read_text(encoding="utf-8"))

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_source(fullname), str(self._path), "exec", dont_inherit=True)


def module_name(source: Path, path: Path) -> str:
    """Return the module of a file."""
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def stages(tests: dict[str, float]) -> Iterator[list[str]]:
    """Cut the tests into stages that take longer and longer."""
    names = list(tests)
    for limit in (*STAGES, float("inf")):
        n, total = 0, 0.0
        while n < len(names) and (total < limit or not n):
            total += tests[names[n]]
            n += 1
        if n:
            yield names[:n]
            del names[:n]


def _limit(seconds: float) -> None:
    """End the process if the next step takes ten times as long as usual; the wall clock allows for a busy machine."""
    for timer, number, least in (
        (signal.ITIMER_PROF, signal.SIGPROF, 5.0),
        (signal.ITIMER_REAL, signal.SIGALRM, 150.0),
    ):
        signal.signal(number, signal.SIG_DFL)
        signal.setitimer(timer, least + 10 * seconds)
