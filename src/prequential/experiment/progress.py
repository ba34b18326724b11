"""Progress on screen: how far, how fast, how long still. Quiet where nobody looks."""

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
    """Records a second, or whatever is counted."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f} {self._unit}/s" if speed >= 10 else f"{speed:.2g} {self._unit}/s")


class Meter(AbstractContextManager["Meter"]):
    """A progress bar on standard error, shown if it is a terminal (or always, or never, if so asked).

    ``unit`` says what is counted.
    """

    def __init__(self, title: str, total: int | None, *, show: bool | None = None, unit: str = "records") -> None:
        self._progress: Progress | None = None
        if sys.stderr.isatty() if show is None else show:
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                _Rate(unit),
                TimeElapsedColumn(),
                *([] if total is None else [TextColumn("left"), TimeRemainingColumn()]),
                console=Console(stderr=True),
            )
            self._task = self._progress.add_task(title, total=total)

    def begin_at(self, n: int) -> None:
        """Note that ``n`` records were done before."""
        if self._progress is not None:
            self._progress.reset(self._task, completed=n)

    def advance(self, n: int) -> None:
        """Note that ``n`` more records, or whatever is counted, are done."""
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
