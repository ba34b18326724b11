"""The command line: one file per command; ``options.py`` declares the options that they share.

Exit codes: 0 success; 2 bad input; 3 a learner failed (the others are complete); 4 disk error; 130 interrupted;
143 terminated.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from prequential.cli import (
    calculate,
    compare,
    data,
    demo,
    detect,
    doctor,
    generate,
    list_names,
    power,
    reproduce,
    run,
    score,
    show,
    table_of_results,
    testbed,
)
from prequential.cli.exit_codes import EPILOG, reported
from prequential.wording import suggestion


class _Commands(TyperGroup):
    """The commands; the error for an unknown one suggests the right one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name."""
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            ours = _ELSEWHERE.get(name)
            hint = f" Did you mean {ours!r}?" if ours in self.commands else suggestion(name, self.commands)
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)


_ELSEWHERE = {
    **dict.fromkeys(("evaluate", "eval", "prequential", "EvaluatePrequential", "train"), "run"),
    **dict.fromkeys(("plot", "report", "table"), "show"),
    **dict.fromkeys(("drift", "drifts"), "detect"),
    **dict.fromkeys(("detectors", "learners", "metrics", "streams", "presets"), "list"),
    **dict.fromkeys(("dataset", "datasets", "data_sets", "download"), "data"),
    **dict.fromkeys(("make", "synthesize", "write"), "generate"),
}
"""Words of other tools for our commands."""
app = typer.Typer(
    cls=_Commands,
    name="prequential",
    help="The test bench for models that learn from data streams.",
    epilog=EPILOG,
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.", metavar="")
    ] = False,
) -> None:
    """Evaluate models that learn from data streams."""


_COMMANDS: dict[str, Callable[..., None]] = {
    "run": run.run,
    "score": score.score,
    "show": show.show,
    "compare": compare.compare,
    "power": power.power,
    "test": table_of_results.compare_results,
    "calculate": calculate.calculate,
    "detect": detect.detect,
    "generate": generate.generate,
    "reproduce": reproduce.reproduce,
    "list": list_names.list_names,
    "data": data.data,
    "demo": demo.demo,
    "doctor": doctor.doctor,
}
_NEED_NOTHING = ("data", "demo", "doctor", "reproduce")
"""Commands that do something without an argument; the others show their help, and end with exit code 2."""
for _name, _command in _COMMANDS.items():
    app.command(_name, epilog=EPILOG, no_args_is_help=_name not in _NEED_NOTHING)(reported(_command))
app.add_typer(testbed.app, name="testbed")


def main() -> None:
    """Run the command line."""
    app()
