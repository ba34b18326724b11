"""The command line: one file a command.

Exit codes: 0 all well; 2 bad input; 3 a learner failed (the others are complete); 4 the disk; 130 interrupted.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from prequential.cli import compare, detect, doctor, generate, learners, measures, power, run, score, testbed
from prequential.cli.outcome import reported

app = typer.Typer(
    name="prequential",
    help="The test bench for models that learn from streams.",
    epilog="Exit codes: 0 all well, 2 bad input, 3 a learner failed, 4 the disk, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"prequential {version('prequential')}")  # noqa: T201  # the command's output
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Evaluate models that learn from streams."""


app.command("run")(reported(run.run))
app.command("score")(reported(score.score))
app.command("compare")(reported(compare.compare))
app.command("power")(reported(power.power))
app.command("detect")(reported(detect.detect))
app.command("generate")(reported(generate.generate))
app.add_typer(testbed.app, name="testbed")
app.command("learners")(reported(learners.learners))
app.command("measures")(measures.measures)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run the command line."""
    app()
