"""Comparing two learners record by record: of one run, or of two runs of one stream."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError, listing, suggestion
from prequential.experiment.paired_predictions import pairs_of_predictions
from prequential.experiment.run import AnyRun, Run, as_run
from prequential.measures.forgetting import Adwin, Forgetting, as_forgetting, parse_forgetting
from prequential.report.comparison import Comparison
from prequential.runs.directory import RunDirectory


def compare(
    run: AnyRun, *what: AnyRun, forgetting: Sequence[str | Forgetting] | None = None, alpha: float = 0.05
) -> Comparison:
    """Compare two learners record by record: Q, McNemar, the difference of their errors, and a confidence sequence.

    ``compare(run, "a", "b")`` compares two learners of one run, ``compare(run)`` the two of a run that has no more.
    ``compare(run_a, run_b)`` compares the learners of two runs of one stream, a learner each, from their saved
    predictions; ``compare(run_a, run_b, "a", "b")`` where they have more.

    Parameters
    ----------
    run, what
        A run or two, each a `Run` or its directory, then the names of the two learners.
    forgetting
        Of two runs: the forgettings to count under; those of the first by default. Of one: those to keep.
    alpha
        The error rate of the confidence sequence; intervals for one look have the confidence 1 − α.

    Raises
    ------
    InputError
        For runs of different streams or lengths, with what differs.
    """
    if len(what) == 0 or len(what) == 2:
        one = as_run(run)
        a, b = _two(one) if not what else (str(what[0]), str(what[1]))
        _check_learners(one, a, b)
        labels = _labels(forgetting)
        pairs = _counted(one.directory, a, b)
        if pairs is not None and labels is not None:
            pairs = _chosen(one, pairs, a, labels)
        if pairs is None:
            pairs = pairs_of_predictions(one, a, one, b, labels)
        return Comparison.of_run(pairs, a, b, manifest=one.manifest, alpha=alpha)
    if len(what) not in (1, 3):
        raise InputError("compare takes a run and two names of learners, or two runs and, if need be, two names.")
    one = as_run(run)
    if what[0] in one.learners:
        raise InputError(f"{what[0]!r} is compared with whom? Name two learners of the run, or another run.")
    other = as_run(what[0])
    names = (_only(one), _only(other)) if len(what) == 1 else (str(what[1]), str(what[2]))
    _check_learners(one, names[0])
    _check_learners(other, names[1])
    a, b = names if names[0] != names[1] else (f"{names[0]} ({one.path.name})", f"{names[1]} ({other.path.name})")
    if a == b:
        a, b = f"{names[0]} (first)", f"{names[1]} (second)"
    pairs = pairs_of_predictions(one, names[0], other, names[1], _labels(forgetting), called=(a, b))
    return Comparison.of_run(pairs, a, b, manifest=one.manifest, alpha=alpha)


def _only(run: Run) -> str:
    if len(run.learners) != 1:
        raise InputError(
            f"{run.path} has {len(run.learners)} learners ({listing(run.learners)}): name one of each run, "
            "as in compare(run_a, run_b, 'a', 'b')."
        )
    return run.learners[0]


def _two(run: Run) -> tuple[str, str]:
    if len(run.learners) != 2:
        raise InputError(
            f"{run.path} has {len(run.learners)} learners ({listing(run.learners)}): name the two to compare "
            f"(--learners A B).{_all_at_once(run)}"
        )
    return run.learners[0], run.learners[1]


def _all_at_once(run: Run) -> str:
    folds = run.manifest.protocol.get("protocol") == "kfold" and len(run.learners) > 2
    return " run.significance_table() has all of them, by the tests over folds." if folds else ""


def _check_learners(run: Run, *names: str) -> None:
    for name in names:
        if name not in run.learners:
            raise InputError(
                f"{run.path} has no learner {name!r}.{suggestion(name, run.learners)} "
                f"It has: {listing(run.learners, 40)}."
            )
    if len(set(names)) != len(names):
        raise InputError(f"{names[0]!r} is not compared with itself: name two learners.")


def _counted(directory: RunDirectory, a: str, b: str) -> pa.Table | None:
    """Return the pairs that were counted during the run; None if there are none of these two learners."""
    pairs = directory.pairs()
    if not len(pairs):
        return None
    first, second = (pairs[name].cast(pa.string()) for name in ("a", "b"))
    names = pa.array([a, b])
    ours = pc.and_(pc.is_in(first, names), pc.is_in(second, names))
    return pairs if pc.any(ours).as_py() else None


def _chosen(run: Run, pairs: pa.Table, a: str, labels: Sequence[str]) -> pa.Table | None:
    """Keep some forgettings, and all history, which the confidence sequence needs.

    None where others are asked for, and predictions were saved to count them from.
    """
    counted = pc.unique(pairs["forgetting"].cast(pa.string())).to_pylist()
    unknown = [label for label in labels if label not in counted]
    if not unknown:
        return pairs.filter(pc.is_in(pairs["forgetting"].cast(pa.string()), pa.array(["cumulative", *labels])))
    if run.directory.predictions_path(a).is_dir() or any(isinstance(parse_forgetting(one), Adwin) for one in unknown):
        return None
    raise InputError(
        f"{run.path}: pairs were not counted under {listing(unknown)}.{suggestion(unknown[0], counted)} Counted were: "
        f"{listing(counted, 40)}. Others can be counted from predictions: save them with predictions=True."
    )


def _labels(forgetting: str | Forgetting | Sequence[str | Forgetting] | None) -> list[str] | None:
    if forgetting is None:
        return None
    several = [forgetting] if isinstance(forgetting, str) or not isinstance(forgetting, Sequence) else forgetting
    return [as_forgetting(one).label for one in several]
