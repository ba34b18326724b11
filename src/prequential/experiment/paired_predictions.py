"""Pairs of two learners from their saved predictions, once it is sure that these are of the same records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.comparisons.pairs import count_pairs
from prequential.errors import InputError, listing
from prequential.experiment.run import Run
from prequential.measures.forgetting import Adwin, Forgetting, parse_forgetting


def pairs_of_predictions(
    one: Run,
    a: str,
    other: Run,
    b: str,
    forgetting: Sequence[str | Forgetting] | None,
    *,
    called: tuple[str, str] | None = None,
) -> pa.Table:
    """Count pairs from saved predictions, after making sure that they are of the same records.

    ``called`` is what the table calls the two learners, if not by their names.
    """
    if one.manifest.schema.get("task") == "regression" or other.manifest.schema.get("task") == "regression":
        raise InputError("Targets of regression are neither right nor wrong: only classifiers are compared so.")
    for run, name in ((one, a), (other, b)):
        if run.manifest.protocol.get("protocol") == "predictions made elsewhere":
            raise InputError(
                f"{run.path}: {name!r} was predicted elsewhere, and a run keeps no copy of such predictions. Compare "
                "them with pq.Comparison.from_losses, which takes for each learner a list of 0 (right) and 1 (wrong)."
            )
    first, second = one.directory.predictions(a), other.directory.predictions(b)
    differing = _differing(one, first, other, second)
    if differing:
        raise InputError(
            f"{a} ({one.path}) and {b} ({other.path}) cannot be compared record by record, because they differ in:\n"
            + "\n".join(f"  - {text}" for text in differing)
        )
    labelled = pc.is_valid(first["label"]).to_numpy(zero_copy_only=False)
    if one.manifest.abstain == "skip":
        for table in (first, second):
            labelled = labelled & pc.is_valid(table["prediction"]).to_numpy(zero_copy_only=False)
    kept = forgetting if forgetting is not None else _readable(one.manifest.forgetting)
    return count_pairs(
        _right(first),
        _right(second),
        a=called[0] if called else a,
        b=called[1] if called else b,
        forgetting=kept,
        every=one.manifest.every,
        weight=_column(first, "weight"),
        time=_column(first, "time"),
        labelled=labelled,
        start=int(first["n"][0].as_py()) if "n" in first.column_names and len(first) else 0,
    )


def _readable(labels: Iterable[str]) -> list[str]:
    """Return the forgettings that pairs can be counted under: not a holdout test's own, nor ADWIN."""
    found = []
    for label in labels:
        try:
            forgetting = parse_forgetting(label)
        except InputError:
            continue
        if not isinstance(forgetting, Adwin):
            found.append(forgetting.label)
    return found


def _right(table: pa.Table) -> npt.NDArray[np.bool_]:
    label, prediction = (table[name].cast(pa.string()) for name in ("label", "prediction"))
    right: npt.NDArray[np.bool_] = pc.fill_null(pc.equal(label, prediction), False).to_numpy(zero_copy_only=False)
    return right


def _column(table: pa.Table, name: str) -> npt.NDArray[np.float64] | None:
    return table[name].cast(pa.float64()).to_numpy() if name in table.column_names else None


def _differing(one: Run, first: pa.Table, other: Run, second: pa.Table) -> list[str]:
    """Return what keeps two tables of predictions from being of the same records, in words."""
    found = []
    m, k = one.manifest, other.manifest
    for what, x, y in (
        ("target", m.schema.get("target"), k.schema.get("target")),
        ("classes", _sorted(m.schema.get("classes")), _sorted(k.schema.get("classes"))),
        ("abstentions count as", m.abstain, k.abstain),
    ):
        if x != y and None not in (x, y):
            found.append(f"{what}: {_said(x)} and {_said(y)}")
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
    return [f"{column}, first at prediction {at}: {_said(one[at].as_py())} and {_said(other[at].as_py())}"]


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return values that compare: names as text whatever their codes."""
    return values.cast(pa.string()) if pa.types.is_dictionary(values.type) else values


def _sorted(classes: list[str] | None) -> list[str] | None:
    return None if classes is None else sorted(classes)


def _said(value: object) -> str:
    return listing(value) if isinstance(value, list) else repr(value)
