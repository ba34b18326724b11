"""Compare two learners of one run, or of two runs on the same stream, record by record."""

from __future__ import annotations

from collections.abc import Sequence

from prequential.arguments import checked_call
from prequential.errors import InputError
from prequential.evaluation.comparison import check_learners, comparison_in, forgetting_labels
from prequential.evaluation.paired_predictions import pairs_of_predictions
from prequential.evaluation.run import AnyRun, Run, as_run
from prequential.metrics.forgetting import Forgetting
from prequential.tables.comparison import Comparison
from prequential.wording import listing


@checked_call
def compare(
    run: AnyRun, *what: AnyRun, forgetting: Sequence[str | Forgetting] | None = None, alpha: float = 0.05
) -> Comparison:
    """Compare two learners record by record: Q, McNemar's test, the difference of errors, and a confidence sequence.

    - ``compare(run, "a", "b")`` compares two learners of one run.
    - ``compare(run)`` compares the learners of a run that has two.
    - ``compare(run_a, run_b)`` compares two runs on the same stream that have one learner each, from their saved
      predictions.
    - ``compare(run_a, run_b, "a", "b")`` does so if the runs have more learners.

    Parameters
    ----------
    run, what
        One or two runs, each a `Run` or its directory, then the names of the two learners.
    forgetting
        Forgettings to compare under; by default those of the first run.
    alpha
        Error rate of the confidence sequence. Intervals for a single look have the confidence 1 − α.

    Raises
    ------
    InputError
        If the runs are on different streams or have different lengths; the message lists the differences.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(5000), ["naive_bayes", "no_change"])
    >>> print(pq.compare(run, "naive_bayes", "no_change").conclusion.partition(":")[0])
    After 5,000 records the confidence sequence excludes 0
    """
    one = as_run(run)
    if len(what) in (0, 2):
        learners = (str(what[0]), str(what[1])) if what else None
        return comparison_in(one.directory, learners, forgetting=forgetting, alpha=alpha)
    if len(what) not in (1, 3):
        raise InputError(
            "compare takes one run and the names of two learners, or two runs and, if they have more than one learner, "
            f"two names. Got {1 + len(what)} arguments."
        )
    if what[0] in one.learners:
        raise InputError(
            f"{what[0]!r} needs a second learner to compare with: name two learners (--learners A B), or another run."
        )
    other = as_run(what[0])
    first, second = (_only(one), _only(other)) if len(what) == 1 else (str(what[1]), str(what[2]))
    check_learners(one.directory, first)
    check_learners(other.directory, second)
    a, b = (first, second) if first != second else (f"{first} ({one.path.name})", f"{second} ({other.path.name})")
    if a == b:
        a, b = f"{first} (first)", f"{second} (second)"
    labels = forgetting_labels(forgetting)
    pairs = pairs_of_predictions(one.directory, first, other.directory, second, labels, called=(a, b))
    return Comparison.of_run(pairs, a, b, manifest=one.manifest, alpha=alpha)


def _only(run: Run) -> str:
    if len(run.learners) != 1:
        raise InputError(
            f"{run.path} has {len(run.learners)} learners ({listing(run.learners)}): name one learner of each run, "
            "compare(run_a, run_b, 'a', 'b') (--learners A B)."
        )
    return run.learners[0]
