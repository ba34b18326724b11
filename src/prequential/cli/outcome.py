"""What a command prints at its end: the table, where the files are, and what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from prequential.errors import StorageError
from prequential.experiment.run import Run
from prequential.report import rich_table

INTERRUPTED = 130


def show(run: Run, *, as_json: bool, report: bool) -> None:
    """Print the result of a run, with the paths of its report and figure."""
    files = write_files(run) if report else {}
    if as_json:
        print(json.dumps(_data(run, files), indent=2, allow_nan=False))  # noqa: T201
        return
    console = Console()
    console.print(rich_table(run.table()))
    for name, entry in run.manifest.learners.items():
        if entry.n_nonfinite:
            console.print(
                f"{name}: {entry.n_nonfinite:,} records had NaN or infinite scores; they count as abstentions.",
                style="yellow",
            )
    for kind, path in {"run": run.path, **files}.items():
        console.print(f"{kind:>7}  {path}", soft_wrap=True, highlight=False)


def show_partial(error: BaseException) -> None:
    """Print an error; if a run was under way, print what was computed and where it is."""
    console = Console(stderr=True)
    message = str(error) or "Interrupted."
    console.print(f"prequential: {message}", style="bold red", markup=False, highlight=False, soft_wrap=True)
    run: Run | None = getattr(error, "run", None)
    if run is None or not run.path.exists():
        return
    try:
        if run.manifest.status == "partial":
            files = {} if isinstance(error, StorageError) else write_files(run)
            console.print(rich_table(run.table()))
            for kind, path in {"run": run.path, **files}.items():
                console.print(f"{kind:>7}  {path}", soft_wrap=True, highlight=False)
            console.print("This run is partial: it holds what was computed before.", style="yellow")
    except StorageError as second:
        console.print(f"prequential: {second}", style="bold red", markup=False, highlight=False)


def write_files(run: Run) -> dict[str, Path]:
    """Write the report and, if there is something to draw, the figure into the run's directory."""
    files = {"report": run.report(run.path / "report.html")}
    if len(run.to_arrow()):
        files["figure"] = run.save_figure(run.path / "figure.png")
    return files


@contextmanager
def interruptible() -> Iterator[None]:
    """On Ctrl-C, show what was computed and end with its exit code."""
    try:
        yield
    except KeyboardInterrupt as error:
        show_partial(error)
        raise typer.Exit(INTERRUPTED) from error


def exit_code(run: Run) -> int:
    """Return 3 if a learner failed."""
    return 3 if run.failures else 0


def _data(run: Run, files: dict[str, Path]) -> dict[str, Any]:
    manifest = run.manifest
    return {
        "status": manifest.status,
        "reason": manifest.reason,
        "n_records": manifest.n_records,
        "directory": str(run.path),
        **{kind: str(path) for kind, path in files.items()},
        "table": run.table().to_dicts(),
        "failures": {name: {"record": f.record, "message": f.message} for name, f in run.failures.items()},
    }
