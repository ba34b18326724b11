"""The progress bar: how far, how fast, how much time is left. Hidden if standard error is not a terminal."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class _Rate(ProgressColumn):
    """The column with the speed, such as records per second."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f} {self._unit}/s" if speed >= 10 else f"{speed:.2g} {self._unit}/s")


class Meter(AbstractContextManager["Meter"]):
    """A progress bar on standard error.

    Parameters
    ----------
    title
        Text before the bar.
    total
        Number of records; None if it is unknown.
    show
        Whether to show the bar; by default if standard error is a terminal.
    unit
        What is counted, in the plural.
    """

    def __init__(self, title: str, total: int | None, *, show: bool | None = None, unit: str = "records") -> None:
        self._progress: Progress | None = None
        if sys.stderr.isatty() if show is None else show:
            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                _Rate(unit),
                TimeElapsedColumn(),
                *([] if total is None else [TextColumn("left"), TimeRemainingColumn()]),
                console=Console(stderr=True),
            )
            self._task = self._progress.add_task(title, total=total)

    def begin_at(self, n: int) -> None:
        """Start at ``n`` records, which were processed before."""
        if self._progress is not None:
            self._progress.reset(self._task, completed=n)

    def advance(self, n: int) -> None:
        """Count ``n`` more records."""
        if self._progress is not None:
            self._progress.advance(self._task, n)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
