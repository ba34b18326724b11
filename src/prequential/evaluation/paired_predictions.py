"""Counts for two learners from their saved predictions, after a check that both predicted the same records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.comparisons.pairs import count_pairs
from prequential.errors import InputError
from prequential.metrics.forgetting import AdaptiveWindow, Forgetting, as_forgetting
from prequential.runs.directory import RunDirectory
from prequential.runs.stage import is_delayed
from prequential.wording import listing


def pairs_of_predictions(
    one: RunDirectory,
    a: str,
    other: RunDirectory,
    b: str,
    forgetting: Sequence[str | Forgetting] | None,
    *,
    called: tuple[str, str] | None = None,
) -> pa.Table:
    """Count from saved predictions how often one learner was right where the other was wrong.

    ``called`` are the names of the learners in the table, if they differ from their own.

    Raises
    ------
    InputError
        If the predictions are not for the same records; the message lists the differences.
    """
    if one.manifest.schema.get("task") == "regression" or other.manifest.schema.get("task") == "regression":
        raise InputError(
            "Only classifiers can be compared record by record: a predicted number is neither right nor wrong."
        )
    for run, name in ((one, a), (other, b)):
        if is_delayed(run.manifest):
            raise InputError(
                f"{run.path}: with late labels no predictions are saved. Put the learners into one run, which counts "
                "their pairs when labels arrive, and name two of them (--learners A B)."
            )
        if run.manifest.protocol.get("protocol") == "predictions made elsewhere":
            raise InputError(
                f"{run.path}: the predictions of {name!r} were made elsewhere, and the run has no copy of them. Score "
                "the learners in one run, from files or arrays with the same records (pq.score([…, …]), prequential "
                "score A B), or use pq.Comparison.from_losses, which takes one list of 0 (right) or 1 (wrong) per "
                "learner."
            )
        if run.manifest.protocol.get("protocol") == "holdout":
            raise InputError(
                f"{run.path}: {name!r} was tested under holdout, which saves no predictions. Compare learners of one "
                "run that counted pairs (pairs=True, --pairs), or use protocol=pq.Prequential() (--protocol "
                "prequential)."
            )
    first, second = one.predictions(a), other.predictions(b)
    check_same_records(one, a, first, other, b, second)
    labelled = pc.is_valid(first["label"]).to_numpy(zero_copy_only=False)
    if one.manifest.abstain == "skip":
        for table in (first, second):
            labelled = labelled & pc.is_valid(table["prediction"]).to_numpy(zero_copy_only=False)
    return count_pairs(
        _right(first),
        _right(second),
        a=called[0] if called else a,
        b=called[1] if called else b,
        forgetting=_countable(one.manifest.forgetting) if forgetting is None else forgetting,
        every=one.manifest.every,
        weight=_column(first, "weight"),
        time=_column(first, "time"),
        labelled=labelled,
        start=start_of(first),
    )


def check_same_records(
    one: RunDirectory, a: str, first: pa.Table, other: RunDirectory, b: str, second: pa.Table
) -> None:
    """Raise an error if two tables of predictions are not for the same records; the message lists the differences."""
    differing = _differing(one, first, other, second)
    if differing:
        raise InputError(
            f"{a} ({one.path}) and {b} ({other.path}) cannot be compared record by record, because they differ in:\n"
            + "\n".join(f"  - {text}" for text in differing)
        )


def start_of(predictions: pa.Table) -> int:
    """Return the number of records of the stream before the first one predicted."""
    known = "record" in predictions.column_names and len(predictions)
    return int(predictions["record"][0].as_py()) if known else 0


def _countable(labels: Iterable[str]) -> list[str]:
    """Return the forgettings that pairs can be counted under: neither ``holdout`` nor ADWIN."""
    found = []
    for label in labels:
        try:
            forgetting = as_forgetting(label)
        except InputError:
            continue
        if not isinstance(forgetting, AdaptiveWindow):
            found.append(forgetting.label)
    return found


def _right(table: pa.Table) -> npt.NDArray[np.bool_]:
    label, prediction = (table[name].cast(pa.string()) for name in ("label", "prediction"))
    right: npt.NDArray[np.bool_] = pc.fill_null(pc.equal(label, prediction), False).to_numpy(zero_copy_only=False)
    return right


def _column(table: pa.Table, name: str) -> npt.NDArray[np.float64] | None:
    return table[name].cast(pa.float64()).to_numpy() if name in table.column_names else None


def _differing(one: RunDirectory, first: pa.Table, other: RunDirectory, second: pa.Table) -> list[str]:
    """Return in which ways two tables of predictions are not for the same records, as text."""
    found = []
    m, k = one.manifest, other.manifest
    for what, x, y in (
        ("target", m.schema.get("target"), k.schema.get("target")),
        ("classes", _sorted(m.schema.get("classes")), _sorted(k.schema.get("classes"))),
        ("abstentions count as", m.abstain, k.abstain),
    ):
        if x != y and None not in (x, y):
            found.append(f"{what}: {_text(x)} and {_text(y)}")
    if len(first) != len(second):
        found.append(f"predictions: {len(first):,} and {len(second):,}")
    if m.name != k.name and found:
        found.insert(0, f"stream: {m.name!r} and {k.name!r}")
    n = min(len(first), len(second))
    for column in ("n", "label", "time", "weight", "id"):
        inside = [column in table.column_names for table in (first, second)]
        if inside[0] != inside[1]:
            found.append(f"{column}: only the {'first' if inside[0] else 'second'} run has it")
        elif inside[0]:
            found += _first_difference(column, first[column].slice(0, n), second[column].slice(0, n))
    return found


def _first_difference(column: str, first: pa.ChunkedArray, second: pa.ChunkedArray) -> list[str]:
    one, other = (_plain(values) for values in (first, second))
    same = pc.fill_null(pc.equal(one, other), False)
    empty = pc.and_(pc.is_null(one), pc.is_null(other))
    differs = np.flatnonzero(~pc.or_(same, empty).to_numpy(zero_copy_only=False))
    if not len(differs):
        return []
    at = int(differs[0])
    return [f"{column}, first at prediction {at}: {_text(one[at].as_py())} and {_text(other[at].as_py())}"]


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return values that can be compared: text instead of codes."""
    return values.cast(pa.string()) if pa.types.is_dictionary(values.type) else values


def _sorted(classes: list[str] | None) -> list[str] | None:
    return None if classes is None else sorted(classes)


def _text(value: object) -> str:
    return listing(value) if isinstance(value, list) else repr(value)
