"""What ``--seeds`` does on the command line: a plan is repeated, and its results over seeds are printed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prequential.cli.console import print_json, print_line, print_note, print_paths
from prequential.cli.default_learners import DEFAULT_LEARNERS
from prequential.errors import InputError, StorageError
from prequential.plans.plan import Plan
from prequential.replication.replicate import replicate
from prequential.replication.replication import Replication
from prequential.tables.significance_table import SignificanceTable
from prequential.tables.terminal import rich_table

Seeds = Annotated[
    int | None,
    typer.Option(
        "--seeds",
        metavar="N",
        help="Repeat with the seeds 1 to N, one run each below one directory, and report means ± standard deviations "
        "and tests over the seeds.",
    ),
]
Vary = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="With --seeds, what a seed changes: stream, learners, or both (default).",
    ),
]


def with_default_learners(plan: Plan) -> Plan:
    """Return a plan that names its learners: the default ones of its task if it has none."""
    if plan.data.get("learner"):
        return plan
    return Plan({**plan.data, "learner": DEFAULT_LEARNERS[plan.stream().schema.task]}, plan.source, plan.folder)


def repeated(
    plan: Plan,
    seeds: int | None,
    directory: Path | None,
    options: Mapping[str, Any],
    *,
    progress: bool | None,
) -> Replication:
    """Repeat a plan; the options are those of the command: overwrite, resume, accept_changes, save_seconds."""
    kept = ("vary", "overwrite", "resume", "accept_changes", "save_seconds")
    return replicate(
        plan,
        seeds,
        directory=directory,
        progress=progress,
        **{name: options[name] for name in kept if name in options},
    )


def show(found: Replication, *, as_json: bool, report: bool, at: str = "end") -> None:
    """Print the results over seeds, then write report and figure and print their paths."""
    console = Console()
    table = found.table(at=_checked_at(at))
    tests = compared_seeds(found, at)
    if not as_json:
        console.print(rich_table(table))
        for line in () if tests is None else tests.conclusion.splitlines():
            print_line(line, console)
        if _has_detectors(found):
            console.print(rich_table(found.detections()))
    files: dict[str, Path] = {}
    failure: StorageError | None = None
    try:
        if report:
            files["report"] = found.save_report(found.path / "report.html")
            files["figure"] = found.save_figure(found.path / "figure.png")
    except StorageError as error:
        failure = error
    if as_json:
        print_json(data_of(found, files, at) | ({} if failure is None else {"error": str(failure)}))
    else:
        print_paths({"runs": found.path, **files}, console)
    if failure is not None:
        print_note(f"prequential: {failure}", style="bold red")
        raise typer.Exit(4)


def exit_code(found: Replication) -> int:
    """Return 3 if a learner failed with some seed."""
    return 3 if found.status == "failed" else 0


def data_of(found: Replication, files: Mapping[str, Path], at: str = "end") -> dict[str, Any]:
    """Return the results over seeds for JSON."""
    tests = compared_seeds(found, at)
    return {
        "status": found.status,
        "seeds": list(found.seeds),
        "directory": str(found.path),
        **{kind: str(path) for kind, path in files.items()},
        "runs": {str(seed): str(run.path) for seed, run in found.runs.items()},
        "table": found.table(at=_checked_at(at)).to_dicts(),
        **({} if tests is None else {"tests": tests.to_dicts()}),
        **({"detections": found.detections().to_dicts()} if _has_detectors(found) else {}),
    }


def compared_seeds(found: Replication, at: str) -> SignificanceTable | None:
    """Return the tests over seeds by the first metric and forgetting; None for one learner or one seed."""
    if len(found.runs) < 2 or len(found.learners) < 2:
        return None
    first = next(iter(found.runs.values())).manifest
    forgetting = "cumulative" if "cumulative" in first.forgetting else first.forgetting[0]
    try:
        return found.tests(metrics=first.metrics[0], forgetting=forgetting, at="mean" if at == "mean" else "end")
    except InputError:
        return None


def _has_detectors(found: Replication) -> bool:
    """Whether alarms were recorded, and can be scored."""
    manifest = next(iter(found.runs.values())).manifest
    return bool(manifest.detectors and manifest.drifts)


def _checked_at(at: str) -> Any:
    return int(at) if at.isdigit() else at
