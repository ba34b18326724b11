"""The command line: one file a command.

Exit codes: 0 all well; 2 bad input; 3 a learner failed (the others are complete); 4 the disk; 130 interrupted.
"""

from __future__ import annotations

import sys

import click
import typer

from prequential.cli import doctor, learners, measures, run, score
from prequential.cli.outcome import INTERRUPTED, show_partial
from prequential.errors import InputError, LearnerError, StorageError

app = typer.Typer(
    name="prequential",
    help="The test bench for models that learn from streams.",
    epilog="Exit codes: 0 all well, 2 bad input, 3 a learner failed, 4 the disk, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command("run")(run.run)
app.command("score")(score.score)
app.command("learners")(learners.learners)
app.command("measures")(measures.measures)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run the command line; a user's mistake ends with a message, never with a traceback."""
    try:
        sys.exit(app(standalone_mode=False) or 0)  # typer.Exit comes back as a number
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except InputError as error:
        show_partial(error)
        sys.exit(2)
    except LearnerError as error:
        show_partial(error)
        sys.exit(3)
    except StorageError as error:
        show_partial(error)
        sys.exit(4)
    except (KeyboardInterrupt, click.exceptions.Abort):  # before a run was under way
        sys.exit(INTERRUPTED)
