"""How a command ends: with a message and an exit code, never with a traceback for something that the user can fix."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from prequential.cli.console import print_note
from prequential.cli.option_names import message_of
from prequential.cli.outcome import show_partial
from prequential.errors import InputError, LearnerError, PrequentialError, StorageError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.saving import NotResumableWarning
from prequential.evaluation.significance import FewFoldsWarning
from prequential.scoring.delayed_logs import UnseenClassWarning
from prequential.stopping import Terminated, stoppable
from prequential.streams.data_warning import DataWarning
from prequential.streams.drift import DriftBeyondEndWarning

EXIT_CODES: dict[type[BaseException], int] = {
    InputError: 2,
    LearnerError: 3,
    StorageError: 4,
    Terminated: 143,
    KeyboardInterrupt: 130,
}
EPILOG = (
    "Exit codes: 0 success, 2 bad input, 3 a learner failed (the others are complete), 4 disk error, 130 interrupted "
    "(Ctrl-C), 143 terminated (SIGTERM)."
)
_ONE_LINE = (
    DataWarning,
    DriftBeyondEndWarning,
    FewFoldsWarning,
    LearnerFailedWarning,
    NotResumableWarning,
    UnseenClassWarning,
)
"""Warnings that a command prints as one line."""


def reported(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command that fails print a message, and what a run had computed, and end with its exit code."""

    @functools.wraps(command)
    def guarded(*args: object, **options: object) -> None:
        try:
            with stoppable(), _warnings_as_lines():
                command(*args, **options)
        except (PrequentialError, KeyboardInterrupt) as error:
            message = message_of(error, command) or "Interrupted."
            show_partial(error, message, as_json=bool(options.get("as_json")), report=bool(options.get("report")))
            raise typer.Exit(code_of(error)) from error

    return guarded


def code_of(error: BaseException) -> int:
    """Return the exit code of an error."""
    return next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Print each warning that is meant for users once, as one line, without its place in the code."""
    printed: set[str] = set()
    with warnings.catch_warnings():
        show_other = warnings.showwarning

        def show_line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, _ONE_LINE):
                show_other(message, category, *place, **more)
            elif str(message) not in printed:
                printed.add(str(message))
                print_note(f"prequential: {message}", style="yellow")

        warnings.showwarning = show_line
        yield
