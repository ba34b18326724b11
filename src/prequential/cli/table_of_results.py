"""``prequential test``: all tests on a table of results, one row per stream, fold or seed, one column per learner."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import typer
from rich.console import Console

from prequential.arguments import check_choice
from prequential.cli import options
from prequential.cli.console import print_json, print_line, print_paths
from prequential.comparisons.bayesian import bayesian_signed_rank
from prequential.comparisons.friedman import Better
from prequential.comparisons.interval import checked_alpha
from prequential.comparisons.ranking import ranking
from prequential.comparisons.sample import least_pairs
from prequential.comparisons.sign_test import sign_test
from prequential.errors import DataError, InputError, MissingFileError
from prequential.number import chance_of
from prequential.tables.rank_table import RankTable
from prequential.tables.terminal import rich_table
from prequential.types import FloatArray
from prequential.wording import listing

_OVER = ("streams", "folds", "seeds")


def compare_results(
    results: Annotated[
        Path,
        typer.Argument(
            help="Table of results (.csv, .tsv or .parquet): names of streams in the first column if it is "
            "text, then one column per learner."
        ),
    ],
    better: Annotated[
        str, typer.Option(help="Whether 'higher' or 'lower' results are better.", metavar="WHICH")
    ] = "higher",
    over: Annotated[str, typer.Option(help="What the rows are: streams, folds or seeds.", metavar="WHAT")] = "streams",
    name: Annotated[
        str, typer.Option("--metric", "-m", help="Name of the metric, for tables.", metavar="TEXT")
    ] = "result",
    alpha: options.Level = 0.05,
    rope: Annotated[
        float | None,
        typer.Option(
            help="Also the Bayesian signed-rank test: differences up to this size have no practical importance.",
            metavar="WIDTH",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the critical-difference diagram (.png, .svg or .pdf).",
            metavar="FILE",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Run all tests on a table of results.

    Learners are in columns, streams or folds in rows.

    [bold]prequential test accuracies.csv[/]
    [bold]prequential test errors.csv --better lower --over folds -o ranks.pdf[/]

    Friedman and Iman-Davenport over all learners, Nemenyi for mean ranks,
    and for each pair the sign test and Wilcoxon's test with Holm's correction.
    [bold]--rope 0.01[/] adds the Bayesian signed-rank test.
    """
    check_choice(better, "better", "test", get_args(Better))
    check_choice(over, "over", "test", _OVER)
    alpha = checked_alpha(alpha, "test")
    names, learners, values = _table(results, over)
    ranked = ranking(
        values,
        learners,
        names,
        better=cast(Better, better),
        metric=name,
        alpha=alpha,
        over=cast(Literal["streams", "folds", "seeds"], over),
    )
    table = RankTable(ranked)
    signs = _sign_tests(learners, values, better, alpha)
    bayesian = [] if rope is None else _bayesian_tests(learners, values, better, rope)
    figure = None if output is None else table.save_figure(output)
    if as_json:
        found = table.to_dict() | {"sign_tests": signs, "bayesian_tests": bayesian}
        print_json(found | ({} if figure is None else {"figure": str(figure)}))
        return
    console = Console(highlight=False)
    console.print(rich_table(table.table()))
    print_line(f"{table.tests}\n", console)
    console.print(rich_table(table.pairs()))
    for one in signs:
        counts = f"{one['n_a_better']} of {one['n_differ']} {over} that differ"
        print_line(f"Sign test: {one['a']} is ahead of {one['b']} in {counts}, {chance_of(one['p_value'])}.", console)
    for one in bayesian:
        print_line(
            f"Bayesian signed-rank test, rope {rope:g}: {one['a']} is better with probability {one['p_a']:.3f}, "
            f"{one['b']} with {one['p_b']:.3f}; practically equivalent with {one['p_rope']:.3f}.",
            console,
        )
    print_line(table.conclusion, console, style="bold")
    print_paths({} if figure is None else {"figure": figure}, console)


def _sign_tests(learners: list[str], values: FloatArray, better: str, alpha: float) -> list[dict[str, Any]]:
    """Return the sign test of every pair; none if there are too few rows for a test to reject."""
    if len(values) < least_pairs(alpha):
        return []
    sign = 1 if better == "higher" else -1
    found = []
    for i, a in enumerate(learners):
        for k, b in enumerate(learners[i + 1 :], start=i + 1):
            test = sign_test(sign * values[:, i], sign * values[:, k], alpha=alpha)
            n_differ = len(values) - test.n_ties
            found.append({"a": a, "b": b, "n_a_better": test.statistic, "n_differ": n_differ, "p_value": test.p_value})
    return found


def _bayesian_tests(learners: list[str], values: FloatArray, better: str, rope: float) -> list[dict[str, Any]]:
    """Return the Bayesian signed-rank test of every pair."""
    signed = values if better == "higher" else -values
    found = []
    for i, k in combinations(range(len(learners)), 2):
        test = bayesian_signed_rank(signed[:, i], signed[:, k], rope=rope)
        found.append({"a": learners[i], "b": learners[k], **test.to_dicts()[0]})
    return found


def _table(path: Path, over: str) -> tuple[list[str], list[str], FloatArray]:
    """Read the names of the rows, the names of the learners, and the results."""
    if not path.is_file():
        raise MissingFileError(path)
    table = _read(path)
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    first = table.column_names[0] if table.num_columns else ""
    names = [f"{over[:-1]} {k + 1}" for k in range(table.num_rows)]
    if table.num_columns and not _is_number(columns[first].type):
        names = [str(one) for one in columns.pop(first).to_pylist()]
    for name, column in columns.items():
        if not _is_number(column.type):
            bad = next((k for k, one in enumerate(column.to_pylist()) if not _reads_as_number(one)), 0)
            raise DataError(
                f"column {name!r} is not a number",
                source=path,
                row=bad + 1,
                value=str(column[bad]),
                accepted="a number",
            )
    if len(columns) < 2 or table.num_rows < 2:
        raise InputError(
            f"{path}: a test needs at least 2 learners (columns of numbers) and 2 {over} (rows). It has "
            f"{listing(columns) or 'no such column'} and {table.num_rows} rows."
        )
    values = np.column_stack([column.cast(pa.float64()).to_numpy(zero_copy_only=False) for column in columns.values()])
    return names, list(columns), values


def _read(path: Path) -> pa.Table:
    try:
        if path.suffix == ".parquet":
            return pa.parquet.read_table(path)
        separator = "\t" if path.suffix == ".tsv" else ","
        return pa.csv.read_csv(path, parse_options=pa.csv.ParseOptions(delimiter=separator))
    except (pa.ArrowInvalid, UnicodeDecodeError, OSError) as error:
        raise InputError(f"{path} cannot be read as a table: {error}") from error


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


def _reads_as_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True
