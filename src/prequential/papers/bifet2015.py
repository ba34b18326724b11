"""Bifet, De Francisci Morales, Read, Holmes and Pfahringer 2015: folds, tests and measures for streams at scale."""

from __future__ import annotations

from typing import Any

import prequential as pq
from prequential.papers.claim import Claim
from prequential.papers.item import Made, item
from prequential.papers.paper_table import PaperTable
from prequential.papers.value import Value
from prequential.papers.work import Work

TABLE_1 = {
    "A": (77.98, 72.26, 76.95, 77.94, 72.23, 76.90, 77.93, 72.37, 76.93, 77.97),
    "B": (77.91, 72.27, 76.97, 76.57, 71.63, 75.48, 75.75, 71.33, 74.54, 77.94),
}
"""Accuracy of two classifiers on ten folds, in per cent."""
TABLE_5 = ((40, 30), (5, 25))
"""Labels in rows, predictions in columns."""
PAPER_5 = {
    "accuracy": 0.65,
    "kappa": 0.3269,
    "mcc": 0.3728,
    "balanced_accuracy": 0.7024,
    "g_mean": 0.6901,
    "h_mean": 0.6780,
    "kappa_m": -0.1667,
}


@item("bifet2015.table1", "Sign test and Wilcoxon's test of two classifiers on ten folds")
def table1(work: Work) -> Made:  # noqa: ARG001  # there is nothing to run
    """Make table 1: the sums of ranks and what the tests say."""
    wilcoxon = pq.comparisons.wilcoxon(TABLE_1["A"], TABLE_1["B"])
    sign = pq.comparisons.sign_test(TABLE_1["A"], TABLE_1["B"])
    ours = {
        "folds where A is better": sign.statistic,
        "sum of ranks of A": wilcoxon.rank_sum_a,
        "sum of ranks of B": wilcoxon.rank_sum_b,
        "p-value of the sign test": sign.p_value,
        "p-value of Wilcoxon's test": wilcoxon.p_value,
    }
    paper = {"folds where A is better": 8, "sum of ranks of A": 53, "sum of ranks of B": 3}
    table = PaperTable(
        "Tests of table 1",
        "statistic",
        {(name, "value"): Value(value) for name, value in paper.items()},
        {(name, "value"): Value(float(value)) for name, value in ours.items()},
        digits=4,
    )
    return Made(
        table=table,
        claims=(
            Claim("Wilcoxon's test finds a difference at 5 %.", wilcoxon.p_value < 0.05, f"p = {wilcoxon.p_value:.4f}"),
            Claim(
                "The sign test finds a difference at 5 %, with 8 of 10 folds.",
                sign.p_value < 0.05,
                f"p = {sign.p_value:.3f}",
                "the exact two-sided p-value of 8 of 10 is .109; the paper takes 8 for the critical value at 5 %, and "
                "so rejects in 10.9 % of all cases without a difference",
            ),
        ),
        differs=("The ranks of ten folds sum to 55: the paper prints 53 and 3, the sums are 52 and 3.",),
    )


@item("bifet2015.table5", "Measures of one confusion matrix")
def table5(work: Work) -> Made:  # noqa: ARG001  # there is nothing to run
    """Make table 5: a classifier that is worse than the majority class, while κ and the means look good."""
    found = pq.metrics.of_confusion(TABLE_5)
    table = PaperTable(
        "Measures of the confusion matrix 40, 30 / 5, 25",
        "measure",
        {(name, "value"): Value(value) for name, value in PAPER_5.items()},
        {(name, "value"): Value(found[name]) for name in PAPER_5},
        digits=4,
    )
    worst = max(abs(table.difference(place)) for place in table.paper)
    return Made(
        table=table,
        claims=(
            Claim("All values come out digit for digit.", worst < 0.00005, f"largest difference {worst:.5f}"),
            Claim(
                "κ_m is negative where κ and the harmonic mean are high.",
                found["kappa_m"] < 0 < min(found["kappa"], found["h_mean"]),
                f"κ_m {found['kappa_m']:.4f}, κ {found['kappa']:.4f}, H {found['h_mean']:.4f}",
            ),
        ),
    )


def electricity(forgetting: list[pq.forgettings.Forgetting], metrics: list[str], **options: Any) -> pq.Run:
    """Evaluate the Hoeffding tree and the majority class of a window of 1,000 on Electricity."""
    learners = {
        "Hoeffding tree": pq.learners.HoeffdingTree(),
        "majority class": pq.learners.MajorityClass(window_size=1000),
    }
    return pq.evaluate(pq.data("electricity"), learners, metrics=metrics, forgetting=forgetting, every=200, **options)


@item("bifet2015.figure2", "Accuracy, κ, harmonic mean and κ_m on Electricity", needs=("electricity",))
def figure2(work: Work) -> Made:
    """Make figure 2: four measures over a sliding window of 1,000."""
    metrics = ["accuracy", "kappa", "h_mean", "kappa_m"]
    run = work.run("figure2", lambda **options: electricity([pq.Sliding(1000)], metrics, **options))
    path = run.save_figure(work.file("measures.png"), metrics)
    values = {
        (name, metric): [
            row["value"] for row in run.to_arrow().to_pylist() if (row["learner"], row["metric"]) == (name, metric)
        ]
        for name in run.learners
        for metric in metrics
    }
    tree = values["Hoeffding tree", "kappa_m"]
    majority = values["majority class", "kappa_m"]
    negative = sum(value is not None and value < 0 for value in tree)
    kappa = [value for value in values["majority class", "kappa"] if value is not None and value == value]
    largest = max(abs(value) for value in majority if value is not None and value == value)
    return Made(
        figures={
            path: "The paper: two panels, the tree and the majority class, with four measures each. Ours: one panel "
            "per measure."
        },
        claims=(
            Claim(
                "κ_m of the tree is negative for some time.", negative > 0, f"at {negative} of {len(tree)} checkpoints"
            ),
            Claim("κ_m of the majority class is always 0.", largest < 1e-12, f"largest {largest:.1e}"),
            Claim("κ of the majority class is positive at times.", max(kappa) > 0, f"up to {max(kappa):.2f}"),
        ),
    )


@item(
    "bifet2015.figure3", "Accuracy over windows of three sizes and over ADWIN's, on Electricity", needs=("electricity",)
)
def figure3(work: Work) -> Made:
    """Make figure 3."""
    forgetting = [pq.Sliding(100), pq.Sliding(1000), pq.Sliding(10_000), pq.AdaptiveWindow()]
    run = work.run("figure3", lambda **options: electricity(forgetting, ["accuracy"], **options))
    path = run.save_figure(work.file("windows.png"), "accuracy", learners=["Hoeffding tree"])
    values = {
        one.label: [
            row["value"]
            for row in run.to_arrow().to_pylist()
            if (row["learner"], row["metric"], row["forgetting"]) == ("Hoeffding tree", "accuracy", one.label)
        ]
        for one in forgetting
    }
    adaptive = values.pop(forgetting[-1].label)
    far = {
        label: sum(abs(a - b) for a, b in zip(one, adaptive, strict=True)) / len(one) for label, one in values.items()
    }
    nearest = min(far, key=lambda label: far[label])
    numbers = ", ".join(f"{label} {value:.3f}" for label, value in far.items())
    return Made(
        figures={path: "The paper: accuracy of the tree over windows of 100, 1,000, 10,000 and ADWIN. Ours: the same."},
        claims=(
            Claim(
                "The window of 1,000 is the most similar to ADWIN.",
                nearest == "sliding:1000",
                f"mean distance: {numbers}",
            ),
        ),
    )
