"""Every option that commands share, declared once: its type, its names, its text and the panel that it is listed in.

A command lists the options that it takes, one line per option: ``target: options.Target = None``. The parameter has the
name of the option, with underscores; a default of None means that the text says what happens without the option.
The file is long because there are many options, and each is declared here only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

STREAM = "Stream"
PROTOCOL = "Protocol and metrics"
LATE = "Late labels"
ENGINE = "Engine"
OUTPUT = "Output"

_LEARNER = (
    "Reference learner (see [bold]prequential list learners[/]), with parameters after a colon "
    "(majority_class:window_size=1000), or a Python learner, FILE.py:NAME or MODULE:NAME. LABEL= before it names it in "
    "tables (slow=majority_class:window_size=1000)."
)
_FORGETTING = (
    "Which records count: cumulative, sliding:1000, sliding:60s, fading:0.999, adaptive, or histogram:1e7,0.01 "
    "(default: "
)
_SEVERAL = "Repeat for several."


def _option(*names: str, text: str, metavar: str, panel: str | None = None) -> Any:
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=panel)


def _flag(*names: str, text: str, panel: str | None = None) -> Any:
    return _option(*names, text=text, metavar="", panel=panel)


Learners = Annotated[list[str] | None, _option("--learner", "-l", metavar="LEARNER", text=f"{_LEARNER} {_SEVERAL}")]
OneLearner = Annotated[str, _option("--learner", "-l", metavar="LEARNER", text=_LEARNER)]
Seed = Annotated[int, _option(metavar="N", text="Seed for everything random.")]

# Stream
Length = Annotated[
    float | None, _option("--n", "-n", metavar="N", panel=STREAM, text="Number of records (1e6 is accepted).")
]
Target = Annotated[
    str | None,
    _option(
        metavar="COLUMN",
        panel=STREAM,
        text="Label column (default: the last one; of a Parquet file class, target, label or y if there is one).",
    ),
]
Task = Annotated[
    str | None,
    _option(metavar="TASK", panel=STREAM, text="classification or regression (default: inferred from the labels)."),
]
Time = Annotated[
    str | None,
    _option(metavar="COLUMN", panel=STREAM, text="Column with the time of each record: numbers or ISO 8601 dates."),
]
Weight = Annotated[str | None, _option(metavar="COLUMN", panel=STREAM, text="Column with the weight of each record.")]
Id = Annotated[str | None, _option("--id", metavar="COLUMN", panel=STREAM, text="Column with the id of each record.")]
Ignore = Annotated[list[str] | None, _option(metavar="COLUMN", panel=STREAM, text=f"Leave this column out. {_SEVERAL}")]
Nominal = Annotated[
    list[str] | None, _option(metavar="COLUMN", panel=STREAM, text=f"Treat this column as categorical. {_SEVERAL}")
]
Numeric = Annotated[
    list[str] | None, _option(metavar="COLUMN", panel=STREAM, text=f"Treat this column as numeric. {_SEVERAL}")
]
ClassLabel = Annotated[
    list[str] | None,
    _option(
        metavar="CLASS",
        panel=STREAM,
        text=f"Class, occurring in the file or not (default: those that occur). {_SEVERAL}",
    ),
]
MissingValue = Annotated[
    list[str] | None,
    _option(
        metavar="TEXT",
        panel=STREAM,
        text="Text that marks a missing value in a CSV file (default: an empty field, ?, NA, NaN, nan and null). "
        f"{_SEVERAL}",
    ),
]
Separator = Annotated[str | None, _option(metavar="CHAR", panel=STREAM, text="CSV delimiter (default: detected).")]
Decimal = Annotated[
    str | None, _option(metavar="CHAR", panel=STREAM, text="Decimal mark of a CSV file: . (default) or a comma.")
]
Header = Annotated[
    bool | None,
    _flag(
        "--header/--no-header",
        panel=STREAM,
        text="Whether the first row of a CSV file has the column names (default: detected).",
    ),
]
Skip = Annotated[int, _option(metavar="N", panel=STREAM, text="Number of records to skip at the start.")]
Take = Annotated[int | None, _option(metavar="N", panel=STREAM, text="Number of records to read (default: all).")]

# Protocol and metrics
Protocol = Annotated[
    str,
    _option(
        metavar="NAME",
        panel=PROTOCOL,
        text="prequential (each record tests, then trains), holdout, kfold, or delayed (labels are late).",
    ),
]
Pretrain = Annotated[
    int, _option(metavar="N", panel=PROTOCOL, text="prequential: number of first records that only train.")
]
TrainShare = Annotated[
    float,
    _option(
        metavar="SHARE",
        panel=PROTOCOL,
        text="prequential: share of the records that train, a random sample; all test (default: 1).",
    ),
]
Batch = Annotated[
    int,
    _option(
        metavar="N",
        panel=PROTOCOL,
        text="prequential: test then train in blocks of this many records (default: 1).",
    ),
]
TestData = Annotated[Path | None, _option(metavar="FILE", panel=PROTOCOL, text="holdout: file to test on.")]
Share = Annotated[
    float | None,
    _option(metavar="SHARE", panel=PROTOCOL, text="holdout: share of the records set aside for testing, such as 0.1."),
]
Folds = Annotated[
    int | None,
    _option(
        "--folds",
        "-k",
        metavar="K",
        panel=PROTOCOL,
        text="kfold: number of replicas per learner (default: 10). Tests over folds need at least 6.",
    ),
]
Scheme = Annotated[
    str | None,
    _option(
        metavar="SCHEME",
        panel=PROTOCOL,
        text="kfold: which replicas train on a record. bootstrap (recommended): each one, with a weight drawn from "
        "Poisson(1); those that draw 0 test. cross: all except one, which tests. split: one; all others test.",
    ),
]
TestOn = Annotated[
    str | None,
    _option(
        metavar="WHICH",
        panel=PROTOCOL,
        text="kfold: which records a replica tests. held_out (default): those that it does not train on. trained: "
        "those that it trains on, before training. all: every record, before it may train on it, as in MOA.",
    ),
]
Metrics = Annotated[
    list[str] | None,
    _option(
        "--metric",
        "-m",
        metavar="METRIC",
        panel=PROTOCOL,
        text="Metric to report, see [bold]prequential list metrics[/]; 'recall\\[UP]' is of one class (default: "
        f"accuracy, kappa, kappa_m and kappa_t; for regression mae, rmse and r2). {_SEVERAL}",
    ),
]
OneMetric = Annotated[
    str | None,
    _option(
        "--metric",
        "-m",
        metavar="METRIC",
        panel=PROTOCOL,
        text="Metric to compare, see [bold]prequential list metrics[/].",
    ),
]
Forgettings = Annotated[
    list[str] | None,
    _option(
        "--forgetting",
        "-f",
        metavar="FORGETTING",
        panel=PROTOCOL,
        text=f"{_FORGETTING}cumulative and sliding:1000). {_SEVERAL}",
    ),
]
ForgettingsOfRun = Annotated[
    list[str] | None,
    _option(
        "--forgetting",
        "-f",
        metavar="FORGETTING",
        panel=PROTOCOL,
        text=f"{_FORGETTING}those of the run; for ranks cumulative). {_SEVERAL}",
    ),
]
MetricsOfRun = Annotated[
    list[str] | None,
    _option(
        "--metric", "-m", metavar="METRIC", panel=PROTOCOL, text=f"Metric of the run (default: all of them). {_SEVERAL}"
    ),
]
ForgettingsToShow = Annotated[
    list[str] | None,
    _option(
        "--forgetting",
        "-f",
        metavar="FORGETTING",
        panel=PROTOCOL,
        text=f"Forgetting of the run (default: all of them). {_SEVERAL}",
    ),
]
Detectors = Annotated[
    list[str] | None,
    _option(
        "--detector",
        "-d",
        metavar="DETECTOR",
        panel=PROTOCOL,
        text="Drift detector to run on each learner: page_hinkley, ratio, adwin, ddm or eddm, with parameters after a "
        "colon (page_hinkley:delta=0.1); on=kappa and under=sliding:1000 choose the metric and the forgetting that it "
        f"reads. {_SEVERAL}",
    ),
]
Every = Annotated[
    int | None,
    _option(
        metavar="N",
        panel=PROTOCOL,
        text="Number of records between checkpoints; of labels, if they are late (default: a round number that gives "
        "about 200 checkpoints; 1000 if the length is not known, and for holdout).",
    ),
]
Abstain = Annotated[
    str,
    _option(metavar="HOW", panel=PROTOCOL, text="How a missing prediction counts: wrong, or skip to leave it out."),
]
Positive = Annotated[
    str | None,
    _option(
        metavar="CLASS",
        panel=PROTOCOL,
        text="Positive class: precision, recall and f1 are reported for it alone; average_precision and, with more "
        "than two classes, auc are of it against the rest (default: tables name the class that is used).",
    ),
]
Pairs = Annotated[
    bool | None,
    _flag(
        "--pairs/--no-pairs",
        panel=PROTOCOL,
        text="Count for every two learners which one was right where the other was wrong, for [bold]prequential "
        "compare[/] (default: with up to 8 classifiers).",
    ),
]
Level = Annotated[float, _option("--alpha", metavar="ALPHA", panel=PROTOCOL, text="Significance level of the tests.")]

# Late labels
Delay = Annotated[
    str | None,
    _option(
        metavar="DELAY",
        panel=LATE,
        text="Delay of the labels: 100, uniform:50,150, exponential:100, or the COLUMN that holds the delay. Needs "
        "--protocol delayed.",
    ),
]
DelayClock = Annotated[
    str | None,
    _option(metavar="UNIT", panel=LATE, text="Unit of the delay: records (default), or time, as in the column --time."),
]
DelayFirst = Annotated[
    str | None,
    _option(
        metavar="WHICH",
        panel=LATE,
        text="What is processed first at the same time: records (default), or labels, as in River and MOA.",
    ),
]
DelayRest = Annotated[
    bool | None,
    _flag(
        "--delay-rest/--no-delay-rest",
        panel=LATE,
        text="Whether labels that are due after the last record still arrive (default: they do).",
    ),
]
DelaySeed = Annotated[
    int | None, _option(metavar="N", panel=LATE, text="Seed for random delays (default: that of --seed).")
]
Events = Annotated[
    bool,
    _flag(
        "--events",
        panel=LATE,
        text="The file has two rows per record with the same --id: the record without its label, later the label.",
    ),
]
Bins = Annotated[
    int | None,
    _option(metavar="N", panel=LATE, text="Number of bins that the waiting time of a record has (default: 100)."),
]
PsiAlpha = Annotated[
    list[float] | None,
    _option(
        "--psi-alpha",
        metavar="ALPHA",
        panel=LATE,
        text="How much more the first prediction weighs in Ψ than the last one before the label (default: 2). "
        f"{_SEVERAL}",
    ),
]
ReevaluateEvery = Annotated[
    int | None,
    _option(metavar="N", panel=LATE, text="Predict a waiting record again after every N labels (default: 1)."),
]
Horizon = Annotated[
    float | None,
    _option(
        metavar="TIME",
        panel=LATE,
        text="Longest time that a record waits for its label; then it expires and is reported (default: no limit).",
    ),
]
Remember = Annotated[
    int | None,
    _option(
        metavar="N",
        panel=LATE,
        text="Number of past ids to remember, to tell a second label from one of an unknown record (default: 100000).",
    ),
]
FirstClass = Annotated[
    bool,
    _flag("--first-class", panel=LATE, text="Count a missing prediction as the first class, not as an abstention."),
]

# Engine
Engine = Annotated[
    str,
    _option(
        metavar="NAME",
        panel=ENGINE,
        text="Where learners run: auto, serial, threads, processes or ray. It does not change results.",
    ),
]
Workers = Annotated[
    int | None,
    _option(metavar="N", panel=ENGINE, text="Number of threads, processes or actors (default: the number of cores)."),
]
Address = Annotated[
    str | None,
    _option(
        metavar="HOST:PORT", panel=ENGINE, text="ray: address of the cluster (default: start one on this machine)."
    ),
]

# Output
RunDirectory = Annotated[
    Path | None,
    _option("--output", "-o", metavar="DIR", panel=OUTPUT, text="Directory of the run (default: runs/NAME-TIME)."),
]
Overwrite = Annotated[bool, _flag("--overwrite", panel=OUTPUT, text="Replace what is already there.")]
Resume = Annotated[
    bool,
    _flag(
        "--resume",
        panel=OUTPUT,
        text="Continue an interrupted run from its last save point. The result is that of an uninterrupted run.",
    ),
]
AcceptChanges = Annotated[
    bool,
    _flag(
        "--accept-changes",
        panel=OUTPUT,
        text="With --resume: continue although the code of learners or versions of libraries have changed.",
    ),
]
SaveSeconds = Annotated[
    float,
    _option(
        metavar="SECONDS",
        panel=OUTPUT,
        text="Time between save points. They hold pickles of Python learners: resume only your own runs.",
    ),
]
Predictions = Annotated[bool, _flag("--predictions", panel=OUTPUT, text="Save every prediction and score.")]
Report = Annotated[
    bool, _flag("--report/--no-report", panel=OUTPUT, text="Whether to write an HTML report and a figure.")
]
Json = Annotated[
    bool,
    _flag(
        "--json",
        panel=OUTPUT,
        text="Print the result as JSON. If something fails: an object with 'error' and, if a run had started, its "
        "'directory' and what was computed.",
    ),
]
Quiet = Annotated[bool, _flag("--quiet", "-q", panel=OUTPUT, text="No progress bar and no notes.")]
