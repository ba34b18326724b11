"""Resuming a run on the command line: the plan in its directory, and the warning before it continues."""

from __future__ import annotations

from pathlib import Path

from prequential.cli.console import print_note
from prequential.errors import InputError
from prequential.plans.plan import Plan
from prequential.replication.design import ReplicationDirectory
from prequential.runs.directory import RunDirectory
from prequential.wording import listing


def is_run(path: Path) -> bool:
    """Whether a path is the directory of a run, and not one of Parquet files."""
    return (path / "manifest.json").is_file()


def plan_of_run(directory: Path, *, resume: bool) -> Plan:
    """Return the plan that a run directory has."""
    if not resume:
        kind = "run" if is_run(directory) else "replication"
        raise InputError(f"{directory} is the directory of a {kind}. Add --resume to continue it.")
    if not (directory / "plan.toml").is_file():
        raise InputError(
            f"{directory} has no plan.toml, so it does not say what was run. Name the stream and the learners again, "
            "with --output and --resume; a run made in Python is resumed there: pq.evaluate(…, resume=True)."
        )
    if not ReplicationDirectory.is_one(directory):
        RunDirectory.resume(directory)  # refuses a directory that is not a run before any code in it is run
    return Plan.from_toml(directory / "plan.toml")


def warn_about_pickles(directory: Path, learners: list[str]) -> None:
    """Print that resuming these learners, written in Python, runs code from the directory."""
    if learners and RunDirectory(directory).save_points.exist:
        print_note(
            f"{listing(learners)}: written in Python, so unpickled from {directory / 'save_points'}, which runs code. "
            "Resume only your own runs."
        )
