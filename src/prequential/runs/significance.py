"""The tidy table of tests over folds: one row per pair of learners, checkpoint, forgetting, metric and test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError
from prequential.wording import listing, suggestion

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("learner_a", _NAME),
        ("learner_b", _NAME),
        ("n", pa.int64()),
        ("time", pa.float64()),
        ("forgetting", _NAME),
        ("metric", _NAME),
        ("test", _NAME),
        ("statistic", pa.float64()),
        ("p_value", pa.float64()),
        ("reason", _NAME),
    ]
)
"""``test`` is ``sign`` (its statistic: the folds in which A's value is higher), ``wilcoxon`` (the smaller rank sum) or
``mcnemar`` (signed, negative where A is better, over the records that all folds tested, taken together). ``reason``
says why ``p_value`` is undefined; it is empty otherwise."""


def checked_tests(table: pa.Table, path: Path) -> pa.Table:
    """Return the table of the run at ``path`` if it has any tests."""
    if not len(table):
        raise InputError(f"{path}: no tests over folds. They need two learners and protocol=pq.KFold(…).")
    return table


def fold_tests(table: pa.Table) -> pa.Table:
    """Return the rows of the sign and Wilcoxon tests; all rows if no metric of the run has a better direction."""
    found = table.filter(pc.not_equal(table["test"].cast(pa.string()), "mcnemar"))
    return found if len(found) else table


def unknown_choice(column: str, name: str, known: Sequence[str]) -> InputError:
    """Return the error for a learner, metric or forgetting that has no tests."""
    return InputError(f"No tests of the {column} {name!r}.{suggestion(name, known)} There are: {listing(known)}.")
