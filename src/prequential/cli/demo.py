"""``prequential demo``: one stream with known drifts and a known optimum, and the questions that can be asked of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_line, print_note, print_paths, show_progress, timestamped
from prequential.cli.demonstration import LATE_PLAN, PLAN, answers
from prequential.evaluation.run import Run
from prequential.plans.plan import Plan
from prequential.tables.terminal import rich_table


def demo(
    output: options.RunDirectory = None,
    overwrite: options.Overwrite = False,
    report: options.Report = True,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show in a minute what this program reports about learners on one stream.

    [bold]prequential demo[/]
    [bold]prequential demo -o runs/demo --overwrite[/]

    Four learners on 100,000 records of SEA with three drifts, whose best
    possible accuracy is known. The same with labels that come late is in
    the directory late of the run.
    """
    directory = output or timestamped("runs", "demo")
    plan = Plan(PLAN).check()
    best_possible = 1 - (plan.stream.bayes_error or 0.0)
    progress = show_progress(quiet=quiet, as_json=as_json)
    if not (quiet or as_json):
        print_note("SEA: 100,000 records with drifts at 25,000, 50,000 and 75,000; then again with late labels")
    run = plan.run(directory=directory, overwrite=overwrite, progress=progress)
    late = Plan(LATE_PLAN).check().run(directory=directory / "late", overwrite=overwrite, progress=progress)
    found = list(answers(run, late, best_possible))
    files = {"run": run.path}
    if report:
        files["figure"] = _save_figure(run, best_possible, directory / "figure.png")
        files["report"] = run.save_report(directory / "report.html")
    if as_json:
        print_json({"answers": [one.to_dict() for one in found], **{kind: str(path) for kind, path in files.items()}})
        return
    console = Console(highlight=False)
    for k, one in enumerate(found, start=1):
        print_line(f"{k}. {one.question}", console, style="bold cyan")
        print_line(one.answer, console, style="bold")
        console.print(rich_table(one))
        console.print()
    print_paths(files, console)
    print_line(f"    all  prequential show {run.path}    Your data: prequential run data.csv --target class", console)


def _save_figure(run: Run, best_possible: float, path: Path) -> Path:
    """Draw the accuracy over the last 1,000 records, with the best possible accuracy as a line."""
    import matplotlib as mpl  # slow

    from prequential.figures.curves import panels
    from prequential.figures.curves_matplotlib import draw_panels
    from prequential.figures.matplotlib_style import STYLE, write_figure

    (panel,) = panels(run.directory, ["accuracy"], ["sliding:1000"])
    low, high = panel.y_range
    panel = replace(panel, title="accuracy over the last 1,000 records", y_range=(low, max(high, best_possible + 0.01)))
    with mpl.rc_context(STYLE):
        figure = draw_panels([panel])
        figure.axes[0].axhline(best_possible, color="0.2", linewidth=0.9, linestyle=(0, (5, 2)), zorder=1)
        figure.axes[0].annotate(
            f"best\npossible\n{best_possible:.2f}",
            (1.01, best_possible),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7.5,
            color="0.2",
        )
        return write_figure(figure, path)
