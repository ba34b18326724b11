"""What a command prints at its end: the table, where the files are, and what went wrong."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from prequential.errors import InputError, LearnerError, PrequentialError, StorageError
from prequential.experiment.delayed_logs import UnseenClassWarning
from prequential.experiment.run import Run
from prequential.experiment.saving import NotResumableWarning
from prequential.experiment.significance import FewFoldsWarning
from prequential.report import rich_table
from prequential.report.rug import detector_names
from prequential.report.waiting import told
from prequential.runs.alarms import by_watch
from prequential.runs.events import MEANINGS
from prequential.streams.drift import DriftBeyondEndWarning

JSON_HELP = (
    "Print the result as JSON, for machines. Where something goes wrong: an object with 'error', the message, and, if "
    "the run had begun, its 'directory' and what was computed."
)
MOST_PAIRS = 6
"""Lines on pairs of learners that are printed after a run."""
IN_A_LINE = (DriftBeyondEndWarning, FewFoldsWarning, NotResumableWarning, UnseenClassWarning)
"""Warnings that a command prints as a line."""
EXIT_CODES: dict[type[BaseException], int] = {InputError: 2, LearnerError: 3, StorageError: 4, KeyboardInterrupt: 130}


def show(run: Run, *, as_json: bool, report: bool) -> None:
    """Print the result of a run, with the paths of its report and figure."""
    files = write_files(run) if report else {}
    if as_json:
        _print_json(_data(run, files))
        return
    console = Console()
    console.print(rich_table(run.table()))
    for name, entry in run.manifest.learners.items():
        if entry.n_nonfinite:
            console.print(
                f"{name}: {entry.n_nonfinite:,} records had NaN or infinite scores; they count as abstentions.",
                style="yellow",
            )
    _show_significance(run, console)
    _show_alarms(run, console)
    _show_events(run, console)
    _show_paths(run, files, console)


def show_partial(error: BaseException, *, as_json: bool, report: bool) -> None:
    """Print an error; if a run was under way, print what was computed and where it is."""
    console = Console(stderr=True)
    message = str(error) or "Interrupted."
    console.print(f"prequential: {message}", style="bold red", markup=False, highlight=False, soft_wrap=True)
    data: dict[str, Any] = {"error": message}
    run: Run | None = getattr(error, "run", None)
    if run is not None and run.path.exists():
        data["directory"] = str(run.path)
        try:
            if run.manifest.status == "partial" and run.manifest.n_records:
                files = write_files(run) if report and not isinstance(error, StorageError) else {}
                data |= _data(run, files)
                if not as_json:
                    console.print(rich_table(run.table()))
                    _show_alarms(run, console)
                    _show_events(run, console)
                    _show_paths(run, files, console)
                    console.print("This run is partial: it holds what was computed before.", style="yellow")
                    _show_resume(run, console)
        except StorageError as second:
            console.print(f"prequential: {second}", style="bold red", markup=False, highlight=False)
    if as_json:
        _print_json(data)


def _show_significance(run: Run, console: Console) -> None:
    """Say, with several folds, whether every two learners differ, by the first measure and forgetting."""
    if not len(run.significance()):
        return
    lines = run.significance_table().conclusion.splitlines()
    if len(lines) > MOST_PAIRS + 1:
        lines = [*lines[:MOST_PAIRS], f"… and {len(lines) - 1 - MOST_PAIRS:,} pairs more.", lines[-1]]
    lines.append(f"Other measures and forgettings: prequential compare {run.path}\n")
    for line in lines:
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def _show_alarms(run: Run, console: Console) -> None:
    """Say in one line how many alarms each detector gave, of all learners together."""
    totals: dict[str, int] = {}
    for (_, detector), n in _n_alarms(run).items():
        totals[detector] = totals.get(detector, 0) + n
    if totals:
        names = detector_names(list(totals))
        text = ", ".join(f"{names[label]} {n:,}" for label, n in totals.items())
        console.print(f"{'alarms':>7}  {text}", soft_wrap=True, highlight=False, markup=False)


def _show_events(run: Run, console: Console) -> None:
    """Say how many records and labels there were, where labels come late, and what was irregular, by kind."""
    text = told(run.manifest, run.path / "irregular")
    if not text:
        return
    console.print(f"{'events':>7}  {text}", soft_wrap=True, highlight=False, markup=False)
    for kind, n in (run.manifest.events or {})["irregular"].items():
        console.print(f"{'':>7}  {n:,} × {kind}: {MEANINGS[kind]}", soft_wrap=True, highlight=False, markup=False)
    for name, entry in run.manifest.learners.items():
        if entry.n_unpredicted and len(run.manifest.learners) > 1:
            said = f"{name}: {entry.n_unpredicted:,} × label of a record that it did not predict: not scored for it"
            console.print(f"{'':>7}  {said}", soft_wrap=True, highlight=False, markup=False)


def _n_alarms(run: Run) -> dict[tuple[str, str], int]:
    """Return how many alarms there are by learner and detector."""
    manifest = run.manifest
    found = by_watch(run.alarms(), manifest.learners, manifest.detectors) if manifest.detectors else {}
    return {watch: len(n) for watch, n in found.items()}


def _show_paths(run: Run, files: dict[str, Path], console: Console) -> None:
    for kind, path in {"run": run.path, **files}.items():
        console.print(f"{kind:>7}  {path}", soft_wrap=True, highlight=False)
    if run.manifest.resumed_at:
        places = ", ".join(f"{n:,}" for n in run.manifest.resumed_at)
        console.print(f"{'resumed':>7}  after record {places}", soft_wrap=True, highlight=False)


def _show_resume(run: Run, console: Console) -> None:
    """Say how to go on, if there is something to go on from."""
    if run.directory.save_points.exist:
        console.print(f"Go on with it: prequential run {run.path} --resume", soft_wrap=True, highlight=False)


def write_files(run: Run) -> dict[str, Path]:
    """Write the report and, if there is something to draw, the figure into the run's directory."""
    files = {"report": run.report(run.path / "report.html")}
    if run.manifest.n_records and len(run.to_arrow()):
        files["figure"] = run.save_figure(run.path / "figure.png")
    return files


def reported(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command end with a message and its exit code, not a traceback, when something that the user can mend fails.

    What a run had computed is shown.
    """

    @functools.wraps(command)
    def guarded(*args: object, **options: object) -> None:
        try:
            with _warned_in_lines():
                command(*args, **options)
        except (PrequentialError, KeyboardInterrupt) as error:
            show_partial(error, as_json=bool(options.get("as_json")), report=bool(options.get("report")))
            raise typer.Exit(code_of(error)) from error

    return guarded


@contextmanager
def _warned_in_lines() -> Iterator[None]:
    """Print what is odd as a line, once, and not with its place in the code."""
    told: set[str] = set()
    with warnings.catch_warnings():
        show_other = warnings.showwarning

        def show_line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, IN_A_LINE):
                show_other(message, category, *place, **more)
            elif str(message) not in told:
                told.add(str(message))
                Console(stderr=True).print(
                    f"prequential: {message}", style="yellow", markup=False, highlight=False, soft_wrap=True
                )

        warnings.showwarning = show_line
        yield


def code_of(error: BaseException) -> int:
    """Return the exit code of an error."""
    return next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))


def exit_code(run: Run) -> int:
    """Return 3 if a learner failed."""
    return 3 if run.failures else 0


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output


def _data(run: Run, files: dict[str, Path]) -> dict[str, Any]:
    manifest = run.manifest
    data: dict[str, Any] = {
        "status": manifest.status,
        "reason": manifest.reason,
        "n_records": manifest.n_records,
        "directory": str(run.path),
        **{kind: str(path) for kind, path in files.items()},
        "table": run.table().to_dicts(),
        "failures": {name: {"record": f.record, "message": f.message} for name, f in run.failures.items()},
    }
    if len(run.significance()):
        data["significance"] = run.significance_table().to_dicts()
    if manifest.events is not None:
        data["events"] = manifest.events
        listed = run.path / "irregular"
        data["irregular_table"] = str(listed) if listed.is_dir() else None  # all was as it should be
    if manifest.detectors:
        table = run.path / "alarms"
        counts = _n_alarms(run).items()
        data["alarms"] = [{"learner": name, "detector": label, "n_alarms": n} for (name, label), n in counts]
        data["alarms_table"] = str(table) if table.is_dir() else None  # none was given, so none was written
    return data
