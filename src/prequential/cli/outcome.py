"""The output at the end of a run: the table, what was found, where the files are, and what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from prequential.cli.console import print_json, print_line, print_note, print_paths
from prequential.errors import StorageError
from prequential.evaluation.run import Run
from prequential.runs.alarms import by_watch, detector_names
from prequential.runs.events import MEANINGS
from prequential.runs.status import event_summary
from prequential.tables.terminal import rich_table

_MOST_PAIRS = 6
"""Pairs of learners about which a line is printed after a run."""


def show(run: Run, *, as_json: bool, report: bool) -> None:
    """Print the result of a run, then write report and figure and print their paths.

    The result is printed first, so that a full disk does not take it away.
    """
    console = Console()
    if not as_json:
        console.print(rich_table(run.table()))
        for name, entry in run.manifest.learners.items():
            if entry.n_nonfinite:
                text = f"{name}: {entry.n_nonfinite:,} records had NaN or infinite scores; they count as abstentions."
                print_line(text, console, style="yellow")
        _show_significance(run, console)
    files: dict[str, Path] = {}
    failure: StorageError | None = None
    try:
        files = write_files(run) if report else {}
    except StorageError as error:
        failure = error
    if as_json:
        print_json(data_of(run, files) | ({} if failure is None else {"error": str(failure)}))
    else:
        show_details(run, files, console)
    if failure is not None:
        print_note(f"prequential: {failure}", style="bold red")
        raise typer.Exit(4)


def show_partial(error: BaseException, message: str, *, as_json: bool, report: bool) -> None:
    """Print an error; if a run had started, print what was computed and where it is."""
    console = Console(stderr=True)
    print_note(f"prequential: {message}", style="bold red")
    data: dict[str, Any] = {"error": message}
    run: Run | None = getattr(error, "run", None)
    if run is not None and run.path.exists():
        data["directory"] = str(run.path)
        try:
            if run.manifest.status in ("partial", "interrupted") and run.manifest.n_records:
                files = write_files(run) if report and not isinstance(error, StorageError) else {}
                data |= data_of(run, files)
                if not as_json:
                    console.print(rich_table(run.table()))
                    show_details(run, files, console)
                    console.print(f"This run is {run.status}: it has what was computed before.", style="yellow")
                    _show_how_to_resume(run, console)
        except StorageError as second:
            print_note(f"prequential: {second}", style="bold red")
    if as_json:
        print_json(data)


def write_files(run: Run) -> dict[str, Path]:
    """Write the report and, if there is something to draw, the figure into the directory of the run."""
    files = {"report": run.save_report(run.path / "report.html")}
    if run.manifest.n_records and len(run.to_arrow()):
        files["figure"] = run.save_figure(run.path / "figure.png")
    return files


def exit_code(run: Run) -> int:
    """Return 3 if a learner failed."""
    return 3 if run.failures else 0


def _show_significance(run: Run, console: Console) -> None:
    """Print for runs with several folds which learners differ, by the first metric and forgetting."""
    if not len(run.directory.significance()):
        return
    lines = run.folds.table().conclusion.splitlines()
    if len(lines) > _MOST_PAIRS + 1:
        lines = [*lines[:_MOST_PAIRS], f"… and {len(lines) - 1 - _MOST_PAIRS:,} more pairs.", lines[-1]]
    for line in (*lines, f"Other metrics and forgettings: prequential compare {run.path}\n"):
        print_line(line, console)


def show_details(run: Run, files: dict[str, Path], console: Console) -> None:
    """Print alarms, late labels, and where the files are."""
    totals: dict[str, int] = {}
    for (_, detector), n in _n_alarms(run).items():
        totals[detector] = totals.get(detector, 0) + n
    if totals:
        names = detector_names(list(totals))
        print_line(f"{'alarms':>7}  {', '.join(f'{names[label]} {n:,}' for label, n in totals.items())}", console)
    _show_events(run, console)
    print_paths({"run": run.path, **files}, console)
    if run.manifest.resumed_at:
        records = ", ".join(f"{n:,}" for n in run.manifest.resumed_at)
        print_line(f"{'resumed':>7}  after record {records}", console)
    for change in run.manifest.accepted_changes:
        print_line(f"{'':>7}  accepted: {change}", console, style="yellow")


def _show_events(run: Run, console: Console) -> None:
    """Print how many records and labels there were, if labels are late, and what was irregular, by kind."""
    summary = event_summary(run.manifest, run.path / "irregular")
    if not summary:
        return
    lines = [f"{n:,} × {kind}: {MEANINGS[kind]}" for kind, n in (run.manifest.events or {})["irregular"].items()]
    for name, entry in run.manifest.learners.items():
        if entry.n_unpredicted and len(run.manifest.learners) > 1:
            n = f"{entry.n_unpredicted:,}"
            lines.append(f"{name}: {n} × label of a record that it did not predict: not scored for it")
    print_line(f"{'events':>7}  {summary}", console)
    for line in lines:
        print_line(f"{'':>7}  {line}", console)


def _show_how_to_resume(run: Run, console: Console) -> None:
    """Print how to continue the run, if it has a save point."""
    if not run.directory.save_points.exist:
        return
    if (run.path / "plan.toml").is_file():
        print_line(f"Resume it: prequential run {run.path} --resume", console)
    else:
        print_line(f"Resume it: add --resume to the same command; the run is in {run.path}", console)


def _n_alarms(run: Run) -> dict[tuple[str, str], int]:
    """Return the number of alarms by learner and detector."""
    manifest = run.manifest
    found = by_watch(run.alarms(), manifest.learners, manifest.detectors) if manifest.detectors else {}
    return {watch: len(n) for watch, n in found.items()}


def data_of(run: Run, files: dict[str, Path]) -> dict[str, Any]:
    """Return the result of a run for JSON."""
    manifest, table = run.manifest, run.table()
    data: dict[str, Any] = {
        "status": manifest.status,
        "reason": manifest.reason,
        "n_records": manifest.n_records,
        "directory": str(run.path),
        **{kind: str(path) for kind, path in files.items()},
        "table": table.to_dicts(),
        **({"remark": table.remark} if table.remark else {}),
        "failures": {name: {"record": f.record, "message": f.message} for name, f in run.failures.items()},
    }
    if len(run.directory.significance()):
        data["significance"] = run.folds.table().to_dicts()
    if manifest.events is not None:
        data["events"] = manifest.events
        irregular = run.path / "irregular"
        data["irregular_table"] = str(irregular) if irregular.is_dir() else None  # no event was irregular
    if manifest.detectors:
        alarms = run.path / "alarms"
        counts = _n_alarms(run).items()
        data["alarms"] = [{"learner": name, "detector": label, "n_alarms": n} for (name, label), n in counts]
        data["alarms_table"] = str(alarms) if alarms.is_dir() else None  # no alarm was given
    return data
