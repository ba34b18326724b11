"""Whatever happens in the middle of a run, what was computed is saved, and says that it is partial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from prequential.errors import InputError, PrequentialError, StorageError
from prequential.experiment.recorder import Recorder
from prequential.experiment.run import Run
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Status


def open_home(
    directory: str | Path | None, *, overwrite: bool, resume: bool = False
) -> tuple[RunDirectory, TemporaryDirectory[str] | None]:
    """Make the directory of a new run, a temporary one if none is named; or open that of a run that is to go on."""
    keep = None
    if directory is None:
        keep = TemporaryDirectory(prefix="prequential-")
        home = RunDirectory.create(Path(keep.name) / "run")
    elif resume:
        home = RunDirectory.take_up(directory)
    else:
        home = RunDirectory.create(directory, overwrite=overwrite)
    return home, keep


def guard(run: Run, recorder: Recorder, work: Callable[[], None], finish: Callable[[Status, str], None]) -> None:
    """Do the work, then finish as complete; if it breaks off, finish as partial and let the exception carry the run."""
    try:
        work()
        finish("complete", "")
    except StorageError as error:
        error.run = run  # nothing computed is lost
        _last_words(run, recorder, str(error))
        raise
    except (PrequentialError, KeyboardInterrupt) as error:
        error.run = run  # type: ignore[union-attr]  # Ctrl-C carries it too
        _finish_partial(run, recorder, finish, str(error) or "interrupted")
        raise
    except Exception as error:  # of code that we do not know: a user's iterator, a user's measure
        failure = InputError(f"The run broke off: {type(error).__name__}: {error}")
        failure.run = run
        _finish_partial(run, recorder, finish, str(failure))
        raise failure from error


def _finish_partial(run: Run, recorder: Recorder, finish: Callable[[Status, str], None], reason: str) -> None:
    try:
        finish("partial", reason)
    except Exception:  # what broke the run breaks its end too; the first reason is the one to report
        _last_words(run, recorder, reason)


def _last_words(run: Run, recorder: Recorder, reason: str) -> None:
    """Try to mark the run as partial where the disk could not take the trace."""
    manifest = recorder.directory.manifest
    try:
        recorder.directory.write_manifest(replace(manifest, status="partial", reason=reason))
    except StorageError as error:
        failure = StorageError(f"{reason} The manifest could not be updated either.")
        failure.run = run
        raise failure from error
