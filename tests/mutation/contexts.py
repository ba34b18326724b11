"""A pytest plugin that records which lines each test executes, how long it takes, and whether it passes.

It is loaded with ``-p mutation.contexts``, in each worker of pytest-xdist, and reads two environment variables: where
to write, and the directories to watch (separated by ``:``).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

FOLDER = "MUTATION_COVERAGE"
SOURCES = "MUTATION_SOURCES"


class Contexts:
    """Switches the context of the coverage at each test."""

    def __init__(self, folder: Path, sources: list[str]) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.times = folder / f"times-{worker}.json"
        self.coverage = coverage.Coverage(
            data_file=str(folder / f"lines-{worker}"), source=sources, config_file=False, messages=False
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])
        self.coverage.start()
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        begun = time.perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.perf_counter() - begun
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()
        passed = {name: round(took, 4) for name, took in self.seconds.items() if name not in self.failed}
        self.times.write_text(json.dumps(passed), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Watch in the workers, or here if there are none."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Contexts(Path(os.environ[FOLDER]), os.environ[SOURCES].split(":")))
