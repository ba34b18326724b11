"""``prequential compare``: whether one learner is better than another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from rich.console import Console

from prequential.comparisons.interval import checked_alpha
from prequential.errors import InputError
from prequential.experiment.comparing import compare as compare_two
from prequential.experiment.comparing_many import compare_many
from prequential.experiment.run import load
from prequential.report import Comparison, RankTable, SignificanceTable, rich_table


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="One run: two of its learners; with several folds, all of them, by the tests over folds. Two runs of "
            "one stream, with predictions: a learner of each. More: all learners, ranked over the streams."
        ),
    ],
    learners: Annotated[
        tuple[str, str] | None,
        typer.Option("--learners", "-l", help="The two learners to compare, if there are more.", metavar="A B"),
    ] = None,
    rank: Annotated[
        bool, typer.Option("--rank", help="Rank the learners of two runs too, instead of comparing records.")
    ] = False,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure", "-m", help="What to rank by, or to test over folds; the first of the runs by default."
        ),
    ] = None,
    forgetting: Annotated[
        list[str] | None,
        typer.Option("--forgetting", "-f", help="cumulative, sliding:1000, fading:0.999. Repeat for more."),
    ] = None,
    at: Annotated[str, typer.Option(help="Rank by the 'end' of each run, or the 'mean' of its checkpoints.")] = "end",
    alpha: Annotated[float, typer.Option(help="The error rate.")] = 0.05,
    plot: Annotated[Path | None, typer.Option(help="Write the figure: .png, .svg or .pdf.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")] = False,
) -> None:
    """Compare learners: two record by record, several over the folds of one run or over several streams.

    [bold]prequential compare runs/elec --learners tree bayes[/]
    [bold]prequential compare runs/folds[/]   (a run with --protocol kfold: sign test and Wilcoxon's over its folds)
    [bold]prequential compare runs/tree runs/bayes[/]   (two runs of one stream, saved with --predictions)
    [bold]prequential compare runs/*[/]   (one run a stream: ranks, Friedman, Nemenyi, Wilcoxon with Holm)
    """
    shown: Comparison | RankTable | SignificanceTable
    if rank or len(runs) > 2:
        shown = _ranked(runs, learners, measure, forgetting, at, alpha)
    elif len(runs) == 1 and load(runs[0]).manifest.protocol.get("protocol") == "kfold":
        if at != "end":
            raise InputError("--at is for ranks over several streams; tests over folds are of the end of the run.")
        shown = _over_folds(runs[0], learners, measure, forgetting, alpha)
    else:
        if measure is not None or at != "end":
            raise InputError("--measure and --at are for ranks over several streams: name more runs, or say --rank.")
        first, *others = runs
        names = [*others, *(learners or ())]
        shown = compare_two(first, *names, forgetting=forgetting, alpha=alpha)
    figure = None if plot is None else _drawn(shown, runs[0], plot)
    if as_json:
        data = shown.to_dict() | ({} if figure is None else {"figure": str(figure)})
        print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output
        return
    console = Console(highlight=False)
    console.print(rich_table(shown if isinstance(shown, SignificanceTable) else shown.table()))
    if isinstance(shown, RankTable):
        console.print(f"{shown.tests}\n", markup=False, soft_wrap=True)
    console.print(shown.conclusion, style="bold", markup=False, soft_wrap=True)
    if figure is not None:
        console.print(f" figure  {figure}", soft_wrap=True)


def _over_folds(
    run: Path,
    learners: tuple[str, str] | None,
    measure: str | None,
    forgetting: list[str] | None,
    alpha: float,
) -> SignificanceTable:
    """Test one measure over the folds of a run, the first if none is named."""
    checked_alpha(alpha, "compare")
    a, b = learners or (None, None)
    found = load(run).significance_table(a, b, measures=measure, forgetting=forgetting, alpha=alpha)
    kept = found.rows if measure is not None else [row for row in found.rows if row.measure == found.rows[0].measure]
    return replace(found, rows=tuple(kept))


def _drawn(shown: Comparison | RankTable | SignificanceTable, run: Path, path: Path) -> Path:
    if not isinstance(shown, SignificanceTable):
        return shown.save_figure(path)
    first = shown.rows[0]
    return load(run).save_significance_figure(path, first.measure, forgetting=first.forgetting)


def _ranked(
    runs: list[Path],
    learners: tuple[str, str] | None,
    measure: str | None,
    forgetting: list[str] | None,
    at: str,
    alpha: float,
) -> RankTable:
    if forgetting is not None and len(forgetting) > 1:
        raise InputError("Ranks are of one forgetting: give --forgetting once.")
    return compare_many(
        runs,
        measure=measure,
        forgetting=None if forgetting is None else forgetting[0],
        at=cast(Literal["end", "mean"], at),
        learners=learners,
        alpha=alpha,
    )
