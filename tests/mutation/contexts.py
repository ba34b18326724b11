"""A pytest plugin that records which lines each test executes, how long it takes, and whether it passes.

It is loaded with ``-p mutation.contexts``, in each worker of pytest-xdist, and reads two environment variables: where
to write, and the directories to watch (separated by ``:``).

Time is processor time, that of child processes included, so that a busy machine leaves no test out. A test that takes
longer than `SLOWEST` is interrupted: there are faster ones for the same lines.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import coverage
import pytest
from hypothesis import Phase, settings

FOLDER = "MUTATION_COVERAGE"
SOURCES = "MUTATION_SOURCES"
SLOWEST = 3.0
"""The seconds that a test may take, under coverage."""
PROFILE = "mutation"
"""The profile of Hypothesis: a failing example is not made smaller."""


settings.register_profile(
    PROFILE, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)


def processor_seconds() -> float:
    """Return the processor time of this process and its children so far."""
    return sum(os.times()[:4])


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """End the test that is running."""
    pytest.fail("slow", pytrace=False)


class Contexts:
    """Switches the context of the coverage at each test."""

    def __init__(self, folder: Path, sources: list[str]) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.times = folder / f"times-{worker}.jsonl"
        self.coverage = coverage.Coverage(
            data_file=str(folder / f"lines-{worker}"), source=sources, config_file=False, messages=False
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])
        self.coverage.start()
        self.failed: set[str] = set()
        signal.signal(signal.SIGPROF, interrupt)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        begun = processor_seconds()
        try:
            return (yield)
        finally:
            seconds = processor_seconds() - begun
            self.coverage.switch_context("")
            if item.nodeid not in self.failed:
                with self.times.open("a", encoding="utf-8") as file:  # at once: a later test may end the process
                    file.write(json.dumps([item.nodeid, round(seconds, 4)]) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, SLOWEST)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Watch in the workers, or here if there are none."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Contexts(Path(os.environ[FOLDER]), os.environ[SOURCES].split(":")))
