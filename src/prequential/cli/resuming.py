"""The directory of a run that was stopped, on the command line: its plan, and what is to be said before it goes on."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from prequential.errors import InputError, listing
from prequential.experiment.plan import Plan
from prequential.runs.directory import RunDirectory


def is_stream(path: Path) -> bool:
    """Whether a directory is one of Parquet files, and not that of a run."""
    return not (path / "manifest.json").is_file()


def plan_of(directory: Path, *, resume: bool) -> Plan:
    """Return the plan that a run directory has."""
    if not resume:
        raise InputError(f"{directory}: is the directory of a run. Add --resume to go on with it.")
    if not (directory / "plan.toml").is_file():
        raise InputError(
            f"{directory}: has no plan.toml, so it does not say what was run. Name the stream and the learners again, "
            "with --output and --resume; a run made in Python is resumed there: pq.evaluate(…, resume=True)."
        )
    RunDirectory.take_up(directory)  # which refuses what is none, before anything that lies there is run
    return Plan.from_toml(directory / "plan.toml")


def warn_of_pickles(directory: Path, learners: list[str]) -> None:
    """Say that code is run when a run is resumed."""
    if learners and RunDirectory(directory).save_points.exist:
        Console(stderr=True).print(
            f"{listing(learners)}: written in Python, so unpickled from {directory / 'checkpoint'}. That runs code: "
            "resume only runs of your own.",
            style="dim",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
