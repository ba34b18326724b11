"""``prequential compare``: whether one learner is better than another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_line, print_paths
from prequential.comparisons.interval import checked_alpha
from prequential.errors import InputError, ParameterError
from prequential.evaluation.compare import compare as compare_two
from prequential.evaluation.run import load
from prequential.tables.comparison import Comparison
from prequential.tables.rank_table import RankTable
from prequential.tables.significance_table import SignificanceTable
from prequential.tables.terminal import rich_table


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="One run: compares two of its learners or, if it has folds, all of them. Two runs of one stream, "
            "saved with --predictions: compares one learner of each. More runs: ranks all learners over the streams."
        ),
    ],
    learners: Annotated[
        tuple[str, str] | None,
        typer.Option("--learners", "-l", help="The two learners to compare, if there are more.", metavar="A B"),
    ] = None,
    rank: Annotated[
        bool,
        typer.Option("--rank", help="Rank the learners of two runs, instead of comparing their records.", metavar=""),
    ] = False,
    at: Annotated[
        str,
        typer.Option(help="Rank by the 'end' of each run, or by the 'mean' of its checkpoints.", metavar="WHEN"),
    ] = "end",
    metric: options.OneMetric = None,
    loss: Annotated[
        str | None,
        typer.Option(
            help="Loss to compare two learners by: error, log_loss, brier; mse or mae for regression; or your own.",
            metavar="LOSS",
            rich_help_panel=options.PROTOCOL,
        ),
    ] = None,
    bound: Annotated[
        str | None,
        typer.Option(
            help="Largest possible loss, or 'learned', for the confidence sequence.",
            metavar="NUMBER",
            rich_help_panel=options.PROTOCOL,
        ),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            help="With late labels: compare the 'initial' (default) or the 'final' predictions.",
            metavar="STAGE",
            rich_help_panel=options.PROTOCOL,
        ),
    ] = None,
    forgetting: options.ForgettingsOfRun = None,
    alpha: options.Level = 0.05,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a figure (.png, .svg or .pdf).",
            metavar="FILE",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Compare learners: over the records, the folds or several streams.

    [bold]prequential compare runs/elec --learners tree bayes[/]   (record by record)
    [bold]prequential compare runs/tree runs/bayes[/]   (two runs with --predictions)
    [bold]prequential compare runs/bikes --loss mae[/]   (regression, or any loss)
    [bold]prequential compare runs/late --stage final[/]   (late labels)
    [bold]prequential compare runs/folds[/]   (a run with --protocol kfold)
    [bold]prequential compare runs/*[/]   (one run per stream)

    Record by record: Q, McNemar's test, the difference of the errors, or of
    another loss, and a confidence sequence. Over folds: the sign test and
    Wilcoxon's test. Over streams: ranks, Friedman, Nemenyi, and Wilcoxon with
    Holm's correction.
    By default the metric is the first one of the runs.
    """
    result: Comparison | RankTable | SignificanceTable
    folds = len(runs) == 1 and load(runs[0]).manifest.protocol.get("protocol") == "kfold"
    if (loss is not None or bound is not None) and (rank or len(runs) > 2 or folds):
        raise InputError("--loss and --bound are for two learners on one stream; over folds and streams, use --metric.")
    if stage is not None and (rank or len(runs) > 2 or folds):
        raise InputError(
            "--stage is for two learners of one run with late labels; over streams, the metric has it: --metric "
            "accuracy_final."
        )
    if rank or len(runs) > 2:
        result = _ranked(runs, learners, metric, forgetting, at, alpha)
    elif folds:
        if at != "end":
            raise InputError("--at is for ranks over several streams; tests over folds use the end of the run.")
        result = _over_folds(runs[0], learners, metric, forgetting, alpha)
    else:
        if metric is not None or at != "end":
            raise InputError("--metric and --at are for ranks over several streams: name more runs, or add --rank.")
        first, *others = runs
        result = compare_two(
            first,
            others[0] if others else None,
            learners=learners,
            loss=loss,
            bound=_bound(bound),
            forgetting=forgetting,
            stage=stage,
            alpha=alpha,
        )
    figure = None if output is None else _save_figure(result, runs[0], output)
    if as_json:
        print_json(result.to_dict() | ({} if figure is None else {"figure": str(figure)}))
        return
    console = Console(highlight=False)
    console.print(rich_table(result if isinstance(result, SignificanceTable) else result.table()))
    if isinstance(result, RankTable):
        print_line(f"{result.tests}\n", console)
    print_line(result.conclusion, console, style="bold")
    print_paths({} if figure is None else {"figure": figure}, console)


def _bound(given: str | None) -> float | Literal["learned"] | None:
    if given is None or given == "learned":
        return given  # type: ignore[return-value]  # mypy does not narrow a text by a comparison
    try:
        return float(given)
    except ValueError:
        raise ParameterError("--bound", "compare", "the largest possible loss, or 'learned'", given) from None


def _over_folds(
    run: Path,
    learners: tuple[str, str] | None,
    metric: str | None,
    forgetting: list[str] | None,
    alpha: float,
) -> SignificanceTable:
    """Test one metric over the folds of a run, by default the first."""
    checked_alpha(alpha, "compare")
    a, b = learners or (None, None)
    found = load(run).folds.table(a, b, metrics=metric, forgetting=forgetting, alpha=alpha)
    rows = found.rows if metric is not None else [row for row in found.rows if row.metric == found.rows[0].metric]
    return replace(found, rows=tuple(rows))


def _ranked(
    runs: list[Path],
    learners: tuple[str, str] | None,
    metric: str | None,
    forgetting: list[str] | None,
    at: str,
    alpha: float,
) -> RankTable:
    """Rank the learners over the streams of several runs."""
    if forgetting and len(forgetting) > 1:
        raise InputError("Ranks use one forgetting: give --forgetting once.")
    return compare_two(
        runs,
        metric=metric,
        forgetting=forgetting[0] if forgetting else None,
        at=cast(Literal["end", "mean"], at),
        learners=learners,
        alpha=alpha,
    )


def _save_figure(result: Comparison | RankTable | SignificanceTable, run: Path, path: Path) -> Path:
    if not isinstance(result, SignificanceTable):
        return result.save_figure(path)
    first = result.rows[0]
    return load(run).folds.save_figure(path, first.metric, forgetting=first.forgetting)
