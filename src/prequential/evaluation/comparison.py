"""Compare two learners of one run, from the pairs counted during the run or from saved predictions."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError
from prequential.evaluation.paired_predictions import pairs_of_predictions
from prequential.metrics.forgetting import AdaptiveWindow, Forgetting, as_forgetting
from prequential.runs.directory import RunDirectory
from prequential.runs.late_pairs import pairs_of_stage, stage_of
from prequential.runs.stage import is_delayed
from prequential.tables.comparison import Comparison, comparison_of_pairs
from prequential.wording import listing, suggestion


def comparison_in(
    run: RunDirectory,
    learners: tuple[str, str] | None,
    *,
    forgetting: str | Forgetting | Sequence[str | Forgetting] | None = None,
    stage: str | None = None,
    alpha: float = 0.05,
) -> Comparison:
    """Compare two learners of a run; names are needed if the run has more than two learners.

    With late labels, ``stage`` says by which prediction: ``initial`` (default) or ``final``.
    """
    by = stage_of(stage, run.manifest)
    a, b = only_two(run) if learners is None else learners
    check_learners(run, a, b)
    labels = forgetting_labels(forgetting)
    pairs = _counted(run, a, b)
    if pairs is not None and labels is not None:
        pairs = _chosen(run, pairs, a, labels)
    if by:
        if pairs is None:
            raise InputError(
                f"{run.path}: pairs of learners were not counted, and with late labels no predictions are saved. "
                "Evaluate again with pairs=True (--pairs); by default pairs are counted for up to eight classifiers."
            )
        pairs = pairs_of_stage(pairs, by)
    if pairs is None:
        pairs = pairs_of_predictions(run, a, run, b, labels)
    return comparison_of_pairs(pairs, a, b, manifest=run.manifest, alpha=alpha, stage=by)


def check_learners(run: RunDirectory, *names: str) -> None:
    """Raise an error for a learner that the run does not have, or one that is named twice."""
    known = list(run.manifest.learners)
    for name in names:
        if name not in known:
            raise InputError(
                f"{run.path} has no learner {name!r}.{suggestion(name, known)} It has: {listing(known, 40)}."
            )
    if len(set(names)) != len(names):
        raise InputError(f"{names[0]!r} cannot be compared with itself: name two learners (--learners A B).")


def forgetting_labels(forgetting: str | Forgetting | Sequence[str | Forgetting] | None) -> list[str] | None:
    """Return the textual forms of some forgettings."""
    if forgetting is None:
        return None
    given = [forgetting] if isinstance(forgetting, str) or not isinstance(forgetting, Sequence) else forgetting
    return [as_forgetting(one).label for one in given]


def only_two(run: RunDirectory) -> tuple[str, str]:
    """Return the two learners of a run that has two."""
    manifest = run.manifest
    names = list(manifest.learners)
    if len(names) == 1:
        raise InputError(
            f"{run.path} has only one learner ({names[0]}): name a second run of the same stream, "
            "or evaluate two learners."
        )
    if len(names) != 2:
        folds = manifest.protocol.get("protocol") == "kfold" and len(names) > 2
        hint = " run.folds.table() compares all of them with the tests over folds." if folds else ""
        raise InputError(
            f"{run.path} has {len(names)} learners ({listing(names)}): name the two to compare (--learners A B).{hint}"
        )
    return names[0], names[1]


def _counted(directory: RunDirectory, a: str, b: str) -> pa.Table | None:
    """Return the pairs that were counted during the run; None if there are none for these two learners."""
    pairs = directory.pairs()
    if not len(pairs):
        return None
    first, second = (pairs[name].cast(pa.string()) for name in ("a", "b"))
    names = pa.array([a, b])
    ours = pc.and_(pc.is_in(first, names), pc.is_in(second, names))
    return pairs if pc.any(ours).as_py() else None


def _chosen(run: RunDirectory, pairs: pa.Table, a: str, labels: Sequence[str]) -> pa.Table | None:
    """Return the pairs under some forgettings, and under all history, which the confidence sequence needs.

    None if one was not counted and must be counted from saved predictions.
    """
    counted = pc.unique(pairs["forgetting"].cast(pa.string())).to_pylist()
    unknown = [label for label in labels if label not in counted]
    if not unknown:
        return pairs.filter(pc.is_in(pairs["forgetting"].cast(pa.string()), pa.array(["cumulative", *labels])))
    if is_delayed(run.manifest):
        raise InputError(
            f"{run.path}: pairs were not counted under {listing(unknown)}.{suggestion(unknown[0], counted)} Accepted: "
            f"{listing(counted, 40)}."
        )
    if run.predictions_path(a).is_dir() or any(isinstance(as_forgetting(one), AdaptiveWindow) for one in unknown):
        return None
    raise InputError(
        f"{run.path}: pairs were not counted under {listing(unknown)}.{suggestion(unknown[0], counted)} Accepted: "
        f"{listing(counted, 40)}. For others, save predictions with predictions=True (--predictions)."
    )
